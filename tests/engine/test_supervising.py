"""An adapter whose platform fails is started again, ever more slowly, until it runs, ends or is hopeless."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from random import Random

import pytest

from bot.crew import Crew
from bot.ports import Transport
from bot.running import NO_DUTIES, Duties, Service, run
from bot.supervising import LONGEST_WAIT, WELL_AGAIN, HopelessError, Supervised
from tests.engine.running import running, until
from tests.engine.screen import presented
from tests.engine.world import CHAT, OTHER, PLATFORM, World

ROUNDING = 0.002
"""Seconds; a moment is cut to the millisecond."""


@dataclass
class Flaky:
    """An adapter that does as it is told each time it is started."""

    transport: Transport
    act: Callable[[Service], Awaitable[None]]
    platform: str = PLATFORM
    starts: int = 0
    duties: Duties = NO_DUTIES

    async def run(self, service: Service) -> None:
        self.starts += 1
        await self.act(service)


def service_of(world: World) -> Service:
    return Service(
        world.engine,
        world.library,
        world.store,
        world.clock,
        Random("spread"),
        world.settle,
        world.studying.settle,
        Crew(world.store, world.clock),
    )


async def fail(service: Service) -> None:
    raise ConnectionError("the platform is down")


async def despair(service: Service) -> None:
    raise HopelessError("the token is unknown: copy it anew")


async def waited(world: World, adapter: Flaky) -> float:
    """How many seconds the adapter that has just failed is left alone; they have passed then."""
    await until(lambda: bool(world.clock.alarms))
    starts = adapter.starts
    (moment,) = world.clock.alarms
    wait = (moment - world.clock.now()).total_seconds()
    world.clock.advance(wait - 2 * ROUNDING)
    await asyncio.sleep(0)
    assert adapter.starts == starts
    world.clock.advance(3 * ROUNDING)
    await until(lambda: adapter.starts > starts)
    return wait


async def test_an_adapter_that_fails_is_started_again_ever_more_slowly_up_to_five_minutes(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    adapter = Flaky(world.screen, fail)
    async with running(Supervised(adapter).run(service_of(world))):
        waits = [await waited(world, adapter) for _ in range(14)]
    for number, wait in enumerate(waits):
        longest = min(2.0**number, LONGEST_WAIT.total_seconds())
        assert longest / 2 <= wait <= longest
    assert len({wait / min(2.0**number, 300) for number, wait in enumerate(waits)}) == len(waits)
    assert timedelta(minutes=5) == LONGEST_WAIT
    assert "test failed; it is started again in" in caplog.text
    assert "the platform is down" in caplog.text


@pytest.mark.parametrize(
    ("lasted", "shortest", "longest"), [(WELL_AGAIN, 0.5, 1), (WELL_AGAIN - timedelta(seconds=1), 32, 64)]
)
async def test_whoever_has_run_for_ten_minutes_starts_over_with_short_waits(
    world: World, lasted: timedelta, shortest: float, longest: float
) -> None:
    lives = deque([timedelta(0)] * 6 + [lasted])

    async def last(service: Service) -> None:
        await world.clock.sleep_until(world.clock.now() + lives.popleft())
        raise ConnectionError

    adapter = Flaky(world.screen, last)
    async with running(Supervised(adapter).run(service_of(world))):
        for _ in range(6):
            await waited(world, adapter)
        await until(lambda: bool(world.clock.alarms))
        world.clock.advance(lasted.total_seconds())
        assert shortest <= await waited(world, adapter) <= longest


async def test_an_adapter_that_ends_has_ended(world: World) -> None:
    async def play(service: Service) -> None:
        await service.engine.handle(CHAT, world.starting())

    adapter = Flaky(world.screen, play)
    supervised = Supervised(adapter)
    await supervised.run(service_of(world))
    assert (adapter.starts, supervised.failed) == (1, False)


async def at_the_same_time(service: Service) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(fail(service))
        group.create_task(despair(service))


@pytest.mark.parametrize("act", [despair, at_the_same_time])
async def test_a_hopeless_adapter_is_given_up_with_the_words_that_say_what_to_do(
    world: World, act: Callable[[Service], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    adapter = Flaky(world.screen, act)
    supervised = Supervised(adapter)
    assert not supervised.failed
    await supervised.run(service_of(world))
    assert (adapter.starts, supervised.failed) == (1, True)
    assert "test is not served any more: the token is unknown: copy it anew" in caplog.text
    assert "Traceback" not in caplog.text


async def test_several_faults_at_once_with_hope_are_faults_like_one(world: World) -> None:
    async def both(service: Service) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(2):
                group.create_task(fail(service))

    adapter = Flaky(world.screen, both)
    supervised = Supervised(adapter)
    async with running(supervised.run(service_of(world))):
        assert await waited(world, adapter) <= 1
    assert not supervised.failed


async def test_one_that_is_hopeless_and_one_that_fails_leave_the_others_alone(world: World) -> None:
    served = asyncio.Event()

    async def play(service: Service) -> None:
        await served.wait()
        await service.engine.handle(CHAT, world.starting())

    hopeless = Supervised(Flaky(world.screen, despair, "hopeless"))
    failing = Flaky(world.screen, fail, "failing")
    adapters = [hopeless, Supervised(failing), Supervised(Flaky(world.screen, play))]
    serving_them = asyncio.create_task(run(world.store, world.library, world.clock, presented, adapters))
    await until(lambda: hopeless.failed and failing.starts == 1)
    served.set()
    await until(lambda: world.slots() == ["Asked q0"])
    world.clock.advance(1)
    await until(lambda: failing.starts == 2)
    assert not serving_them.done()
    serving_them.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving_them


async def test_when_all_are_hopeless_the_service_stops_in_order(world: World) -> None:
    async def despair_later(service: Service) -> None:
        await service.engine.handle(OTHER, world.starting())
        await despair(service)

    adapters = [Supervised(Flaky(world.screen, despair_later)), Supervised(Flaky(world.screen, despair, "other"))]
    await run(world.store, world.library, world.clock, presented, adapters)
    assert [adapter.failed for adapter in adapters] == [True, True]
    assert world.slots(OTHER) == ["Asked q0"]


async def test_to_be_cancelled_is_no_failure(world: World) -> None:
    begun = asyncio.Event()

    async def wait(service: Service) -> None:
        begun.set()
        await asyncio.Event().wait()

    adapter = Flaky(world.screen, wait)
    supervised = Supervised(adapter)
    task = asyncio.create_task(supervised.run(service_of(world)))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (adapter.starts, supervised.failed) == (1, False)


async def test_an_adapter_that_cancels_itself_is_started_again(world: World) -> None:
    async def give_in(service: Service) -> None:
        raise asyncio.CancelledError

    adapter = Flaky(world.screen, give_in)
    async with running(Supervised(adapter).run(service_of(world))):
        await waited(world, adapter)
        await until(lambda: adapter.starts == 2)


async def test_to_be_cancelled_in_the_moment_in_which_a_part_fails_is_to_be_cancelled(world: World) -> None:
    begun, broken = asyncio.Event(), asyncio.Event()

    async def part(service: Service) -> None:
        begun.set()
        await broken.wait()
        await fail(service)

    async def with_parts(service: Service) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(part(service))

    adapter = Flaky(world.screen, with_parts)
    task = asyncio.create_task(Supervised(adapter).run(service_of(world)))
    await begun.wait()
    broken.set()
    task.cancel()
    try:
        await until(task.done)
    finally:
        task.cancel()
        await asyncio.wait([task])
    assert task.cancelled()
    assert adapter.starts == 1


async def test_a_wait_ends_at_once_when_the_service_stops(world: World) -> None:
    adapter = Flaky(world.screen, fail)
    async with running(Supervised(adapter).run(service_of(world))):
        await until(lambda: bool(world.clock.alarms))
    assert adapter.starts == 1


async def test_it_is_known_by_what_it_supervises(world: World) -> None:
    supervised = Supervised(Flaky(world.screen, fail, "telegram"))
    assert (supervised.platform, supervised.transport) == ("telegram", world.screen)
