"""What is stored about a person: all of it is known, can be had by them, and goes when they want it to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import pytest

from bot.codec import load_post
from bot.core.effects import Ended, Reminded
from bot.ports import StoreError, place_of
from bot.storage import personal
from bot.storage.driver import Connection
from bot.stored import TABLES, Fate, Holds, Topic, topics
from tests.desk.lobby import ANN, BOB, GROUP, TOPIC, Lobby, open_lobby
from tests.storage.evening import EVE, PARTLY_LEARNED, TRACES, ZORA, Rows, columns, spend, tables

NAMED = {Holds.PERSON, Holds.CHAT, Holds.NAME, Holds.TEXT}
"""Columns in which a person's id or name may stand."""


@pytest.fixture
async def lobby() -> AsyncIterator[Lobby]:
    async with open_lobby() as made:
        yield made


@pytest.fixture
async def evening() -> AsyncIterator[Lobby]:
    """After an evening on which Zora has done everything there is to do."""
    async with open_lobby() as lobby:
        await spend(lobby)
        yield lobby


def traced(row: Mapping[str, object]) -> set[str]:
    """The columns of a row that name Zora."""
    return {name for name, value in row.items() if isinstance(value, str) and any(trace in value for trace in TRACES)}


# What is known of the tables


async def undescribed(lobby: Lobby) -> set[str]:
    """Columns of which nobody says what they have to do with people, and those described that there are not."""
    there = {f"{table}.{name}" for table in await tables(lobby) for name in await columns(lobby, table)}
    return there ^ {f"{table}.{name}" for table, described in TABLES.items() for name in described.columns}


async def test_every_column_of_every_table_is_described(lobby: Lobby) -> None:
    assert await undescribed(lobby) == set()


@pytest.mark.parametrize(
    ("change", "unknown"),
    [
        ("ALTER TABLE player ADD COLUMN nickname TEXT", {"player.nickname"}),
        ("CREATE TABLE friend (person TEXT, other TEXT)", {"friend.person", "friend.other"}),
        ("DROP TABLE study_day", {"study_day.person", "study_day.day", "study_day.answered", "study_day.correct"}),
    ],
    ids=["a column", "a table", "a table less"],
)
async def test_a_column_or_table_that_is_new_or_gone_is_noticed(lobby: Lobby, change: str, unknown: set[str]) -> None:
    before = await undescribed(lobby)
    async with lobby.world.driver.transaction() as connection:
        await connection.fetch(change)
    assert await undescribed(lobby) - before == unknown


@pytest.mark.parametrize("name", TABLES)
def test_what_holds_something_of_a_person_is_told_and_given_or_says_why_not(name: str) -> None:
    for column, described in TABLES[name].columns.items():
        of_a_person = described.holds is not Holds.NOTHING
        assert (described.topic is not None) is of_a_person, column
        assert bool(described.key) != bool(described.withheld) if of_a_person else not described.key, column


@pytest.mark.parametrize("name", TABLES)
def test_a_table_with_something_of_a_person_is_never_left_untouched(name: str) -> None:
    table = TABLES[name]
    of_people = any(column.holds is not Holds.NOTHING for column in table.columns.values())
    assert (table.fate is not Fate.UNTOUCHED) is of_people
    assert table.person in {"", *table.columns}


@pytest.mark.parametrize("name", TABLES)
def test_every_column_of_a_copy_has_a_name_of_its_own(name: str) -> None:
    keys = [column.key for column in TABLES[name].columns.values() if column.key]
    assert len(set(keys)) == len(keys)


def test_people_are_told_of_every_topic_in_a_dozen_lines_at_most() -> None:
    assert topics() == tuple(Topic)
    assert len(topics()) <= 12


# An evening


async def test_wherever_a_person_is_named_the_description_knows_it(evening: Lobby) -> None:
    found = {
        (table, column) for table, rows in (await tables(evening)).items() for row in rows for column in traced(row)
    }
    assert {pair for pair in found if TABLES[pair[0]].columns[pair[1]].holds not in NAMED} == set()
    assert {table for table, _ in found} == {
        *("chat", "learner", "memory", "outbox", "player", "preference", "report", "response", "score", "served"),
        *("session", "study_day"),
    }, "the evening has something of everything"
    assert {column for table, column in found if table == "session"} == {"chat", "host", "learned_to", "state"}
    assert {column for table, column in found if table == "outbox"} == {"body", "chat", "refused", "session"}


def is_own(chat: object) -> bool:
    """Whether it is Zora's private chat, or a topic of it."""
    return place_of(str(chat)) == ZORA.person


def is_about(name: str, row: Mapping[str, object]) -> bool:
    """Whether a row goes as a whole: it is of Zora, or of her private chat."""
    return any(
        is_own(row[column]) and described.holds in (Holds.PERSON, Holds.CHAT) and column not in ("host", "learned_to")
        for column, described in TABLES[name].columns.items()
    )


async def test_whoever_is_forgotten_is_named_nowhere_any_more(evening: Lobby) -> None:
    await evening.world.store.forget(ZORA.person)
    left = [(table, row) for table, rows in (await tables(evening)).items() for row in rows if traced(row)]
    assert left == []


async def test_what_is_about_others_stays_byte_for_byte(evening: Lobby) -> None:
    before = await tables(evening)
    await evening.world.store.forget(ZORA.person)
    after = await tables(evening)
    for name in set(TABLES) - {"session", "outbox", "message"}:
        assert after[name] == [row for row in before[name] if not is_about(name, row)], name
    for name in ("session", "outbox"):
        unnamed = {row["id"] for row in before[name] if traced(row)}
        assert [row for row in after[name] if row["id"] not in unnamed] == [
            row for row in before[name] if row["id"] not in unnamed
        ]


async def test_counts_stay_as_they_were(evening: Lobby) -> None:
    before = await tables(evening)
    await evening.world.store.forget(ZORA.person)
    after = await tables(evening)
    assert after["served"] == [row for row in before["served"] if not is_own(row["chat"])] != []
    assert _counts(after["session"]) == _counts([row for row in before["session"] if not is_own(row["chat"])])


def _counts(sessions: Rows) -> list[object]:
    """All that a session is, but for who hosts it."""
    states = [json.loads(str(row["state"])) for row in sessions]
    return [{**state, "host": "", "host_name": ""} for state in states]


async def test_messages_go_with_what_was_in_the_private_chat_and_stay_elsewhere(evening: Lobby) -> None:
    before = await tables(evening)
    own = {row["id"] for row in before["session"] if is_own(row["chat"])}
    assert len(own) == 3
    assert any(row["session"] in own for row in before["message"])
    await evening.world.store.forget(ZORA.person)
    after = await tables(evening)
    assert after["message"] == [row for row in before["message"] if row["session"] not in own]
    assert after["message"]


async def test_nobody_else_is_named_less(evening: Lobby) -> None:
    everybody = ("Ann", "Bob", "Eve")
    before = json.dumps(await tables(evening), ensure_ascii=False)
    await evening.world.store.forget(ZORA.person)
    after = json.dumps(await tables(evening), ensure_ascii=False)
    assert {name for name in everybody if name in after} == {name for name in everybody if name in before}


async def test_to_forget_twice_is_to_forget_once(evening: Lobby) -> None:
    await evening.world.store.forget(ZORA.person)
    once = await tables(evening)
    await evening.world.store.forget(ZORA.person)
    assert await tables(evening) == once


async def test_to_forget_somebody_who_was_never_here_changes_nothing(evening: Lobby) -> None:
    before = await tables(evening)
    await evening.world.store.forget("test:7733119")
    await evening.world.store.forget("test:773311990")
    assert await tables(evening) == before


@pytest.mark.parametrize("failing", [1, 2])
async def test_whoever_cannot_be_forgotten_as_a_whole_is_not_forgotten_in_part(evening: Lobby, failing: int) -> None:
    before = await tables(evening)
    evening.world.driver.failing = failing
    for _ in range(failing):
        with pytest.raises(StoreError):
            await evening.world.store.forget(ZORA.person)
        assert await tables(evening) == before
    await evening.world.store.forget(ZORA.person)
    assert await tables(evening) != before


class StoppedError(Exception):
    """The process is killed."""


class Interrupting:
    """A connection that is cut after so many statements, or keeps those that it carried out."""

    def __init__(self, connection: Connection, after: int = 1000) -> None:
        self._connection = connection
        self._after = after
        self.statements: list[str] = []

    async def fetch(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        self._count(sql)
        return await self._connection.fetch(sql, *values)

    async def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        self._count(sql)
        await self._connection.write(sql, rows)

    def _count(self, sql: str) -> None:
        if len(self.statements) == self._after:
            raise StoppedError
        self.statements.append(sql)


async def test_after_a_stop_between_any_two_statements_nothing_has_changed(evening: Lobby) -> None:
    before, driver = await tables(evening), evening.world.driver
    cut = 0
    while True:
        try:
            async with driver.transaction() as connection:
                await personal.forget(Interrupting(connection, cut), driver.dialect, ZORA.person)
        except StoppedError:
            assert await tables(evening) == before
            cut += 1
        else:
            break
    assert cut > 10


async def test_nobody_is_looked_for_through_a_whole_table(evening: Lobby) -> None:
    driver = evening.world.driver
    async with driver.transaction() as connection:
        watched = Interrupting(connection)
        await personal.everything_about(watched, driver.dialect, ZORA.person)
        await personal.forget(watched, driver.dialect, ZORA.person)
        plans = {
            sql: [row[3] for row in await connection.fetch(f"EXPLAIN QUERY PLAN {sql}", "[]", "", "")]
            for sql in watched.statements
        }
    assert len(plans) > 20
    scans = [(step, sql) for sql, steps in plans.items() for step in steps if step.startswith("SCAN")]
    assert [(step, sql) for step, sql in scans if "VIRTUAL TABLE" not in step] == []


# A copy


async def copied(lobby: Lobby, person: str = ZORA.person) -> dict[str, Rows]:
    return await lobby.world.store.everything_about(person)


async def test_a_copy_has_every_row_that_is_about_the_person(evening: Lobby) -> None:
    stored, copy = await tables(evening), await copied(evening)
    for name in set(TABLES) - {"session", "outbox", "message"}:
        assert len(copy.get(name, [])) == sum(is_about(name, row) for row in stored[name]), name
    assert len(copy["session"]) == sum(row["host"] == ZORA.person for row in stored["session"])
    assert len(copy["outbox"]) == sum(bool({"chat", "body"} & traced(row)) for row in stored["outbox"])
    own = {row["id"] for row in stored["session"] if is_own(row["chat"])}
    assert len(copy["message"]) == sum(row["session"] in own for row in stored["message"])


async def test_a_copy_names_nobody_else(evening: Lobby) -> None:
    said = json.dumps(await copied(evening), ensure_ascii=False)
    assert all(trace in said for trace in TRACES)
    for other in (ANN, BOB, EVE):
        assert f'"{other.name}"' not in said
        assert f'"{other.person}"' not in said


async def test_a_copy_can_be_read(evening: Lobby) -> None:
    copy = await copied(evening)
    (chosen,) = copy["preference"]
    assert chosen["language"] == "ro"
    assert chosen["time_zone"] == "Europe/Sofia"
    assert chosen["on_the_leaderboard_across_chats"] is True
    played = next(row for row in copy["player"] if row["chat"] == GROUP)
    assert (played["quiz"], played["name"], played["points"], played["right"]) == ("colours", ZORA.name, 2.0, 2)
    response = next(row for row in copy["response"] if row["session"] == played["session"] and not row["right"])
    assert (response["question"], response["question_number"], response["options"]) == ("q1", 2, [2])
    assert str(response["at"]).startswith("2025-03-03T12:00:")
    assert str(response["at"]).endswith("Z")
    assert {row["due"] for row in copy["memory"]} == {None, "2025-03-04"}
    (report,) = copy["report"]
    assert (report["quiz"], report["question"], report["reason"]) == ("colours", "q1", "wrong-key")


async def test_a_copy_tells_nothing_that_the_chat_is_not_told_yet(evening: Lobby) -> None:
    copy, running = await copied(evening), await evening.session(TOPIC)
    (player,) = [row for row in copy["player"] if row["session"] == running.id]
    (response,) = [row for row in copy["response"] if row["session"] == running.id]
    (session,) = [row for row in copy["session"] if row["session"] == running.id]
    for row in (player, response):
        assert not {"right", "points"} & row.keys()
    assert response["options"] == [1]
    assert isinstance(session["state"], dict)
    assert not {"tally", "results", "right", "answered"} & session["state"].keys()


async def test_a_copy_of_what_waits_for_others_has_only_what_it_says_of_the_person(evening: Lobby) -> None:
    waiting = {
        str(row["place"]): row["says"] for row in (await copied(evening))["outbox"] if row["chat"] != ZORA.person
    }
    assert waiting == {
        "card": {"host_name": ZORA.name},
        "standings": {"name": ZORA.name, "rank": 2, "points": 2.0},
    }


async def test_of_somebody_who_was_never_here_or_is_forgotten_there_is_nothing(evening: Lobby) -> None:
    assert not any((await copied(evening, "test:7733119")).values())
    await evening.world.store.forget(ZORA.person)
    assert not any((await copied(evening)).values())


# What goes on


async def test_what_is_still_to_be_learned_from_a_session_goes_on_after_whoever_is_there(evening: Lobby) -> None:
    session = await evening.session(PARTLY_LEARNED)
    await evening.world.store.forget(ZORA.person)
    rows = await evening.world.rows(f"SELECT learned_to FROM session WHERE id = '{session.id}'")  # noqa: S608
    assert rows == [(ANN.person,)]
    async with evening.world.store.lesson(2) as lesson:
        assert lesson is not None
        assert (lesson.session.id, list(lesson.people)) == (session.id, [EVE.person])


async def test_a_session_of_which_nothing_is_left_to_learn_but_a_forgotten_player_is_done_with(evening: Lobby) -> None:
    for person in (EVE.person, ANN.person, ZORA.person):
        await evening.world.store.forget(person)
    async with evening.world.store.lesson(2) as lesson:
        assert lesson is None


async def test_a_session_that_cannot_be_read_keeps_nothing_of_its_host(evening: Lobby) -> None:
    running = await evening.session(TOPIC)
    async with evening.world.driver.transaction() as connection:
        damaged = f'["{ZORA.name}'
        await connection.write("UPDATE session SET state = $2 WHERE id = $1", [(running.id, damaged)])
    await evening.world.store.forget(ZORA.person)
    assert not [row for rows in (await tables(evening)).values() for row in rows if traced(row)]


async def test_a_message_that_was_on_its_way_to_somebody_who_is_forgotten_leaves_nothing_behind(lobby: Lobby) -> None:
    screen = lobby.world.screen
    held = screen.held[ZORA.person] = asyncio.Event()
    await lobby.command(ZORA, "/quiz colours", ZORA.person)
    settling = asyncio.create_task(lobby.world.settle())
    await screen.changed.wait()
    await lobby.world.store.forget(ZORA.person)
    held.set()
    await settling
    assert lobby.shown(ZORA.person)
    left = {name for name, rows in (await tables(lobby)).items() if rows}
    assert left == {"heartbeat", "quiz", "schema_version", "worker"}


async def test_of_a_reminder_that_has_come_nothing_is_kept_but_its_day(lobby: Lobby) -> None:
    await lobby.world.store.prefer(ZORA.person, "reminders", "evening")
    assert await lobby.world.store.remind(ZORA.person, 20_000, Reminded("reminder", 3), lobby.world.clock.now())
    await lobby.world.settle()
    assert [shown.post for shown in lobby.shown(ZORA.person)] == [Reminded("reminder", 3)]
    stored = await tables(lobby)
    assert stored["message"] == stored["outbox"] == []
    assert [row["reminded"] for row in stored["learner"]] == [20_000]


async def test_whoever_is_named_no_more_where_a_session_has_ended_is_still_counted(evening: Lobby) -> None:
    await evening.world.store.forget(ZORA.person)
    ends = [load_post(str(row["body"])) for row in (await tables(evening))["outbox"] if row["slot"] == Ended.slot]
    assert ends
    for post in ends:
        assert isinstance(post, Ended)
        assert [standing.name for standing in post.standings] == ["Bob"]
        assert (post.others, post.players) == (1, 2)
