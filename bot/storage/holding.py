"""Keeps a chat to one process for the length of a transaction, where several may use the database."""

from __future__ import annotations

import json
from collections.abc import Collection

from bot.storage.driver import Connection, Dialect

# In the order of the array, which is the same for all processes.
ENTER = "INSERT INTO chat (id) SELECT value FROM {wanted} ON CONFLICT (id) DO NOTHING"
HELD = "SELECT chat.id FROM {wanted} JOIN chat ON chat.id = wanted.value ORDER BY chat.id {lock}"


async def hold_free(connection: Connection, dialect: Dialect, chats: Collection[str]) -> set[str]:
    """Hold those of these chats that no other process holds; where there is none, wait for all of them. Those that are
    held."""
    if not dialect.shared:
        return set(chats)
    held = await _hold(connection, dialect, chats, dialect.free("chat"))
    if len(held) < len(chats):
        rest = set(chats) - held
        await _enter(connection, dialect, rest)
        held |= await _hold(connection, dialect, rest, dialect.free("chat"))
    return held or await _hold(connection, dialect, chats, dialect.held("chat"))


async def hold(connection: Connection, dialect: Dialect, chats: Collection[str]) -> None:
    """Hold all of these chats, also those that have never had a session."""
    if dialect.shared:
        # First those that there are: whoever has one of them may be waiting for a chat that is entered here.
        held = await _hold(connection, dialect, chats, dialect.held("chat"))
        while rest := set(chats) - held:
            # Again for one that was deleted by whom it was waited for.
            await _enter(connection, dialect, rest)
            held |= await _hold(connection, dialect, rest, dialect.held("chat"))


async def _enter(connection: Connection, dialect: Dialect, chats: Collection[str]) -> None:
    await connection.fetch(ENTER.format(wanted=dialect.json_texts), json.dumps(sorted(chats)))


async def _hold(connection: Connection, dialect: Dialect, chats: Collection[str], lock: str) -> set[str]:
    rows = await connection.fetch(HELD.format(wanted=dialect.json_texts, lock=lock), json.dumps(sorted(chats)))
    return {chat for (chat,) in rows}
