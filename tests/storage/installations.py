"""Whole installations: filled with whatever the tables can hold, looked at row by row, and taken elsewhere."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from functools import cache
from itertools import chain
from typing import Any

from hypothesis import strategies as st

from bot import databases
from bot.storage import copying
from bot.storage.copying import Compared
from bot.storage.driver import Connection, Dialect, Driver, first
from bot.storage.migrating import SCHEMA, migrate
from bot.storage.schema import MIGRATIONS
from bot.storage.sqlite import DIALECT
from bot.storage.within import Within

Row = tuple[Any, ...]
Rows = Mapping[str, Sequence[Row]]

INTEGER, BIGINT = 2**31 - 1, 2**63 - 1
LEFT = {"schema_version", "worker", "lease"}
"""What belongs to the database or to the processes that serve, and is not taken along."""

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12) | st.sampled_from(
    ["", "Зорница", "Ștefan", "👩‍👩‍👧 Ω", "日本語", "'; --", '"\\"', "ﷺ", "\ufffd", "\x01", "É"]
)
KINDS: Mapping[str, st.SearchStrategy[object]] = {
    "TEXT": texts,
    "INTEGER": st.integers(-INTEGER, INTEGER) | st.sampled_from([0, INTEGER]),
    "BIGINT": st.integers(-BIGINT, BIGINT) | st.sampled_from([0, BIGINT]),
    "DOUBLE PRECISION": st.floats(allow_nan=False).map(lambda value: value or 0.0),
}


class Untold:
    """Nobody wants to know how far it is."""

    def begin(self, doing: str, done: int, total: int) -> None: ...

    def advance(self, rows: int) -> None: ...


UNTOLD = Untold()


@cache
def columns() -> Mapping[str, Sequence[tuple[str, str, bool]]]:
    """Every column that the migrations make, by table: its name, its type, whether it may be nothing."""
    with closing(sqlite3.connect(":memory:")) as file:
        for statement in ("CREATE TABLE schema_version (version INTEGER)", *chain.from_iterable(MIGRATIONS)):
            file.execute(DIALECT.spell(statement))
        tables = file.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        return {table: _columns(file, table) for (table,) in tables.fetchall()}


def _columns(file: sqlite3.Connection, table: str) -> list[tuple[str, str, bool]]:
    return [
        (name, kind, not (required or key))
        for _, name, kind, required, _, key in file.execute(f"PRAGMA table_info({table})")
    ]


@st.composite
def rows(draw: st.DrawFn) -> dict[str, list[Row]]:
    """A few rows of every table, in which anything stands that it can hold."""
    return {
        table: draw(st.lists(_row(table, described), max_size=4))
        for table, described in columns().items()
        if table not in LEFT
    }


def _row(table: str, described: Sequence[tuple[str, str, bool]]) -> st.SearchStrategy[Row]:
    def values(name: str, kind: str, nothing: bool) -> st.SearchStrategy[object]:
        if (table, name) == ("outbox", "id"):
            return st.integers(1, 10**6)
        return st.none() | KINDS[kind] if nothing else KINDS[kind]

    return st.tuples(*(values(*column) for column in described))


async def put(driver: Driver, given: Rows) -> None:
    """Make the tables, and these rows in them; of two with the same key the first is there."""
    await migrate(driver, SCHEMA)
    described = columns()
    async with driver.transaction() as connection:
        for table, each in given.items():
            names = ", ".join(name for name, *_ in described[table])
            places = ", ".join(f"${number}" for number in range(1, len(described[table]) + 1))
            statement = f"INSERT INTO {table} ({names}) VALUES ({places}) ON CONFLICT DO NOTHING"  # noqa: S608
            for row in each:
                await connection.fetch(statement, *row)


async def everything(driver: Driver) -> dict[str, list[Row]]:
    """All that moves, as it is: each table that the migrations make, in the order of its columns' names."""
    async with driver.reading() as connection:
        return {table: await _all(connection, table, names) for table, names in _named().items() if table not in LEFT}


def _named() -> dict[str, list[str]]:
    return {table: sorted(name for name, *_ in described) for table, described in columns().items()}


async def _all(connection: Connection, table: str, names: Sequence[str]) -> list[Row]:
    found = await connection.fetch(f"SELECT {', '.join(names)} FROM {table}")  # noqa: S608
    return sorted((tuple(row) for row in found), key=repr)


async def given(driver: Driver) -> dict[str, int]:
    """The last number that was given, by table."""
    async with driver.reading() as connection:
        return await copying.numbers(connection, driver.dialect)


async def filled(source: Driver, target: Driver) -> None:
    """Copy whatever is not there yet, and go no further."""
    async with copying.snapshot(source) as origin:
        await _fill(origin, source.dialect, target)


async def copied(source: Driver, target: Driver) -> Compared:
    """Copy whatever is not there yet, compare, and finish where nothing differs."""
    async with copying.snapshot(source) as origin:
        numbers = await copying.numbers(origin, source.dialect)
        await _fill(origin, source.dialect, target)
        found = await copying.compare(origin, source.dialect, target, UNTOLD)
    if not found.differing:
        await copying.finish(target, numbers)
    return found


async def _fill(origin: Connection, dialect: Dialect, target: Driver) -> None:
    async with target.transaction() as connection:
        if await copying.begun(connection, target.dialect) is None:
            await copying.clear(connection, target.dialect)
            await copying.begin(Within(connection, target.dialect), "here", SCHEMA)
    await copying.fill(origin, dialect, target, UNTOLD)


@asynccontextmanager
async def driven(url: str) -> AsyncIterator[Driver]:
    """The database at an address."""
    driver = await databases.driver(url)
    try:
        yield driver
    finally:
        await driver.close()


class KilledError(BaseException):
    """What a driver raises in the place of a kill."""


class Mortal:
    """Passes everything on to another driver, until so many writes have been made: nothing comes after that."""

    def __init__(self, driver: Driver, writes: int) -> None:
        self._driver = driver
        self.left = writes

    @property
    def dialect(self) -> Dialect:
        return self._driver.dialect

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        async with self._driver.transaction() as connection:
            yield MortalConnection(connection, self)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        async with self._driver.reading() as connection:
            yield connection

    async def close(self) -> None:
        await self._driver.close()

    def count(self) -> None:
        """A write is about to be made."""
        self.left -= 1
        if self.left < 0:
            raise KilledError


class MortalConnection:
    """A transaction's way to the database, as long as its driver lives."""

    def __init__(self, connection: Connection, driver: Mortal) -> None:
        self._connection = connection
        self._driver = driver

    async def fetch(self, sql: str, *values: Any) -> Sequence[Row]:
        return await self._connection.fetch(sql, *values)

    async def write(self, sql: str, rows: Sequence[Row]) -> None:
        self._driver.count()
        await self._connection.write(sql, rows)


async def row_count(driver: Driver, table: str) -> int:
    """How many rows a table has."""
    async with driver.reading() as connection:
        return int(await first(connection, f"SELECT COUNT(*) FROM {table}"))  # noqa: S608
