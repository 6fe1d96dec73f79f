"""One person's own data: every row about them, and its end. What is about a person, `bot.stored` says; this finds it.

Nothing here looks through a whole table: responses, messages and posts are found by way of the sessions that the person
played or hosted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bot.core.effects import HostTold
from bot.storage import mentions, outbox
from bot.storage.driver import Connection, Dialect
from bot.storage.holding import hold
from bot.storage.traces import Traces, traces_of
from bot.stored import TABLES, Fate

Rows = list[dict[str, object]]

RESPONSES = """
    {positions} JOIN response ON response.session = wanted.value ->> 0
        AND response.question = CAST(wanted.value ->> 1 AS INTEGER) AND response.person = $2
    ORDER BY response.at, response.session, response.question
"""
POSTS_TO = (
    "outbox.chat = wanted.value AND outbox.refused IS NULL",
    "outbox.chat = wanted.value AND outbox.refused IS NOT NULL",
)
# What is done with a session ends at the last of these people: the one before takes the place of whoever goes.
LEARNED_TO_ANOTHER = """
    UPDATE session SET learned_to = (
        SELECT MAX(player.person) FROM player WHERE player.session = session.id AND player.person < $2
    )
    WHERE id = $1 AND learned_to = $2
"""


# A copy


async def everything_about(connection: Connection, dialect: Dialect, person: str) -> dict[str, Rows]:
    """Every row about a person, by table; see `Store.everything_about`."""
    copying = _Copying(connection, dialect, await traces_of(connection, person))
    return {name: await copying.table(name) for name, table in TABLES.items() if table.fate is not Fate.UNTOUCHED}


class _Copying:
    """Reads what is about one person."""

    def __init__(self, connection: Connection, dialect: Dialect, traces: Traces) -> None:
        self._connection = connection
        self._dialect = dialect
        self._traces = traces

    async def table(self, name: str) -> Rows:
        """What this table holds about them."""
        traces = self._traces
        match name:
            case "session":
                rows = await self._wanted(name, "session.id = wanted.value", [id_ for id_, _, _ in traces.hosted])
                named = await self._slugs({row["quiz"] for row in rows})
                return [_session({**row, "quiz": named.get(row["quiz"])}) for row in rows]
            case "player":
                rows = await self._rows(name, "FROM player WHERE person = $1 ORDER BY session", traces.person)
                return await self._played(mentions.without_outcome(_written(name, rows), traces.live))
            case "response":
                found = RESPONSES.format(positions=f"FROM {self._dialect.json_arrays}")
                rows = await self._rows(name, found, json.dumps(traces.positions), traces.person)
                return mentions.without_outcome(_written(name, rows), traces.live)
            case "chat":
                return _written(name, await self._wanted(name, "chat.id = wanted.value", traces.chats))
            case "message":
                return _written(name, await self._messages())
            case "outbox":
                return _written(name, await self._posts())
            case _:
                found = f"FROM {name} WHERE {TABLES[name].person} = $1 ORDER BY {_in_order(name)}"
                return _written(name, await self._rows(name, found, traces.person))

    async def _rows(self, name: str, found: str, *values: Any) -> list[dict[str, Any]]:
        columns = list(TABLES[name].columns)
        said = ", ".join(f"{name}.{column}" for column in columns)
        rows = await self._connection.fetch(f"SELECT {said} {found}", *values)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    async def _wanted(self, name: str, on: str, wanted: Iterable[str]) -> list[dict[str, Any]]:
        """The rows that one of these makes wanted."""
        found = f"FROM {self._dialect.json_texts} JOIN {name} ON {on} ORDER BY {_in_order(name)}"
        return await self._rows(name, found, json.dumps(sorted(wanted)))

    async def _played(self, rows: Rows) -> Rows:
        """Players, with where they played and what."""
        places = self._traces.places
        named = await self._slugs({quiz for _, quiz in places.values()})
        return [
            {**row, "chat": chat, "quiz": named.get(quiz)}
            for row in rows
            for chat, quiz in [places[str(row["session"])]]
        ]

    async def _slugs(self, digests: Iterable[str]) -> dict[str, str | None]:
        """The names of these quizzes."""
        sql = f"SELECT digest, body FROM {self._dialect.json_texts} JOIN quiz ON quiz.digest = wanted.value"
        rows = await self._connection.fetch(sql, json.dumps(sorted(digests)))
        return {digest: mentions.slug_of(body) for digest, body in rows}

    async def _messages(self) -> list[dict[str, Any]]:
        """Those of their private chat: of its sessions, and what they were told there of others."""
        told = f"message.session = wanted.value AND message.slot = '{HostTold.slot}'"
        return [
            *await self._wanted("message", "message.session = wanted.value", self._traces.own),
            *await self._wanted("message", told, self._traces.elsewhere),
        ]

    async def _posts(self) -> list[dict[str, Any]]:
        """All that waits for their private chat; of what waits for others, what it says of them."""
        traces = self._traces
        posts = [post for on in POSTS_TO for post in await self._wanted("outbox", on, traces.chats)]
        for post in await self._wanted("outbox", "outbox.session = wanted.value", traces.shared):
            hosted = post["session"] in traces.elsewhere
            said = mentions.said_of(post["body"], traces.person, hosted=hosted)
            if said is not None:
                posts.append({**post, "body": said, "refused": None})
        return posts


def _in_order(name: str) -> str:
    """The first columns of a table, which tell its rows apart."""
    return ", ".join(f"{name}.{column}" for column in list(TABLES[name].columns)[:3])


def _session(row: Mapping[str, Any]) -> dict[str, object]:
    state = mentions.session_of(row["state"], live=row["wake_at"] is not None)
    return _written("session", [{**row, "state": state}])[0]


def _written(name: str, rows: Iterable[Mapping[str, Any]]) -> Rows:
    """The rows as their table says that people read them."""
    columns = {name: column for name, column in TABLES[name].columns.items() if not column.withheld}
    return [{column.key: mentions.readable(row[name], column.form) for name, column in columns.items()} for row in rows]


# The end


async def forget(connection: Connection, dialect: Dialect, person: str) -> None:
    """Delete everything about a person; see `Store.forget`."""
    await _hold_everywhere(connection, dialect, person)
    traces = await traces_of(connection, person, dialect.held("session"))
    # First: with what they have chosen in hand nobody can remind them any more.
    await connection.write("DELETE FROM preference WHERE id = $1", [(person,)])
    await _hold_posts(connection, dialect, traces)
    await _take_out_of_posts(connection, dialect, traces)
    await _take_out_of_sessions(connection, traces)
    await _end_private_chat(connection, traces)
    for name, table in TABLES.items():
        if table.fate is Fate.DELETED and table.person:
            await connection.write(f"DELETE FROM {name} WHERE {table.person} = $1", [(person,)])


async def _hold_everywhere(connection: Connection, dialect: Dialect, person: str) -> None:
    """Nobody plays with them, and nobody learns from what they played, until they are forgotten; not even where they
    came while this was waited for."""
    held: set[str] = set()
    while rest := (await traces_of(connection, person)).everywhere - held:
        await hold(connection, dialect, rest)
        held |= rest


async def _hold_posts(connection: Connection, dialect: Dialect, traces: Traces) -> None:
    """Everything that is deleted or changed of what waits, in the order in which delivery holds what it settles."""
    wanted = [("outbox.session = wanted.value", traces.shared), *((on, traces.chats) for on in POSTS_TO)]
    found: set[int] = set()
    for on, values in wanted:
        posts = f"SELECT outbox.id FROM {dialect.json_texts} JOIN outbox ON {on}"
        found.update(id_ for (id_,) in await connection.fetch(posts, json.dumps(values)))
    await outbox.hold(connection, dialect, found)


async def _take_out_of_posts(connection: Connection, dialect: Dialect, traces: Traces) -> None:
    """What waits for others says the same without them."""
    found = f"""
        SELECT outbox.id, outbox.session, outbox.body, outbox.refused
        FROM {dialect.json_texts} JOIN outbox ON outbox.session = wanted.value
    """
    for id_, session, body, refused in await connection.fetch(found, json.dumps(traces.shared)):
        unnamed = mentions.without(body, traces.person, hosted=session in traces.elsewhere)
        reason = mentions.unnaming(refused, {traces.person, *traces.names})
        if unnamed is None:
            await connection.write("DELETE FROM outbox WHERE id = $1", [(id_,)])
        elif (unnamed, reason) != (body, refused):
            await connection.write("UPDATE outbox SET body = $2, refused = $3 WHERE id = $1", [(id_, unnamed, reason)])


async def _take_out_of_sessions(connection: Connection, traces: Traces) -> None:
    """What others play goes on with the counts it has, and without them."""
    person = traces.person
    await connection.write(
        "UPDATE session SET host = NULL, state = $2 WHERE id = $1",
        [(id_, mentions.without_host(state)) for id_, state in traces.elsewhere.items()],
    )
    await connection.write(
        "DELETE FROM message WHERE session = $1 AND slot = $2", [(id_, HostTold.slot) for id_ in traces.elsewhere]
    )
    await connection.write(
        "DELETE FROM response WHERE session = $1 AND question = $2 AND person = $3",
        [(session, at, person) for session, at in traces.positions],
    )
    await connection.write(
        "DELETE FROM player WHERE session = $1 AND person = $2", [(id_, person) for id_ in traces.played]
    )
    await connection.write(LEARNED_TO_ANOTHER, [(id_, person) for id_ in traces.played])


async def _end_private_chat(connection: Connection, traces: Traces) -> None:
    """What they played alone goes as a whole, its deadline with it."""
    own = [(id_,) for id_ in traces.own]
    for table in ("message", "response", "player"):
        await connection.write(f"DELETE FROM {table} WHERE session = $1", own)
    await connection.write("DELETE FROM session WHERE id = $1", own)
    chats = [(chat,) for chat in traces.chats]
    await connection.write("DELETE FROM outbox WHERE chat = $1 AND refused IS NULL", chats)
    await connection.write("DELETE FROM outbox WHERE chat = $1 AND refused IS NOT NULL", chats)
    await connection.write("DELETE FROM preference WHERE id = $1", chats)
    await connection.write("DELETE FROM chat WHERE id = $1", chats)
