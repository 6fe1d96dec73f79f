"""Several processes of one bot, on one database and a virtual clock: what each has for itself, and how to wait until
all of them are quiet. Knows no platform."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic

from bot.ports import StoreUnavailableError
from bot.storage.driver import Connection, Dialect, Driver
from tests.clock import VirtualClock
from tests.playing import PATIENCE, ROUNDS

STEP = 0.5
"""Seconds at a time in which time passes."""


class Line(Driver):
    """One process's way to the database. While it is `away` nothing can be done; while it `hangs`, nothing ends."""

    def __init__(self, driver: Driver) -> None:
        self.real = driver
        self.away = False
        self.hangs: asyncio.Event | None = None
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way."""
        return self._under_way > 0

    async def idle(self) -> None:
        """Return when nothing is under way."""
        await self._idle.wait()

    @property
    def dialect(self) -> Dialect:
        return self.real.dialect

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        async with self._counted(), self.real.transaction() as connection:
            yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        async with self._counted(), self.real.reading() as connection:
            yield connection

    @asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        if self.hangs:
            await self.hangs.wait()
        if self.away:
            raise StoreUnavailableError("the database is away")
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    async def close(self) -> None:
        await self.real.close()


@dataclass(frozen=True, slots=True)
class Apart:
    """A clock that goes `ahead` of another."""

    clock: VirtualClock
    ahead: timedelta

    def now(self) -> datetime:
        return self.clock.now() + self.ahead

    async def sleep_until(self, moment: datetime) -> None:
        await self.clock.sleep_until(moment - self.ahead)


@dataclass
class Together(ABC):
    """Processes that serve at the same time."""

    clock: VirtualClock

    @property
    @abstractmethod
    def lines(self) -> Sequence[Line]:
        """The ways of all of them to the database."""

    @abstractmethod
    def busy(self) -> bool:
        """Whether something is under way that no test holds back, besides the database."""

    @abstractmethod
    def activity(self) -> tuple[object, ...]:
        """What changes as long as something goes on."""

    async def quiet(self) -> None:
        """Return when everything that can happen without time passing has happened."""
        rounds, before, end = 0, None, monotonic() + PATIENCE
        while rounds < ROUNDS:
            if monotonic() > end:
                raise AssertionError(f"after {PATIENCE} s it is not quiet yet: {before}")
            # Whoever looks again and again meanwhile takes the time that the database needs.
            async with asyncio.timeout(PATIENCE):
                for line in self.lines:
                    await line.idle()
            await asyncio.to_thread(int)
            for _ in range(20):
                await asyncio.sleep(0)
            now = *self.activity(), tuple(self.clock.alarms)
            rounds = rounds + 1 if now == before and not self._busy() else 0
            before = now

    def _busy(self) -> bool:
        return self.busy() or any(line.is_busy for line in self.lines)

    async def wait(self, seconds: float) -> None:
        """Let this many seconds pass, in steps."""
        await self.quiet()
        while seconds > 0:
            self.clock.advance(min(STEP, seconds))
            seconds -= STEP
            await self.quiet()

    async def until(self, condition: Callable[[], bool], within: float) -> float:
        """Let time pass until it holds; how many seconds that took, `within` at most."""
        began = self.clock.now()
        await self.quiet()
        while not condition():
            passed = (self.clock.now() - began).total_seconds()
            assert passed < within, f"not within {within} s"
            self.clock.advance(STEP)
            await self.quiet()
        return (self.clock.now() - began).total_seconds()
