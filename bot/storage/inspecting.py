"""What can be seen of a database and its disk, whoever uses it meanwhile. Changes nothing, and judges nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from bot.codec import millis, moment
from bot.ports import Clock, StoreError
from bot.storage import copying, migrating
from bot.storage.driver import Connection, Driver, first
from bot.storage.migrating import SCHEMA
from bot.storage.rows import tables

SOON_CHECKED = 200_000_000
"""Bytes of a file that is looked through whole."""

NETWORKS = ("nfs", "cifs", "smb", "9p", "ceph", "glusterfs", "fuse.sshfs", "afs", "lustre")
"""How file systems begin that other machines have."""

MOUNTS = Path("/proc/mounts")


@dataclass(frozen=True, slots=True)
class Made:
    """The tables: their schema (0: there are none yet), and why this version cannot use them."""

    version: int
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """The disk of a file: bytes that are free and in all, those of the file and of its journal, and the file system's
    kind where other machines have it."""

    free: int
    total: int
    file: int
    journal: int
    network: str | None


@dataclass(frozen=True, slots=True)
class Rights:
    """What the user may not do: write at all, make tables, change those of others, read or write some."""

    read_only: bool
    may_make: bool
    others: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Server:
    """A server: its version, the tables, the rights, how many connections it gives us at most, how many processes serve
    from it, the roles that nobody has though somebody could, and how far its clock is ahead."""

    version: str
    made: Made
    rights: Rights
    connections: int
    workers: int
    unheld: tuple[str, ...]
    ahead: timedelta


async def made(connection: Connection, driver: Driver) -> Made:
    """Which tables there are."""
    version = await copying.version(connection, driver.dialect)
    if version == 0:
        return Made(0)
    if await copying.begun(connection, driver.dialect) is not None:
        return Made(version, "it is not whole: a copy into it was interrupted: call `quizbot db copy` again")
    try:
        await migrating.version_of(connection, SCHEMA)
    except StoreError:
        return Made(version, f"it is of a newer Quizbot, with schema {version}: update Quizbot")
    return Made(version)


async def damage(driver: Driver) -> str | None:
    """What is wrong inside a file, in SQLite's words."""
    async with driver.reading() as connection:
        (said, *_) = await connection.fetch("PRAGMA quick_check(1)")
    return None if said == ("ok",) else " ".join(str(said[0]).split())


def room(path: Path, mounts: Path = MOUNTS) -> Room:
    """The disk on which the file is, or will be. Raises OSError."""
    place = next(each for each in (path, *path.resolve().parents) if each.exists())
    usage = shutil.disk_usage(place)
    return Room(
        usage.free, usage.total, _size(path), _size(path.with_name(f"{path.name}-wal")), _network(place, mounts)
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _network(place: Path, mounts: Path) -> str | None:
    """The kind of the file system, where others have it and that can be told."""
    try:
        lines = [line.split() for line in mounts.read_text(errors="replace").splitlines()]
    except OSError:
        return None
    found = {line[1].replace("\\040", " "): line[2] for line in lines if len(line) > 2}
    parents = (str(each) for each in (place.resolve(), *place.resolve().parents))
    kind = next((found[each] for each in parents if each in found), "")
    return kind if kind.startswith(NETWORKS) else None


RIGHTS = """
    SELECT name, pg_has_role(found.relowner, 'USAGE'),
        has_table_privilege(found.oid, 'SELECT') AND has_table_privilege(found.oid, 'INSERT')
            AND has_table_privilege(found.oid, 'UPDATE') AND has_table_privilege(found.oid, 'DELETE')
    FROM json_array_elements_text($1::json) AS wanted (name) JOIN pg_class AS found ON found.oid = to_regclass(name)
    ORDER BY name
"""
MAY_MAKE = "SELECT COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false)"
# -1: as many as there are.
CONNECTIONS = """
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        datconnlimit, rolconnlimit
    FROM pg_database, pg_roles WHERE datname = current_database() AND rolname = current_user
"""


async def server(driver: Driver, clock: Clock) -> Server:
    """What there is on a PostgreSQL. Raises StoreError."""
    async with driver.reading() as connection:
        version = str(await first(connection, "SELECT current_setting('server_version')"))
        began = clock.now()
        said = int(await first(connection, "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"))
        ahead = moment(said) - (began + (clock.now() - began) / 2)
        ((most, *limits),) = await connection.fetch(CONNECTIONS)
        found = await made(connection, driver)
        workers, unheld = await _served(connection, clock.now()) if found.version >= migrating.SINCE_BESIDE else (0, ())
        rights = await _rights(connection, driver)
    connections = min([most, *(limit for limit in limits if limit >= 0)])
    return Server(version.split()[0], found, rights, connections, workers, unheld, ahead)


async def _rights(connection: Connection, driver: Driver) -> Rights:
    standby = await first(
        connection, "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool"
    )
    may_make = bool(await first(connection, MAY_MAKE))
    names = await tables(connection, driver.dialect)
    rows = await connection.fetch(RIGHTS, json.dumps(sorted(names)))
    others = tuple(name for name, owned, _ in rows if not owned)
    return Rights(bool(standby), may_make, others, tuple(name for name, _, all_ in rows if not all_))


async def _served(connection: Connection, now: datetime) -> tuple[int, tuple[str, ...]]:
    """How many processes are alive, and the roles that one of them could take and none has."""
    rows = await connection.fetch("SELECT id, roles FROM worker WHERE alive_until > $1", millis(now))
    alive: Mapping[str, Collection[str]] = {id_: json.loads(roles) for id_, roles in rows}
    leases = dict(await connection.fetch("SELECT role, worker FROM lease"))
    wanted = {role for roles in alive.values() for role in roles}
    return len(alive), tuple(sorted(role for role in wanted if leases.get(role) not in alive))
