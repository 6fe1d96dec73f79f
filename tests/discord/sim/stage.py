"""The whole of Quizbot on a simulated Discord: real store, engine, delivery and client, on one virtual clock.

Tests say who does what and how much time passes. What comes of it has come when a verb returns.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, TypeVar

import discord
import simcord
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle, GuildHandle
from simcord.enums import OverwriteType

from adapters.discord.adapter import opened
from adapters.discord.chats import PLATFORM
from adapters.discord.client import QuizbotClient
from bot import present
from bot.charts import Chart
from bot.core.quiz import Quiz
from bot.drawing import Pictures
from bot.library import Library
from bot.running import Service, serving
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.discord.server import contract
from tests.discord.server.wire import Request
from tests.discord.sim.board import Board
from tests.discord.sim.people import Person
from tests.playing import PAINTED

ROUNDS = 2
"""How often nothing new has to be seen before everything counts as quiet."""

PATIENCE = 10.0
"""Real seconds after which something does not come about any more."""

T = TypeVar("T")


@dataclass
class Stage(Board):
    """Where it plays: `here` is a channel of `guild`, where everyone is. The bot's process can end and begin anew."""

    clock: VirtualClock
    driver: SqliteDriver
    store: SqlStore
    quizzes: Sequence[Quiz]
    pictures: Path
    paint: Callable[[Chart], bytes]
    people: dict[str, Person] = field(default_factory=dict)
    _process: AsyncExitStack = field(default_factory=AsyncExitStack)

    guild: GuildHandle = field(init=False)
    service: Service = field(init=False)
    client: QuizbotClient = field(init=False)

    def __post_init__(self) -> None:
        self.env.backend.subscribers.insert(0, self._tell_locale)
        self.guild = self.env.create_guild("Study")
        self.here = self.guild.create_text_channel("quiz")

    def _tell_locale(self, event: str, payload: Any) -> None:
        """The simulator has everybody speak English; here an app speaks as its person does."""
        if event == "INTERACTION_CREATE":
            author = int((payload.get("user") or payload["member"]["user"])["id"])
            payload["locale"] = next((each.locale for each in self.people.values() if each.id == author), "en-US")

    # The process

    async def start(self) -> None:
        """Let the bot serve: a fresh client, engine and delivery on what the database holds."""
        enter = self._process.enter_async_context
        adapter = await enter(opened("a.b.c", api_url=None, gateway_url=None, pictures=self.pictures, clock=self.clock))
        transports = {PLATFORM: adapter.transport}
        service = await enter(
            serving(self.store, Library(self.quizzes), self.clock, present.post, transports, Random(1))
        )
        self.service = replace(service, pictures=Pictures(self.paint, PATIENCE))
        self.client = await enter(adapter.equipped(self.service))
        await self.env.restart_bot(self.client)
        await self.quiet()

    async def stop(self) -> None:
        """Let the process end where it is."""
        await self._process.aclose()
        self._process = AsyncExitStack()

    async def restart(self, away: float = 0) -> None:
        """Stop, and start again after so many seconds."""
        await self.stop()
        await self._move(self.clock.now() + timedelta(seconds=away))
        await self.start()

    # Whatever happens

    async def happens(self, verb: Coroutine[Any, Any, T]) -> T:
        """Let somebody do something, with the time that the bot takes for it, and all that comes of it."""
        doing, end = asyncio.ensure_future(verb), monotonic() + PATIENCE
        while not doing.done():
            await self.quiet()
            assert monotonic() < end, f"{verb} comes to no end"
            if self._is_waiting() and self.clock.alarms:
                # The simulator lets nothing else go on meanwhile, so its clock is moved from below.
                seconds = self._until(self.clock.alarms[0])
                self.env.backend.advance_clock(seconds)
                self.clock.advance(seconds)
        await self.quiet()
        return doing.result()

    def _is_waiting(self) -> bool:
        """Whether the bot lets time pass before it answers somebody."""
        return bool(self.client.conversation._under_way)

    async def quiet(self) -> None:
        """Return when everything that can happen without time passing has happened."""
        rounds, before, end = 0, None, monotonic() + PATIENCE
        while rounds < ROUNDS:
            assert monotonic() < end, f"it is not quiet yet: {before}"
            await self.service.settled()
            await self.store.next_wake(self.clock.now())  # behind whatever the database still has to do
            await asyncio.to_thread(int)  # and behind pictures that are being read
            for _ in range(5):
                await asyncio.sleep(0)
            now = len(self.env.http_requests), len(asyncio.all_tasks()), tuple(self.clock.alarms)
            rounds, before = (rounds + 1 if now == before else 0), now

    async def pass_time(self, seconds: float) -> None:
        """Let so many seconds pass; whatever time brings happens at its moment."""
        until = self.clock.now() + timedelta(seconds=seconds)
        await self.quiet()
        while (alarms := self.clock.alarms) and alarms[0] <= until:
            await self._move(alarms[0])
            await self.quiet()
        await self._move(until)
        await self.quiet()

    async def jump(self, seconds: float) -> None:
        """Let a long time pass at once, in which nobody does anything: what it brings comes at the end of it."""
        await self.quiet()
        await self._move(self.clock.now() + timedelta(seconds=seconds))
        await self.quiet()

    async def _move(self, moment: datetime) -> None:
        seconds = self._until(moment)
        await self.env.advance_time(seconds)
        self.clock.advance(seconds)

    def _until(self, moment: datetime) -> float:
        return max((moment - self.clock.now()).total_seconds(), 0.0)

    # The world

    def person(self, name: str, locale: str = "en-US", **options: Any) -> Person:
        """Somebody new, who is in the guild."""
        account = f"user{len(self.people)}"
        made = Person(self, self.env.create_user(account, global_name=name), locale)
        self.people[name] = made
        made.join(self.guild, **options)
        return made

    def moderator(self, name: str, locale: str = "en-US") -> Person:
        role = self.guild.create_role("Moderators", permissions=discord.Permissions(manage_messages=True))
        return self.person(name, locale, roles=[role])

    def thread(self, name: str = "Thread") -> ChannelHandle:
        """A thread of the channel that somebody has opened."""
        owner = self.guild.owner.id
        made = self.env.backend.create_thread(self.here.id, name, owner)
        return ChannelHandle(self.env, self.guild, made)

    def forbid(self, *permissions: str, at: ChannelHandle | None = None) -> None:
        """Take these permissions from the bot in a channel."""
        denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
        bot = self.env.backend.bot_user.id
        self.env.backend.set_overwrite((at or self.here).id, Overwrite(bot, OverwriteType.MEMBER, 0, denied))

    # What is kept

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        async with self.driver.reading() as connection:
            return [tuple(row) for row in await connection.fetch(sql)]

    async def responses(self) -> list[tuple[Any, ...]]:
        """(question, person, options as bits) of every response."""
        return await self.rows("SELECT question, person, options FROM response ORDER BY session, question, person")

    def check_requests(self) -> None:
        """Hold every request against the description of the API, if there is one."""
        problems = contract.load()
        if problems is None:
            return
        for entry in self.env.http_requests:
            call = Request(entry.method, entry.path, entry.params, self.clock.now(), entry.json)
            found = contract.violations(problems, call)
            assert not found, f"{call}: {found}\n{entry.json}"


@asynccontextmanager
async def staged(
    *quizzes: Quiz,
    people: Sequence[str] = ("Ann", "Ben"),
    pictures: Path = Path(),
    paint: Callable[[Chart], bytes] = lambda _: PAINTED,
) -> AsyncIterator[Stage]:
    """The bot and these people, with these quizzes (the plain one for none); `paint` draws the pictures of statistics,
    all alike if nothing else is said."""
    # A single thread, so that whatever waits for one waits for all that came before.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    driver = await SqliteDriver.open(MEMORY)
    store = SqlStore(driver, [PLATFORM])
    try:
        await store.migrate()
        # What is to answer has to be made while the simulator is there already; until then somebody else is logged in.
        nobody = discord.AutoShardedClient(intents=discord.Intents(guilds=True))
        async with simcord.run(nobody, shard_count=1) as env:
            stage = Stage(env, VirtualClock(env.now()), driver, store, quizzes or [plain_quiz()], pictures, paint)
            for name in people:
                stage.person(name)
            await stage.start()
            try:
                yield stage
            finally:
                await stage.stop()
            stage.check_requests()
    finally:
        await store.close()
