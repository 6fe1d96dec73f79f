"""Copies a whole installation from one database into another, in parts of which each is there or not, so that a copy
that was interrupted goes on; and compares the two. Knows no driver.

What the processes that serve have noted of themselves stays behind: none of them serves from the copy.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bot.codec import millis
from bot.ports import StoreError
from bot.storage import migrating
from bot.storage.driver import Connection, Dialect, Driver, first
from bot.storage.migrating import COPYING, Schema
from bot.storage.rows import Fitting, Row, Table, between, count, in_order, insertion, parts, tables
from bot.stored import TABLES

LEFT = ("schema_version", "worker", "lease")
"""Tables that are no part of what moves: the target has its own."""

# A row a table, with the last key that was copied. The row without a name says from where.
BEGUN = f"CREATE TABLE {COPYING} (name TEXT PRIMARY KEY, reached TEXT NOT NULL, copied BIGINT NOT NULL)"
REACHED = f"""
    INSERT INTO {COPYING} (name, reached, copied) VALUES ($1, $2, $3)
    ON CONFLICT (name) DO UPDATE SET reached = excluded.reached, copied = {COPYING}.copied + excluded.copied
"""

MOST_NAMED = 20
"""Differences that are named one by one."""


class Headway(Protocol):
    """Whoever is told how far it is."""

    def begin(self, doing: str, done: int, total: int) -> None:
        """A table is begun, or gone on with: `done` of `total` rows are behind."""
        ...

    def advance(self, rows: int) -> None:
        """So many rows more are behind."""
        ...


@dataclass(slots=True)
class Compared:
    """What a comparison found: how many rows in each table, how many differ, the first of them by name, and texts in
    which the target has another character for one that it cannot hold."""

    counts: dict[str, int] = field(default_factory=dict)
    differing: int = 0
    differences: list[str] = field(default_factory=list)
    cleaned: list[str] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """In all tables."""
        return sum(self.counts.values())

    def differ(self, lines: Sequence[str]) -> None:
        self.differing += len(lines)
        self.differences += lines[: MOST_NAMED - len(self.differences)]


# What is in a database


async def holds(connection: Connection, dialect: Dialect) -> list[str]:
    """The tables of an installation that have rows, but for what any start makes."""
    found = await tables(connection, dialect)
    return [name for name in sorted(_moving(found)) if await first(connection, f"SELECT 1 FROM {name} LIMIT 1")]


async def version(connection: Connection, dialect: Dialect) -> int:
    """The schema of the installation; 0 where there is none."""
    if "schema_version" not in await tables(connection, dialect):
        return 0
    return int(await first(connection, "SELECT COALESCE(MAX(version), 0) FROM schema_version"))


async def workers(connection: Connection, dialect: Dialect, now: datetime) -> int:
    """How many processes serve from it, as far as it knows."""
    if not dialect.shared or "worker" not in await tables(connection, dialect):
        return 0
    return int(await first(connection, "SELECT COUNT(*) FROM worker WHERE alive_until > $1", millis(now)))


async def heartbeats(connection: Connection) -> Sequence[Row]:
    """When each platform was last served: another value says that somebody has used it meanwhile."""
    return await connection.fetch("SELECT platform, at FROM heartbeat ORDER BY platform")


async def begun(connection: Connection, dialect: Dialect) -> str | None:
    """From where a copy was begun that is not whole yet."""
    names = {row[0] for row in await connection.fetch(dialect.catalog.columns)}
    if COPYING not in names:
        return None
    found: str | None = await first(connection, f"SELECT reached FROM {COPYING} WHERE name = ''")
    return found or ""


def _moving(found: Mapping[str, Table]) -> list[str]:
    """In the order in which they are described."""
    return [name for name in TABLES if name in found and name not in LEFT]


# Copying


async def clear(connection: Connection, dialect: Dialect) -> None:
    """Drop an installation."""
    names = {row[0] for row in await connection.fetch(dialect.catalog.columns)}
    for name in sorted(names & {*TABLES, COPYING}):
        await connection.fetch(f"DROP TABLE {name}")


async def begin(target: Driver, origin: str, schema: Schema) -> None:
    """Make the tables in an empty database, and note that they are to be filled from there."""
    await migrating.migrate(target, schema)
    async with target.transaction() as connection:
        await connection.fetch(target.dialect.spell(BEGUN))
        await connection.write(REACHED, [("", origin, 0)])


async def fill(source: Connection, dialect: Dialect, target: Driver, headway: Headway) -> int:
    """Copy whatever is not there yet, from `source` in its `dialect`; how many rows that were. Raises StoreError."""
    filled = 0
    async with target.reading() as connection:
        there = await tables(connection, target.dialect)
        reached = {name: (key, done) for name, key, done in await connection.fetch(f"SELECT * FROM {COPYING}")}
    for table in await _pairs(source, dialect, there):
        key, done = reached.get(table.name, (None, 0))
        headway.begin(f"copying {table.name}", done, await count(source, table))
        after = None if key is None else tuple(json.loads(key))
        filled += await _fill(source, target, Fitting(table, target.dialect), after, headway)
    return filled


async def _pairs(source: Connection, dialect: Dialect, there: Mapping[str, Table]) -> list[Table]:
    """The tables of the target that are to be filled, their columns in the order of the source's."""
    found = await tables(source, dialect)
    return [in_order(there.values(), found[name]) for name in _moving(found)]


async def _fill(source: Connection, target: Driver, fitting: Fitting, after: Row | None, headway: Headway) -> int:
    filled, table = 0, fitting.table
    async for rows in parts(source, table, after):
        fitted, _ = fitting.fitted(rows)
        async with target.transaction() as connection:
            await connection.write(insertion(table), fitted)
            await connection.write(REACHED, [(table.name, json.dumps(table.key_of(rows[-1])), len(rows))])
        headway.advance(len(rows))
        filled += len(rows)
    return filled


async def numbers(source: Connection, dialect: Dialect) -> dict[str, int]:
    """The last number that was given to a row, by table."""
    there = await tables(source, dialect)
    found = await source.fetch(dialect.catalog.numbers)
    return {name: number for name, number in found if name in there and number is not None}


async def finish(target: Driver, given: Mapping[str, int]) -> None:
    """The copy is whole: no number is given again that was given before, and whoever wants may use it."""
    async with target.transaction() as connection:
        for name, number in given.items():
            highest = await first(connection, f"SELECT MAX(id) FROM {name}") or 0
            for statement in target.dialect.catalog.number_on:
                await connection.fetch(statement, name, max(number, highest))
        await connection.fetch(f"DROP TABLE {COPYING}")


# Comparing


async def compare(source: Connection, dialect: Dialect, target: Driver, headway: Headway) -> Compared:
    """Read everything in both and compare it. Raises StoreError."""
    found = Compared()
    async with target.reading() as copy:
        await patient(copy, target.dialect)
        for table in await _pairs(source, dialect, await tables(copy, target.dialect)):
            total = await count(source, table)
            headway.begin(f"comparing {table.name}", 0, total)
            walked = await _compare(source, copy, Fitting(table, target.dialect), found, headway)
            if walked != total:
                found.differ([f"{table.name}: {total - walked} rows of the source have no key, and cannot be copied"])
    return found


async def _compare(source: Connection, copy: Connection, fitting: Fitting, found: Compared, headway: Headway) -> int:
    walked, table, last = 0, fitting.table, None
    async for rows in parts(source, table):
        wanted, cleaned = fitting.fitted(rows)
        upto = table.key_of(rows[-1])
        found.differ(list(_differences(table, wanted, await between(copy, table, last, upto))))
        found.cleaned += cleaned
        walked, last = walked + len(rows), upto
        headway.advance(len(rows))
    found.differ(list(_differences(table, (), await between(copy, table, last, None))))
    found.counts[table.name] = walked
    return walked


def _differences(table: Table, wanted: Sequence[Row], there: Sequence[Row]) -> Iterator[str]:
    if list(wanted) == list(there):
        return
    expected, given = ({table.key_of(row): row for row in rows} for rows in (wanted, there))
    for key, row in expected.items():
        if key not in given:
            yield f"{table.named(row)}: missing in the target"
        elif given[key] != row:
            pairs = zip(table.columns, row, given[key], strict=True)
            yield f"{table.named(row)}: differs in {', '.join(name for name, one, other in pairs if one != other)}"
    yield from (f"{table.named(row)}: only in the target" for key, row in given.items() if key not in expected)


async def patient(connection: Connection, dialect: Dialect) -> None:
    """Let this transaction take the time it needs."""
    for statement in dialect.catalog.patience:
        await connection.fetch(statement)


@asynccontextmanager
async def snapshot(driver: Driver) -> AsyncIterator[Connection]:
    """Everything as it is at one moment, for as long as it takes."""
    async with driver.reading() as connection:
        await patient(connection, driver.dialect)
        yield connection


def same_everywhere(version_: int) -> StoreError | None:
    """Why an installation with this schema cannot be copied by this version; None where it can."""
    wanted = migrating.SCHEMA.version
    if version_ == 0:
        return StoreError("there is nothing to copy: it is no database of Quizbot")
    if version_ < wanted:
        return StoreError(
            f"the source has schema {version_}, this version of Quizbot {wanted}, and copying changes nothing in it: "
            "start the bot on it once, which brings it up to date (quizbot run), and stop it again"
        )
    if version_ > wanted:
        return StoreError(f"the source has schema {version_}, this version of Quizbot knows {wanted}: update Quizbot")
    return None
