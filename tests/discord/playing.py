"""The whole of Quizbot but for the network: a real store, engine and Discord adapter, on a virtual clock, against the
server of the tests by real HTTP and websockets. Tests say who does what and how much time passes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import discord

from adapters.discord.adapter import DiscordAdapter, opened
from adapters.discord.chats import PLATFORM
from bot import present
from bot.core.quiz import Quiz
from bot.library import Library
from bot.running import Service, serving
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from bot.supervising import Supervised
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.discord.server import ANSWERED_WITHIN, Channel, Discord, Interaction, Message

ROUNDS = 4
"""How often nothing new has to be seen before everything counts as quiet."""

MOST_ALARMS = 1000
"""How many moments of waking up may pass before something that is waited for counts as missing."""

PATIENCE = 60
"""Real seconds after which something goes on for ever."""

MILLISECOND = timedelta(milliseconds=1)

Row = tuple[Any, ...]


@dataclass
class Playing:
    """A bot that serves. `task` is the adapter's; `answered`, how many requests were, before any that was not."""

    server: Discord
    clock: VirtualClock
    driver: SqliteDriver
    store: SqlStore
    service: Service
    adapter: DiscordAdapter
    task: asyncio.Task[None]
    answered: int = 0

    async def quiet(self) -> None:
        """Return when everything that can happen without time passing has happened, within `PATIENCE`."""
        rounds, before, end = 0, None, monotonic() + PATIENCE
        while rounds < ROUNDS:
            if monotonic() > end:
                raise AssertionError(f"after {PATIENCE} s it is not quiet yet: {before}, busy: {self._busy()}")
            await self.server.gateway.heard()
            await self.store.next_wake(self.clock.now())  # behind whatever the database still has to do
            await asyncio.to_thread(int)  # and behind pictures that are being read
            for _ in range(10):
                await asyncio.sleep(0)
            now = self._activity()
            rounds = rounds + 1 if now == before and not self._busy() else 0
            before = now

    def _activity(self) -> tuple[object, ...]:
        requests = self.server.requests
        while self.answered < len(requests) and requests[self.answered].status:
            self.answered += 1
        calls = sum(1 for request in requests[self.answered :] if request.status)
        return self.answered, calls, len(requests), len(asyncio.all_tasks()), tuple(self.clock.alarms)

    def _busy(self) -> bool:
        # What a test holds back goes on only when the test says so.
        return sum(not request.status for request in self.server.requests[-200:]) > self.server.faults.waiting

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

    async def answer(self, asked: Interaction) -> Interaction:
        """What was asked, when it is answered: with the time that the bot takes for it, as long as people wait."""
        await self.quiet()
        while asked.kind is None and (alarms := self.clock.alarms) and alarms[0] <= asked.at + ANSWERED_WITHIN:
            await self.wait((alarms[0] - self.clock.now()).total_seconds())
        assert asked.kind is not None, f"not answered: {asked.what}\n{asked.channel.transcript()}"
        return asked

    async def shows(self, channel: Channel, text: str) -> Message:
        """The newest message with this text, when there is one: with the time that the bot takes for it."""
        for _ in range(MOST_ALARMS):
            await self.quiet()
            found = [message for message in channel.messages if text in message.text]
            if found:
                return found[-1]
            assert self.clock.alarms, f"{text!r} never comes\n{channel.transcript()}"
            await self.wait(max((self.clock.alarms[0] - self.clock.now()).total_seconds(), 0))
        raise AssertionError(f"{text!r} does not come\n{channel.transcript()}")

    async def rows(self, sql: str) -> list[Row]:
        async with self.driver.reading() as connection:
            return [tuple(row) for row in await connection.fetch(sql)]

    async def responses(self) -> list[Row]:
        """(question, person, options as bits) of every response, in order."""
        return await self.rows("SELECT question, person, options FROM response ORDER BY session, question, person")


@asynccontextmanager
async def playing(
    server: Discord,
    clock: VirtualClock,
    *quizzes: Quiz,
    path: Path | str = MEMORY,
    pictures: Path = Path(),
    seed: int = 1,
    stored: type[SqlStore] = SqlStore,
    supervised: bool = False,
    serves: bool = True,
) -> AsyncIterator[Playing]:
    """A bot that serves people on `server`, with these quizzes (the plain one for none), its commands registered. Where
    it is `supervised`, it begins anew when it fails; without `serves`, nothing waits until it serves anybody.

    Leaving it is an orderly stop.
    """
    # A single thread, so that whatever waits for one waits for all that came before.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    driver = await SqliteDriver.open(str(path))
    store = stored(driver, [PLATFORM])
    addresses = {"api_url": server.api_url, "gateway_url": server.gateway_url}
    try:
        await store.migrate()
        async with (
            opened(server.token, **addresses, pictures=pictures, clock=clock) as adapter,
            serving(
                store,
                Library(quizzes or [plain_quiz()]),
                clock,
                present.post,
                {PLATFORM: adapter.transport},
                Random(seed),
            ) as service,
        ):
            with without_waiting():
                sessions = len(server.gateway.connected) + server.gateway.shards
                runs = Supervised(adapter) if supervised else adapter
                task = asyncio.create_task(runs.run(service), name="discord")
                bot = Playing(server, clock, driver, store, service, adapter, task)
                try:
                    if serves:
                        await _serves(bot, sessions)
                    yield bot
                finally:
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task
    finally:
        await store.close()


async def _serves(bot: Playing, sessions: int) -> None:
    """Wait until the bot hears what people ask and has its commands, or say why it never will."""
    serves = asyncio.create_task(_ready(bot.server, sessions))
    await asyncio.wait([serves, bot.task], return_when=asyncio.FIRST_COMPLETED)
    if bot.task.done():
        serves.cancel()
        bot.task.result()
    await serves


async def _ready(server: Discord, sessions: int) -> None:
    await server.gateway.ready(sessions)
    await server.until(lambda: server.commands, "the bot never registered its commands")


@contextmanager
def without_waiting() -> Iterator[None]:
    """The library does not wait five seconds before a client identifies itself again: the server has no such limit."""
    usual = discord.Client.before_identify_hook

    async def at_once(client: discord.Client, shard_id: int | None, *, initial: bool = False) -> None:
        pass

    discord.Client.before_identify_hook = at_once  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        discord.Client.before_identify_hook = usual  # type: ignore[method-assign]
