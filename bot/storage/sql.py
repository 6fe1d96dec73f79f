"""The store, written once in the SQL that SQLite and PostgreSQL share. Knows no driver."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from bot.boards import Board, Leaderboard, Served
from bot.codec import millis, moment
from bot.core.effects import HostTold, Reminded
from bot.core.session import Player, Session
from bot.learning.memory import Day, Knowledge
from bot.ports import Backlog, ChatState, Due, Outage, Outcome, Outgoing, Reminding, Roster
from bot.preferences import Preferences
from bot.reports import QuestionReport
from bot.storage import (
    backlog,
    leaderboards,
    lessons,
    memories,
    migrating,
    moving,
    outages,
    outbox,
    personal,
    preferences,
    reminders,
    reports,
    served,
    workers,
)
from bot.storage.counted import CountedDriver
from bot.storage.driver import Driver, first
from bot.storage.holding import hold, hold_free
from bot.storage.lessons import SqlLesson
from bot.storage.migrating import SCHEMA, Schema
from bot.storage.turns import SqlTurns, every_player, load_players, load_sessions, pinned_quiz, read_session
from bot.storage.workers import Worker


class SqlStore:
    """The store port on any driver."""

    def __init__(
        self, driver: Driver, platforms: Collection[str], worker: str = "alone", schema: Schema = SCHEMA
    ) -> None:
        """`platforms` are those that this process serves: deadlines, posts and outages of others are left alone.
        `worker` tells it from the other processes on the database."""
        self._driver = CountedDriver(driver)
        self._words = driver.dialect
        self._schema = schema
        self._served = frozenset(platforms)
        self._platforms = json.dumps(sorted(platforms))
        self._worker = Worker(worker, self._served)

    async def migrate(self) -> None:
        """Bring the tables up to this version; see `bot.storage.migrating`. Raises StoreError when they are newer."""
        await migrating.migrate(self._driver, self._schema)

    async def check(self) -> None:
        """Whether the tables are those of this version, for whoever may not change them. Raises StoreError."""
        await migrating.check(self._driver, self._schema)

    @asynccontextmanager
    async def turns(self, wanted: Mapping[str, Collection[str]]) -> AsyncIterator[SqlTurns]:
        async with self._driver.transaction() as connection:
            held = await hold_free(connection, self._words, wanted)
            sessions = await load_sessions(connection, self._words, held)
            pairs = [
                (session.id, person)
                for chat, session in sessions.items()
                if session.players or session.live
                for person in wanted[chat]
            ]
            players = await load_players(connection, self._words, pairs)
            states = {
                chat: ChatState(session, players.get(session.id, {})) if session else ChatState()
                for chat, session in ((chat, sessions.get(chat)) for chat in wanted if chat in held)
            }
            yield SqlTurns(connection, self._words, states, self._worker.id)

    async def session(self, chat: str) -> Session | None:
        async with self._driver.reading() as connection:
            rows = await connection.fetch(
                "SELECT session.id, state FROM chat JOIN session ON session.id = chat.session WHERE chat.id = $1", chat
            )
        return read_session(*rows[0]) if rows else None

    async def unfinished(self, prefix: str) -> list[tuple[str, Session]]:
        async with self._driver.reading() as connection:
            rows = await connection.fetch(
                """
                SELECT chat, id, state FROM session
                WHERE wake_at IS NOT NULL AND substr(chat, 1, length($1)) = $1 ORDER BY chat
                """,
                prefix,
            )
        return [(chat, session) for chat, id_, state in rows if (session := read_session(id_, state))]

    async def quiz(self, digest: str) -> str | None:
        async with self._driver.reading() as connection:
            return await pinned_quiz(connection, digest)

    async def quiz_of(self, session: str) -> str | None:
        async with self._driver.reading() as connection:
            digest: str | None = await first(connection, "SELECT quiz FROM session WHERE id = $1", session)
        return digest

    async def message(self, session: str, slot: str) -> str | None:
        async with self._driver.reading() as connection:
            reference: str | None = await first(
                connection, "SELECT reference FROM message WHERE session = $1 AND slot = $2", session, slot
            )
        return reference

    async def slot_of(self, chat: str, message: str) -> tuple[str, str] | None:
        async with self._driver.reading() as connection:
            rows = await connection.fetch(
                """
                SELECT message.session, message.slot FROM message JOIN session ON session.id = message.session
                WHERE message.reference = $2 AND session.chat = $1 AND message.slot <> $3
                """,
                chat,
                message,
                HostTold.slot,  # that message is in another chat, where other messages are called the same
            )
        return (rows[0][0], rows[0][1]) if rows else None

    async def located(self, session: str) -> tuple[str, Session] | None:
        async with self._driver.reading() as connection:
            rows = await connection.fetch("SELECT chat, id, state FROM session WHERE id = $1", session)
        found = read_session(rows[0][1], rows[0][2]) if rows else None
        return (rows[0][0], found) if found else None

    async def players(self, session: str) -> list[Player]:
        async with self._driver.reading() as connection:
            return await every_player(connection, session)

    # Deadlines

    async def due(self, now: datetime, limit: int) -> list[Due]:
        # Chats that another process is at just now are passed over, which is more than reading.
        shared = self._words.shared
        async with self._driver.transaction() if shared else self._driver.reading() as connection:
            rows = await connection.fetch(
                f"""
                SELECT session.chat, session.id, session.wake_at
                FROM session {"JOIN chat ON chat.id = session.chat" if shared else ""}
                WHERE wake_at <= $2 AND platform IN (SELECT value FROM {self._words.json_texts})
                  AND NOT EXISTS ({outbox.UNSEEN})
                ORDER BY wake_at LIMIT $3 {self._words.free("chat")}
                """,
                self._platforms,
                millis(now),
                limit,
            )
        return [Due(chat, session, moment(wake)) for chat, session, wake in rows]

    async def next_wake(self, now: datetime) -> datetime | None:
        async with self._driver.reading() as connection:
            at = await first(
                connection,
                f"""
                SELECT wake_at FROM session
                WHERE wake_at IS NOT NULL AND platform IN (SELECT value FROM {self._words.json_texts})
                  AND (wake_at > $2 OR NOT EXISTS ({outbox.UNSEEN}))
                ORDER BY wake_at LIMIT 1
                """,
                self._platforms,
                millis(now),
            )
        return None if at is None else moment(at)

    # Delivery

    async def claim(self, platform: str, now: datetime, until: datetime, limit: int) -> list[Outgoing]:
        async with self._driver.transaction() as connection:
            return await outbox.claim(connection, self._words, self._worker.id, platform, now, until, limit)

    async def unclaim(self, platform: str, held: Collection[int]) -> None:
        async with self._driver.transaction() as connection:
            await outbox.unclaim(connection, self._words, self._worker.id, platform, held)

    async def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        async with self._driver.transaction() as connection:
            await outbox.settle(connection, self._words, self._worker.id, outcomes, now)

    async def next_ready(self, platform: str, now: datetime) -> datetime | None:
        async with self._driver.reading() as connection:
            return await outbox.next_ready(connection, platform, now)

    async def drop_posts(self, chat: str, session: str) -> None:
        async with self._driver.transaction() as connection:
            await connection.write("DELETE FROM outbox WHERE chat = $1 AND session = $2", [(chat, session)])

    async def backlog(self) -> dict[str, Backlog]:
        async with self._driver.reading() as connection:
            return await backlog.count(connection, self._served)

    # Chats

    async def move_chat(self, old: str, new: str) -> None:
        if old == new:
            return
        async with self._driver.transaction() as connection:
            await hold(connection, self._words, (old, new))
            await moving.move(connection, self._words, old, new)

    async def preferences(self, ids: Collection[str]) -> dict[str, Preferences]:
        async with self._driver.reading() as connection:
            return await preferences.load(connection, self._words, ids)

    async def prefer(self, id: str, name: str, value: str | bool | None) -> None:  # noqa: A002  # the port's name
        async with self._driver.transaction() as connection:
            await preferences.keep(connection, self._words, id, name, value)

    # Reports

    async def report(self, report: QuestionReport) -> QuestionReport | None:
        async with self._driver.transaction() as connection:
            return await reports.keep(connection, report)

    async def reports(self, place: str | None = None) -> list[QuestionReport]:
        async with self._driver.reading() as connection:
            return await reports.load(connection, place)

    # Learning

    async def zone(self, person: str) -> str | None:
        async with self._driver.reading() as connection:
            return (await memories.zones(connection, self._words, [person]))[person]

    async def knowledge(self, person: str) -> Knowledge:
        async with self._driver.reading() as connection:
            return await memories.knowledge(connection, self._words, person)

    @asynccontextmanager
    async def lesson(self, most: int) -> AsyncIterator[SqlLesson | None]:
        async with self._driver.transaction() as connection:
            yield await lessons.following(connection, self._words, self._platforms, most)

    async def reminding(self) -> list[Reminding]:
        async with self._driver.reading() as connection:
            return await reminders.wanting(connection, self._words, self._served)

    async def due_reviews(self, person: str, day: Day) -> int:
        async with self._driver.reading() as connection:
            return await memories.due_reviews(connection, person, day)

    async def remind(self, person: str, day: Day, post: Reminded, ready: datetime) -> bool:
        async with self._driver.transaction() as connection:
            return await reminders.queue(connection, self._words, person, day, post, ready)

    # Leaderboards

    async def leaderboard(self, board: Board, first: int, most: int, person: str) -> Leaderboard:
        async with self._driver.reading() as connection:
            return await leaderboards.page(connection, board, first, most, person)

    async def served(self, place: str, slugs: Collection[str]) -> list[Served]:
        async with self._driver.reading() as connection:
            return await served.of_quizzes(connection, self._words, place, slugs)

    async def most_missed(self, place: str, most: int) -> list[Served]:
        async with self._driver.reading() as connection:
            return await served.most_missed(connection, place, most)

    # One's own data

    async def everything_about(self, person: str) -> dict[str, list[dict[str, object]]]:
        async with self._driver.reading() as connection:
            return await personal.everything_about(connection, self._words, person)

    async def forget(self, person: str) -> None:
        async with self._driver.transaction() as connection:
            await personal.forget(connection, self._words, person)

    # Alive and away

    async def sign_in(self, now: datetime, wanted: Collection[str] = (), busy: Collection[str] = ()) -> Roster:
        async with self._driver.transaction() as connection:
            if self._words.shared:
                await migrating.version_of(connection, self._schema)
            return await workers.sign_in(connection, self._words, self._worker, now, wanted, busy)

    async def sign_out(self, now: datetime) -> None:
        async with self._driver.transaction() as connection:
            await workers.sign_out(connection, self._words, self._worker, now)

    async def recover(self, now: datetime) -> None:
        async with self._driver.transaction() as connection:
            await workers.recover(connection, self._words, self._worker, now)
            # A copy may have begun since the tables were looked at; from here on one sees that somebody serves.
            await migrating.refuse_half(connection, self._words)

    async def outages(self) -> list[Outage]:
        async with self._driver.reading() as connection:
            return await outages.load(connection)

    async def close(self) -> None:
        await self._driver.close()


async def opened(driver: Driver, platforms: Collection[str], worker: str) -> SqlStore:
    """The store of `worker` on this driver, its tables brought up to date. Closes the driver when it raises, as
    StoreError."""
    store = SqlStore(driver, platforms, worker)
    async with _closed_on_errors(driver):
        await store.migrate()
    return store


async def opened_to_read(driver: Driver) -> SqlStore:
    """The store on this driver, only to look into. Closes the driver when it raises: StoreError, also when its tables
    are not those of this version."""
    store = SqlStore(driver, ())
    async with _closed_on_errors(driver):
        await store.check()
    return store


@asynccontextmanager
async def _closed_on_errors(driver: Driver) -> AsyncIterator[None]:
    try:
        yield
    except BaseException:
        await driver.close()
        raise
