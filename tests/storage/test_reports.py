"""What people report about questions, what it takes to know which question they mean, and reading beside the bot."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.effects import HostTold
from bot.ports import Changes, Delivered, Queued, StoreError
from bot.reports import QuestionReport, Reason
from bot.storage.driver import Driver
from bot.storage.schema import MIGRATIONS
from bot.storage.sql import SqlStore
from bot.storage.sqlite import open_sqlite, open_sqlite_to_read
from tests.storage.building import (
    CHAT,
    OTHER,
    PLATFORM,
    a_player,
    a_session,
    after,
    asked,
    begin,
    claim,
    ended,
    queue,
    write,
)
from tests.storage.conftest import on_sqlite

REPORT = QuestionReport("test:bob", "colours", "q0", "digest", "s1", Reason.WRONG_KEY, "It is B.\nReally.", after(5))


# Reports


async def test_a_report_comes_back_as_it_was_kept(store: SqlStore) -> None:
    assert await store.reports() == []
    assert await store.report(REPORT) is None
    assert await store.reports() == [REPORT]


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("text", ["", "'; DROP TABLE report; --", "{0}", "דנה 🎉", "x" * 500])
async def test_whatever_is_said_is_kept_as_it_is(store: SqlStore, reason: Reason, text: str) -> None:
    said = replace(REPORT, reason=reason, text=text)
    await store.report(said)
    assert await store.reports() == [said]


async def test_the_last_word_of_a_person_about_a_question_stands_and_the_one_before_is_told(store: SqlStore) -> None:
    later = replace(REPORT, quiz="newer", session="s2", reason=Reason.TYPO, text="", at=after(9))
    await store.report(REPORT)
    assert await store.report(later) == REPORT
    assert await store.report(later) == later
    assert await store.reports() == [later]


@pytest.mark.parametrize(
    "other", [replace(REPORT, person="test:cat"), replace(REPORT, question_id="q1"), replace(REPORT, slug="shapes")]
)
async def test_other_people_questions_and_quizzes_have_reports_of_their_own(
    store: SqlStore, other: QuestionReport
) -> None:
    second = replace(other, at=after(6))
    await store.report(REPORT)
    assert await store.report(second) is None
    assert await store.reports() == [second, REPORT]


async def test_the_newest_report_comes_first_whenever_it_was_kept(store: SqlStore) -> None:
    reports = [replace(REPORT, question_id=f"q{at}", at=after(at)) for at in (3, 1, 2)]
    for report in reports:
        await store.report(report)
    assert [report.question_id for report in await store.reports()] == ["q3", "q2", "q1"]


async def test_a_chat_is_told_what_was_reported_in_its_sessions_and_in_those_of_its_threads(store: SqlStore) -> None:
    places = {"s1": CHAT, "s2": f"{CHAT}/7", "s3": f"{CHAT}1", "s4": f"{CHAT}1/7", "s5": OTHER, "s6": "test:_"}
    reports = {session: replace(REPORT, question_id=session, session=session) for session in places}
    for session, chat in places.items():
        await begin(store, a_session(session), chat)
        await store.report(reports[session])
    assert await store.reports(CHAT) == [reports["s1"], reports["s2"]]
    assert await store.reports(f"{CHAT}/7") == [reports["s2"]]
    assert await store.reports("test:%") == []
    assert len(await store.reports()) == 6
    later = replace(reports["s2"], at=after(9))
    await store.report(later)
    assert await store.reports(CHAT) == [later, reports["s1"]]


async def test_what_was_reported_in_a_chat_moves_with_it(store: SqlStore) -> None:
    await begin(store)
    await store.report(REPORT)
    await store.move_chat(CHAT, OTHER)
    assert await store.reports(CHAT) == []
    assert await store.reports(OTHER) == [REPORT]


async def test_a_reason_of_another_version_is_still_a_report(store: SqlStore, driver: Driver) -> None:
    await store.report(REPORT)
    async with driver.transaction() as connection:
        await connection.write("UPDATE report SET reason = $1", [("from-the-future",)])
    assert await store.reports() == [replace(REPORT, reason=Reason.OTHER)]


async def test_a_database_of_the_version_before_takes_reports(driver: Driver) -> None:
    words = driver.dialect
    async with driver.transaction() as connection:
        await connection.fetch("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)")
        for version, statements in enumerate(MIGRATIONS[:2], 1):
            for statement in statements:
                await connection.fetch(words.spell(statement))
            await connection.write("INSERT INTO schema_version (version) VALUES ($1)", [(version,)])
        await connection.write("INSERT INTO preference (id, language) VALUES ($1, $2)", [(CHAT, "bg")])
    store = SqlStore(driver, [PLATFORM])
    await store.migrate()
    await store.report(REPORT)
    assert await store.reports() == [REPORT]
    assert (await store.preferences([CHAT]))[CHAT].language == "bg"
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT thread FROM preference") == [(None,)]


# Which question is meant


async def deliver(store: SqlStore, message: str) -> None:
    await store.settle([Delivered((await claim(store))[0], message)], after(0))


async def test_a_message_leads_to_its_session_and_slot_in_its_own_chat_only(store: SqlStore) -> None:
    for session, chat in (("s1", CHAT), ("s2", OTHER)):
        await begin(store, a_session(session), chat)
        await queue(store, asked(0, session), chat=chat)
        await deliver(store, "m1")
    await queue(store, asked(1))
    await deliver(store, "m2")
    assert await store.slot_of(CHAT, "m1") == ("s1", "q0")
    assert await store.slot_of(CHAT, "m2") == ("s1", "q1")
    assert await store.slot_of(OTHER, "m1") == ("s2", "q0")
    for chat, message in ((OTHER, "m2"), (f"{CHAT}/7", "m1"), (CHAT, "m"), (CHAT, ""), ("", "m1"), (CHAT, "%")):
        assert await store.slot_of(chat, message) is None, (chat, message)


async def test_what_the_host_was_told_in_private_is_no_message_of_the_chat(store: SqlStore) -> None:
    await begin(store)
    await write(store, Changes(posts=[Queued("test:ann", HostTold("s1", "test:ann"), after(0))]))
    await deliver(store, "m1")
    assert await store.slot_of(CHAT, "m1") is None
    await queue(store, asked(0))
    await deliver(store, "m1")
    assert await store.slot_of(CHAT, "m1") == ("s1", "q0")


@on_sqlite
async def test_a_message_is_found_without_looking_at_every_other(store: SqlStore, driver: Driver) -> None:
    async with driver.reading() as connection:
        plan = await connection.fetch("EXPLAIN QUERY PLAN SELECT session FROM message WHERE reference = $1", "m1")
    assert "message_reference" in str(plan)


async def test_every_session_is_found_with_its_chat_also_when_another_has_followed(store: SqlStore) -> None:
    first, second = ended(a_session("s1")), a_session("s2")
    await begin(store, first)
    await begin(store, second)
    assert [await store.located(id_) for id_ in ("s1", "s2", "s3", "")] == [(CHAT, first), (CHAT, second), None, None]
    await store.move_chat(CHAT, OTHER)
    assert await store.located("s1") == (OTHER, first)


async def test_a_session_that_cannot_be_read_is_not_there(
    store: SqlStore, driver: Driver, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(store)
    async with driver.transaction() as connection:
        await connection.write("UPDATE session SET state = $1", [("{}",)])
    assert await store.located("s1") is None
    assert "s1 cannot be read" in caplog.text


async def test_everyone_in_a_session_is_found_and_nobody_else(store: SqlStore) -> None:
    bob, cat, dan = (a_player(f"test:{name}") for name in ("bob", "cat", "dan"))
    await begin(store)
    await write(store, Changes(players=[("s1", bob), ("s1", cat), ("s2", dan)]))
    assert sorted(await store.players("s1"), key=lambda player: player.person) == [bob, cat]
    assert await store.players("s3") == []


# Beside the bot


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "quiz # 1%.sqlite3")


@asynccontextmanager
async def reading(path: str) -> AsyncIterator[SqlStore]:
    store = await open_sqlite_to_read(path)
    try:
        yield store
    finally:
        await store.close()


async def test_what_the_bot_has_kept_can_be_read_while_it_runs(path: str) -> None:
    bot = await open_sqlite(path, [PLATFORM])
    await bot.report(REPORT)
    async with reading(path) as store:
        assert await store.reports() == [REPORT]
        second = replace(REPORT, person="test:cat", at=after(6))
        await bot.report(second)
        assert await store.reports() == [second, REPORT]
    await bot.close()


async def test_reading_changes_nothing_and_leaves_nothing_behind(path: str) -> None:
    bot = await open_sqlite(path, [PLATFORM])
    await bot.report(REPORT)
    await bot.close()
    before = _files(path)
    async with reading(path) as store:
        assert await store.reports() == [REPORT]
        with pytest.raises(StoreError, match="readonly"):
            await store.report(replace(REPORT, person="test:cat"))
        assert await store.reports() == [REPORT]
    assert _files(path) == before


def _files(path: str) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in Path(path).parent.iterdir()}


def _write_diary(path: str) -> None:
    Path(path).write_text("Dear diary, " * 1000)


def _with_schema(path: str, version: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, oldest INTEGER)")
        connection.execute("INSERT INTO schema_version (version) VALUES (?)", (version,))
        connection.commit()


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (len(MIGRATIONS) - 1, "start the bot once, which brings it up to date"),
        (len(MIGRATIONS) + 1, "update Quizbot"),
    ],
)
async def test_tables_of_another_version_are_refused_in_words_that_say_what_to_do(
    path: str, version: int, said: str
) -> None:
    _with_schema(path, version)
    with pytest.raises(StoreError, match=rf"schema {version}.*{said}"):
        await open_sqlite_to_read(path)


async def test_a_file_that_is_not_there_is_refused_and_not_made(path: str) -> None:
    with pytest.raises(StoreError, match="unable to open"):
        await open_sqlite_to_read(path)
    assert _files(path) == {}


async def test_what_is_no_database_is_refused_and_named(path: str) -> None:
    _write_diary(path)
    before = _files(path)
    with pytest.raises(StoreError, match="not an SQLite file"):
        await open_sqlite_to_read(path)
    assert _files(path) == before
