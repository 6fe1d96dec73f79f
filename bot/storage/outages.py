"""When the platforms were served, and when they were not."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime, timedelta

from bot.codec import millis, moment
from bot.ports import Outage
from bot.storage.driver import Connection, Dialect

LONG = timedelta(minutes=10)
"""An outage from this length on keeps people from studying."""

REMEMBERED = timedelta(days=60)
"""How long such an outage is remembered: as far back as anybody's days in a row may depend on it."""

APART = timedelta(minutes=1)
"""How much later than it says a beat of one among several processes may come, since its clock is behind or the database
was slow: then it is no reason to take the platform for unserved since."""

BEAT = """
    INSERT INTO heartbeat (platform, at) SELECT value, $2 FROM {platforms} WHERE true
    ON CONFLICT (platform) DO UPDATE SET at = CASE
        WHEN heartbeat.at BETWEEN excluded.at AND excluded.at + $3 THEN heartbeat.at ELSE excluded.at
    END
"""
# Without a live session nobody is owed any time.
FORGET_OUTAGES = """
    DELETE FROM outage WHERE NOT EXISTS (
        SELECT 1 FROM session WHERE session.platform = outage.platform AND wake_at IS NOT NULL
    )
"""
NOTE_OUTAGE = """
    INSERT INTO outage (platform, since, until) SELECT platform, at, $2 FROM heartbeat
    WHERE at < $3 AND platform IN (SELECT value FROM {platforms})
    ON CONFLICT (platform, until) DO NOTHING
"""
NOTE_DOWNTIME = """
    INSERT INTO downtime (platform, since, until) SELECT platform, at, $2 FROM heartbeat
    WHERE at <= $3 AND platform IN (SELECT value FROM {platforms})
    ON CONFLICT (platform, until) DO NOTHING
"""


async def note(
    connection: Connection, dialect: Dialect, platforms: Collection[str], now: datetime, before: datetime
) -> None:
    """The platforms are served at `now`; those that were last served `before` that moment were not, meanwhile."""
    wanted = json.dumps(sorted(platforms))
    for statement, moment_ in ((NOTE_OUTAGE, before), (NOTE_DOWNTIME, min(before, now - LONG))):
        await connection.fetch(statement.format(platforms=dialect.json_texts), wanted, millis(now), millis(moment_))
    apart = APART // timedelta(milliseconds=1) if dialect.shared else 0
    await connection.fetch(BEAT.format(platforms=dialect.json_texts), wanted, millis(now), apart)


async def prune(connection: Connection, now: datetime) -> None:
    """Forget outages that matter to nobody any more."""
    await connection.fetch(FORGET_OUTAGES)
    await connection.write("DELETE FROM downtime WHERE until < $1", [(millis(now - REMEMBERED),)])


async def load(connection: Connection) -> list[Outage]:
    """See `Store.outages`."""
    rows = await connection.fetch("SELECT platform, since, until FROM outage ORDER BY until")
    return [Outage(platform, moment(since), moment(until)) for platform, since, until in rows]
