"""Roles are divided evenly, change hands as rarely as that allows, and are nobody's twice, whoever comes and goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from bot.storage.workers import ALIVE, Worker, divided
from tests.clock import NOON

NAMES = "abcd"
BEAT = timedelta(seconds=2)


def shards(count: int) -> list[str]:
    return [f"test/{number} of {count}" for number in range(count)]


@dataclass
class Office:
    """The tables, in short, and the processes: what each can take, has, and has not let go of yet."""

    roles: list[str]
    leases: dict[str, str] = field(default_factory=dict)
    able: dict[str, list[str]] = field(default_factory=dict)
    held: dict[str, set[str]] = field(default_factory=dict)
    busy: dict[str, set[str]] = field(default_factory=dict)
    gained: Counter[str] = field(default_factory=Counter)

    def sign_in(self, name: str) -> None:
        """As `Store.sign_in` does. What a process gains it is busy with at once, and goes on being so."""
        self.able.setdefault(name, list(self.roles))
        workers = [Worker(each, ["test"], roles) for each, roles in self.able.items()]
        mine = {role for role, worker in self.leases.items() if worker == name}
        held = divided(dict(self.leases), workers, name)
        self.gained[name] += len(held - self.held.get(name, set()))
        for role in held - mine:
            assert role not in self.leases, f"{name} takes {role} from {self.leases[role]}"
            self.leases[role] = name
        busy = self.busy.setdefault(name, set())
        for role in mine - held - busy:
            del self.leases[role]
        busy |= held
        self.held[name] = held

    def let_go(self, name: str) -> None:
        """What it has no longer is really ended."""
        self.busy[name] = set(self.held.get(name, ()))

    def renounce(self, name: str) -> None:
        self.able[name] = []
        self.held[name] = set()

    def leave(self, name: str) -> None:
        for kept in (self.able, self.held, self.busy):
            kept.pop(name, None)
        self.leases = {role: worker for role, worker in self.leases.items() if worker != name}

    def settle(self, rounds: int = 4) -> None:
        for _ in range(rounds):
            for name in list(self.able):
                self.sign_in(name)
                self.let_go(name)

    def check_apart(self) -> None:
        """Nobody has what another has, or is still busy with."""
        for name, held in self.held.items():
            for other, busy in self.busy.items():
                assert other == name or not held & busy, f"{name} has what {other} is busy with: {held & busy}"

    def check_even(self) -> None:
        counts = [len(self.held[name]) for name, able in self.able.items() if able]
        if counts:
            assert sum(counts) == len(self.roles), self.held
            assert max(counts) - min(counts) <= 1, self.held


acts = st.lists(
    st.tuples(st.sampled_from(["sign_in", "sign_in", "let_go", "leave", "renounce"]), st.sampled_from(NAMES)),
    max_size=40,
)


@settings(max_examples=150, deadline=None)
@given(count=st.integers(1, 9), acts=acts)
def test_whoever_comes_and_goes_every_role_is_soon_had_by_one_and_all_have_as_many(
    count: int, acts: list[tuple[str, str]]
) -> None:
    office = Office(shards(count))
    for act, name in acts:
        if act == "sign_in" or name in office.able:
            getattr(office, act)(name)
        office.check_apart()
    office.settle()
    office.check_even()


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 9), acts=acts)
def test_once_all_have_as_many_nothing_changes_hands(count: int, acts: list[tuple[str, str]]) -> None:
    office = Office(shards(count))
    for act, name in acts:
        if act == "sign_in" or name in office.able:
            getattr(office, act)(name)
    office.settle()
    before = {name: set(held) for name, held in office.held.items()}
    office.settle(2)
    assert office.held == before


@pytest.mark.parametrize(
    ("number", "count", "moved"), [(1, 4, 2), (2, 4, 1), (3, 4, 1), (2, 9, 3), (3, 9, 2), (3, 5, 1)]
)
def test_to_a_process_that_comes_goes_no_more_than_its_share(number: int, count: int, moved: int) -> None:
    office = Office(shards(count))
    for name in NAMES[:number]:
        office.sign_in(name)
        office.settle()
    office.gained.clear()
    office.sign_in(NAMES[number])
    office.settle()
    assert +office.gained == Counter({NAMES[number]: moved})


@pytest.mark.parametrize(("number", "count"), [(2, 4), (3, 4), (4, 9), (3, 5)])
def test_from_a_process_that_goes_go_only_its_own(number: int, count: int) -> None:
    office = Office(shards(count))
    for name in NAMES[:number]:
        office.sign_in(name)
        office.settle()
    freed = len(office.held["a"])
    office.gained.clear()
    office.leave("a")
    office.settle()
    assert office.gained.total() == freed


def test_where_processes_were_told_different_numbers_of_shards_each_number_is_had_whole() -> None:
    """While they are replaced one by one."""
    office = Office(shards(4))
    office.able = {"a": shards(4), "b": shards(4), "c": shards(6)}
    office.settle()
    assert office.held["a"] | office.held["b"] == set(shards(4))
    assert office.held["c"] == set(shards(6))


def test_roles_of_several_platforms_are_divided_apart() -> None:
    office = Office(["one", "two/0 of 2", "two/1 of 2"])
    for name in "ab":
        office.sign_in(name)
    office.settle()
    assert sorted(map(sorted, office.held.values())) == [["one", "two/0 of 2"], ["two/1 of 2"]]


# On a real database


class Team:
    """Processes on one PostgreSQL."""

    def __init__(self, driver: PostgresDriver, roles: list[str]) -> None:
        self.driver = driver
        self.roles = roles
        self.held: dict[str, frozenset[str]] = {}

    async def sign_in(self, name: str, beat: int, *, busy: frozenset[str] = frozenset()) -> frozenset[str]:
        store = SqlStore(self.driver, ["test"], name)
        roster = await store.sign_in(NOON + beat * BEAT, self.roles, busy)
        self.held[name] = roster.held
        return roster.held


async def test_in_a_database_four_shards_are_two_and_two_and_all_of_whoever_is_left(postgres_url: str) -> None:
    driver = await PostgresDriver.open(postgres_url, 2)
    try:
        await SqlStore(driver, ["test"], "a").migrate()
        team = Team(driver, shards(4))
        for beat in range(3):
            await team.sign_in("a", beat)
            await team.sign_in("b", beat)
        assert sorted(map(len, team.held.values())) == [2, 2]
        assert team.held["a"] | team.held["b"] == set(shards(4))
        left = 2 * BEAT
        beats = [await team.sign_in("b", beat) for beat in range(3, 8)]
        gained = next(index for index, held in enumerate(beats, 3) if len(held) == 4)
        assert ALIVE < gained * BEAT - left <= ALIVE + BEAT
    finally:
        await driver.close()


async def test_in_a_database_what_somebody_is_busy_with_is_nobody_elses(postgres_url: str) -> None:
    driver = await PostgresDriver.open(postgres_url, 2)
    try:
        await SqlStore(driver, ["test"], "a").migrate()
        team = Team(driver, shards(2))
        mine = await team.sign_in("a", 0)
        assert await team.sign_in("b", 0) == set()
        for beat in (1, 2):
            assert len(await team.sign_in("a", beat, busy=mine)) == 1
            assert await team.sign_in("b", beat) == set()
        kept = await team.sign_in("a", 3)
        assert await team.sign_in("b", 3) == mine - kept
    finally:
        await driver.close()


async def test_what_was_reserved_for_one_that_is_gone_is_delivered_by_others_at_once(postgres_url: str) -> None:
    driver = await PostgresDriver.open(postgres_url, 2)
    try:
        gone, left = (SqlStore(driver, ["test"], name) for name in "ab")
        await gone.migrate()
        await gone.sign_in(NOON, ())
        async with driver.transaction() as connection:
            await connection.write(
                """
                INSERT INTO outbox (platform, chat, session, slot, body, ready_at, lazy, reserved_for, reserved_until)
                VALUES ('test', 'test:1', 's1', 'x', '[]', 0, 0, $1, $2)
                """,
                [("a", 2**50)],
            )
        late = NOON + ALIVE + BEAT
        assert await left.claim("test", late, late + BEAT, 9) == []
        await left.sign_in(late, ())
        assert [each.slot for each in await left.claim("test", late, late + BEAT, 9)] == ["x"]
    finally:
        await driver.close()
