"""Opens the database that an address names, by whichever driver it takes; one whose library is missing says so."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from bot import forms
from bot.ports import StoreError
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore

MEMORY = ":memory:"
MISSING = "psycopg is not installed; run: pip install 'quizbot[postgres]'"


def is_shared(url: str) -> bool:
    """Whether it is a database that several processes may use at once."""
    return url.partition("://")[0] in forms.POSTGRES


def path_of(url: str) -> str:
    """The SQLite file, relative to the current folder or absolute, or `:memory:`."""
    return url.removeprefix("sqlite://").removeprefix("/")


def name_of(url: str) -> str:
    """What the database is called where everybody can read it: nothing of user and password."""
    if not is_shared(url):
        return path_of(url)
    _check()
    from bot.storage.postgres import place_of

    return place_of(url)


async def opened(url: str, platforms: Collection[str], *, connections: int, worker: str) -> SqlStore:
    """The store for these platforms, as `worker` uses it, its tables brought up to date. Raises StoreError."""
    if is_shared(url):
        _check()
        from bot.storage.postgres import open_postgres

        return await open_postgres(url, platforms, connections, worker)
    from bot.storage.sqlite import open_sqlite

    return await open_sqlite(path_of(url), platforms, worker)


async def opened_to_read(url: str) -> SqlStore:
    """The store, only to look into, also while others use it. Raises StoreError, also when its tables are not those of
    this version."""
    if is_shared(url):
        _check()
        from bot.storage.postgres import open_postgres_to_read

        return await open_postgres_to_read(url)
    from bot.storage.sqlite import open_sqlite_to_read

    return await open_sqlite_to_read(path_of(url))


async def driver(url: str) -> Driver:
    """The database itself, whatever its tables are. An SQLite file is made when it is missing, and held. Raises
    StoreError."""
    if is_shared(url):
        _check()
        from bot.storage.postgres import PostgresDriver

        return await PostgresDriver.open(url, 2)
    from bot.storage.sqlite import SqliteDriver

    return await SqliteDriver.open(path_of(url))


async def driver_to_read(url: str) -> Driver:
    """The database itself, whatever its tables are, only to read all of it; nobody else gets an SQLite file meanwhile.
    Raises StoreError."""
    if is_shared(url):
        return await driver(url)
    from bot.storage.sqlite import SqliteDriver

    return await SqliteDriver.open_to_read(path_of(url), alone=True)


def is_there(url: str) -> bool:
    """Whether there is such a database, as far as that can be seen without asking it."""
    return is_shared(url) or path_of(url) == MEMORY or Path(path_of(url)).exists()


def _check() -> None:
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise StoreError(MISSING)
