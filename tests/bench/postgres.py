"""The engine on PostgreSQL, in one process and in several on one database, beside a ceiling of the same run and SQLite.

A server of its own waits for the disk. Everything shares one machine: what database and processes had of its
processors stands beside the figures.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bot.storage.postgres import open_postgres
from tests.bench import postgres_ceiling, postgres_takeover
from tests.bench.answering import ASKED, PLAYERS, SESSIONS, rows_of_answers
from tests.bench.postgres_worker import Told
from tests.bench.processes import processor_seconds
from tests.bench.report import percentile, say
from tests.bench.world import PLATFORM
from tests.postgres.databases import create, drop
from tests.postgres.server import Server, server
from tests.program import ROOT

ROUNDS = 3
SOON = 0.5
"""Seconds in which every process has made up what it is going to press."""


@dataclass(slots=True)
class Figures:
    """Answers a second by round; seconds to each answer; which share of one processor the processes had together, and
    the server."""

    rates: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)

    @property
    def shares(self) -> str:
        return f"processors: {median(self.ours):.2f} processes, {median(self.server):.2f} database"


class Worker:
    """A process to be told what to do."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def ask(self, do: str, **values: Any) -> Told:
        """Have it do this; what it says of it."""
        if self.process.stdin is None or self.process.stdout is None:
            raise TypeError("a process without pipes cannot be asked")
        self.process.stdin.write((json.dumps({"do": do, **values}) + "\n").encode())
        line = await self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"a process of the bench has ended, asked to {do}")
        told: Told = json.loads(line)
        return told


@asynccontextmanager
async def workers(database: str, number: int) -> AsyncIterator[list[Worker]]:
    """So many processes on this database."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(_worker(database)) for _ in range(number)]


@asynccontextmanager
async def _worker(database: str) -> AsyncIterator[Worker]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.postgres_worker", database),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**24,
        cwd=ROOT,
    )
    try:
        yield Worker(process)
    finally:
        if process.stdin:
            process.stdin.close()
        await process.wait()


class Machine:
    """A server, and databases on it."""

    def __init__(self, running: Server) -> None:
        self._server = running
        self.process = int((running.home / "process").read_text())

    @asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """The address of a database with all tables, empty."""
        url = await asyncio.to_thread(create, self._server.url())
        try:
            await (await open_postgres(url, [PLATFORM], 1, "made")).close()
            yield url
        finally:
            await asyncio.to_thread(drop, self._server.url(), url)

    async def ceiling(self, sample: Sequence[Any]) -> float:
        async with self.database() as url:
            return await postgres_ceiling.answers_per_second(url, sample)


async def pressing(
    database: str, figures: Figures, processes: int, chats: int, players: int, *, by_chat: bool = False, server: int = 0
) -> None:
    """One round: everybody presses at once, question after question."""
    async with workers(database, processes) as crew:
        await crew[0].ask("start", chats=chats)
        answers, took = 0, 0.0
        ours, theirs = 0.0, 0.0
        for question in range(ASKED if chats > 1 else 1):
            before, at = processor_seconds(server, family=True), time.monotonic() + SOON
            told = await asyncio.gather(
                *(
                    each.ask("press", chats=chats, players=players, question=question, mine=number, of=processes,
                             by_chat=by_chat, at=at)
                    for number, each in enumerate(crew)
                )
            )  # fmt: skip
            theirs += processor_seconds(server, family=True) - before
            ours += sum(each["used"] for each in told)
            answers += sum(each["answers"] for each in told)
            took += max(each["ended"] for each in told) - min(each["began"] for each in told)
            figures.took += [seconds for each in told for seconds in each["took"]]
            await crew[0].ask("advance", chats=chats, question=question)
        figures.rates.append(answers / took)
        figures.ours.append(ours / took)
        figures.server.append(theirs / took)


async def latencies(database: str) -> tuple[list[float], list[float]]:
    """Seconds to a durable answer when nothing else happens, and with 256 under way."""
    async with workers(database, 1) as (one,):
        await one.ask("start", chats=256)
        idle = await one.ask("idle", chat=0, first=0, answers=300)
        loaded = await one.ask("loaded", chats=256, first=300, answers=30)
    return idle["took"], loaded["took"]


def _files(folder: Path) -> Iterator[str]:
    """Addresses of databases that are not there yet."""
    return (f"sqlite:///{folder.absolute().as_posix()}/{number}.sqlite3" for number in range(1000))


KINDS: dict[str, dict[str, Any]] = {
    f"{SESSIONS:,} sessions of {PLAYERS}, 1 process": {"processes": 1, "chats": SESSIONS, "players": PLAYERS},
    "  2 processes, presses at random": {"processes": 2, "chats": SESSIONS, "players": PLAYERS},
    "  2 processes, each chat at one": {"processes": 2, "chats": SESSIONS, "players": PLAYERS, "by_chat": True},
    "  4 processes, presses at random": {"processes": 4, "chats": SESSIONS, "players": PLAYERS},
    "  4 processes, each chat at one": {"processes": 4, "chats": SESSIONS, "players": PLAYERS, "by_chat": True},
    "1,000 players in one chat, 1 process": {"processes": 1, "chats": 1, "players": 1000},
    "  2 processes": {"processes": 2, "chats": 1, "players": 1000},
    "  4 processes": {"processes": 4, "chats": 1, "players": 1000},
}


async def measure(folder: Path) -> None:
    """Measure and print."""
    sample = rows_of_answers(SESSIONS, PLAYERS)
    found = {name: Figures() for name in KINDS}
    raw: list[float] = []
    ours, idle, loaded = Figures(), Figures(), Figures()
    fresh = _files(folder)
    async with server(durable=True) as running:
        machine = Machine(running)
        for _ in range(ROUNDS):
            raw.append(await machine.ceiling(sample))
            for name, kind in KINDS.items():
                async with machine.database() as url:
                    await pressing(url, found[name], server=machine.process, **kind)
            await pressing(next(fresh), ours, 1, SESSIONS, PLAYERS)
        async with machine.database() as url:
            idle.took, loaded.took = await latencies(url)
        sqlite_idle, sqlite_loaded = await latencies(next(fresh))
    report(raw, found, ours)
    for name, mine, theirs in (("idle", idle.took, sqlite_idle), ("256 under way", loaded.took, sqlite_loaded)):
        say(f"turn latency, {name}", spread(mine), f"SQLite: {spread(theirs)}")
    postgres_takeover.report(await postgres_takeover.measure())


def spread(took: list[float]) -> str:
    """Median and what all but one in a hundred kept to."""
    return f"p50 {percentile(took, 0.5) * 1e3:.1f} ms, p99 {percentile(took, 0.99) * 1e3:.1f} ms"


def report(raw: list[float], found: dict[str, Figures], sqlite: Figures) -> None:
    """Print the figures of throughput."""
    say(f"on {os.cpu_count()} processors; ceiling: psycopg, unnest, by 256", f"{median(raw):,.0f}/s")
    for name, figures in found.items():
        ratio = median(mine / theirs for mine, theirs in zip(figures.rates, raw, strict=True))
        say(name, f"{median(figures.rates):,.0f}/s", f"{ratio:.2f} of the ceiling; {figures.shares}")
    say("the same sessions on SQLite, 1 process", f"{median(sqlite.rates):,.0f}/s", f"{median(sqlite.ours):.2f} of one")
