"""The ceiling on PostgreSQL: what bare psycopg makes of the same rows, grouped, as arrays, every commit on the disk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import Connection, RawCursor

from bot.ports import Changes
from bot.storage.postgres import COLUMNS, INSERT, Types, of_many
from tests.bench.ceiling import GROUP, written


async def answers_per_second(url: str, sample: Sequence[Changes]) -> float:
    """Rows of these changes a second, regrouped by GROUP answers, into a database whose tables are there and empty. A
    group is one trip."""
    with psycopg.connect(url, autocommit=True) as connection:
        types: dict[str, Types] = {}
        groups = [
            [_prepared(connection, sql, rows, types) for sql, rows in await written(sample[first : first + GROUP])]
            for first in range(0, len(sample), GROUP)
        ]
        cursor = RawCursor(connection)
        began = time.perf_counter()
        for group in groups:
            with connection.pipeline():
                cursor.execute("BEGIN")
                for statement, values in group:
                    cursor.execute(statement, values)
                cursor.execute("COMMIT")
        return len(sample) / (time.perf_counter() - began)


def _prepared(
    connection: Connection, sql: str, rows: list[tuple[Any, ...]], types: dict[str, Types]
) -> tuple[str, Sequence[Any]]:
    """One statement for all rows."""
    insert = INSERT.fullmatch(sql)
    if insert is None:
        raise ValueError(f"not a statement that inserts values: {sql}")
    table = insert["table"]
    if table not in types:
        types[table] = tuple(RawCursor(connection).execute(COLUMNS, [table]).fetchall())
    return of_many(sql, types[table]), [list(column) for column in zip(*rows, strict=True)]
