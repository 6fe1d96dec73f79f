"""How long it takes the others to take over what a process that was killed had: its role, its deadlines, its posts.

`python -m tests.bench.postgres_takeover DATABASE [hang]` is one of these processes: it says on standard output what it
does, each line with the moment, `time.monotonic`; with `hang` no post of its ever arrives.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import median

from bot import databases, present
from bot.clock import SystemClock
from bot.core.events import Resumed
from bot.core.session import Actor, Pace, Phase, Settings
from bot.crew import worker_name
from bot.library import Library
from bot.messages import Card
from bot.ports import Due
from bot.running import Duties, Service, serving
from bot.starting import started
from bot.ticker import Ticker
from tests.bench.report import say
from tests.crash.stage import PLATFORM, QUIZ
from tests.postgres.server import server
from tests.program import ROOT

ROLE = PLATFORM
CHATS = 40
"""In which questions follow each other by the clock, every two seconds."""

ROUNDS = 3
WATCHED = 12.0
"""Seconds in which it has come about."""


def _say(*words: object) -> None:
    os.write(1, (" ".join(map(str, (*words, time.monotonic()))) + "\n").encode())


class Hands:
    """A transport that says what it shows, and whose posts never arrive if it `hangs`."""

    def __init__(self, *, hangs: bool) -> None:
        self._hangs = hangs

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        _say("taken", nonce)
        if self._hangs:
            await asyncio.Event().wait()
        _say("sent", nonce)
        return nonce

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        """Nobody looks."""


def _measured(ticker: Ticker, due: Due) -> None:
    late = (SystemClock().now() - due.deadline).total_seconds()
    _say("late", f"{late:.3f}")


async def serve(database: str, *, hangs: bool) -> None:
    """Play until killed."""
    Ticker._measure = _measured  # type: ignore[assignment, method-assign]  # each deadline by itself
    store = await databases.opened(database, [PLATFORM], connections=4, worker=worker_name())
    duties = {PLATFORM: Duties(frozenset({ROLE}))}
    parts = (store, Library([QUIZ]), SystemClock(), present.post, {PLATFORM: Hands(hangs=hangs)}, Random(), duties)
    async with serving(*parts) as service, asyncio.TaskGroup() as group:
        group.create_task(service.crew.duty([ROLE], _hold))
        for number in range(CHATS):
            group.create_task(_play(service, f"{PLATFORM}:{number}"))


async def _hold(roles: frozenset[str]) -> None:
    _say("role", ",".join(roles))
    await asyncio.Event().wait()


async def _play(service: Service, chat: str) -> None:
    """Session after session, in which nobody answers, but somebody goes on after a pause."""
    edition = service.library.edition(QUIZ.slug)
    host, lots = Actor(f"{chat}-host", "Host"), Random()
    while edition:
        await asyncio.sleep(lots.uniform(0, 1))
        session = await service.store.session(chat)
        key = f"{chat} {lots.random()}"
        if session is None or not session.live:
            chosen = Settings(Pace.BRISK, len(QUIZ.questions))
            event = started(edition, host, key, lots, chosen, private=False, card=False)
            await service.engine.handle(chat, event)
        elif session.phase is Phase.PAUSED:
            await service.engine.handle(chat, Resumed(key, host, session.id))


# From outside


@dataclass(slots=True)
class Process:
    """One of them, and what it has said: kind, what, when."""

    process: asyncio.subprocess.Process
    said: list[tuple[str, str, float]] = field(default_factory=list)

    async def listen(self) -> None:
        while self.process.stdout and (line := await self.process.stdout.readline()):
            kind, what, at = line.decode().split(" ", 2)[0], " ".join(line.decode().split()[1:-1]), line.split()[-1]
            self.said.append((kind, what, float(at)))

    async def says(self, kind: str) -> None:
        """Return once it has said something of this kind."""
        while not any(said == kind for said, _, _ in self.said):  # noqa: ASYNC110  # a moment more does no harm
            await asyncio.sleep(0.01)


@dataclass(slots=True)
class TakeOvers:
    """Seconds from the kill until another process had the role, and had sent what the killed one had taken up; how late
    deadlines were that fell in the seconds after it."""

    role: list[float] = field(default_factory=list)
    posts: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)


@asynccontextmanager
async def _running(database: str, *how: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.postgres_takeover", database, *how),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    made = Process(process)
    listening = asyncio.create_task(made.listen())
    try:
        yield made
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening


async def measure() -> TakeOvers:
    """Kill a process, and watch another."""
    found = TakeOvers()
    for _ in range(ROUNDS):
        async with server(durable=True) as running:
            await _kill_one(running.url(), found)
        async with server(durable=True) as running:
            await _kill_one_that_hangs(running.url(), found)
    return found


async def _kill_one(database: str, found: TakeOvers) -> None:
    async with _running(database) as first:
        await first.says("role")
        async with _running(database) as second:
            await second.says("late")
            await asyncio.sleep(Random().uniform(2, 4))
            killed = time.monotonic()
            first.process.kill()
            await asyncio.sleep(WATCHED)
            found.role += [at - killed for kind, _, at in second.said if kind == "role"]
            found.late += [float(what) for kind, what, at in second.said if kind == "late" and at > killed]


async def _kill_one_that_hangs(database: str, found: TakeOvers) -> None:
    async with _running(database, "hang") as first:
        await first.says("taken")
        async with _running(database) as second:
            await asyncio.sleep(3 + Random().uniform(0, 2))
            killed = time.monotonic()
            first.process.kill()
            await asyncio.sleep(WATCHED)
            taken = {what for kind, what, _ in first.said if kind == "taken"}
            found.posts += [at - killed for kind, what, at in second.said if kind == "sent" and what in taken]


def report(found: TakeOvers) -> None:
    """Print the figures."""
    for what, times in (("its role", found.role), ("the posts it had taken up", found.posts)):
        say(
            f"a process is killed: another has {what}",
            f"{median(times):.1f} s",
            f"{min(times):.1f} to {max(times):.1f} s",
        )
    late = sorted(found.late)
    at = late[int(len(late) * 0.99)]
    say(
        "  and deadlines are late by",
        f"p50 {median(late) * 1e3:.0f} ms",
        f"p99 {at * 1e3:.0f} ms, {late[-1] * 1e3:.0f} ms at most",
    )


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], hangs="hang" in sys.argv))
