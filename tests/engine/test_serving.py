"""Everything runs together: recovered at the start, stopped in order, whoever fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from bot import running as service_module
from bot.codec import millis
from bot.core.effects import Asked, Returned
from bot.core.session import Phase
from bot.crew import HEARTBEAT
from bot.delivery import MOST_AT_ONCE
from bot.engine import StoppingError
from bot.ports import StoreError, Transport, UnavailableError
from bot.running import CALM, NO_DUTIES, Duties, Service, run, serving
from tests.clock import VirtualClock
from tests.core.building import question, quiz_of
from tests.engine.running import TOO_LONG, until
from tests.engine.screen import Screen, presented
from tests.engine.world import ANN, BOB, CHAT, LIMIT, OTHER, PLATFORM, READING, World, opened


@asynccontextmanager
async def served(world: World) -> AsyncIterator[Service]:
    """The service on the world's store; the world's own engine stands by, to read with."""
    transports = {PLATFORM: world.screen}
    async with serving(world.store, world.library, world.clock, presented, transports, Random("spread")) as service:
        yield service


async def beat(world: World) -> int:
    """Milliseconds since the last beat."""
    ((at,),) = await world.rows("SELECT at FROM heartbeat")
    return millis(world.clock.now()) - int(at)


async def test_a_session_plays_by_itself_from_question_to_question(world: World) -> None:
    async with served(world) as service:
        await service.engine.handle(CHAT, world.starting())
        await until(lambda: world.slots() == ["Asked q0"])
        close = world.clock.now() + timedelta(seconds=LIMIT)
        await until(lambda: close in world.clock.alarms)
        await service.engine.handle(CHAT, await world.answering(BOB))
        world.clock.advance(LIMIT)
        await until(lambda: world.slots()[-1:] == ["Closed q0"])
        ask = world.clock.now() + timedelta(seconds=READING)
        await until(lambda: ask in world.clock.alarms)
        world.clock.advance(READING)
        await until(lambda: world.slots()[-1:] == ["Asked q1"])


async def test_it_notes_that_it_is_alive_every_two_seconds(world: World) -> None:
    async with served(world):
        for _ in range(3):
            again = world.clock.now() + HEARTBEAT
            await until(lambda again=again: again in world.clock.alarms)  # type: ignore[misc]
            assert await beat(world) == 0
            world.clock.advance(HEARTBEAT.total_seconds())


async def test_an_orderly_stop_delivers_what_was_just_queued_and_notes_the_moment(world: World) -> None:
    async with served(world) as service:
        await service.engine.handle(CHAT, world.starting())
        world.clock.advance(1.5)
        await service.engine.handle(OTHER, world.starting())
    assert world.slots(CHAT) == world.slots(OTHER) == ["Asked q0"]
    assert await world.rows("SELECT 1 FROM outbox") == []
    assert await beat(world) == 0
    with pytest.raises(StoppingError):
        service.engine.handle(CHAT, world.starting())


async def test_a_stop_does_not_wait_for_a_platform_that_hangs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "DRAIN", 0)
    world.screen.held[CHAT] = asyncio.Event()
    async with served(world) as service:
        await service.engine.handle(CHAT, world.starting())
        await until(lambda: bool(world.screen.calls))
    world.screen.held[CHAT].set()
    assert await world.rows("SELECT slot FROM outbox") == [("q0",)]
    assert await beat(world) == 0
    assert world.slots() == []
    async with served(world):
        await until(lambda: world.slots() == ["Asked q0"])


async def test_a_stop_does_not_wait_for_posts_that_are_not_ready(world: World) -> None:
    world.screen.troubles[CHAT].append(UnavailableError())
    async with served(world) as service:
        await service.engine.handle(CHAT, world.starting())
    assert await world.rows("SELECT slot FROM outbox") == [("q0",)]


async def test_at_the_start_it_gives_back_what_the_outage_took_and_frees_what_was_under_way(tmp_path: Path) -> None:
    path, clock = tmp_path / "db", VirtualClock()
    screen = Screen(clock)
    async with opened(path, clock=clock, screen=screen) as world:
        await world.start()
        await world.beat()
        await world.store.claim(PLATFORM, clock.now(), clock.now() + timedelta(minutes=2), 1)
    clock.advance(3600)
    async with opened(path, clock=clock, screen=screen, updates=1000) as world, served(world):
        await until(lambda: any(isinstance(post, Returned) for post in world.seen()))
        assert await world.stage() == (0, Phase.OPEN)
        assert world.slots()[0] == "Asked q0"
        session = await world.session()
        assert session.deadline is not None
        assert (session.deadline - clock.now()).total_seconds() == LIMIT


async def test_a_store_that_is_away_for_a_while_is_no_reason_to_stop(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(world) as service:
        await service.engine.handle(CHAT, world.starting())
        await until(lambda: world.slots() == ["Asked q0"])
        now = world.clock.now()
        await until(lambda: {now + HEARTBEAT, now + timedelta(seconds=LIMIT)} <= set(world.clock.alarms))
        world.driver.broken = True
        world.clock.advance(LIMIT)
        await until(lambda: "deadlines cannot be read" in caplog.text and "cannot sign in" in caplog.text)
        world.driver.broken = False
        while world.slots()[-1:] != ["Closed q0"]:
            world.clock.advance(1)
            await asyncio.sleep(0)


async def test_a_store_that_cannot_be_used_at_the_start_is_said(world: World) -> None:
    world.driver.broken = True
    with pytest.raises(StoreError, match="disk is gone"):
        async with served(world):
            pytest.fail("it runs on a broken store")


# Platforms beside each other


@asynccontextmanager
async def two_platforms(world: World) -> AsyncIterator[tuple[Service, Screen]]:
    """The service with a second platform, `other`."""
    second = Screen(world.clock)
    transports = {PLATFORM: world.screen, "other": second}
    async with serving(world.store, world.library, world.clock, presented, transports, Random("spread")) as service:
        yield service, second


async def test_a_platform_that_hangs_with_all_its_posts_under_way_delays_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "DRAIN", 0)
    gate = asyncio.Event()
    async with two_platforms(world) as (service, second):
        for number in range(MOST_AT_ONCE + 1):
            world.screen.held[f"test:{number}"] = gate
            await service.engine.handle(f"test:{number}", world.starting())
        await until(lambda: len(world.screen.calls) == MOST_AT_ONCE)
        await service.engine.handle("other:1", world.starting())
        await until(lambda: second.slots("other:1") == ["Asked q0"])
        assert world.screen.shown == []
        gate.set()
        await until(lambda: len(world.screen.shown) == MOST_AT_ONCE + 1)


async def test_each_platform_is_sent_the_posts_of_its_own_chats(world: World) -> None:
    async with two_platforms(world) as (service, second):
        for chat in (CHAT, "other:1", "unserved:1"):
            await service.engine.handle(chat, world.starting())
        await until(lambda: bool(second.shown) and bool(world.screen.shown))
        await service.settled()
    assert {shown.chat for shown in world.screen.shown} == {CHAT}
    assert {shown.chat for shown in second.shown} == {"other:1"}
    assert await world.rows("SELECT chat FROM outbox") == [("unserved:1",)]


async def test_what_is_settled_is_settled_on_every_platform(world: World) -> None:
    async with two_platforms(world) as (service, second):
        await service.engine.handle(CHAT, world.starting())
        await service.engine.handle("other:1", world.starting())
        second.held["other:1"] = asyncio.Event()
        settling = asyncio.ensure_future(service.settled())
        async with asyncio.timeout(TOO_LONG):
            while await world.rows("SELECT 1 FROM outbox WHERE platform = 'test'"):
                pass
        for _ in range(5):
            await world.rows("SELECT 1")
        assert world.slots() == ["Asked q0"]
        assert not settling.done()
        second.held["other:1"].set()
        await settling
        assert second.slots("other:1") == ["Asked q0"]


# Adapters


@dataclass
class Script:
    """An adapter that does what it is told, once."""

    transport: Transport
    act: Callable[[Service], Awaitable[None]]
    platform: str = PLATFORM
    duties: Duties = NO_DUTIES

    async def run(self, service: Service) -> None:
        await self.act(service)


async def test_it_serves_until_every_adapter_has_ended(world: World) -> None:
    async def play(service: Service) -> None:
        await service.engine.handle(CHAT, world.starting())

    await run(world.store, world.library, world.clock, presented, [Script(world.screen, play)])
    assert world.slots() == ["Asked q0"]
    assert await beat(world) == 0


async def test_an_adapter_that_fails_stops_the_service_in_order(world: World) -> None:
    ended = asyncio.Event()

    async def fail(service: Service) -> None:
        await service.engine.handle(CHAT, world.starting())
        raise ZeroDivisionError

    async def wait(service: Service) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    adapters = [Script(world.screen, fail), Script(world.screen, wait, "other")]
    with pytest.raises(ExceptionGroup) as failure:
        await run(world.store, world.library, world.clock, presented, adapters)
    assert failure.group_contains(ZeroDivisionError)
    assert ended.is_set()
    assert world.slots() == ["Asked q0"]
    assert await world.rows("SELECT 1 FROM outbox") == []


async def test_to_be_cancelled_is_an_orderly_stop(world: World) -> None:
    begun = asyncio.Event()

    async def play(service: Service) -> None:
        await service.engine.handle(CHAT, world.starting(ANN))
        begun.set()
        await asyncio.Event().wait()

    serving_it = asyncio.create_task(
        run(world.store, world.library, world.clock, presented, [Script(world.screen, play)])
    )
    await begun.wait()
    serving_it.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving_it
    assert world.slots() == ["Asked q0"]
    assert await world.rows("SELECT 1 FROM outbox") == []


async def test_soon_after_a_start_players_are_shown_the_time_they_are_given_back(tmp_path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    path = tmp_path / "quizbot.sqlite3"
    long = [quiz_of(question("long", seconds=300), question("next"))]
    async with opened(path, clock=clock, screen=screen, quizzes=long) as before:
        await before.start()
        await before.wait(8)
        await before.beat()
    clock.advance(90)
    async with opened(path, clock=clock, screen=screen, quizzes=long) as world, served(world):
        calm = clock.now() + CALM
        await until(lambda: calm in clock.alarms)
        clock.advance(CALM.total_seconds())
        await until(lambda: [type(post) for post in world.seen()[-2:]] == [Returned, Asked])
