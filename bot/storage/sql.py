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
from bot.ports import ChatState, Due, Outage, Outcome, Outgoing, Reminding, StoreError
from bot.preferences import Preferences
from bot.reports import QuestionReport
from bot.storage import (
    leaderboards,
    lessons,
    memories,
    moving,
    outages,
    outbox,
    personal,
    preferences,
    reminders,
    reports,
    served,
)
from bot.storage.driver import Driver, first
from bot.storage.lessons import SqlLesson
from bot.storage.schema import MIGRATIONS
from bot.storage.turns import SqlTurns, every_player, load_players, load_sessions, pinned_quiz, read_session


class SqlStore:
    """The store port on any driver."""

    def __init__(self, driver: Driver, platforms: Collection[str]) -> None:
        """`platforms` are those that this process serves: deadlines, posts and outages of others are left alone."""
        self._driver = driver
        self._words = driver.dialect
        self._served = frozenset(platforms)
        self._platforms = json.dumps(sorted(platforms))

    async def migrate(self) -> None:
        """Bring the tables up to this version, one transaction a step. Raises StoreError when they are newer."""
        async with self._driver.transaction() as connection:
            await connection.fetch("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)")
        version = await self._version()
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            async with self._driver.transaction() as connection:
                for statement in statements:
                    await connection.fetch(self._words.spell(statement))
                await connection.write("INSERT INTO schema_version (version) VALUES ($1)", [(number,)])

    async def check(self) -> None:
        """Whether the tables are those of this version, for whoever may not change them. Raises StoreError."""
        version = await self._version()
        if version < len(MIGRATIONS):
            raise StoreError(
                f"the database has schema {version}, this version of Quizbot needs {len(MIGRATIONS)}: "
                "start the bot once, which brings it up to date (quizbot run)"
            )

    async def _version(self) -> int:
        """The last migration that was made. Raises StoreError when it is newer than this version."""
        async with self._driver.reading() as connection:
            found = await first(connection, "SELECT COALESCE(MAX(version), 0) FROM schema_version")
        version: int = found or 0
        if version > len(MIGRATIONS):
            raise StoreError(
                f"the database has schema {version}, this version of Quizbot knows {len(MIGRATIONS)}: "
                "update Quizbot, or point QUIZBOT_DATABASE_URL at another database"
            )
        return version

    @asynccontextmanager
    async def turns(self, wanted: Mapping[str, Collection[str]]) -> AsyncIterator[SqlTurns]:
        async with self._driver.transaction() as connection:
            sessions = await load_sessions(connection, self._words, wanted)
            pairs = [
                (session.id, person)
                for chat, session in sessions.items()
                if session.players or session.live
                for person in wanted[chat]
            ]
            players = await load_players(connection, self._words, pairs)
            states = {
                chat: ChatState(session, players.get(session.id, {})) if session else ChatState()
                for chat, session in ((chat, sessions.get(chat)) for chat in wanted)
            }
            yield SqlTurns(connection, self._words, states)

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
        async with self._driver.reading() as connection:
            rows = await connection.fetch(
                f"""
                SELECT chat, id, wake_at FROM session
                WHERE wake_at <= $2 AND platform IN (SELECT value FROM {self._words.json_texts})
                  AND NOT EXISTS ({outbox.UNSEEN})
                ORDER BY wake_at LIMIT $3
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
            return await outbox.claim(connection, self._words, platform, now, until, limit)

    async def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        async with self._driver.transaction() as connection:
            await outbox.settle(connection, outcomes, now)

    async def next_ready(self, platform: str, now: datetime) -> datetime | None:
        async with self._driver.reading() as connection:
            return await outbox.next_ready(connection, platform, now)

    async def drop_posts(self, chat: str, session: str) -> None:
        async with self._driver.transaction() as connection:
            await connection.write("DELETE FROM outbox WHERE chat = $1 AND session = $2", [(chat, session)])

    # Chats

    async def move_chat(self, old: str, new: str) -> None:
        if old == new:
            return
        async with self._driver.transaction() as connection:
            await moving.move(connection, old, new)

    async def preferences(self, ids: Collection[str]) -> dict[str, Preferences]:
        async with self._driver.reading() as connection:
            return await preferences.load(connection, self._words, ids)

    async def prefer(self, id: str, name: str, value: str | bool | None) -> None:  # noqa: A002  # the port's name
        async with self._driver.transaction() as connection:
            await preferences.keep(connection, id, name, value)

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
            return await reminders.queue(connection, person, day, post, ready)

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

    async def beat(self, now: datetime) -> None:
        async with self._driver.transaction() as connection:
            await outages.beat(connection, self._words, self._platforms, now)

    async def recover(self, now: datetime) -> None:
        async with self._driver.transaction() as connection:
            await outages.recover(connection, self._words, self._platforms, now)

    async def outages(self) -> list[Outage]:
        async with self._driver.reading() as connection:
            return await outages.load(connection)

    async def close(self) -> None:
        await self._driver.close()
