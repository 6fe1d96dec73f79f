"""The processes that serve: who is alive, and which of them has a role that only one at a time may have.

A worker signs in again and again. Whoever has not for a while counts as gone: its roles are free, and what it was
delivering is delivered by others.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.codec import millis
from bot.ports import Roster
from bot.storage import outages, outbox
from bot.storage.driver import Connection, Dialect, queue

ALIVE = timedelta(seconds=6)
"""How long after it signed in a worker counts as alive."""

SILENCE = timedelta(seconds=5)
"""A platform that nobody was alive for this long was not served, as when the database was away. A database that one
process has to itself is away only with it."""

NEVER = datetime.min.replace(tzinfo=UTC)

SIGN_IN = """
    INSERT INTO worker (id, platforms, roles, alive_until) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET
        platforms = excluded.platforms, roles = excluded.roles, alive_until = excluded.alive_until
"""
KNOWN = "SELECT 1 FROM worker WHERE id = $1"
STRIKE_OFF = "DELETE FROM worker WHERE id <> $1 AND (alive_until < $2 OR $3 = 0) RETURNING id"
GIVE_UP = "DELETE FROM lease WHERE role = $1 AND worker = $2"
GIVE_UP_ALL = "DELETE FROM lease WHERE worker NOT IN (SELECT id FROM worker)"
TAKE = "INSERT INTO lease (role, worker) VALUES ($1, $2) ON CONFLICT (role) DO NOTHING"
CLAIMED = """
    claimed_until > 0 AND platform IN (SELECT value FROM {platforms})
        AND (claimed_by IS NULL OR claimed_by NOT IN (SELECT id FROM worker WHERE id <> $2))
"""
RESERVED = """
    reserved_for IS NOT NULL AND platform IN (SELECT value FROM {platforms})
        AND reserved_for NOT IN (SELECT id FROM worker)
"""
LEFT = f"SELECT outbox.id FROM outbox WHERE ({CLAIMED}) OR ({RESERVED})"
# What those were delivering who are no longer alive.
FREE = f"UPDATE outbox SET claimed_until = 0, claimed_by = NULL WHERE {CLAIMED}"
# What was left to them.
UNRESERVE = f"UPDATE outbox SET reserved_for = NULL WHERE {RESERVED}"


@dataclass(frozen=True, slots=True)
class Worker:
    """One process, as the tables know it: its name, the `platforms` it serves, and the `roles` that it can take now."""

    id: str
    platforms: Collection[str]
    roles: Collection[str] = ()


async def sign_in(
    connection: Connection, dialect: Dialect, me: Worker, now: datetime, wanted: Collection[str], busy: Collection[str]
) -> Roster:
    """See `Store.sign_in`."""
    me = replace(me, roles=frozenset(wanted))
    gone, unknown = await _enter(connection, dialect, me, now)
    await outages.note(connection, dialect, me.platforms, now, _silence(dialect, now))
    if gone:
        await _free(connection, dialect, me, besides="")
    return replace(await _roster(connection, dialect, me, now, busy), unknown=unknown)


async def recover(connection: Connection, dialect: Dialect, me: Worker, now: datetime) -> None:
    """See `Store.recover`."""
    await _enter(connection, dialect, me, now)
    served = {platform for other in await _workers(connection) if other.id != me.id for platform in other.platforms}
    await outages.prune(connection, now)
    await outages.note(connection, dialect, set(me.platforms) & served, now, _silence(dialect, now))
    await outages.note(connection, dialect, set(me.platforms) - served, now, now)
    await _free(connection, dialect, me, besides=me.id)


async def sign_out(connection: Connection, dialect: Dialect, me: Worker, now: datetime) -> None:
    """See `Store.sign_out`."""
    await _enter(connection, dialect, me, now)
    await outages.note(connection, dialect, me.platforms, now, _silence(dialect, now))
    await connection.write("DELETE FROM worker WHERE id = $1", [(me.id,)])
    await _free(connection, dialect, me, besides="")


def _silence(dialect: Dialect, now: datetime) -> datetime:
    """Since when nobody can have been alive where that is to be called an outage."""
    return now - SILENCE if dialect.shared else NEVER


async def _enter(connection: Connection, dialect: Dialect, me: Worker, now: datetime) -> tuple[bool, bool]:
    """Sign in, and strike off who is gone; whether anybody is, and whether this one was not signed in before. Workers
    do so one after the other."""
    await queue(connection, dialect, "workers")
    unknown = not await connection.fetch(KNOWN, me.id)
    gone = await connection.fetch(STRIKE_OFF, me.id, millis(now), int(dialect.shared))
    platforms, roles = json.dumps(sorted(me.platforms)), json.dumps(sorted(me.roles))
    await connection.write(SIGN_IN, [(me.id, platforms, roles, millis(now + ALIVE))])
    return bool(gone), unknown


async def _free(connection: Connection, dialect: Dialect, me: Worker, besides: str) -> None:
    """Free what those had who are gone; what is on its way from the worker `besides` counts as theirs."""
    await connection.write(GIVE_UP_ALL, [()])
    platforms = json.dumps(sorted(me.platforms))
    if dialect.shared:
        left = await connection.fetch(LEFT.format(platforms=dialect.json_texts), platforms, besides)
        await outbox.hold(connection, dialect, [id_ for (id_,) in left])
    await connection.fetch(FREE.format(platforms=dialect.json_texts), platforms, besides)
    await connection.fetch(UNRESERVE.format(platforms=dialect.json_texts), platforms)


async def _workers(connection: Connection) -> list[Worker]:
    rows = await connection.fetch("SELECT id, platforms, roles FROM worker ORDER BY id")
    return [Worker(id_, json.loads(platforms), json.loads(roles)) for id_, platforms, roles in rows]


async def _roster(connection: Connection, dialect: Dialect, me: Worker, now: datetime, busy: Collection[str]) -> Roster:
    workers = await _workers(connection)
    leases: dict[str, str] = dict(await connection.fetch("SELECT role, worker FROM lease"))
    mine = {role for role, worker in leases.items() if worker == me.id}
    held = frozenset(divided(leases, workers, me.id))
    await connection.write(TAKE, [(role, me.id) for role in sorted(held - mine)])
    await connection.write(GIVE_UP, [(role, me.id) for role in sorted(mine - held - set(busy))])
    mates = frozenset(each.id for each in workers if set(each.platforms) & set(me.platforms))
    return Roster(mates, held, tuple(await outages.load(connection)), now + ALIVE if dialect.shared else None)


def divided(leases: Mapping[str, str], workers: Iterable[Worker], me: str) -> set[str]:
    """Which roles the worker `me` has from now on, so that each platform's come to be shared evenly by those who can
    take them, and change hands as rarely as that allows: what it has, but for what others lack, and what is free.
    `leases` are roles with the worker that has each, or has not let go of it yet."""
    everybody = list(workers)
    wanted = next((each.roles for each in everybody if each.id == me), ())
    found: set[str] = set()
    for platform in sorted(set(map(_platform, wanted))):
        roles = {role for role in wanted if _platform(role) == platform}
        # Of whoever can take others of this platform, these are no less to be divided among those who can take these.
        having = {each.id: 0 for each in everybody if roles.issubset(each.roles)}
        for role in roles & leases.keys():
            if leases[role] in having:
                having[leases[role]] += 1
        found |= _share(sorted(roles), leases, having, me)
    return found


def _share(roles: list[str], leases: Mapping[str, str], having: Mapping[str, int], me: str) -> set[str]:
    mine = [role for role in roles if leases.get(role) == me]
    free = [role for role in roles if role not in leases]
    least, rest = divmod(len(roles), len(having))
    most = least + (rest > 0)
    lacking = sum(max(least - count, 0) for count in having.values())
    coming = len(free) + sum(max(count - most, 0) for count in having.values())
    # Of those who have the most only so many have to give one up, the first, for all have to find the same ones.
    yielding = [worker for worker, count in sorted(having.items()) if count >= most][: max(lacking - coming, 0)]
    if len(mine) >= most:
        return set(mine[: least if me in yielding else most])
    needed = max(least - len(mine), 0)
    spare = max(len(free) - lacking, 0)
    return set([*mine, *free[: needed + spare]][:most])


def _platform(role: str) -> str:
    return role.partition("/")[0]
