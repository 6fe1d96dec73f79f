"""What goes wrong with a file and its disk while Quizbot runs: each is said with what to do, nothing is half done, and
what can be mended is used again without a restart."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest

from bot.ports import Changes, StoreError
from bot.storage.driver import first
from bot.storage.sql import SqlStore
from bot.storage.sqlite import SqliteDriver, open_sqlite
from tests.storage.building import CHAT, PLATFORM, a_response, a_session, begin, write

BIG = Changes(responses=[a_response()], quizzes={"digest": "x" * 3_000_000})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "quizbot.sqlite3"


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqlStore]:
    """A store in the file that waits for nobody."""
    driver = await SqliteDriver.open(str(path))
    store = SqlStore(driver, [PLATFORM])
    try:
        await store.migrate()
        async with driver.reading() as connection:
            await connection.fetch("PRAGMA busy_timeout = 0")
        yield store
    finally:
        await store.close()


async def count(path: Path, table: str) -> int:
    """How many rows there are, as another program sees it."""
    with closing(sqlite3.connect(path)) as other:
        found: int = other.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]  # noqa: S608  # of this module
    return found


def contents(path: Path) -> bytes:
    return path.read_bytes()


def replaced(path: Path, kept: Path) -> bytes:
    """Move the file to `kept` and put a copy in its place; what is in that."""
    path.rename(kept)
    shutil.copy(kept, path)
    return contents(path)


def begun(path: Path) -> None:
    """Somebody has made the file, and nothing more."""
    path.parent.mkdir()
    path.touch()


@contextmanager
def no_more_than(size: int) -> Iterator[None]:
    """No file of this process can be larger, as on a disk that is full."""
    import resource
    import signal

    before, action = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, action)


@pytest.mark.skipif(os.name != "posix", reason="this system cannot be told how large a file may be")
async def test_while_nothing_more_fits_on_the_disk_nothing_is_kept_and_afterwards_everything_is(path: Path) -> None:
    async with opened(path) as store:
        await begin(store)
        with no_more_than(1_000_000):
            with pytest.raises(StoreError, match=r"quizbot\.sqlite3: .*(disk|full|I/O)"):
                await write(store, BIG)
            assert await store.session(CHAT) == a_session()
        assert (await count(path, "response"), await count(path, "quiz")) == (0, 0)
        await write(store, BIG)
        assert (await count(path, "response"), await count(path, "quiz")) == (1, 1)


async def test_while_another_program_writes_nothing_is_kept_but_everything_can_be_read(path: Path) -> None:
    async with opened(path) as store:
        await begin(store)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="locked: another program is writing to it: close that program"):
                await write(store, BIG)
            assert await store.session(CHAT) == a_session()
        await write(store, BIG)


@pytest.mark.parametrize("lost", ["file", "folder"])
async def test_a_file_that_is_deleted_or_moved_while_it_is_in_use_is_said_at_the_next_write(
    lost: str, path: Path, tmp_path: Path
) -> None:
    """What is written to a file that has no name any more is lost with the process: so nothing is."""
    async with opened(path) as store:
        await begin(store)
        gone = path if lost == "file" else path.parent
        gone.rename(tmp_path / "elsewhere")
        with pytest.raises(StoreError, match=r"quizbot\.sqlite3: .*put it back, or stop Quizbot"):
            await write(store, BIG)
        (tmp_path / "elsewhere").rename(gone)
        await write(store, BIG)
        assert await count(path, "response") == 1


async def test_a_file_that_is_replaced_by_another_is_said_and_neither_is_written_to(path: Path, tmp_path: Path) -> None:
    async with opened(path) as store:
        await begin(store)
        before = replaced(path, tmp_path / "kept.sqlite3")
        with pytest.raises(StoreError, match="another file has taken its place: put it back"):
            await write(store, BIG)
        assert contents(path) == before


async def test_a_file_that_may_not_be_written_to_is_said_with_what_to_do(path: Path) -> None:
    async with opened(path) as store:
        await begin(store)
        async with store._driver.reading() as connection:
            await connection.fetch("PRAGMA query_only = ON")
        with pytest.raises(StoreError, match="readonly database: make the file and its folder writable"):
            await write(store, BIG)
        assert await store.session(CHAT) == a_session()
        async with store._driver.reading() as connection:
            await connection.fetch("PRAGMA query_only = OFF")
        await write(store, BIG)


async def test_a_damaged_page_is_said_with_what_to_do(path: Path) -> None:
    async with opened(path) as store:
        await begin(store)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096 * 200)
    with pytest.raises(StoreError, match="damaged: restore a backup"):
        await _used(path)


async def _used(path: Path) -> None:
    async with opened(path) as store:
        await write(store, BIG)


async def test_a_file_that_is_cut_short_is_said_with_what_to_do(path: Path) -> None:
    async with opened(path) as store:
        await begin(store)
    os.truncate(path, 4096)
    with pytest.raises(StoreError, match="damaged: restore a backup"):
        await _used(path)


async def test_an_empty_file_is_a_new_database(path: Path) -> None:
    begun(path)
    store = await open_sqlite(str(path), [PLATFORM])
    try:
        await begin(store)
        async with store._driver.reading() as connection:
            assert await first(connection, "PRAGMA integrity_check") == "ok"
    finally:
        await store.close()
