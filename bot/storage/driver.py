"""What a database driver gives the store: transactions, statements with `$1, $2, …`, and the words of its dialect."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Dialect:
    """The few words in which the databases differ.

    `json_field` is the text of the field `{name}` in a `{column}` of JSON, NULL where that is none. `json_texts` and
    `json_arrays` make the JSON array `$1`, of strings or of arrays, rows of `wanted` with a `value`.
    """

    id: str
    clustered: str
    json_field: str
    json_texts: str
    json_arrays: str
    for_update: str
    skip_locked: str

    def spell(self, statement: str) -> str:
        """A statement of a migration in this dialect."""
        host = self.json_field.format(column="state", name="host")
        return statement.format(id=self.id, clustered=self.clustered, host_of_state=host)


class Connection(Protocol):
    """One transaction's way to the database."""

    async def fetch(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        """Run a statement; its rows."""
        ...

    async def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Run a statement once for each row of values."""
        ...


class Driver(Protocol):
    """A database that can be asked. Raises StoreError for whatever goes wrong."""

    @property
    def dialect(self) -> Dialect: ...

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """Commits on leaving, rolls back on any error, also when cancelled."""
        ...

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        """A connection for statements that only read."""
        ...

    async def close(self) -> None: ...


async def first(connection: Connection, sql: str, *values: Any) -> Any:
    """The first column of the first row; None without rows."""
    rows = await connection.fetch(sql, *values)
    return rows[0][0] if rows else None
