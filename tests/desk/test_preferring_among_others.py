"""What was chosen by way of one process is known to the others soon; a process that is alone need not look again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.desk.preferring import FRESH, FRESH_AMONG_OTHERS, Preferred
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from tests.clock import VirtualClock
from tests.engine.driver import WatchedDriver

ANN = "test:ann"


@pytest.fixture
async def driver() -> AsyncIterator[WatchedDriver]:
    made = WatchedDriver(await SqliteDriver.open(MEMORY))
    await SqlStore(made, ["test"]).migrate()
    yield made
    await made.close()


@pytest.mark.parametrize("alone", [False, True])
async def test_a_choice_made_elsewhere_is_known_after_a_while(driver: WatchedDriver, *, alone: bool) -> None:
    clock, store = VirtualClock(), SqlStore(driver, ["test"])
    here, elsewhere = Preferred(store, clock, lambda: alone), Preferred(store, clock, lambda: alone)
    assert (await here.of(ANN)).language is None
    await elsewhere.choose(ANN, "language", "bg")
    span = FRESH if alone else FRESH_AMONG_OTHERS
    clock.advance(span.total_seconds() - 0.001)
    asked = driver.attempts
    assert (await here.of(ANN)).language is None
    assert driver.attempts == asked
    clock.advance(0.001)
    assert (await here.of(ANN)).language == "bg"


async def test_as_soon_as_another_serves_nothing_older_is_believed(driver: WatchedDriver) -> None:
    clock, store = VirtualClock(), SqlStore(driver, ["test"])
    others: list[str] = []
    here = Preferred(store, clock, lambda: not others)
    assert (await here.of(ANN)).language is None
    await store.prefer(ANN, "language", "ro")
    clock.advance(FRESH_AMONG_OTHERS.total_seconds())
    assert (await here.of(ANN)).language is None
    others.append("another")
    assert (await here.of(ANN)).language == "ro"


async def test_a_clock_that_was_set_back_makes_nobody_believe_old_choices(driver: WatchedDriver) -> None:
    clock, store = VirtualClock(), SqlStore(driver, ["test"])
    here = Preferred(store, clock)
    assert (await here.of(ANN)).language is None
    await store.prefer(ANN, "language", "ro")
    clock.advance(-3600)
    assert (await here.of(ANN)).language == "ro"
