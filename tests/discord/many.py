"""Several processes of the bot at once, on one PostgreSQL and one Discord: each has a way to the database and to the
gateway of its own, and can be stopped, killed or cut off. Tests say who does what and how much time passes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import cast

from adapters.discord.adapter import DiscordAdapter
from adapters.discord.chats import PLATFORM
from adapters.discord.client import QuizbotClient, pointed_to
from bot import present
from bot.core.quiz import Quiz
from bot.library import Library
from bot.running import Service, serving
from bot.supervising import Supervised
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.discord.conversing import Study, on_the_clock
from tests.discord.playing import Playing, without_waiting
from tests.discord.server import ANSWERED_WITHIN, Channel, Discord, Interaction, Person
from tests.together import Line, Mate, Together, own_store, own_way


class Connecting(DiscordAdapter):
    """An adapter that keeps its clients, so that a test can end them without a word."""

    clients: list[QuizbotClient]

    @asynccontextmanager
    async def _client(self, service: Service) -> AsyncIterator[QuizbotClient]:
        async with super()._client(service) as client:
            self.clients.append(client)
            try:
                yield client
            finally:
                self.clients.remove(client)


@dataclass(eq=False)
class Process(Mate):
    """One of them."""

    adapter: Connecting

    @property
    def shards(self) -> list[int]:
        """Those that it has a connection for, in order."""
        return sorted(shard for client in self.adapter.clients for shard in client._connected)

    @property
    def held(self) -> int:
        """How many roles it has."""
        return len(self.service.crew.held)

    async def kill(self) -> None:
        self.line.away = True
        self.way.cut()
        self.adapter.transport._client = None
        for client in self.adapter.clients:
            client.conversation.abandon()
        await self.stop()


@dataclass
class Many(Together):
    """Processes of one bot on `server`, with so many shards; without a number one has them all."""

    server: Discord
    url: str
    shards: int | None
    quizzes: Sequence[Quiz]
    processes: list[Process] = field(default_factory=list)
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def begin(self, *, shards: int | None = None, told_gateway: bool = True) -> Process:
        """One more process, that serves what falls to it; told another number of shards than the others, if any, and
        where the gateway is, unless Discord is to say it."""
        mine = await own_store(self.stack, self.url, PLATFORM, len(self.processes))
        way = await own_way(self.stack, self.server.gateway_url)
        gateway = f"{way.url.replace('http', 'ws')}/gateway" if told_gateway else None
        adapter = Connecting(self.server.token, gateway, None, Path(), self.clock, shards or self.shards)
        adapter.clients = []
        process = Process(*mine, way, adapter)
        self.stack.push_async_callback(process.kill)
        await process.live(self._live(process))
        self.processes.append(process)
        await self.quiet()
        return process

    async def _live(self, process: Process) -> None:
        adapter, lots = process.adapter, Random(process.name)
        transports, duties = {PLATFORM: adapter.transport}, {PLATFORM: adapter.duties}
        library = Library(self.quizzes or [plain_quiz()])
        parts = (process.store, library, self.clock, present.post, transports, lots, duties)
        try:
            async with serving(*parts) as process.service:
                process.begun.set()
                await Supervised(adapter).run(process.service)
        finally:
            await adapter.close()

    @property
    def alive(self) -> list[Process]:
        return [process for process in self.processes if not process.task.done()]

    @property
    def connected(self) -> list[list[int]]:
        """The shards that each that is alive is connected for."""
        return [process.shards for process in self.alive]

    def process_of(self, channel: Channel) -> Process:
        """Whoever hears what is pressed in this channel of a guild."""
        assert self.shards
        assert channel.guild
        shard = (int(channel.guild.id) >> 22) % self.shards
        (found,) = (process for process in self.alive if shard in process.shards)
        return found

    def study(self, channel: Channel, host: Person) -> Study:
        return Study(cast("Playing", self), channel, host)

    # Waiting

    @property
    def lines(self) -> Sequence[Line]:
        return [process.line for process in self.processes]

    def busy(self) -> bool:
        # What a test holds back goes on only when the test says so.
        return sum(not call.status for call in self.server.requests[-200:]) > self.server.faults.waiting

    def activity(self) -> tuple[object, ...]:
        done = sum(1 for call in self.server.requests if call.status)
        heard = [len(session.sent) for session in self.server.gateway.connected]
        return done, len(self.server.requests), heard

    async def quiet(self) -> None:
        await self.server.gateway.heard()
        await super().quiet()

    async def answer(self, asked: Interaction) -> Interaction:
        """What was asked, when it is answered: with the time that the bot takes for it, as long as people wait."""
        await self.quiet()
        while asked.kind is None and self.clock.now() < asked.at + ANSWERED_WITHIN:
            self.clock.advance(0.1)
            await self.quiet()
        assert asked.kind is not None, f"not answered: {asked.what}\n{asked.channel.transcript()}"
        return asked


@asynccontextmanager
async def many(
    server: Discord, clock: VirtualClock, url: str, number: int, *quizzes: Quiz, shards: int | None = None
) -> AsyncIterator[Many]:
    """So many processes on this database, with these quizzes (the plain one for none). Those that are left at the end
    are killed."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    made = Many(clock, server, url, shards, quizzes)
    with pointed_to(server.api_url), without_waiting(), on_the_clock(clock):
        async with made.stack:
            for _ in range(number):
                await made.begin()
            yield made
