"""SQLite: one process, one connection, one writer at a time, every commit on the disk before it counts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sqlite3
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import aiosqlite
from filelock import FileLock, Timeout

from bot.ports import StoreError
from bot.storage.driver import Catalog, Dialect
from bot.storage.sql import SqlStore, opened, opened_to_read

OLDEST = (3, 38)
"""The first SQLite with `->>`."""

MEMORY = ":memory:"
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "temp_store=MEMORY", "cache_size=-65536")
CATALOG = Catalog(
    columns="""
        SELECT found.name, field.name, field.pk, NULL
        FROM sqlite_master AS found, pragma_table_info(found.name) AS field
        WHERE found.type = 'table' AND found.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY found.name, field.cid
    """,
    nul=True,
    # Nothing is noted of a table that has never had a row; without any such table there is no such note at all.
    numbers="SELECT name, seq FROM sqlite_sequence",
    number_on=(
        "DELETE FROM sqlite_sequence WHERE name = $1",
        "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)",
    ),
    patience=(),
    waiting=(),
    waited=(),
    identity="SELECT file FROM pragma_database_list WHERE name = 'main'",
)
DIALECT = Dialect(
    shared=False,
    # A number that is never given again: a platform that drops what it has seen before knows posts by theirs.
    id="INTEGER PRIMARY KEY AUTOINCREMENT",
    clustered="WITHOUT ROWID",
    text="TEXT",
    json_field="CASE WHEN json_valid({column}) THEN {column} ->> '{name}' END",
    json_texts="json_each($1) AS wanted",
    json_arrays="json_each($1) AS wanted",
    queue="",
    beside="",
    catalog=CATALOG,
)


@cache
def positional(sql: str) -> tuple[str, tuple[int, ...]]:
    """The statement with `?` for each `$1`, and which value each of these takes. (`?1` would say it more simply, but
    from Python 3.12 on the sqlite3 module takes that for a name.)"""
    return re.sub(r"\$\d+", "?", sql), tuple(int(number) - 1 for number in re.findall(r"\$(\d+)", sql))


def _placed(values: tuple[Any, ...], places: tuple[int, ...]) -> tuple[Any, ...]:
    return tuple(values[place] for place in places)


class SqliteConnection:
    """A transaction's way to the one connection."""

    def __init__(self, raw: aiosqlite.Connection) -> None:
        self._raw = raw

    async def fetch(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        statement, places = positional(sql)
        rows = await self._raw.execute_fetchall(statement, _placed(values, places))
        return list(rows)  # type: ignore[arg-type]  # rows are tuples

    async def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            statement, places = positional(sql)
            in_order = places == tuple(range(len(places)))
            cursor = await self._raw.executemany(statement, rows if in_order else list(map(itemgetter(*places), rows)))
            await cursor.close()


class SqliteDriver:
    """The driver port on one file, or in memory."""

    dialect = DIALECT

    def __init__(self, raw: aiosqlite.Connection, path: str, lock: FileLock | None) -> None:
        self._raw = raw
        self._path = path
        self._file_lock = lock
        self._connection = SqliteConnection(raw)
        self._turn = asyncio.Lock()
        self._file = None if path == MEMORY else _identity(path)

    @classmethod
    async def open(cls, path: str, *, alone: bool = True) -> SqliteDriver:
        """Open the file, made with its folder when missing. Raises StoreError, also while another process has it; not
        `alone`: it is one that nobody else knows of."""
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: Quizbot needs 3.38 or newer")
        lock = locked(Path(path)) if alone and path != MEMORY else None
        try:
            raw = await aiosqlite.connect(path, isolation_level=None)
            try:
                for pragma in PRAGMAS:
                    await raw.execute_fetchall(f"PRAGMA {pragma}")
            except BaseException:
                await raw.close()
                raise
        except BaseException as error:
            if lock:
                lock.release()
            if isinstance(error, sqlite3.Error):
                raise explained(error, path) from error
            raise
        return cls(raw, path, lock)

    @classmethod
    async def open_to_read(cls, path: str, *, alone: bool = False) -> SqliteDriver:
        """Open a file that exists, also while another process has it, unless `alone`; nothing can be written. Raises
        StoreError."""
        lock = locked(Path(path)) if alone else None
        try:
            return await cls._open_to_read(path, lock)
        except BaseException:
            if lock:
                lock.release()
            raise

    @classmethod
    async def _open_to_read(cls, path: str, lock: FileLock | None) -> SqliteDriver:
        try:
            # Where this fails, aiosqlite would leave its thread to itself.
            sqlite3.connect(_existing(path), uri=True).close()
            raw = await aiosqlite.connect(_existing(path), uri=True, isolation_level=None)
            try:
                await raw.execute_fetchall("PRAGMA query_only=ON")
            except BaseException:
                await raw.close()
                raise
        except sqlite3.Error as error:
            raise explained(error, path) from error
        return cls(raw, path, lock)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[SqliteConnection]:
        async with self._turn:
            try:
                try:
                    await self._raw.execute_fetchall("BEGIN IMMEDIATE")
                    yield self._connection
                    self._check_file()
                    await self._raw.execute_fetchall("COMMIT")
                except BaseException:
                    # Also when cancelled, be it on the way in: whoever comes next must not find a transaction open.
                    await asyncio.shield(self._raw.rollback())
                    raise
            except sqlite3.Error as error:
                raise explained(error, self._path) from error

    def _check_file(self) -> None:
        """Whether the file is still in its place: what is written to one without a name is lost with the process."""
        found = _identity(self._path) if self._file else None
        if found != self._file:
            what = "another file has taken its place" if found else "it is not there any more"
            raise StoreError(
                f"database {self._path}: {what}: put it back, or stop Quizbot and restore a backup; nothing is written"
            )

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[SqliteConnection]:
        async with self._turn:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise explained(error, self._path) from error

    async def close(self) -> None:
        try:
            async with self._turn:
                await self._raw.close()
        finally:
            if self._file_lock:
                self._file_lock.release()


def _identity(path: str) -> tuple[int, int] | None:
    """What tells a file from another of the same name; None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  # for every transaction
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _existing(path: str) -> str:
    """The file, not to be made. Opened for writing all the same: one opened for reading leaves its journal behind."""
    return f"{Path(path).absolute().as_uri()}?mode=rw"


def locked(path: Path) -> FileLock:
    """Hold the file for this process; the operating system lets go of it however the process ends."""
    path = path.resolve()  # the same file by another name is the same file
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(f"{path}.lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreError(
            f"another Quizbot is using {path}{_holder(path)}: stop it first, "
            "or set QUIZBOT_DATABASE_URL to another file (sqlite:///path/to/other.sqlite3)"
        ) from None
    except OSError as error:
        raise StoreError(
            f"cannot use {path} ({error.strerror}): make its folder writable or set QUIZBOT_DATABASE_URL"
        ) from error
    with contextlib.suppress(OSError):
        _holder_file(path).write_text(str(os.getpid()))
    return lock


def _holder_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.pid")


def _holder(path: Path) -> str:
    try:
        return f" (process {int(_holder_file(path).read_text())})"
    except (OSError, ValueError):
        return ""


def explained(error: sqlite3.Error, path: str) -> StoreError:
    """What SQLite's words mean for the one who runs this."""
    text = str(error)
    remedies = {
        "disk is full": "free some space; nothing that was acknowledged is lost",
        "readonly": "make the file and its folder writable",
        "not a database": "it is not an SQLite file: move it away or set QUIZBOT_DATABASE_URL to another",
        "malformed": "it is damaged: restore a backup",
        "unable to open": "check that its folder exists and is writable",
        "locked": "another program is writing to it: close that program",
    }
    remedy = next((f": {remedy}" for words, remedy in remedies.items() if words in text), "")
    return StoreError(f"database {path}: {text}{remedy}")


async def open_sqlite(path: str, platforms: Collection[str], worker: str = "alone") -> SqlStore:
    """The store in this file (or `:memory:`) for these platforms, its tables brought up to date."""
    return await opened(await SqliteDriver.open(path), platforms, worker)


async def open_sqlite_to_read(path: str) -> SqlStore:
    """The store in a file that exists, only to look into, also while another process has it. Raises StoreError, also
    when its tables are not those of this version."""
    return await opened_to_read(await SqliteDriver.open_to_read(path))
