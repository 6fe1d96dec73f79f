"""When the platforms were served, and when they were not."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.codec import millis, moment
from bot.ports import Outage
from bot.storage.driver import Connection, Dialect

LONG = timedelta(minutes=10)
"""An outage from this length on keeps people from studying."""

REMEMBERED = timedelta(days=60)
"""How long such an outage is remembered: as far back as anybody's days in a row may depend on it."""

BEAT = """
    INSERT INTO heartbeat (platform, at) SELECT value, $2 FROM {platforms} WHERE true
    ON CONFLICT (platform) DO UPDATE SET at = excluded.at
"""
# Without a live session nobody is owed any time.
FORGET_OUTAGES = """
    DELETE FROM outage WHERE NOT EXISTS (
        SELECT 1 FROM session WHERE session.platform = outage.platform AND wake_at IS NOT NULL
    )
"""
NOTE_OUTAGE = """
    INSERT INTO outage (platform, since, until) SELECT platform, at, $2 FROM heartbeat
    WHERE at < $2 AND platform IN (SELECT value FROM {platforms})
    ON CONFLICT (platform, until) DO NOTHING
"""
NOTE_DOWNTIME = """
    INSERT INTO downtime (platform, since, until) SELECT platform, at, $2 FROM heartbeat
    WHERE at <= $3 AND platform IN (SELECT value FROM {platforms})
    ON CONFLICT (platform, until) DO NOTHING
"""
FREE = """
    UPDATE outbox SET claimed_until = 0
    WHERE claimed_until > 0 AND platform IN (SELECT value FROM {platforms})
"""


async def beat(connection: Connection, dialect: Dialect, platforms: str, now: datetime) -> None:
    """See `Store.beat`; `platforms` is a JSON array."""
    await connection.fetch(BEAT.format(platforms=dialect.json_texts), platforms, millis(now))


async def recover(connection: Connection, dialect: Dialect, platforms: str, now: datetime) -> None:
    """See `Store.recover`; `platforms` is a JSON array."""
    wanted = dialect.json_texts
    await connection.fetch(FORGET_OUTAGES)
    await connection.fetch(NOTE_OUTAGE.format(platforms=wanted), platforms, millis(now))
    await connection.write("DELETE FROM downtime WHERE until < $1", [(millis(now - REMEMBERED),)])
    await connection.fetch(NOTE_DOWNTIME.format(platforms=wanted), platforms, millis(now), millis(now - LONG))
    await connection.fetch(FREE.format(platforms=wanted), platforms)
    await beat(connection, dialect, platforms, now)


async def load(connection: Connection) -> list[Outage]:
    """See `Store.outages`."""
    rows = await connection.fetch("SELECT platform, since, until FROM outage ORDER BY until")
    return [Outage(platform, moment(since), moment(until)) for platform, since, until in rows]
