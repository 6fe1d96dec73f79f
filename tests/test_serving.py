"""Several platforms in one process: none ends another, and all are closed in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from bot.library import Library
from bot.opening import Opened
from bot.ports import Store, StoreError, StoreUnavailableError
from bot.running import NO_DUTIES, Adapter, Duties, Service
from bot.serving import HOPELESS, SERVED, patiently, serve
from bot.storage.sqlite import open_sqlite
from bot.supervising import HopelessError
from tests.clock import VirtualClock
from tests.engine.screen import Screen


@dataclass(slots=True)
class Platform:
    """A platform that is served until it is told to end; `hopeless` says why it cannot be."""

    platform: str
    hopeless: str = ""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    started: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False
    duties: Duties = NO_DUTIES
    transport: Screen = field(default_factory=lambda: Screen(VirtualClock()))

    async def run(self, service: Service) -> None:
        if self.hopeless:
            raise HopelessError(self.hopeless)
        self.started.set()
        await self.ended.wait()

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Adapter]:
        try:
            yield self
        finally:
            self.closed = True


@asynccontextmanager
async def never_opened(error: Exception | None) -> AsyncIterator[Adapter]:
    if error:
        raise error
    yield Platform("never")


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    opened = await open_sqlite(":memory:", ["first", "second"])
    yield opened
    await opened.close()


def serving(store: Store, *opened: Opened) -> asyncio.Task[int]:
    return asyncio.create_task(serve(store, Library([]), VirtualClock(), opened))


async def began(platform: Platform, task: asyncio.Task[int]) -> None:
    """Wait until the platform is served; if serving ends before, that is the failure."""
    begun = asyncio.create_task(platform.started.wait())
    await asyncio.wait([begun, task], return_when=asyncio.FIRST_COMPLETED)
    if not begun.done():
        begun.cancel()
        raise AssertionError(f"{platform.platform} is not served: {task.result()}")


async def test_a_hopeless_platform_does_not_stop_another(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    first, second = Platform("first", "its token is gone"), Platform("second")
    task = serving(store, first.opened(), never_opened(HopelessError("its key is gone")), second.opened())
    await began(second, task)
    assert not task.done()
    assert "its token is gone" in caplog.text
    assert "its key is gone" in caplog.text
    second.ended.set()
    assert await task == HOPELESS
    assert first.closed
    assert second.closed


async def test_one_that_cannot_be_opened_for_whatever_reason_does_not_stop_another(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    second = Platform("second")
    task = serving(store, never_opened(LookupError("nobody foresaw this")), second.opened())
    await began(second, task)
    assert "nobody foresaw this" in caplog.text
    second.ended.set()
    assert await task == HOPELESS


async def test_nothing_left_to_serve_is_the_end(store: Store) -> None:
    first = Platform("first", "its token is gone")
    assert await serving(store, first.opened(), never_opened(HopelessError("its key is gone"))) == HOPELESS
    assert first.closed


async def test_platforms_that_end_by_themselves_were_served(store: Store) -> None:
    first = Platform("first")
    first.ended.set()
    assert await serving(store, first.opened()) == SERVED


async def test_a_stop_closes_every_platform(store: Store) -> None:
    both = Platform("first"), Platform("second")
    task = serving(store, *(platform.opened() for platform in both))
    for platform in both:
        await began(platform, task)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [platform.closed for platform in both] == [True, True]


async def test_one_that_was_given_up_counts_also_when_the_others_ended_well(store: Store) -> None:
    first, second = Platform("first", "its token is gone"), Platform("second")
    second.ended.set()
    assert await serving(store, first.opened(), second.opened()) == HOPELESS


async def test_a_database_that_starts_beside_the_bot_is_waited_for(store: Store) -> None:
    clock, failing = VirtualClock(), ["not yet", "not yet"]

    async def open_store() -> Store:
        if failing:
            raise StoreUnavailableError(failing.pop())
        return store

    task = asyncio.create_task(patiently(open_store, clock))
    while not task.done():
        await asyncio.sleep(0)
        clock.advance(1)
    assert (task.result(), failing) == (store, [])


@pytest.mark.parametrize(("error", "seconds"), [(StoreError("it is damaged"), 0), (StoreUnavailableError("away"), 20)])
async def test_a_database_that_does_not_come_is_said(error: StoreError, seconds: int) -> None:
    clock = VirtualClock()
    began = clock.now()

    async def open_store() -> Store:
        raise error

    task = asyncio.create_task(patiently(open_store, clock))
    while not task.done():
        await asyncio.sleep(0)
        if clock.alarms:
            clock.advance((clock.alarms[0] - clock.now()).total_seconds())
    assert task.exception() is error
    assert (clock.now() - began).total_seconds() == seconds
