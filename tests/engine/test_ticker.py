"""The ticker: fires each deadline at its moment, and keeps calm when it cannot."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from bot.core.session import Pace, Phase
from bot.ports import Changes
from bot.ticker import MOST_AT_ONCE
from tests.engine.running import running, until
from tests.engine.world import CHAT, LIMIT, OTHER, READING, World


def at(world: World, seconds: float) -> datetime:
    return world.clock.now() + timedelta(seconds=seconds)


async def test_a_deadline_fires_at_its_moment_and_the_next_one_after_it(world: World) -> None:
    async with running(world.ticker.run(world.engine)):
        await world.start()
        await world.delivery.settle(world.engine)
        close, ask = at(world, LIMIT), at(world, LIMIT + READING)
        await until(lambda: world.clock.alarms == [close])
        assert await world.stage() == (0, Phase.OPEN)
        world.clock.advance(LIMIT)
        await until(lambda: world.clock.alarms == [ask])
        assert await world.stage() == (0, Phase.CLOSED)
        world.clock.advance(READING)
        await until(lambda: world.clock.alarms != [ask] and bool(world.clock.alarms))
        assert await world.stage() == (1, Phase.OPEN)


async def test_a_deadline_that_is_set_earlier_wakes_it(world: World) -> None:
    async with running(world.ticker.run(world.engine)):
        await world.start(pace=Pace.RELAXED)
        day = at(world, 24 * 3600)
        await until(lambda: world.clock.alarms == [day])
        await world.start(chat=OTHER)
        sooner = at(world, LIMIT)
        await until(lambda: world.clock.alarms == [sooner])


async def test_a_deadline_that_is_set_later_does_not_wake_it(world: World) -> None:
    await world.start()
    close = at(world, LIMIT)
    looked = world.driver.attempts
    async with running(world.ticker.run(world.engine)):
        # It looks twice, for this deadline was set while it was not asleep yet: two reads each.
        await until(lambda: world.driver.attempts == looked + 4 and world.clock.alarms == [close])
        before = world.driver.attempts
        world.clock.advance(1)
        await world.start(chat=OTHER)
        assert world.clock.alarms == [close]
        assert world.driver.attempts == before + 1


async def test_with_nothing_to_wait_for_it_waits_without_a_clock(world: World) -> None:
    async with running(world.ticker.run(world.engine)):
        await until(lambda: world.driver.attempts > 2)
        assert world.clock.alarms == []
        await world.start()
        await until(lambda: bool(world.clock.alarms))


async def test_more_deadlines_than_fit_at_once_all_fire(world: World) -> None:
    names = [f"test:{number}" for number in range(MOST_AT_ONCE + 20)]
    await asyncio.gather(*(world.engine.handle(name, world.starting()) for name in names))
    await world.settle()
    world.clock.advance(LIMIT)
    assert await world.ticker.fire_due(world.engine) == 0
    assert await world.store.due(world.clock.now(), 1) == []
    assert await world.stage(names[-1]) == (0, Phase.CLOSED)


async def leave_an_orphan(world: World) -> None:
    """A session with a deadline that no chat calls its own."""
    await world.start(chat=OTHER)
    session = await world.session(OTHER)
    object.__setattr__(session, "id", "orphan")
    async with world.store.turns({CHAT: ()}) as turns:
        await turns.write(Changes(sessions=[(CHAT, session)]))


async def test_a_deadline_that_nobody_takes_is_asked_for_once_a_second_and_holds_up_no_other(world: World) -> None:
    await leave_an_orphan(world)
    await world.settle()
    world.clock.advance(LIMIT)
    async with running(world.ticker.run(world.engine)):
        again = at(world, 1)
        await until(lambda: world.clock.alarms == [again])
        assert await world.stage(OTHER) == (0, Phase.CLOSED)
        before = world.driver.attempts
        world.clock.advance(1)
        again = at(world, 1)
        await until(lambda: world.clock.alarms == [again])
        assert world.driver.attempts <= before + 4


async def test_a_store_that_fails_is_asked_again_once_a_second(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.start()
    await world.settle()
    world.clock.advance(LIMIT)
    world.driver.broken = True
    async with running(world.ticker.run(world.engine)):
        for _ in range(3):
            before = world.driver.attempts
            again = at(world, 1)
            await until(lambda again=again: world.clock.alarms == [again])  # type: ignore[misc]
            assert world.driver.attempts <= before + 2
            world.clock.advance(1)
        world.driver.broken = False
        world.clock.advance(1)
        await until(lambda: world.clock.alarms == [at(world, READING)])
    assert await world.stage() == (0, Phase.CLOSED)
    assert "deadlines cannot be read" in caplog.text


async def test_a_deadline_whose_turn_fails_is_fired_again_and_the_others_are_not_held_up(world: World) -> None:
    await world.start()
    await world.start(chat=OTHER)
    await world.settle()
    world.clock.advance(LIMIT)
    world.driver.failing = 2
    async with running(world.ticker.run(world.engine)):
        again = at(world, 1)
        await until(lambda: world.clock.alarms == [again])
        stages = [await world.stage(chat) for chat in (CHAT, OTHER)]
        assert sorted(phase for _, phase in stages) == [Phase.CLOSED, Phase.OPEN]
        world.clock.advance(1)
        await until(lambda: world.clock.alarms not in ([again], []))
    assert await world.stage() == (0, Phase.CLOSED)
    assert await world.stage(OTHER) == (0, Phase.CLOSED)
