"""Whom to remind of due reviews, and that nobody is reminded twice on a day."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from bot.core.effects import Reminded
from bot.learning.memory import Day
from bot.ports import Queued, Reminding, platform_of
from bot.preferences import Reminders
from bot.storage import memories
from bot.storage.driver import Connection, Dialect
from bot.storage.turns import QUEUE_POST, post_row

TIMES = {each.value: each for each in Reminders if each is not Reminders.OFF}
WANTED = "preference.reminders IN ({})".format(", ".join(f"'{word}'" for word in TIMES))
WANTING = f"""
    SELECT preference.id, preference.reminders, learner.reminded, learner.last
    FROM preference LEFT JOIN learner ON learner.person = preference.id
    WHERE preference.reminders IS NOT NULL AND {WANTED} ORDER BY preference.id
"""
# What they have chosen stays until the reminder is queued, so that who is forgotten meanwhile gets none.
WANTED_STILL = f"SELECT id FROM preference WHERE id = $1 AND {WANTED} {{held}}"
# Whoever wants none any more, or was forgotten since the reminder was prepared, gets none.
NOTE = f"""
    INSERT INTO learner (person, streak, last, paces, reminded)
    SELECT preference.id, 0, NULL, '[]', $2 FROM preference WHERE preference.id = $1 AND {WANTED}
    ON CONFLICT (person) DO UPDATE SET reminded = excluded.reminded
    WHERE learner.reminded IS NULL OR learner.reminded < excluded.reminded
    RETURNING person
"""


async def wanting(connection: Connection, dialect: Dialect, platforms: Collection[str]) -> list[Reminding]:
    """See `Store.reminding`."""
    rows = [row for row in await connection.fetch(WANTING) if platform_of(row[0]) in platforms]
    zones = await memories.zones(connection, dialect, [row[0] for row in rows])
    return [Reminding(person, TIMES[when], zones[person], reminded, last) for person, when, reminded, last in rows]


async def queue(
    connection: Connection, dialect: Dialect, person: str, day: Day, post: Reminded, ready: datetime
) -> bool:
    """See `Store.remind`."""
    await connection.fetch(WANTED_STILL.format(held=dialect.held("preference")), person)
    noted = await connection.fetch(NOTE, person, day)
    if noted:
        await connection.write(QUEUE_POST, [post_row(Queued(person, post, ready))])
    return bool(noted)
