"""Whole tables, row by row in the order of their keys, and what of a row another database cannot hold. Knows of a table
what the database says of it, and nothing of what it is for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.ports import StoreError
from bot.storage.driver import Connection, Dialect, first
from bot.stored import TABLES

FEW, MANY, WEIGHT = 50, 2_000, 1_000_000
"""How many rows are read at a time: few at first, later as many as weigh a megabyte, but never more than `MANY`."""

NUL, INSTEAD = "\x00", "\N{REPLACEMENT CHARACTER}"

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns, those of its primary key in their order, and the largest number of columns that do not hold
    any, by their position."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    largest: Mapping[int, int]

    def key_of(self, row: Row) -> Row:
        """The values of its primary key."""
        return tuple(row[self.columns.index(column)] for column in self.key)

    def named(self, row: Row) -> str:
        """A row as it may be told apart: `player (session s1, person test:7)`."""
        pairs = zip(self.key, self.key_of(row), strict=True)
        return f"{self.name} ({', '.join(f'{column} {value}' for column, value in pairs)})"


async def tables(connection: Connection, dialect: Dialect) -> dict[str, Table]:
    """The tables of an installation that are there, by name."""
    found: dict[str, list[Row]] = {}
    for name, *column in await connection.fetch(dialect.catalog.columns):
        found.setdefault(name, []).append(tuple(column))
    return {name: _table(name, columns) for name, columns in found.items() if name in TABLES}


def _table(name: str, columns: Sequence[Row]) -> Table:
    key = sorted((place, column) for column, place, _ in columns if place)
    largest = {position: most for position, (_, _, most) in enumerate(columns) if most is not None}
    return Table(name, tuple(column for column, _, _ in columns), tuple(column for _, column in key), largest)


async def count(connection: Connection, table: Table) -> int:
    """How many rows it has."""
    return int(await first(connection, f"SELECT COUNT(*) FROM {table.name}"))


async def parts(connection: Connection, table: Table, after: Row | None = None) -> AsyncIterator[Sequence[Row]]:
    """All rows that come after a key, some at a time."""
    size = FEW
    while rows := await _page(connection, table, after, size):
        yield rows
        after, size = table.key_of(rows[-1]), _size(rows)


async def between(connection: Connection, table: Table, after: Row | None, upto: Row | None) -> Sequence[Row]:
    """All rows that come after a key, up to another; None: from the first, to the last."""
    return await _page(connection, table, after, None, upto)


async def _page(
    connection: Connection, table: Table, after: Row | None, size: int | None, upto: Row | None = None
) -> Sequence[Row]:
    values: list[Any] = []
    conditions = [_beyond(table, sign, key, values) for sign, key in ((">", after), ("<=", upto)) if key is not None]
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    limit = f"LIMIT {size}" if size is not None else ""
    chosen, order = ", ".join(table.columns), ", ".join(table.key)
    return await connection.fetch(f"SELECT {chosen} FROM {table.name} {where} ORDER BY {order} {limit}", *values)


def _beyond(table: Table, sign: str, key: Row, values: list[Any]) -> str:
    places = ", ".join(f"${len(values) + number}" for number in range(1, len(key) + 1))
    values += key
    return f"({', '.join(table.key)}) {sign} ({places})"


def _size(rows: Sequence[Row]) -> int:
    weight = sum(len(value) if isinstance(value, str) else 8 for row in rows for value in row)
    return max(1, min(MANY, WEIGHT * len(rows) // weight))


@dataclass(frozen=True, slots=True)
class Fitting:
    """Makes rows such that a database in this dialect can hold them in this table of its own."""

    table: Table
    dialect: Dialect

    def fitted(self, rows: Sequence[Row]) -> tuple[Sequence[Row], list[str]]:
        """The rows, and a line for each text in which NUL became `INSTEAD`. Raises StoreError for a row that cannot be
        held even so."""
        if self.dialect.catalog.nul and not self.table.largest:
            return rows, []
        odd = {at: self._columns(row) for at, row in enumerate(rows) if self._is_odd(row)}
        cleaned = [_cleaned(row) if at in odd else row for at, row in enumerate(rows)]
        return cleaned, [f"{self.table.named(rows[at])}: {', '.join(columns)}" for at, columns in odd.items()]

    def _is_odd(self, row: Row) -> bool:
        for position, most in self.table.largest.items():
            if row[position] is not None and not -most <= row[position] <= most:
                raise StoreError(
                    f"{self.table.named(row)}: {row[position]} in {self.table.columns[position]} is more than the "
                    "target can hold: correct it in the source, then copy again"
                )
        return any(isinstance(value, str) and NUL in value for value in row)

    def _columns(self, row: Row) -> list[str]:
        """The columns that hold NUL. Raises StoreError where the key does, for then another row would be meant."""
        columns = [
            column
            for column, value in zip(self.table.columns, row, strict=True)
            if isinstance(value, str) and NUL in value
        ]
        if set(columns) & set(self.table.key):
            raise StoreError(
                f"{self.table.named(row)!a}: the key holds the character NUL, which the target cannot: "
                "correct it in the source, then copy again"
            )
        return columns


def _cleaned(row: Row) -> Row:
    return tuple(value.replace(NUL, INSTEAD) if isinstance(value, str) else value for value in row)


def insertion(table: Table) -> str:
    """The statement that adds a row."""
    places = ", ".join(f"${number}" for number in range(1, len(table.columns) + 1))
    return f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({places})"


def in_order(found: Iterable[Table], like: Table) -> Table:
    """The table of that name among these, its columns in the order of the other's. Raises StoreError when they are not
    the same."""
    match = next((table for table in found if table.name == like.name), None)
    if match is None or set(match.columns) != set(like.columns) or match.key != like.key:
        raise StoreError(f"the table {like.name} is not the same in source and target: copy with the version they need")
    return Table(match.name, like.columns, match.key, _moved(match, like))


def _moved(table: Table, like: Table) -> dict[int, int]:
    return {like.columns.index(table.columns[position]): most for position, most in table.largest.items()}
