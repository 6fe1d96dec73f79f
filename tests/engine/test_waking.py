"""A process that stood still and goes on: what others may have taken meanwhile it no longer has, also before anything
in it has noticed."""

from __future__ import annotations

from datetime import timedelta

from bot.crew import HEARTBEAT, Crew
from bot.storage.workers import ALIVE
from tests.clock import VirtualClock
from tests.engine.world import opened
from tests.storage.building import PLATFORM
from tests.storage.test_postgres import store_on

ROLE = f"{PLATFORM}/0"


async def test_who_stood_still_until_others_may_have_its_roles_has_none(postgres_url: str) -> None:
    clock = VirtualClock()
    async with store_on(postgres_url) as store:
        crew = Crew(store, clock, [ROLE])
        await crew.begin()
        assert crew.holds(ROLE)
        clock.advance((ALIVE - HEARTBEAT - timedelta(milliseconds=1)).total_seconds())
        assert crew.holds(ROLE)
        clock.advance(0.001)
        assert not crew.holds(ROLE)
        assert crew.held == frozenset()
        await crew.sign_in()
        assert crew.holds(ROLE)


async def test_a_database_of_its_own_takes_no_roles_from_who_stood_still() -> None:
    clock = VirtualClock()
    async with opened(clock=clock) as world:
        crew = Crew(world.store, clock, [ROLE])
        await crew.begin()
        clock.advance(3600)
        assert crew.holds(ROLE)
