"""A chat that is called something else now: everything of the old one is given to the new one."""

from __future__ import annotations

from bot.storage import preferences, scores, served
from bot.storage.driver import Connection, Dialect

# Messages of the old chat cannot be edited from the new one: what is open is sent there anew.
LEAVE_MESSAGES = "DELETE FROM message WHERE session IN (SELECT id FROM session WHERE chat = $1)"
TAKE_OVER = """
    INSERT INTO chat (id, session) SELECT $2, session FROM chat WHERE id = $1
    ON CONFLICT (id) DO UPDATE SET
        session = CASE
            WHEN EXISTS (SELECT 1 FROM session WHERE id = excluded.session AND wake_at IS NOT NULL)
                OR chat.session IS NULL THEN excluded.session
            ELSE chat.session
        END
"""
# A session that began in the new chat meanwhile gives way to one that moves while it runs.
GIVE_WAY = "UPDATE session SET wake_at = NULL WHERE chat = $1 AND id <> (SELECT session FROM chat WHERE id = $1)"


async def move(connection: Connection, dialect: Dialect, old: str, new: str) -> None:
    """See `Store.move_chat`."""
    await preferences.move(connection, old, new)
    await scores.move(connection, dialect, old, new)
    await served.move(connection, old, new)
    if await connection.fetch("SELECT 1 FROM chat WHERE id = $1", old):
        # Before messages, as delivery does.
        await connection.write("UPDATE outbox SET chat = $2 WHERE chat = $1", [(old, new)])
        await connection.write(LEAVE_MESSAGES, [(old,)])
        await connection.write(TAKE_OVER, [(old, new)])
        await connection.write(GIVE_WAY, [(new,)])
        await connection.write("UPDATE session SET chat = $2 WHERE chat = $1", [(old, new)])
        await connection.write("DELETE FROM chat WHERE id = $1", [(old,)])
