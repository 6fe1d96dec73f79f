"""An installation that is taken to another database: nothing is lost, nothing changed, nothing begun anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from bot.core.effects import Verdict
from bot.core.session import Phase
from bot.ports import StoreError
from bot.storage.driver import Driver
from bot.storage.migrating import SCHEMA, migrate
from bot.storage.rows import FEW
from bot.storage.sqlite import MEMORY, SqliteDriver
from tests.clock import VirtualClock
from tests.desk.lobby import open_lobby
from tests.engine.screen import Screen
from tests.engine.world import BOB, CAT, opened
from tests.storage.evening import spend
from tests.storage.installations import (
    KilledError,
    Mortal,
    Rows,
    columns,
    copied,
    driven,
    everything,
    filled,
    put,
    row_count,
    rows,
)
from tests.storage.installations import given as numbers_given

PEOPLE = 4 * FEW


def response(person: str, points: int = 100) -> tuple[object, ...]:
    return ("s1", 0, person, "q0", 1, 1, points, 1000)


def report(person: str, text: str) -> tuple[object, ...]:
    return (person, "rivers", "q0", "digest", "s1", "typo", text, 1000)


CROWD: Rows = {
    "response": [response(f"test:{number}") for number in range(PEOPLE)],
    "report": [report("test:1", "Ω"), report("test:2", "")],
    "outage": [("test", 1, 2)],
}
"""Enough for several parts."""


@pytest.fixture
async def source() -> AsyncIterator[Driver]:
    """A database in memory, with nothing in it yet."""
    driver = await SqliteDriver.open(MEMORY)
    yield driver
    await driver.close()


# Nothing is lost


@hypothesis_settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
@given(rows())
def test_whatever_the_tables_can_hold_goes_to_a_server_and_back_and_is_the_same(postgres_url: str, given: Rows) -> None:
    async def there_and_back() -> None:
        memory = "sqlite:///:memory:"
        async with driven(memory) as source, driven(postgres_url) as server, driven(memory) as again:
            await put(source, given)
            before = await everything(source)
            for one, other in ((source, server), (server, again)):
                found = await copied(one, other)
                assert (found.differences, found.cleaned) == ([], [])
                assert await everything(other) == before
                assert await numbers_given(other) == await numbers_given(source)

    asyncio.run(there_and_back())


async def test_an_evening_with_everything_in_it_goes_to_a_server_and_back(tmp_path: Path, postgres_url: str) -> None:
    path = tmp_path / "evening.sqlite3"
    async with open_lobby(path) as lobby:
        await spend(lobby)
        await lobby.world.beat()
    async with driven(f"sqlite:///{path}") as source, driven(postgres_url) as server:
        before = await everything(source)
        assert {table for table, found in before.items() if not found} <= {"outage", "downtime"}
        assert not (await copied(source, server)).differing
        assert await everything(server) == before
        async with driven(f"sqlite:///{tmp_path}/again.sqlite3") as again:
            assert not (await copied(server, again)).differing
            assert await everything(again) == before


async def test_a_quiz_goes_on_after_the_move_with_its_buttons_and_its_deadline(
    tmp_path: Path, postgres_url: str
) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    path = tmp_path / "quizbot.sqlite3"
    async with opened(path, clock=clock, screen=screen) as world:
        await world.start()
        await world.wait(8)
        press = await world.answering(BOB, ago=0)
        await world.answer(CAT)
        await world.beat()
    clock.advance(60)
    async with driven(f"sqlite:///{path}") as source, driven(postgres_url) as server:
        await copied(source, server)
    async with opened(postgres_url, clock=clock, screen=screen, updates=1000) as world:
        assert isinstance(await world.engine.handle("test:1", press), Verdict)
        await world.wait(11.999)
        assert await world.stage() == (0, Phase.OPEN)
        await world.wait(0.001)
        assert await world.stage() == (0, Phase.CLOSED)
        assert {person for _, person, _ in await world.responses()} == {BOB.person, CAT.person}
        assert {shown.message for shown in screen.shown} == {"m0"}


async def test_no_number_is_given_twice_also_where_the_outbox_is_empty(source: Driver, postgres_url: str) -> None:
    post = (77, *("x",) * 5, *(0,) * 5, None, None, None, None)
    assert len(post) == len(columns()["outbox"])
    await put(source, {"outbox": [post]})
    async with source.transaction() as connection:
        await connection.fetch("DELETE FROM outbox")
    add = """
        INSERT INTO outbox (platform, chat, session, slot, body, ready_at, lazy) VALUES ('t', 'c', 's', 'q', 'b', 0, 0)
        RETURNING id
    """
    async with driven(postgres_url) as server, driven("sqlite:///:memory:") as again:
        await copied(source, server)
        await copied(server, again)
        for driver in (server, again):
            async with driver.transaction() as connection:
                assert await connection.fetch(add) == [(78,)]


async def test_processes_that_served_stay_behind(source: Driver, postgres_url: str) -> None:
    await put(source, CROWD)
    async with source.transaction() as connection:
        await connection.write(
            "INSERT INTO worker (id, platforms, roles, alive_until) VALUES ('w1', '[]', '[]', $1)", [(10**15,)]
        )
        await connection.write("INSERT INTO lease VALUES ($1, $2)", [("telegram", "w1")])
    async with driven(postgres_url) as server:
        assert not (await copied(source, server)).differing
        assert await row_count(server, "worker") == await row_count(server, "lease") == 0


# Killed, and called again


async def killed_and_called_again(source: Driver, target: Driver, writes: int) -> bool:
    """Copy until so many writes are made, then again; whether it was killed."""
    killed = False
    try:
        await copied(source, Mortal(target, writes))
    except KilledError:
        killed = True
    there = await row_count(target, "response") if killed else 0
    found = await copied(source, target)
    assert (found.differing, found.rows) == (0, PEOPLE + 3)
    assert there < PEOPLE or found.rows > there
    assert await everything(target) == await everything(source)
    return killed


async def test_a_copy_that_is_killed_at_any_write_goes_on_and_is_whole(source: Driver) -> None:
    await put(source, CROWD)
    writes = 0
    while True:
        async with driven("sqlite:///:memory:") as target:
            await migrate(target, SCHEMA)
            if not await killed_and_called_again(source, target, writes):
                break
        writes += 1
    assert writes > 2 * PEOPLE // FEW


@pytest.mark.parametrize("writes", [9, 12, 15])
async def test_so_does_one_to_a_server(writes: int, source: Driver, postgres_url: str) -> None:
    await put(source, CROWD)
    async with driven(postgres_url) as target:
        await migrate(target, SCHEMA)
        assert await killed_and_called_again(source, target, writes)


async def test_what_was_copied_before_the_kill_is_not_copied_again(source: Driver, tmp_path: Path) -> None:
    await put(source, CROWD)
    async with driven(f"sqlite:///{tmp_path}/target.sqlite3") as target:
        with pytest.raises(KilledError):
            await copied(source, Mortal(target, 10))
        there = await row_count(target, "response")
        assert 0 < there < PEOPLE
        async with target.transaction() as connection:
            await connection.fetch("UPDATE response SET points = 1 WHERE person = 'test:0'")
        found = await copied(source, target)
    assert found.differences == ["response (session s1, question 0, person test:0): differs in points"]


async def test_a_half_copy_is_no_database_to_serve_from(source: Driver) -> None:
    await put(source, CROWD)
    async with driven("sqlite:///:memory:") as target:
        with pytest.raises(KilledError):
            await copied(source, Mortal(target, 10))
        with pytest.raises(StoreError, match="not whole yet: `quizbot db copy` fills it"):
            await migrate(target, SCHEMA)
        await copied(source, target)
        await migrate(target, SCHEMA)


# Compared


async def change(driver: Driver, statement: str) -> None:
    async with driver.transaction() as connection:
        await connection.fetch(statement)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            "UPDATE response SET points = 7, at = 8 WHERE person = 'test:55'",
            "response (session s1, question 0, person test:55): differs in points, at",
        ),
        (
            "DELETE FROM response WHERE person = 'test:99'",
            "response (session s1, question 0, person test:99): missing in the target",
        ),
        (
            "INSERT INTO response VALUES ('zz', 0, 'test:1', 'q0', 1, 1, 1, 1)",
            "response (session zz, question 0, person test:1): only in the target",
        ),
        (
            "INSERT INTO memory VALUES ('a', 'b', 'c', 'd', 1, 1, 1, NULL, NULL, NULL, NULL)",
            "memory (person a, slug b, question_id c): only in the target",
        ),
    ],
    ids=["changed", "missing", "added", "added to an empty table"],
)
async def test_a_difference_names_table_key_and_columns(
    spoil: str, said: str, source: Driver, postgres_url: str
) -> None:
    await put(source, CROWD)
    async with driven(postgres_url) as target:
        await filled(source, target)
        await change(target, spoil)
        found = await copied(source, target)
        assert (found.differing, found.differences) == (1, [said])
        with pytest.raises(StoreError, match="not whole yet"):
            await migrate(target, SCHEMA)


async def test_a_row_without_a_key_is_not_lost_in_silence() -> None:
    async with driven("sqlite:///:memory:") as source, driven("sqlite:///:memory:") as target:
        await put(source, CROWD)
        await change(source, "INSERT INTO learner (person, streak, paces) VALUES (NULL, 1, '[]')")
        found = await copied(source, target)
    assert found.differences[0].startswith("learner (person None)")


# What a server cannot hold


async def test_the_character_nul_becomes_another_and_is_named(source: Driver, postgres_url: str) -> None:
    await put(source, {"report": [report("test:1", "be\x00fore"), report("test:2", "fine")]})
    async with driven(postgres_url) as server, driven("sqlite:///:memory:") as file:
        found = await copied(source, server)
        assert found.cleaned == ["report (person test:1, slug rivers, question_id q0): text"]
        assert not found.differing
        assert [row[-1] for row in (await everything(server))["report"]] == ["be\ufffdfore", "fine"]
        assert (await copied(source, file)).cleaned == []
        assert await everything(file) == await everything(source)


@pytest.mark.parametrize(
    ("table", "row", "said"),
    [
        ("report", report("test:\x001", "x"), "the key holds the character NUL"),
        ("response", response("test:1", 2**31), "2147483648 in points is more than the target can hold"),
    ],
    ids=["a key with NUL", "a number that is too large"],
)
async def test_what_cannot_be_kept_is_refused_with_its_place(
    table: str, row: tuple[object, ...], said: str, source: Driver, postgres_url: str
) -> None:
    await put(source, {table: [row]})
    async with driven(postgres_url) as server:
        with pytest.raises(StoreError, match=rf"{table} \(.*{said}"):
            await copied(source, server)
