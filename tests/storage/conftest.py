"""The databases that the store has to work on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from bot.storage.driver import Driver
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from tests.storage.building import PLATFORM


async def sqlite_file(request: pytest.FixtureRequest) -> Driver:
    folder: Path = request.getfixturevalue("tmp_path")
    return await SqliteDriver.open(str(folder / "quizbot.sqlite3"))


async def sqlite_memory(request: pytest.FixtureRequest) -> Driver:
    return await SqliteDriver.open(MEMORY)


async def postgres(request: pytest.FixtureRequest) -> Driver:
    return await PostgresDriver.open(request.getfixturevalue("postgres_url"), CONNECTIONS)


CONNECTIONS = 2
SQLITE = [sqlite_file, sqlite_memory]
DRIVERS = [*SQLITE, postgres]

on_sqlite = pytest.mark.parametrize("driver", SQLITE, indirect=True, ids=lambda maker: maker.__name__)
"""For a test of how SQLite goes about something."""


@pytest.fixture(params=DRIVERS, ids=lambda maker: maker.__name__)
async def driver(request: pytest.FixtureRequest) -> AsyncIterator[Driver]:
    """An empty database."""
    maker: Callable[[pytest.FixtureRequest], Awaitable[Driver]] = request.param
    opened = await maker(request)
    yield opened
    await opened.close()


@pytest.fixture
async def store(driver: Driver) -> SqlStore:
    """A store in it, for the platform `test`."""
    made = SqlStore(driver, [PLATFORM])
    await made.migrate()
    return made
