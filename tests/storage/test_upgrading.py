"""Upgraded one by one: processes of the version before go on beside those of the next, for one step."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType

import pytest

from bot.core.effects import Noted, Verdict
from bot.core.events import Answered, DeadlinePassed, Started, Stopped
from bot.core.session import Actor, Pace, Phase, Session
from bot.crew import HEARTBEAT, Crew
from bot.engine import Engine
from bot.library import Library
from bot.ports import OutdatedError
from bot.running import run
from bot.storage import postgres
from bot.storage.driver import Driver, queue
from bot.storage.migrating import SCHEMA, Schema
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from tests.clock import VirtualClock
from tests.core.building import drawn, plain_quiz, settings
from tests.engine.running import until
from tests.engine.screen import Screen, presented
from tests.engine.test_serving import Script
from tests.storage.building import CHAT, OTHER, PLATFORM, begin, claim
from tests.storage.test_postgres import waiting

NOW = SCHEMA.version
NEXT = (
    "CREATE TABLE badge (person TEXT PRIMARY KEY, given BIGINT NOT NULL)",
    "ALTER TABLE session ADD COLUMN mood TEXT",
    "ALTER TABLE player ADD COLUMN badges INTEGER NOT NULL DEFAULT 0",
)
AFTER_NEXT = ("ALTER TABLE outbox ADD COLUMN weight INTEGER",)
BESIDE = {NOW + 1: NOW}

ANN, BOB, CAT = Actor("test:ann", "Ann"), Actor("test:bob", "Bob"), Actor("test:cat", "Cat")


def schema(*steps: tuple[str, ...], beside: Mapping[int, int]) -> Schema:
    """This version's with these migrations after it."""
    return Schema((*SCHEMA.migrations, *steps), MappingProxyType({**SCHEMA.beside, **beside}))


def old(driver: Driver) -> SqlStore:
    return SqlStore(driver, [PLATFORM], "old")


def new(driver: Driver, *steps: tuple[str, ...], beside: Mapping[int, int]) -> SqlStore:
    return SqlStore(driver, [PLATFORM], "new", schema(*steps, beside=beside))


# At the start


async def test_a_version_goes_on_with_the_tables_of_the_next_that_says_so(driver: Driver) -> None:
    await old(driver).migrate()
    await new(driver, NEXT, beside=BESIDE).migrate()
    before = old(driver)
    await before.migrate()
    await before.check()
    await begin(before)
    assert await before.session(CHAT) is not None


@pytest.mark.parametrize(
    ("steps", "beside"),
    [
        ([NEXT], {}),
        ([NEXT, AFTER_NEXT], {**BESIDE, NOW + 2: NOW + 1}),
        ([NEXT, AFTER_NEXT], {NOW + 2: NOW}),
    ],
    ids=["the next does not say so", "the one after the next", "the next does not, the one after does"],
)
async def test_a_version_does_not_begin_with_tables_that_it_may_not_know(
    driver: Driver, steps: list[tuple[str, ...]], beside: Mapping[int, int]
) -> None:
    await old(driver).migrate()
    await new(driver, *steps, beside=beside).migrate()
    said = rf"the database has schema {NOW + len(steps)}, this version of Quizbot knows {NOW}: update Quizbot"
    for refused in (old(driver).migrate(), old(driver).check()):
        with pytest.raises(OutdatedError, match=said):
            await refused


async def test_the_next_version_begins_with_the_tables_of_the_one_before_only_after_it_has_changed_them(
    driver: Driver,
) -> None:
    await old(driver).migrate()
    after = new(driver, NEXT, beside=BESIDE)
    with pytest.raises(Exception, match=f"needs {NOW + 1}"):
        await after.check()
    await after.migrate()
    await after.check()


async def test_ten_that_begin_at_once_change_the_tables_once(postgres_url: str) -> None:
    driver = await PostgresDriver.open(postgres_url, 10)
    await asyncio.gather(*(new(driver, NEXT, beside=BESIDE).migrate() for _ in range(10)))
    async with driver.reading() as connection:
        made = await connection.fetch("SELECT version, oldest FROM schema_version ORDER BY version")
    assert made == [*((number, None) for number in range(1, NOW)), (NOW, NOW), (NOW + 1, NOW)]
    await driver.close()


async def test_a_migration_takes_the_time_it_needs_but_keeps_nobody_from_a_table_for_long(postgres_url: str) -> None:
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    limits = ", ".join(f"current_setting('{name}') AS {name}" for name in names)
    driver = await PostgresDriver.open(postgres_url, 1)
    await new(driver, (f"CREATE TABLE seen AS SELECT {limits}",), beside={}).migrate()
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT * FROM seen") == [("0", "5s", "30s")]
    await driver.close()


async def test_who_begins_while_another_changes_the_tables_waits_however_long_that_takes(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "WRITING", "BEGIN; SET LOCAL lock_timeout = 1")
    driver = await PostgresDriver.open(postgres_url, 2)
    async with driver.transaction() as connection:
        await queue(connection, driver.dialect, "schema")
        beginning = asyncio.create_task(old(driver).migrate())
        waits = asyncio.create_task(waiting(postgres_url))
        done, _ = await asyncio.wait({beginning, waits}, return_when=asyncio.FIRST_COMPLETED)
        assert done == {waits}
    await beginning
    await driver.close()


# Side by side


@asynccontextmanager
async def engine(url: str, clock: VirtualClock, step: Schema, name: str) -> AsyncIterator[tuple[Engine, SqlStore]]:
    driver = await PostgresDriver.open(url, 2)
    store = SqlStore(driver, [PLATFORM], name, step)
    await store.migrate()
    async with Engine(store, Library([plain_quiz()]), clock) as made:
        yield made, store
    await driver.close()


def starting(key: str) -> Started:
    edition = Library([plain_quiz()]).edition("colours")
    assert edition
    chosen = settings(Pace.STEADY)
    return Started(key, ANN, edition.digest, drawn(edition.quiz), chosen, private=False, card=False)


async def at(store: SqlStore, chat: str = CHAT) -> Session:
    found = await store.session(chat)
    assert found
    return found


async def test_two_versions_play_in_the_same_chats_until_the_old_one_leaves(postgres_url: str) -> None:
    clock = VirtualClock()
    async with engine(postgres_url, clock, SCHEMA, "old") as (before, old_store):
        await before.handle(CHAT, starting("u0"))
        async with engine(postgres_url, clock, schema(NEXT, beside=BESIDE), "new") as (after, new_store):
            await after.handle(OTHER, starting("u1"))
            for chat in (CHAT, OTHER):
                session = await at(old_store, chat)
                press = Answered(BOB, session.id, 0, (0,), clock.now())
                first = await asyncio.gather(before.handle(chat, press), after.handle(chat, press))
                assert {type(reply) for reply in first} == {Verdict, Noted}
                clock.advance(20)
                assert session.deadline
                passed = DeadlinePassed(session.id, session.deadline)
                await asyncio.gather(after.handle(chat, passed), before.handle(chat, passed))
                assert (await at(new_store, chat)).phase is Phase.CLOSED
            for store in (old_store, new_store):
                assert len(await claim(store, at=60, limit=1)) == 1
            await old_store.sign_out(clock.now())
            await before.handle(CHAT, Stopped("u2", ANN))
            assert not (await at(new_store)).live
    driver = await PostgresDriver.open(postgres_url, 1)
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT COUNT(*) FROM response") == [(2,)]
        assert await connection.fetch("SELECT mood FROM session") == [(None,), (None,)]
        assert await connection.fetch("SELECT badges FROM player") == [(0,), (0,)]
    await driver.close()


# One that serves when the tables are changed under it


async def test_one_that_serves_beside_the_next_version_goes_on(postgres_url: str) -> None:
    driver = await PostgresDriver.open(postgres_url, 2)
    await old(driver).migrate()
    crew = Crew(old(driver), VirtualClock(), [PLATFORM])
    await crew.begin()
    await new(driver, NEXT, beside=BESIDE).migrate()
    await crew.sign_in()
    assert crew.holds(PLATFORM)
    await driver.close()


async def test_one_that_cannot_go_on_beside_a_newer_version_ends_in_order_and_says_why(postgres_url: str) -> None:
    driver = await PostgresDriver.open(postgres_url, 2)
    clock = VirtualClock()
    screen, ended = Screen(clock), asyncio.Event()

    async def play(_: object) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    store = old(driver)
    await store.migrate()
    serving = asyncio.create_task(run(store, Library([plain_quiz()]), clock, presented, [Script(screen, play)]))
    await until(lambda: clock.now() + HEARTBEAT in clock.alarms)
    await new(driver, NEXT, beside={}).migrate()
    clock.advance(HEARTBEAT.total_seconds())
    await asyncio.wait([serving], timeout=10)
    assert ended.is_set()
    with pytest.raises(ExceptionGroup) as raised:
        serving.result()
    (error,) = raised.value.exceptions
    assert isinstance(error, OutdatedError)
    assert f"the database has schema {NOW + 1}" in str(error)
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT id FROM worker") == []
    await driver.close()
