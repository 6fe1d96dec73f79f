"""What one process at a time has to do: begun when it is this one's turn, and ended before it is another's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

import pytest

from bot.crew import HEARTBEAT, Crew
from bot.ports import OutdatedError, Roster, Store, StoreError, StoreUnavailableError
from bot.storage.workers import ALIVE
from tests.cancelling import CancelledAt
from tests.clock import VirtualClock
from tests.engine.running import running, until

ONE, TWO, THREE = "shard/1", "shard/2", "shard/3"
ROLES = [ONE, TWO, THREE]
BEAT = HEARTBEAT.total_seconds()


@dataclass
class Book:
    """In which processes sign in: it gives whoever does what it is told to, of what they want. `open`, unless it takes
    its time; `fault` is what comes of it instead. `asked`: what was wanted, and what its process was busy with."""

    clock: VirtualClock
    gives: frozenset[str] = frozenset()
    workers: int = 2
    fault: Exception | None = None
    asked: list[tuple[set[str], set[str]]] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open.set()

    async def sign_in(self, now: datetime, wanted: Collection[str] = (), busy: Collection[str] = ()) -> Roster:
        self.asked.append((set(wanted), set(busy)))
        await self.open.wait()
        if self.fault:
            raise self.fault
        names = frozenset(f"w{number}" for number in range(self.workers))
        return Roster(names, self.gives.intersection(wanted), (), now + ALIVE)

    async def recover(self, now: datetime) -> None:
        pass

    async def sign_out(self, now: datetime) -> None:
        pass


class Work:
    """Says what it is at, and what it has been; ends at once, or takes as long as `ending` is not set."""

    def __init__(self) -> None:
        self.at: frozenset[str] = frozenset()
        self.begun: list[set[str]] = []
        self.done = asyncio.Event()
        self.ending = asyncio.Event()
        self.ending.set()
        self.fault: Exception | None = None

    async def __call__(self, roles: frozenset[str]) -> None:
        assert not self.at, "one begins when the other has ended"
        self.at = roles
        self.begun.append(set(roles))
        try:
            await self.done.wait()
        finally:
            await self.ending.wait()
            self.at = frozenset()
            if self.fault:
                raise self.fault


@dataclass
class Shift:
    """A process that is alive, with work to do for `ROLES`."""

    clock: VirtualClock
    book: Book
    crew: Crew
    work: Work

    async def given(self, *roles: str) -> None:
        """From now on it has these, and has heard of it."""
        self.book.gives = frozenset(roles)
        await self.beat()

    async def beat(self) -> None:
        asked = len(self.book.asked)
        await self.pass_time(BEAT)
        await until(lambda: len(self.book.asked) > asked)
        await quiet()

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await quiet()


async def quiet() -> None:
    """Let everything happen that needs no time."""
    for _ in range(50):
        await asyncio.sleep(0)


@asynccontextmanager
async def signed_in() -> AsyncIterator[Shift]:
    clock = VirtualClock()
    book = Book(clock)
    crew = Crew(cast("Store", book), clock, ROLES)
    await crew.begin()
    async with running(crew.run()):
        await quiet()
        yield Shift(clock, book, crew, Work())


@asynccontextmanager
async def on_duty() -> AsyncIterator[tuple[Shift, asyncio.Task[None]]]:
    async with signed_in() as shift:
        duty = asyncio.create_task(shift.crew.duty(ROLES, shift.work))
        await quiet()
        yield shift, duty
        duty.cancel()
        shift.work.ending.set()
        await asyncio.wait([duty])


async def test_work_begins_when_a_role_is_gained_and_ends_when_it_is_lost() -> None:
    async with on_duty() as (shift, duty):
        assert shift.work.at == set()
        await shift.given(ONE)
        assert shift.work.at == {ONE}
        await shift.given()
        assert shift.work.at == set()
        await shift.given(ONE)
        assert shift.work.begun == [{ONE}, {ONE}]
        assert not duty.done()


async def test_work_begins_anew_when_the_roles_change_and_goes_on_while_they_do_not() -> None:
    async with on_duty() as (shift, _):
        for roles in ([ONE], [ONE], [ONE, TWO], [TWO], [TWO]):
            await shift.given(*roles)
        assert shift.work.begun == [{ONE}, {ONE, TWO}, {TWO}]


async def test_each_duty_of_several_is_begun_and_ended_for_itself() -> None:
    async with signed_in() as shift:
        works = {role: Work() for role in ROLES}
        duties = [asyncio.create_task(shift.crew.duty([role], works[role])) for role in ROLES]
        for roles in ([ONE, TWO], [TWO, THREE], [TWO]):
            await shift.given(*roles)
            assert {role for role, work in works.items() if work.at} == set(roles)
        assert [len(works[role].begun) for role in ROLES] == [1, 1, 1]
        for duty in duties:
            duty.cancel()
        await asyncio.wait(duties)


async def test_it_returns_when_the_work_does() -> None:
    async with on_duty() as (shift, duty):
        await shift.given(ONE)
        shift.work.done.set()
        await until(duty.done)
        assert duty.result() is None
        await shift.beat()
        assert shift.book.asked[-1] == (set(ROLES), set())


@pytest.mark.parametrize("ended", [False, True])
async def test_it_raises_what_the_work_raises_also_while_that_is_ended(ended: bool) -> None:
    async with on_duty() as (shift, duty):
        await shift.given(ONE)
        shift.work.fault = ConnectionError("the line is dead")
        if ended:
            await shift.given()
        else:
            shift.work.done.set()
        await until(duty.done)
        with pytest.raises(ConnectionError, match="the line is dead"):
            duty.result()
        await shift.beat()
        assert shift.book.asked[-1][1] == set()


async def test_a_fault_of_work_whose_duty_is_cancelled_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with on_duty() as (shift, duty):
        await shift.given(ONE)
        shift.work.fault = ConnectionError("the line is dead")
        duty.cancel()
        await until(duty.done)
        assert duty.cancelled()
        assert "the line is dead" in caplog.text


async def test_until_the_work_has_really_ended_it_counts_as_busy_and_then_others_learn_it_at_once() -> None:
    async with on_duty() as (shift, _):
        await shift.given(ONE, TWO)
        shift.work.ending.clear()
        await shift.given(TWO)
        for _ in range(3):
            await shift.beat()
            assert shift.book.asked[-1] == (set(ROLES), {ONE, TWO})
        assert shift.work.begun == [{ONE, TWO}]
        asked = len(shift.book.asked)
        shift.work.ending.set()
        await until(lambda: len(shift.book.asked) > asked)
        await quiet()
        assert shift.book.asked[-1][1] <= {TWO}
        assert shift.work.begun == [{ONE, TWO}, {TWO}]


async def test_wherever_it_is_cancelled_no_work_goes_on_and_nobody_counts_as_busy() -> None:
    """Roles come and go; the duty is cancelled at its first wait, its second, and so on."""
    points = 0
    while True:
        async with signed_in() as shift:
            duty = asyncio.create_task(_at(shift, points))
            for roles in ([ONE], [ONE, TWO], [], [TWO]):
                await shift.given(*roles)
            shift.work.done.set()
            await until(duty.done)
            assert shift.work.at == set()
            await shift.beat()
            assert shift.book.asked[-1][1] == set()
            if not duty.cancelled():
                break
        points += 1
    assert shift.work.begun == [{ONE}, {ONE, TWO}, {TWO}]
    assert points > 3


async def _at(shift: Shift, point: int) -> None:
    await CancelledAt(shift.crew.duty(ROLES, shift.work), point)


async def test_cancelled_again_and_again_it_still_waits_until_the_work_has_ended() -> None:
    async with on_duty() as (shift, duty):
        await shift.given(ONE)
        shift.work.ending.clear()
        for _ in range(3):
            duty.cancel()
            await quiet()
            assert not duty.done()
            assert shift.work.at == {ONE}
        shift.work.ending.set()
        await until(duty.done)
        assert duty.cancelled()


# When nobody can say who has what


async def test_cut_off_from_the_store_it_gives_its_roles_up_before_others_may_take_them() -> None:
    async with on_duty() as (shift, _):
        await shift.given(ONE)
        signed = shift.clock.now()
        shift.book.fault = StoreUnavailableError("the database is away")
        while shift.work.at:
            await shift.pass_time(0.5)
        assert ALIVE - HEARTBEAT <= shift.clock.now() - signed < ALIVE
        assert not shift.crew.holds(ONE)
        shift.book.fault = None
        await shift.beat()
        assert shift.work.at == {ONE}


async def test_while_the_store_says_nothing_its_roles_run_out_just_so() -> None:
    async with on_duty() as (shift, _):
        await shift.given(ONE)
        signed = shift.clock.now()
        shift.book.open.clear()
        while shift.work.at:
            await shift.pass_time(0.5)
        assert ALIVE - HEARTBEAT <= shift.clock.now() - signed < ALIVE


async def test_an_answer_that_comes_too_late_gives_no_role() -> None:
    async with on_duty() as (shift, _):
        shift.book.gives = frozenset([ONE])
        shift.book.open.clear()
        await shift.beat()
        await shift.pass_time((ALIVE - HEARTBEAT).total_seconds())
        held = []
        shift.crew.on_outages = lambda _: held.append(shift.crew.held)
        shift.book.open.set()
        await quiet()
        assert held
        assert not any(held)
        assert shift.work.begun == []
        await shift.beat()
        assert shift.work.at == {ONE}


async def test_a_version_that_has_to_give_way_ends_its_work() -> None:
    async with on_duty() as (shift, _):
        await shift.given(ONE)
        shift.book.fault = OutdatedError("the database is newer")
        await shift.beat()
        assert shift.work.at == set()
        with pytest.raises(OutdatedError):
            await shift.crew.outdated()


async def test_it_is_said_at_once_when_somebody_is_gone_and_nothing_when_somebody_comes() -> None:
    async with signed_in() as shift:
        alone = []
        shift.crew.on_gone = lambda: alone.append(shift.crew.alone)
        for workers in (2, 3, 2, 2, 1):
            shift.book.workers = workers
            await shift.beat()
        assert alone == [False, True]


# Able or not


async def test_what_is_renounced_is_ended_at_once_and_not_wanted_until_it_is_accepted() -> None:
    async with on_duty() as (shift, _):
        await shift.given(ONE, TWO)
        asked = len(shift.book.asked)
        shift.crew.renounce([ONE])
        await until(lambda: len(shift.book.asked) > asked)
        await quiet()
        assert shift.work.at == {TWO}
        assert shift.book.asked[-1][0] == {TWO, THREE}
        await shift.crew.accept([ONE])
        await quiet()
        assert shift.work.at == {ONE, TWO}


async def test_a_duty_accepts_its_roles_and_waits_for_no_heartbeat() -> None:
    async with signed_in() as shift:
        shift.crew.renounce([ONE])
        await quiet()
        shift.book.gives = frozenset([ONE])
        async with running(shift.crew.duty([ONE], shift.work)):
            await until(lambda: shift.work.at == {ONE})


async def test_what_is_renounced_while_it_signs_in_is_not_taken_after_all() -> None:
    async with on_duty() as (shift, _):
        shift.book.gives = frozenset([ONE])
        shift.book.open.clear()
        await shift.beat()
        shift.crew.renounce([ONE])
        shift.book.open.set()
        await quiet()
        assert shift.work.begun == []


async def test_a_duty_that_cannot_be_accepted_says_so() -> None:
    async with signed_in() as shift:
        shift.crew.renounce([ONE])
        await quiet()
        shift.book.fault = StoreError("the database is away")
        with pytest.raises(StoreError):
            await shift.crew.duty([ONE], shift.work)
