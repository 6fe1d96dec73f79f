"""A whole service but for its platform, on a virtual clock: every test says when time passes and who does what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from bot.codec import millis
from bot.core.effects import Post, Reply, Told
from bot.core.events import Advanced, Answered, Begun, Event, Resumed, Started, Stopped
from bot.core.quiz import Quiz
from bot.core.session import Actor, Feedback, Pace, Phase, Session
from bot.delivery import Delivery
from bot.engine import Engine
from bot.library import Edition, Library
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from bot.studying import Studying
from bot.ticker import Ticker
from tests.clock import VirtualClock
from tests.core.building import drawn, plain_quiz, settings
from tests.engine.driver import WatchedDriver
from tests.engine.screen import Screen, presented

CONNECTIONS = 2
"""To a server, of one process."""

PLATFORM = "test"
CHAT = "test:1"
OTHER = "test:2"
ANN = Actor("test:ann", "Ann")
BOB = Actor("test:bob", "Bob")
CAT = Actor("test:cat", "Cat")
LIMIT = 20
"""Seconds that a question of the plain quiz stays open."""

READING = 6
"""Seconds that its answer stays."""

Row = tuple[Any, ...]


def players(number: int) -> list[Actor]:
    return [Actor(f"test:p{index}", f"Player {index}") for index in range(number)]


@dataclass
class World:
    """One process of the bot. `restarted` gives the next one on the same file."""

    clock: VirtualClock
    screen: Screen
    driver: WatchedDriver
    store: SqlStore
    library: Library
    engine: Engine = field(init=False)
    ticker: Ticker = field(init=False)
    delivery: Delivery = field(init=False)
    studying: Studying = field(init=False)
    updates: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.ticker = Ticker(self.store, self.clock)
        self.delivery = Delivery(
            self.store,
            self.library,
            self.clock,
            presented,
            PLATFORM,
            self.screen,
            Random("spread"),
            on_first_shown=self.ticker.look,
        )
        self.studying = Studying(self.store, self.library, self.clock)
        self.engine = Engine(
            self.store,
            self.library,
            self.clock,
            on_posts=self.delivery.nudge,
            on_wake=self.ticker.expect,
            on_ended=self.studying.nudge,
        )

    # What people do

    def key(self) -> str:
        return f"u{next(self.updates)}"

    def starting(
        self,
        by: Actor = ANN,
        *,
        pace: Pace = Pace.STEADY,
        private: bool = False,
        count: int = 100,
        feedback: Feedback = Feedback.AT_ONCE,
        practice: bool = False,
        edition: Edition | None = None,
    ) -> Started:
        """The event with which somebody asks for this quiz, or for the first of the library; it begins at once."""
        edition = edition or self.library.edition(self.library.quizzes[0].slug)
        assert edition is not None
        chosen = settings(pace, count, feedback)
        return Started(
            self.key(), by, edition.digest, drawn(edition.quiz), chosen, private, card=False, practice=practice
        )

    async def start(
        self,
        by: Actor = ANN,
        *,
        chat: str = CHAT,
        pace: Pace = Pace.STEADY,
        private: bool = False,
        count: int = 100,
        feedback: Feedback = Feedback.AT_ONCE,
        edition: Edition | None = None,
    ) -> Reply | None:
        event = self.starting(by, pace=pace, private=private, count=count, feedback=feedback, edition=edition)
        return await self.engine.handle(chat, event)

    async def practise(self, by: Actor = ANN) -> Reply | None:
        """Somebody reviews the first quiz of the library, in their private chat."""
        event = self.starting(by, pace=Pace.RELAXED, private=True, practice=True)
        return await self.engine.handle(by.person, event)

    async def session(self, chat: str = CHAT) -> Session:
        session = await self.store.session(chat)
        assert session is not None
        return session

    async def stage(self, chat: str = CHAT) -> tuple[int, Phase]:
        session = await self.session(chat)
        return session.at, session.phase

    async def answering(
        self, by: Actor, option: int = 0, *, chat: str = CHAT, question: int | None = None, ago: float = 0
    ) -> Answered:
        """The press with which somebody chooses an option, made `ago` seconds before now."""
        session = await self.session(chat)
        at = session.at if question is None else question
        return Answered(by, session.id, at, (option,), self.clock.now() - timedelta(seconds=ago))

    async def answer(
        self, by: Actor, option: int = 0, *, chat: str = CHAT, question: int | None = None, ago: float = 0
    ) -> Reply | None:
        press = await self.answering(by, option, chat=chat, question=question, ago=ago)
        return await self.engine.handle(chat, press)

    async def stop(self, by: Actor = ANN, *, chat: str = CHAT) -> Reply | None:
        return await self.engine.handle(chat, Stopped(self.key(), by))

    async def advance(self, by: Actor = ANN, *, chat: str = CHAT) -> Reply | None:
        return await self.engine.handle(chat, Advanced(self.key(), by))

    async def resume(self, by: Actor = ANN, *, chat: str = CHAT) -> Reply | None:
        return await self.engine.handle(chat, Resumed(self.key(), by))

    async def begin(self, by: Actor = ANN, *, chat: str = CHAT) -> Reply | None:
        return await self.engine.handle(chat, Begun(self.key(), by, None))

    async def together(self, *events: Event, chat: str = CHAT) -> list[Reply | None]:
        """All these events in one tick."""
        return list(await asyncio.gather(*(self.engine.handle(chat, event) for event in events)))

    # What time does

    async def settle(self) -> None:
        """Fire what is due and deliver what is ready."""
        await self.ticker.fire_due(self.engine)
        await self.delivery.settle(self.engine)

    async def beat(self) -> None:
        """Its platform was served all the time until now."""
        async with self.driver.transaction() as connection:
            await connection.write("UPDATE heartbeat SET at = $1", [(millis(self.clock.now()),)])

    async def wait(self, seconds: float) -> None:
        """Let this many seconds pass; whatever time brings happens at its moment."""
        until = self.clock.now() + timedelta(seconds=seconds)
        await self.settle()
        while (moment := await self._next_moment()) and moment <= until:
            self._pass(moment)
            await self.settle()
        self._pass(until)
        await self.settle()

    async def _next_moment(self) -> datetime | None:
        now = self.clock.now()
        moments = (await self.store.next_wake(now), await self.store.next_ready(PLATFORM, now))
        return min((moment for moment in moments if moment and moment > now), default=None)

    def _pass(self, until: datetime) -> None:
        self.clock.advance((until - self.clock.now()).total_seconds())

    # What is left

    async def rows(self, sql: str) -> list[Row]:
        async with self.driver.reading() as connection:
            return [tuple(row) for row in await connection.fetch(sql)]

    async def responses(self) -> list[Row]:
        return await self.rows("SELECT question, person, options FROM response ORDER BY session, question, person")

    async def scores(self) -> dict[str, int]:
        return dict(await self.rows("SELECT person, points FROM player"))

    def seen(self, chat: str = CHAT) -> list[Post]:
        return self.screen.posts(chat)

    def slots(self, chat: str = CHAT) -> list[str]:
        return self.screen.slots(chat)


async def _made(path: str, clock: VirtualClock, screen: Screen, quizzes: Sequence[Quiz]) -> World:
    on_server = path.startswith("postgresql://")
    driver = WatchedDriver(await (PostgresDriver.open(path, CONNECTIONS) if on_server else SqliteDriver.open(path)))
    store = SqlStore(driver, [PLATFORM])
    try:
        await store.migrate()
    except BaseException:
        await driver.close()
        raise
    driver.commits = 0
    return World(clock, screen, driver, store, Library(quizzes))


@asynccontextmanager
async def opened(
    path: Path | str = MEMORY,
    *,
    clock: VirtualClock | None = None,
    screen: Screen | None = None,
    quizzes: Sequence[Quiz] = (),
    updates: int = 0,
) -> AsyncIterator[World]:
    """A process on this file, or the database at this address, recovered. Leaving it is like a kill: nothing is
    drained and no beat is noted."""
    clock = clock or VirtualClock()
    world = await _made(str(path), clock, screen or Screen(clock), quizzes or [plain_quiz()])
    world.updates = count(updates)
    try:
        await world.store.recover(clock.now())
        async with world.engine:
            yield world
            world.delivery.abandon()
    finally:
        world.driver.broken = False
        await world.store.close()


def told(reply: Reply | None) -> str:
    """The reason in a private line."""
    assert isinstance(reply, Told)
    return reply.reason
