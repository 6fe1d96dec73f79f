"""The store, written once in the SQL that SQLite and PostgreSQL share. Knows no driver."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from bot.codec import millis, moment
from bot.core.effects import HostTold
from bot.core.session import Player, Session
from bot.ports import ChatState, Due, Outage, Outcome, Outgoing, StoreError
from bot.preferences import Preferences
from bot.reports import QuestionReport
from bot.storage import outbox, preferences, reports
from bot.storage.driver import Connection, Driver, first
from bot.storage.schema import MIGRATIONS
from bot.storage.turns import SqlTurns, every_player, load_players, load_sessions, read_session


class SqlStore:
    """The store port on any driver."""

    def __init__(self, driver: Driver, platforms: Collection[str]) -> None:
        """`platforms` are those that this process serves: deadlines, posts and outages of others are left alone."""
        self._driver = driver
        self._words = driver.dialect
        self._platforms = json.dumps(sorted(platforms))

    async def migrate(self) -> None:
        """Bring the tables up to this version, one transaction a step. Raises StoreError when they are newer."""
        async with self._driver.transaction() as connection:
            await connection.fetch("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)")
        version = await self._version()
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            async with self._driver.transaction() as connection:
                for statement in statements:
                    await connection.fetch(statement.format(id=self._words.id, clustered=self._words.clustered))
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
            yield SqlTurns(connection, states)

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
            body: str | None = await first(connection, "SELECT body FROM quiz WHERE digest = $1", digest)
        return body

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
            await preferences.move(connection, old, new)
            if not await connection.fetch("SELECT 1 FROM chat WHERE id = $1", old):
                return
            # Messages of the old chat cannot be edited from the new one: what is open is sent there anew.
            await connection.write(
                "DELETE FROM message WHERE session IN (SELECT id FROM session WHERE chat = $1)", [(old,)]
            )
            await connection.write(
                """
                INSERT INTO chat (id, session) SELECT $2, session FROM chat WHERE id = $1
                ON CONFLICT (id) DO UPDATE SET
                    session = CASE
                        WHEN EXISTS (SELECT 1 FROM session WHERE id = excluded.session AND wake_at IS NOT NULL)
                            OR chat.session IS NULL THEN excluded.session
                        ELSE chat.session
                    END
                """,
                [(old, new)],
            )
            # A session that began in the new chat meanwhile gives way to one that moves while it runs.
            await connection.write(
                """
                UPDATE session SET wake_at = NULL
                WHERE chat = $1 AND id <> (SELECT session FROM chat WHERE id = $1)
                """,
                [(new,)],
            )
            await connection.write("UPDATE session SET chat = $2 WHERE chat = $1", [(old, new)])
            await connection.write("UPDATE outbox SET chat = $2 WHERE chat = $1", [(old, new)])
            await connection.write("DELETE FROM chat WHERE id = $1", [(old,)])

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

    async def reports(self) -> list[QuestionReport]:
        async with self._driver.reading() as connection:
            return await reports.load(connection)

    # Alive and away

    async def beat(self, now: datetime) -> None:
        async with self._driver.transaction() as connection:
            await self._beat(connection, now)

    async def _beat(self, connection: Connection, now: datetime) -> None:
        await connection.fetch(
            f"""
            INSERT INTO heartbeat (platform, at) SELECT value, $2 FROM {self._words.json_texts} WHERE true
            ON CONFLICT (platform) DO UPDATE SET at = excluded.at
            """,
            self._platforms,
            millis(now),
        )

    async def recover(self, now: datetime) -> None:
        async with self._driver.transaction() as connection:
            # Without a live session nobody is owed any time.
            await connection.fetch(
                """
                DELETE FROM outage WHERE NOT EXISTS (
                    SELECT 1 FROM session WHERE session.platform = outage.platform AND wake_at IS NOT NULL
                )
                """
            )
            await connection.fetch(
                f"""
                INSERT INTO outage (platform, since, until) SELECT platform, at, $2 FROM heartbeat
                WHERE at < $2 AND platform IN (SELECT value FROM {self._words.json_texts})
                ON CONFLICT (platform, until) DO NOTHING
                """,
                self._platforms,
                millis(now),
            )
            await connection.fetch(
                f"""
                UPDATE outbox SET claimed_until = 0
                WHERE claimed_until > 0 AND platform IN (SELECT value FROM {self._words.json_texts})
                """,
                self._platforms,
            )
            await self._beat(connection, now)

    async def outages(self) -> list[Outage]:
        async with self._driver.reading() as connection:
            rows = await connection.fetch("SELECT platform, since, until FROM outage ORDER BY until")
        return [Outage(platform, moment(since), moment(until)) for platform, since, until in rows]

    async def close(self) -> None:
        await self._driver.close()
