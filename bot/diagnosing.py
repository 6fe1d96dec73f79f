"""What is wrong with a database, its disk and the clocks, as findings. Only judges what others have seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta

from bot.doctor import Finding, Severity, ok, problem, warning
from bot.storage.inspecting import Made, Rights, Room, Server
from bot.storage.migrating import SCHEMA

MEGABYTE = 1_000_000
LITTLE, TOO_LITTLE = 100 * MEGABYTE, 20 * MEGABYTE
"""Bytes that should be free, and that must be."""

SHARE, TIMES = 0.1, 10
"""The share of the disk that should be free, unless that is still so many times as large as the database."""

LONG_JOURNAL = 200 * MEGABYTE
"""It is emptied at a few megabytes, unless somebody reads without an end."""

OLDEST = datetime(2025, 6, 1, tzinfo=UTC)
"""No version of Quizbot is older."""

APART_FROM_DATABASE, APART_FROM_PLATFORM = timedelta(seconds=2), timedelta(seconds=5)
"""How far clocks may be apart."""


def tables(made: Made) -> str:
    """What the next start does to the tables: `; its tables are …`, or nothing."""
    if made.version == 0:
        return "; its tables are made at the first start"
    return "; its tables are brought up to date at the next start" if made.version < SCHEMA.version else ""


def refused(name: str, refusal: str) -> Finding:
    """A database that this version cannot use."""
    what, _, remedy = refusal.rpartition(": ")
    return problem(f"Database: {name}: {what}", f"{remedy}, or point QUIZBOT_DATABASE_URL at another database.")


# A file


def damaged(name: str, damage: str) -> Finding:
    """A file of which not all can be read."""
    return problem(
        f"Database: {name} is damaged: {damage}", "Stop the bot, keep the file, and restore a backup (quizbot restore)."
    )


def disk(room: Room) -> Iterator[Finding]:
    """Whether the file can grow where it is."""
    free = f"Disk: {room.free / MEGABYTE:,.0f} MB are free, beside {room.file / MEGABYTE:,.0f} MB of the database"
    if room.free < TOO_LITTLE:
        yield problem(free, "Free some space now: when the disk is full, nothing can be answered.")
    elif room.free < LITTLE or room.free < min(SHARE * room.total, TIMES * room.file):
        yield warning(free, "Free some space, before the disk is full.")
    else:
        yield ok("Disk: there is room for the database to grow")
    if room.journal > LONG_JOURNAL:
        yield warning(
            f"Disk: the journal beside the database has grown to {room.journal / MEGABYTE:,.0f} MB",
            "End what has been reading the file for long, as a backup that hangs; the bot then empties it by itself.",
        )
    if room.network:
        yield warning(
            f"Disk: the database is on a network file system ({room.network}), where SQLite may lose data",
            "Put it on a disk of this machine, or move to PostgreSQL (quizbot db copy).",
        )


# A server


def server(name: str, found: Server, connections: int) -> Iterator[Finding]:
    """Whether a server can be used with so many connections for each process."""
    if found.made.refusal:
        yield refused(name, found.made.refusal)
        return
    hindrances = list(_rights(name, found.rights, found.made))
    if not any(finding.severity is Severity.PROBLEM for finding in hindrances):
        beside = " (of a newer version, beside which this one goes on)" if found.made.version > SCHEMA.version else ""
        yield ok(f"Database: {name} can be written to, by PostgreSQL {found.version}{beside}{tables(found.made)}")
    yield from hindrances
    yield _connections(found, connections)
    yield from _processes(found)


def _rights(name: str, rights: Rights, made: Made) -> Iterator[Finding]:
    if rights.read_only:
        yield problem(
            f"Database: {name} can only be read", "Point QUIZBOT_DATABASE_URL at the server that is written to."
        )
    if rights.withheld:
        yield problem(
            f"Database: {name}: its user may not read and write {', '.join(rights.withheld)}",
            "Give it SELECT, INSERT, UPDATE and DELETE there, or make it their owner.",
        )
    if made.version < SCHEMA.version and not rights.may_make:
        yield problem(
            f"Database: {name}: its user may not make tables",
            "Run: GRANT CREATE ON SCHEMA public TO the_user, or make the user the owner of the database.",
        )
    if rights.others and not rights.withheld:
        yield warning(
            f"Database: {name}: its tables are another user's, so that an upgrade cannot change them",
            "Make the user of QUIZBOT_DATABASE_URL their owner: ALTER TABLE … OWNER TO the_user.",
        )


def _connections(found: Server, each: int) -> Finding:
    processes = max(1, found.workers)
    wanted = each * processes
    said = f"Connections: {each} for each of {processes}" if processes > 1 else f"Connections: {each} at most"
    if wanted > found.connections:
        return warning(
            f"{said} are more than the server gives, which are {found.connections}",
            "Set QUIZBOT_DATABASE_CONNECTIONS lower, max_connections of the server higher, or put a pooler between.",
        )
    return ok(f"{said}, of {found.connections} that the server gives")


def _processes(found: Server) -> Iterator[Finding]:
    if found.unheld:
        yield warning(
            f"Processes: of {found.workers} that serve from it none does the part of {', '.join(found.unheld)}",
            "Look again in ten seconds; if it stays so, see in the logs why none takes it, and restart them.",
        )
    else:
        serve = {0: "none serves", 1: "one serves"}.get(found.workers, f"{found.workers} serve")
        yield ok(f"Processes: {serve} from it now")


# Clocks


def clock(now: datetime, database: timedelta | None, platforms: Mapping[str, timedelta]) -> Iterable[Finding]:
    """Whether this machine's clock is right, by how far others are ahead of it."""
    if now < OLDEST:
        return [problem(f"Clock: it says {now:%Y-%m-%d}, which is long ago", SET)]
    found = [_apart(name, ahead) for name, ahead in platforms.items() if abs(ahead) > APART_FROM_PLATFORM]
    if database is not None and abs(database) > APART_FROM_DATABASE:
        found.append(_apart("the database", database))
    compared = [*(["the database"] if database is not None else []), *platforms]
    return found or [ok(f"Clock: as that of {' and '.join(compared)}" if compared else "Clock: it may be right")]


SET = "Let the machine set its clock by NTP (timedatectl set-ntp true): deadlines and days depend on it."


def _apart(name: str, ahead: timedelta) -> Finding:
    which = "behind" if ahead > timedelta(0) else "ahead of"
    return warning(f"Clock: {abs(ahead).total_seconds():.0f} s {which} that of {name}", SET)
