"""What a database driver gives the store: transactions, statements with `$1, $2, …`, and the words of its dialect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Catalog:
    """How a database says what is in it, for whoever takes an installation elsewhere.

    `columns` finds each column: table, column, its place in the primary key (0: it is in none), the largest number it
    holds (NULL: any that a row can have); a table's columns together and in order. `nul`: whether a text can hold the
    character of that name. `numbers` finds each table that numbers its rows, with the last number that was given (NULL:
    none); `number_on` are the statements after which those of table `$1` go on after `$2`. `patience` lets one
    transaction take its time. `waiting` lets its statements and its locks take theirs, and after `waited` only its
    statements. `identity` is the same text for the same database, by whichever address it is reached.
    """

    columns: str
    nul: bool
    numbers: str
    number_on: tuple[str, ...]
    patience: tuple[str, ...]
    waiting: tuple[str, ...]
    waited: tuple[str, ...]
    identity: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """The few words in which the databases differ.

    `shared`: several processes may use the database at once, so rows are locked. `text` is the type of a text that
    sorts by its code points. `json_field` is the text of the field `{name}` in a `{column}` of JSON, NULL where that is
    none. `json_texts` and `json_arrays` make the JSON array `$1`, of strings or of arrays, rows of `wanted` with a
    `value`. `queue` lets one transaction at a time go on from here of those that name the same `$1`, `beside` any
    number of others, but not beside that one; "" where there is one transaction at a time anyway. `catalog` says what
    there is.
    """

    shared: bool
    id: str
    clustered: str
    text: str
    json_field: str
    json_texts: str
    json_arrays: str
    queue: str
    beside: str
    catalog: Catalog

    def spell(self, statement: str) -> str:
        """A statement of a migration in this dialect."""
        host = self.json_field.format(column="state", name="host")
        spelled = statement.format(id=self.id, clustered=self.clustered, host_of_state=host)
        return re.sub(r"\bTEXT\b", self.text, spelled)

    def held(self, table: str) -> str:
        """The end of a query that keeps others from changing the rows of a table it found, and waits for those who do
        just now."""
        return f"FOR UPDATE OF {table}" if self.shared else ""

    def free(self, table: str) -> str:
        """The same, without waiting: rows that others are changing are not found."""
        return f"FOR UPDATE OF {table} SKIP LOCKED" if self.shared else ""


class Connection(Protocol):
    """One transaction's way to the database."""

    async def fetch(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        """Run a statement; its rows, none for one that has none to give."""
        ...

    async def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Run a statement once for each row of values. Where it inserts, no two rows may have the same key."""
        ...


class Driver(Protocol):
    """A database that can be asked. Raises StoreError for whatever goes wrong."""

    @property
    def dialect(self) -> Dialect: ...

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """Commits on leaving, rolls back on any error, also when cancelled."""
        ...

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        """A connection for statements that only read, all of the same moment."""
        ...

    async def close(self) -> None: ...


async def first(connection: Connection, sql: str, *values: Any) -> Any:
    """The first column of the first row; None without rows."""
    rows = await connection.fetch(sql, *values)
    return rows[0][0] if rows else None


async def queue(connection: Connection, dialect: Dialect, name: str) -> None:
    """Go on when no other transaction is beyond the queue of this name, until the end of this one."""
    if dialect.queue:
        await connection.write(dialect.queue, [(name,)])


async def beside(connection: Connection, dialect: Dialect, name: str) -> None:
    """Go on beside others that say the same, but not beside one that is beyond the queue of this name."""
    if dialect.beside:
        await connection.write(dialect.beside, [(name,)])
