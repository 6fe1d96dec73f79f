"""What a command or a worker asks of the tables is found by keys and indexes; responses are never gone through."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bot.boards import Scored, Served
from bot.core.effects import Reminded
from bot.core.quiz import QuestionRef
from bot.learning.days import Period
from bot.learning.memory import Learner, Memory, Studied
from bot.ports import Changes
from bot.preferences import Reminders
from bot.storage import leaderboards, lessons, memories, reminders, scores, served
from bot.storage.driver import Connection, Dialect, Driver
from bot.storage.sql import SqlStore
from tests.clock import NOON
from tests.storage.boards import a_board
from tests.storage.building import CHAT, PLATFORM, a_player, a_response, a_session, begin, ended, save, write
from tests.storage.conftest import on_sqlite

BOB = "test:bob"
RED = QuestionRef("colours", "red")
GROWING = ("response", "player", "session", "score", "memory", "study_day", "learner", "message", "outbox")
"""Tables of which nothing may be gone through from the first row to the last."""

WAITING = "session_unlearned"
"""An index of nothing but what waits: to go through it is to take the next one."""


def planned(node: dict[str, Any]) -> Iterator[str]:
    """What PostgreSQL plans, in SQLite's words: tables that are gone through, and tables that are searched."""
    if table := node.get("Relation Name"):
        searched = "Index Cond" in node or "Recheck Cond" in node or node["Node Type"] == "ModifyTable"
        yield f"{'SEARCH' if searched else 'SCAN'} {table} {node.get('Index Name', '')}"
    for inner in node.get("Plans", ()):
        yield from planned(inner)


class Watched:
    """A connection that notes how the database goes about what it is asked."""

    def __init__(self, connection: Connection, dialect: Dialect) -> None:
        self._connection = connection
        self._sqlite = not dialect.shared
        self.asked: list[str] = []
        self.steps: list[str] = []

    async def fetch(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        await self._note(sql, values)
        return await self._connection.fetch(sql, *values)

    async def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        for row in rows[:1]:
            await self._note(sql, row)
        await self._connection.write(sql, rows)

    async def _note(self, sql: str, values: Sequence[Any]) -> None:
        self.asked.append(sql)
        if self._sqlite:
            self.steps += [row[3] for row in await self._connection.fetch(f"EXPLAIN QUERY PLAN {sql}", *values)]
        else:
            for costly in ("seqscan", "mergejoin", "hashjoin"):
                # Tables as small as these are gone through rather than searched, if that is not made to look dear.
                await self._connection.fetch(f"SET LOCAL enable_{costly} = off")
            ((plans,),) = await self._connection.fetch(f"EXPLAIN (FORMAT JSON) {sql}", *values)
            self.steps += [step for plan in plans for step in planned(plan["Plan"])]

    @property
    def gone_through(self) -> list[str]:
        scans = [step for step in self.steps if step.startswith("SCAN") and WAITING not in step]
        return [step for step in scans if step.split()[1] in GROWING]


async def evening(store: SqlStore) -> None:
    """Something in every table."""
    running = a_session(players=1)
    gained = Scored(CHAT, "colours", BOB, "Bob", 100, 1, 1, NOON)
    studied = Studied((Memory(BOB, RED, "f1", due=20000),), (Learner(BOB, 1, 20000),))
    await begin(store, running)
    await store.prefer(BOB, "reminders", Reminders.EVENING)
    await write(
        store,
        Changes(
            players=[("s1", a_player())],
            responses=[a_response()],
            scores=[gained],
            served=[Served(CHAT, RED, 1, 1, NOON)],
            studied=studied,
        ),
    )
    await save(store, ended(running))


async def commands(connection: Connection, driver: Driver) -> None:
    """What people ask for."""
    for period in Period:
        await leaderboards.page(connection, a_board(period), 1, 10, BOB)
    await memories.knowledge(connection, driver.dialect, BOB)
    await memories.due_reviews(connection, BOB, 20000)
    await served.of_quizzes(connection, driver.dialect, CHAT, ["colours"])
    await served.most_missed(connection, CHAT, 10)
    await scores.show(connection, BOB)


async def workers(connection: Connection, driver: Driver) -> None:
    """What is done meanwhile."""
    await memories.known(connection, driver.dialect, [(BOB, RED)])
    await reminders.wanting(connection, driver.dialect, [PLATFORM])
    await reminders.queue(connection, driver.dialect, BOB, 20000, Reminded("r1", 1), NOON)
    lesson = await lessons.following(connection, driver.dialect, json.dumps([PLATFORM]), 100)
    assert lesson is not None
    assert lesson.responses
    await lesson.keep(Studied((Memory(BOB, RED, "f1"),), (Learner(BOB),)))


@pytest.mark.parametrize("asking", [commands, workers], ids=lambda asking: asking.__name__)
async def test_nothing_that_grows_is_gone_through(driver: Driver, store: SqlStore, asking: Any) -> None:
    await evening(store)
    async with driver.transaction() as connection:
        watched = Watched(connection, driver.dialect)
        await asking(watched, driver)
    assert watched.steps
    assert watched.gone_through == []


async def test_no_command_looks_at_responses(driver: Driver, store: SqlStore) -> None:
    await evening(store)
    async with driver.transaction() as connection:
        watched = Watched(connection, driver.dialect)
        await commands(watched, driver)
    assert [sql for sql in watched.asked if "response" in sql] == []


@on_sqlite
async def test_a_part_of_a_session_is_found_by_the_people_in_it(driver: Driver, store: SqlStore) -> None:
    await evening(store)
    async with driver.transaction() as connection:
        watched = Watched(connection, driver.dialect)
        await workers(watched, driver)
    found = [step for step in watched.steps if "response" in step]
    assert found == [
        "SEARCH response USING PRIMARY KEY (session=? AND question=? AND person>? AND person<?)",
    ]
