"""The databases that the store has to work on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from tests.storage.building import PLATFORM


async def sqlite_file(folder: Path) -> Driver:
    return await SqliteDriver.open(str(folder / "quizbot.sqlite3"))


async def sqlite_memory(folder: Path) -> Driver:
    return await SqliteDriver.open(MEMORY)


DRIVERS = [sqlite_file, sqlite_memory]


@pytest.fixture(params=DRIVERS, ids=lambda maker: maker.__name__)
async def driver(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Driver]:
    """An empty database."""
    maker: Callable[[Path], Awaitable[Driver]] = request.param
    opened = await maker(tmp_path)
    yield opened
    await opened.close()


@pytest.fixture
async def store(driver: Driver) -> SqlStore:
    """A store in it, for the platform `test`."""
    made = SqlStore(driver, [PLATFORM])
    await made.migrate()
    return made
