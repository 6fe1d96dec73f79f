"""Several processes of one bot, on one database and a virtual clock: what each has for itself, and how to wait until
all of them are quiet. Knows no platform."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from bot.ports import StoreUnavailableError
from bot.running import Service
from bot.storage.driver import Connection, Dialect, Driver
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from tests.clock import VirtualClock
from tests.playing import PATIENCE, ROUNDS, Row

CONNECTIONS = 2
"""To the database, of one process."""

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
        return not self._idle.is_set()

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


class Way:
    """A way to a server of this machine, at `url`, that can be cut."""

    def __init__(self, target: str) -> None:
        found = urlsplit(target)
        self._target = (found.hostname, found.port)
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.url = ""

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Nothing comes through any more, and whatever is open breaks."""
        if self._server:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._target)
        self._writers |= {writer, back}
        try:
            await asyncio.gather(_pour(reader, back), _pour(there, writer))
        finally:
            self._writers -= {writer, back}


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@dataclass(eq=False)
class Mate(ABC):
    """One process. `task` runs it from its start to its end; `begun` is set once it serves."""

    name: str
    line: Line
    store: SqlStore
    way: Way
    service: Service = field(init=False)
    task: asyncio.Task[None] = field(init=False)
    begun: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    async def live(self, life: Coroutine[Any, Any, None]) -> None:
        """Begin, and return when it serves. Raises what keeps it from that."""
        self.task = asyncio.create_task(life, name=self.name)
        await asyncio.wait([asyncio.create_task(self.begun.wait()), self.task], return_when=asyncio.FIRST_COMPLETED)
        if self.task.done():
            self.task.result()

    async def stop(self) -> None:
        """End it in order."""
        self.task.cancel()
        await asyncio.wait([self.task])

    @abstractmethod
    async def kill(self) -> None:
        """End it without a word: nothing it does from now on reaches anybody."""


async def own_store(stack: AsyncExitStack, url: str, platform: str, number: int) -> tuple[str, Line, SqlStore]:
    """What a process of this number has of this database until the stack is closed: its name there, its way to it, and
    what it keeps in it."""
    name = f"p{number}"
    line = Line(await PostgresDriver.open(url, CONNECTIONS))
    store = SqlStore(line, [platform], name)
    stack.push_async_callback(store.close)
    await store.migrate()
    return name, line, store


async def own_way(stack: AsyncExitStack, target: str) -> Way:
    """A way to this server, until the stack is closed."""
    way = Way(target)
    await way.open()
    stack.callback(way.cut)
    return way


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

    async def rows(self, sql: str, *values: Any) -> list[Row]:
        """What is stored, seen from beside all processes."""
        async with self.lines[0].real.reading() as connection:
            return [tuple(row) for row in await connection.fetch(sql, *values)]

    async def responses(self) -> list[Row]:
        """(question, person) of every response, in order."""
        return await self.rows("SELECT question, person FROM response ORDER BY question, person")
