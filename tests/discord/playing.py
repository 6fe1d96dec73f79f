"""The whole of Quizbot but for the network: a real store, engine and Discord adapter, on a virtual clock, against the
server of the tests by real HTTP and websockets. Tests say who does what and how much time passes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import discord

from adapters.discord.adapter import DiscordAdapter, opened
from adapters.discord.chats import PLATFORM
from bot import present
from bot.core.quiz import Quiz
from bot.drawing import Pictures
from bot.library import Library
from bot.running import serving
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from bot.supervising import Supervised
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.discord.server import ANSWERED_WITHIN, Channel, Discord, Interaction, Message
from tests.discord.server.wire import Request
from tests.playing import PAINTED, PATIENCE, Bot

MOST_ALARMS = 1000
"""How many moments of waking up may pass before something that is waited for counts as missing."""


@dataclass
class Playing(Bot):
    """A bot that serves people on `server`."""

    server: Discord
    adapter: DiscordAdapter

    @property
    def requests(self) -> Sequence[Request]:
        return self.server.requests

    def busy(self) -> bool:
        # What a test holds back goes on only when the test says so.
        return sum(not request.status for request in self.server.requests[-200:]) > self.server.faults.waiting

    async def heard(self) -> None:
        await self.server.gateway.heard()

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
    try:
        await store.migrate()
        async with (
            opened(
                server.token, api_url=server.api_url, gateway_url=server.gateway_url, pictures=pictures, clock=clock
            ) as adapter,
            serving(
                store,
                Library(quizzes or [plain_quiz()]),
                clock,
                present.post,
                {PLATFORM: adapter.transport},
                Random(seed),
            ) as served,
        ):
            # Drawing a picture takes real time, on which nothing here is to depend.
            service = replace(served, pictures=Pictures(lambda _: PAINTED, PATIENCE))
            with without_waiting():
                sessions = len(server.gateway.connected) + server.gateway.shards
                runs = Supervised(adapter) if supervised else adapter
                task = asyncio.create_task(runs.run(service), name="discord")
                bot = Playing(clock, driver, store, service, task, server, adapter)
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
