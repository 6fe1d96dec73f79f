"""A connection that is lost after a transaction was done, before anybody hears of it: the turn is taken again, and
counts once in every table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import datetime

import pytest

from bot.core.events import Stopped
from bot.core.session import Feedback
from bot.delivery import REST
from bot.engine import Engine
from bot.library import Library
from bot.ports import Outgoing, StoreUnavailableError
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from bot.storage.turns import SqlTurns
from bot.stored import TABLES
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.engine.driver import WatchedDriver
from tests.engine.running import running, until
from tests.engine.screen import Screen
from tests.engine.world import ANN, BOB, CAT, CHAT, LIMIT, OTHER, PLATFORM, READING, Row, World

RIGHT, WRONG = 0, 1
PLAYED = ("session", "player", "response", "score", "served", "memory", "learner", "study_day", "outbox", "message")


class Unsure(SqlStore):
    """Every turn is done, and every other one is said to have been lost."""

    turn = 0

    @asynccontextmanager
    async def turns(self, wanted: Mapping[str, Collection[str]]) -> AsyncIterator[SqlTurns]:
        async with super().turns(wanted) as turns:
            yield turns
        self.turn += 1
        if self.turn % 2:
            raise StoreUnavailableError("the connection was lost after the commit")


class Unheard(SqlStore):
    """While it is `deaf` posts are handed out, and then it is said to have been lost. `unheard` are those."""

    deaf = False

    def __init__(self, driver: Driver, platforms: Collection[str]) -> None:
        super().__init__(driver, platforms)
        self.unheard: list[Outgoing] = []

    async def claim(self, platform: str, now: datetime, until: datetime, limit: int) -> list[Outgoing]:
        claimed = await super().claim(platform, now, until, limit)
        if claimed and self.deaf:
            self.unheard += claimed
            raise StoreUnavailableError("the connection was lost after the commit")
        return claimed


@asynccontextmanager
async def world_on(kind: type[SqlStore]) -> AsyncIterator[World]:
    clock = VirtualClock()
    driver = WatchedDriver(await SqliteDriver.open(MEMORY))
    store = kind(driver, [PLATFORM])
    await store.migrate()
    world = World(clock, Screen(clock), driver, store, Library([plain_quiz(4)]))
    try:
        async with world.engine:
            yield world
    finally:
        await store.close()


async def play(world: World, feedback: Feedback) -> None:
    """Two groups play at once, one with somebody who has another mind and somebody who presses twice."""
    for chat in (CHAT, OTHER):
        await world.start(chat=chat, feedback=feedback)
    for _ in range(4):
        for chat in (CHAT, OTHER):
            await world.answer(BOB, RIGHT, chat=chat)
            await world.answer(CAT, WRONG, chat=chat)
            await world.answer(CAT, RIGHT, chat=chat)
        await world.wait(LIMIT)
        await world.wait(READING)
    await world.stop(chat=CHAT)
    await world.settle()
    await world.studying.settle()


async def practise(world: World) -> None:
    """Ann answers, is wrong once, and lets the last one pass."""
    await world.practise()
    for option in (RIGHT, WRONG, RIGHT):
        await world.answer(ANN, option, chat=ANN.person)
        await world.advance(ANN, chat=ANN.person)
    await world.advance(ANN, chat=ANN.person)
    await world.stop(ANN, chat=ANN.person)
    await world.settle()


async def everything(world: World) -> dict[str, list[Row]]:
    found = {}
    for table in PLAYED:
        columns = ", ".join(TABLES[table].columns)
        found[table] = await world.rows(f"SELECT {columns} FROM {table} ORDER BY {columns}")  # noqa: S608
    return found


@pytest.mark.parametrize("feedback", Feedback)
async def test_a_turn_that_is_taken_again_counts_once_everywhere(feedback: Feedback) -> None:
    async with world_on(SqlStore) as calm, world_on(Unsure) as unsure:
        for world in (calm, unsure):
            await play(world, feedback)
        assert isinstance(unsure.store, Unsure)
        assert unsure.store.turn > 30
        before, after = await everything(calm), await everything(unsure)
        assert after == before
        assert all(after[table] for table in ("response", "score", "served", "memory", "study_day"))


async def test_practice_that_is_taken_again_is_studied_once() -> None:
    async with world_on(SqlStore) as calm, world_on(Unsure) as unsure:
        for world in (calm, unsure):
            await practise(world)
        before, after = await everything(calm), await everything(unsure)
        assert after == before
        assert len(after["memory"]) == 4


async def test_what_waits_for_a_turn_hears_of_one_that_was_done_and_lost() -> None:
    told: list[str] = []
    async with world_on(Unsure) as world:
        engine = Engine(
            world.store,
            world.library,
            world.clock,
            on_posts=lambda: told.append("posts"),
            on_wake=lambda _: told.append("wake"),
            on_ended=lambda: told.append("ended"),
        )
        async with engine:
            await engine.handle(CHAT, world.starting())
            await engine.handle(CHAT, Stopped(world.key(), ANN))
    assert told == ["posts", "wake", "ended"] * 2


async def test_posts_that_were_handed_out_unheard_go_out_at_once_and_those_under_way_only_once() -> None:
    async with world_on(Unheard) as world:
        assert isinstance(world.store, Unheard)
        unheard = world.store.unheard
        world.screen.held[CHAT] = asyncio.Event()
        async with running(world.delivery.run(world.engine)):
            await world.start(chat=CHAT)
            await until(lambda: bool(world.screen.calls))
            world.store.deaf = True
            await world.start(chat=OTHER)
            await until(lambda: bool(unheard))
            world.store.deaf = False
            await until(lambda: bool(world.clock.alarms))
            world.clock.advance(REST.total_seconds())
            await until(lambda: bool(world.screen.slots(OTHER)))
            world.screen.held[CHAT].set()
            await until(lambda: bool(world.screen.slots(CHAT)))
        assert world.screen.slots(OTHER) == world.screen.slots(CHAT) == ["Asked q0"]
        assert [outgoing.chat for outgoing in unheard] == [OTHER]
        assert len(world.screen.calls) == 2
