"""The SQLite file: held by one process, on the disk before anything counts, and clear about what is wrong with it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import pytest

from bot.ports import Changes, StoreError
from bot.storage.driver import first
from bot.storage.sql import SqlStore
from bot.storage.sqlite import SqliteDriver, open_sqlite
from tests.storage.building import CHAT, PLATFORM, a_response, a_session, begin, write

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quizbot.sqlite3"


@contextmanager
def another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has been asked to hold the file."""
    command = [sys.executable, "-m", "tests.storage.holder", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.fixture
def diary(path: Path) -> str:
    """The file is there, but it is something else."""
    text = "Dear diary, " * 1000
    path.write_text(text)
    return text


def contents(path: Path) -> str:
    return path.read_text()


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqlStore]:
    store = await open_sqlite(str(path), [PLATFORM])
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def driven(path: Path) -> AsyncIterator[SqliteDriver]:
    """The bare driver, on tables that are up to date."""
    driver = await SqliteDriver.open(str(path))
    try:
        await SqlStore(driver, [PLATFORM]).migrate()
        yield driver
    finally:
        await driver.close()


# One process a file


async def test_a_second_process_is_refused_and_told_who_holds_the_file_and_what_to_do(path: Path) -> None:
    async with opened(path) as store:
        with another_process(path) as second:
            line = said(second)
            assert second.wait() == 1
        assert f"another Quizbot is using {path} (process {os.getpid()}): stop it first" in line
        assert "QUIZBOT_DATABASE_URL" in line
        await begin(store)


async def test_a_file_that_another_process_holds_is_refused_here(path: Path) -> None:
    with another_process(path) as holder:
        assert said(holder) == "open\n"
        with pytest.raises(StoreError, match=rf"process {holder.pid}"):
            await open_sqlite(str(path), [PLATFORM])


async def test_a_second_opening_in_the_same_process_is_refused_until_the_first_is_closed(path: Path) -> None:
    async with opened(path):
        with pytest.raises(StoreError, match="another Quizbot is using"):
            await open_sqlite(str(path), [PLATFORM])
    async with opened(path):
        pass


async def test_the_same_file_under_another_name_is_refused_as_well(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite3"
    link.symlink_to(path)
    async with opened(path):
        with pytest.raises(StoreError, match="another Quizbot is using"):
            await open_sqlite(str(link), [PLATFORM])


async def test_a_holder_that_was_killed_no_longer_holds_the_file(path: Path) -> None:
    with another_process(path) as holder:
        assert said(holder) == "open\n"
        holder.kill()
        holder.wait()
        async with opened(path) as store:
            await begin(store)


# Files that will not do


async def test_what_is_not_a_database_is_left_alone_and_named(path: Path, diary: str) -> None:
    with pytest.raises(StoreError, match=r"quizbot\.sqlite3.*not an SQLite file: move it away or set QUIZBOT_DATABASE"):
        await open_sqlite(str(path), [PLATFORM])
    with another_process(path) as second:
        assert "not an SQLite file" in said(second)
    assert contents(path) == diary


async def test_a_folder_that_cannot_be_made_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="make its folder writable or set QUIZBOT_DATABASE_URL"):
        await open_sqlite(str(tmp_path / "file" / "quizbot.sqlite3"), [PLATFORM])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_a_folder_that_cannot_be_written_to_is_named_with_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with pytest.raises(StoreError, match="make its folder writable or set QUIZBOT_DATABASE_URL"):
        await open_sqlite(str(folder / "quizbot.sqlite3"), [PLATFORM])


async def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "quizbot.sqlite3"
    async with opened(path):
        assert path.exists()


# On the disk


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2)])
async def test_every_commit_is_on_the_disk_before_it_counts(path: Path, pragma: str, value: object) -> None:
    async with driven(path) as driver, driver.reading() as connection:
        assert await first(connection, f"PRAGMA {pragma}") == value


async def test_what_was_written_is_there_after_opening_the_file_again(path: Path) -> None:
    async with opened(path) as store:
        await begin(store)
    async with opened(path) as store:
        assert await store.session(CHAT) == a_session()


async def test_a_full_disk_is_said_and_leaves_nothing_half_done(path: Path) -> None:
    big = Changes(responses=[a_response()], quizzes={"digest": "x" * 100_000})
    async with driven(path) as driver:
        store = SqlStore(driver, [PLATFORM])
        await begin(store)
        async with driver.reading() as connection:
            pages = await first(connection, "PRAGMA page_count")
            await connection.fetch(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="full: free some space; nothing that was acknowledged is lost"):
            await write(store, big)
        async with driver.reading() as connection:
            for table in ("response", "quiz"):
                assert await first(connection, f"SELECT COUNT(*) FROM {table}") == 0  # noqa: S608  # of this line
            await connection.fetch("PRAGMA max_page_count = 1000000")
        await write(store, big)
        assert await store.session(CHAT) == a_session()


async def test_another_program_that_writes_to_the_file_is_said(path: Path) -> None:
    async with driven(path) as driver:
        store = SqlStore(driver, [PLATFORM])
        async with driver.reading() as connection:
            await connection.fetch("PRAGMA busy_timeout = 0")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="locked: another program is writing to it: close that program"):
                await store.prefer(CHAT, "language", "bg")
        await store.prefer(CHAT, "language", "bg")
