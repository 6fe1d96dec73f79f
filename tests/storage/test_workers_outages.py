"""When several processes serve from one PostgreSQL: what counts as an outage, and who is told of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.ports import Outage
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from tests.clock import NOON
from tests.storage.building import PLATFORM, begin

BEAT = 2
ROLE = PLATFORM


def after(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


class Team:
    """Processes on one database. `ahead` is by how many seconds the clock of each is wrong."""

    def __init__(self, driver: PostgresDriver) -> None:
        self._driver = driver
        self.stores: dict[str, SqlStore] = {}
        self.ahead: dict[str, float] = {}
        self.held: dict[str, bool] = {}
        self.known: dict[str, tuple[Outage, ...]] = {}

    async def join(self, name: str, at: float, ahead: float = 0) -> None:
        self.stores[name] = SqlStore(self._driver, [PLATFORM], name)
        self.ahead[name] = ahead
        await self.stores[name].recover(NOON + after(at + ahead))
        await self.sign_in(name, at)

    async def sign_in(self, name: str, at: float) -> None:
        roster = await self.stores[name].sign_in(NOON + after(at + self.ahead[name]), [ROLE])
        self.held[name] = ROLE in roster.held
        self.known[name] = roster.outages

    async def serve(self, since: float, until: float, *names: str) -> None:
        """These sign in again and again, one after the other."""
        at = since
        while at <= until:
            for index, name in enumerate(names):
                await self.sign_in(name, at + index * BEAT / len(names))
            at += BEAT

    async def outages(self) -> list[tuple[float, float]]:
        """Each as seconds since the beginning."""
        found = await next(iter(self.stores.values())).outages()
        return [((each.since - NOON).total_seconds(), (each.until - NOON).total_seconds()) for each in found]


@pytest.fixture
async def team(postgres_url: str) -> AsyncIterator[Team]:
    driver = await PostgresDriver.open(postgres_url, 1)
    store = SqlStore(driver, [PLATFORM])
    await store.migrate()
    await begin(store)  # without a session nobody would remember any
    yield Team(driver)
    await driver.close()


async def test_one_of_two_that_is_killed_is_no_outage(team: Team) -> None:
    await team.join("a", 0)
    await team.join("b", 0)
    await team.serve(2, 10, "a", "b")
    await team.serve(12, 40, "b")
    assert await team.outages() == []
    assert team.held["b"]


async def test_a_process_that_comes_while_another_serves_is_no_outage(team: Team) -> None:
    await team.join("a", 0)
    await team.serve(2, 10, "a")
    await team.join("b", 11.5)
    await team.serve(12, 20, "a", "b")
    await team.join("c", 21.5)
    assert await team.outages() == []


async def test_one_that_takes_the_place_of_another_within_seconds_is_no_outage_but_for_the_seconds(team: Team) -> None:
    await team.join("a", 0)
    await team.serve(2, 10, "a")
    await team.stores["a"].sign_out(NOON + after(11))
    await team.join("b", 13)
    assert await team.outages() == [(11, 13)]


async def test_when_all_were_gone_those_who_come_back_note_it_once_however_many_they_are(team: Team) -> None:
    await team.join("a", 0)
    await team.join("b", 0)
    await team.serve(2, 10, "a", "b")  # the last sign is of 11 s
    for name, at in (("c", 60.0), ("d", 60.0), ("e", 60.3)):
        await team.join(name, at)
    await team.serve(62, 70, "c", "d", "e")
    assert await team.outages() == [(11, 60)]
    assert len({*team.known.values()} - {()}) == 1


async def test_a_database_that_was_away_is_one_outage_for_both_that_lived_on(team: Team) -> None:
    await team.join("a", 0)
    await team.join("b", 0)
    await team.serve(2, 10, "a", "b")
    await team.sign_in("b", 41.2)
    await team.sign_in("a", 41.9)
    await team.serve(43, 60, "a", "b")
    assert await team.outages() == [(11, 41.2)]
    assert team.known["a"] == team.known["b"] != ()
    assert sum(team.held.values()) == 1


@pytest.mark.parametrize("ahead", [-3, 3])
@pytest.mark.parametrize("late", [0, 0.9])
async def test_clocks_three_seconds_apart_make_no_outage_and_take_no_role(
    team: Team, ahead: float, late: float
) -> None:
    await team.join("a", 0)
    await team.join("b", 0.5, ahead)
    await team.serve(2, 4, "a", "b")
    holder = [name for name, held in team.held.items() if held]
    for beat in range(3, 30):
        await team.sign_in("a", beat * BEAT + late * (beat % 2))
        await team.sign_in("b", beat * BEAT + 1 + late * (beat % 3 > 1))
        assert [name for name, held in team.held.items() if held] == holder
        assert set((await team.stores["a"].sign_in(NOON + after(beat * BEAT + 1), [ROLE])).workers) == {"a", "b"}
    assert len(holder) == 1
    assert await team.outages() == []


async def test_a_sign_that_comes_late_to_the_database_makes_no_outage(team: Team) -> None:
    await team.join("a", 0)
    await team.join("b", 0)
    await team.serve(2, 10, "b")
    await team.sign_in("a", 2)  # it was meant for then, and the database took so long
    await team.serve(12, 14, "b")
    assert await team.outages() == []


async def test_a_clock_that_was_set_back_far_does_not_hide_the_next_outage(team: Team) -> None:
    await team.join("a", 3600)
    await team.serve(3602, 3610, "a")
    await team.sign_in("a", 12)
    await team.serve(14, 20, "a")
    await team.sign_in("a", 50)
    assert await team.outages() == [(20, 50)]
