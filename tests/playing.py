"""A whole bot on a virtual clock, against a server of the tests: how to wait for it, and what it has stored. Knows no
platform."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from bot.running import Service
from bot.storage.sql import SqlStore
from bot.storage.sqlite import SqliteDriver
from tests.clock import VirtualClock

ROUNDS = 4
"""How often nothing new has to be seen before everything counts as quiet."""

PATIENCE = 60
"""Real seconds after which something goes on for ever."""

MILLISECOND = timedelta(milliseconds=1)

PAINTED = b"\x89PNG\r\n\x1a\nprogress"
"""Stands for every picture that is drawn: how long a real one takes must not matter."""

Row = tuple[Any, ...]


class Call(Protocol):
    """A request to the server; its status is falsy while it is under way."""

    @property
    def status(self) -> int | None: ...


@dataclass
class Bot(ABC):
    """A bot that serves. `task` is the adapter's; `answered`, how many requests were, before any that was not."""

    clock: VirtualClock
    driver: SqliteDriver
    store: SqlStore
    service: Service
    task: asyncio.Task[None]

    def __post_init__(self) -> None:
        self.answered = 0

    @property
    @abstractmethod
    def requests(self) -> Sequence[Call]:
        """Every request that the server has had, in order."""

    @abstractmethod
    def busy(self) -> bool:
        """Whether something is under way that no test holds back."""

    async def heard(self) -> None:
        """Return when the bot has taken in what the server has told it."""
        await asyncio.sleep(0)

    async def quiet(self) -> None:
        """Return when everything that can happen without time passing has happened, within `PATIENCE`."""
        rounds, before, end = 0, None, monotonic() + PATIENCE
        while rounds < ROUNDS:
            if monotonic() > end:
                raise AssertionError(f"after {PATIENCE} s it is not quiet yet: {before}, busy: {self.busy()}")
            await self.heard()
            await self.store.next_wake(self.clock.now())  # behind whatever the database still has to do
            await asyncio.to_thread(int)  # and behind pictures that are being read
            for _ in range(10):
                await asyncio.sleep(0)
            now = self._activity()
            rounds = rounds + 1 if now == before and not self.busy() else 0
            before = now

    def _activity(self) -> tuple[object, ...]:
        requests = self.requests
        while self.answered < len(requests) and requests[self.answered].status:
            self.answered += 1
        calls = sum(1 for request in requests[self.answered :] if request.status)
        return self.answered, calls, len(requests), len(asyncio.all_tasks()), tuple(self.clock.alarms)

    async def wait(self, seconds: float) -> None:
        """Let this many seconds pass; whatever time brings happens at its moment."""
        until = self.clock.now() + timedelta(seconds=seconds)
        await self.quiet()
        while (alarms := self.clock.alarms) and alarms[0] <= until:
            self._advance(alarms[0])
            await self.quiet()
        self._advance(until)
        await self.quiet()

    def _advance(self, moment: datetime) -> None:
        """The clock has whole milliseconds; whoever sleeps until a part of one sleeps to its end."""
        self.clock.advance(max(ceil((moment - self.clock.now()) / MILLISECOND), 0) / 1000)

    async def rows(self, sql: str) -> list[Row]:
        async with self.driver.reading() as connection:
            return [tuple(row) for row in await connection.fetch(sql)]

    async def responses(self) -> list[Row]:
        """(question, person, options as bits) of every response, in order."""
        return await self.rows("SELECT question, person, options FROM response ORDER BY session, question, person")


@asynccontextmanager
async def slow_store(bot: Bot) -> AsyncIterator[asyncio.Event]:
    """The database is busy with something else until the event is set."""
    busy, free = asyncio.Event(), asyncio.Event()

    async def occupy() -> None:
        async with bot.driver.reading():
            busy.set()
            await free.wait()

    occupation = asyncio.create_task(occupy())
    await busy.wait()
    try:
        yield free
    finally:
        free.set()
        await occupation


def write_haste(folder: Path, questions: int) -> None:
    """A quiz file into the folder, whose right options end in 0."""
    lines = ["title: Haste", "languages: [en]", "questions:"]
    for at in range(questions):
        lines += [f"  - id: q{at}", f"    stem: {{en: 'q{at}?'}}", "    options:"]
        lines += [f"      - {{text: 'q{at} {option}'{', right: true' * (option == 0)}}}" for option in range(4)]
    (folder / "haste.yaml").write_text("\n".join(lines), encoding="utf-8")
