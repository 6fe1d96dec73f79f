"""Whole copies of an SQLite file: made while others write to it, looked through, and put in their place in one step.
Knows no bot; whoever calls waits until it is done."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from bot.codec import moment
from bot.ports import StoreError
from bot.storage.copying import LEFT, Headway
from bot.storage.migrating import COPYING
from bot.storage.sqlite import explained
from bot.stored import TABLES

PAGES, PAUSE = 256, 0.002
"""How much is copied at a time, in pages of usually 4 KB, and how long others have the disk after that, in seconds."""

JOURNALS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a file: its schema (0: it is none of ours), rows by table, and when a platform was last served."""

    version: int
    rows: Mapping[str, int]
    served: datetime | None
    whole: bool = True

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.rows.values())


def copied(source: Path, target: Path, headway: Headway) -> Contents:
    """Copy everything as it is at this moment, whoever writes meanwhile; what that was. Raises StoreError."""
    with _opened(source) as origin, _opened(target) as copy:
        # The copy would begin anew with everything that others write, if this did not hold on to the moment.
        origin.execute("BEGIN")
        found = _contents(origin)
        with _said_of(target):
            _copy(origin, copy, headway)
    return found


def _copy(origin: sqlite3.Connection, copy: sqlite3.Connection, headway: Headway) -> None:
    (total,) = origin.execute("PRAGMA page_count").fetchone()
    headway.begin("copying pages", 0, total)

    def copied_some(_: int, rest: int, all_: int) -> None:
        nonlocal total
        headway.advance(total - rest if rest < all_ else 0)
        total = rest
        time.sleep(PAUSE)

    origin.backup(copy, pages=PAGES, progress=copied_some)


def settled(path: Path) -> Contents:
    """Make a file that nobody uses one that needs nothing beside it, without what processes noted of themselves, and
    look all of it through; what is in it. Raises StoreError, also where it is damaged."""
    with _opened(path) as file:
        names = _names(file)
        for name in {"worker", "lease"} & names:
            file.execute(f"DELETE FROM {name}")
        file.execute("PRAGMA journal_mode=DELETE")
        (said, *_) = file.execute("PRAGMA integrity_check(1)").fetchall()
        if said != ("ok",):
            raise StoreError(f"database {path}: {' '.join(str(said[0]).split())}: it is damaged; take an older backup")
        return _contents(file)


def contents(path: Path) -> Contents:
    """What is in a file, also while others use it. Raises StoreError."""
    with _opened(path) as file:
        return _contents(file)


def _contents(file: sqlite3.Connection) -> Contents:
    names = _names(file)
    version = served = None
    if "schema_version" in names:
        (version,) = file.execute("SELECT MAX(version) FROM schema_version").fetchone()
    if "heartbeat" in names:
        (served,) = file.execute("SELECT MAX(at) FROM heartbeat").fetchone()
    rows = {name: file.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in TABLES if name in names}
    moved = {name: count for name, count in rows.items() if name not in LEFT}
    return Contents(version or 0, moved, None if served is None else moment(served), COPYING not in names)


def _names(file: sqlite3.Connection) -> set[str]:
    return {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with (
        _said_of(path),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as file,
    ):
        yield file


@contextmanager
def _said_of(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, str(path)) from error


# Files


@contextmanager
def unfinished(file: Path, suffix: str) -> Iterator[Path]:
    """A new, empty file beside this one, for nobody else to read; it is gone in the end, if it was not put in place.
    Raises StoreError where another process makes one, OSError where it cannot be made."""
    path = file.with_name(f"{file.name}{suffix}")
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreError(f"another process is writing {path}: wait until it has ended") from None
    try:
        remove(path)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield path
    finally:
        remove(path)
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


def remove(path: Path) -> None:
    """Delete a file with what SQLite keeps beside it."""
    path.unlink(missing_ok=True)
    remove_journals(path)


def remove_journals(path: Path) -> None:
    """Delete what SQLite keeps beside a file; played into another file of that name it would spoil that."""
    for suffix in JOURNALS:
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


def put_in_place(path: Path, file: Path) -> None:
    """Give a finished file its name, in the place of the one that has it. Raises OSError."""
    _to_the_disk(path)
    path.replace(file)
    if os.name == "posix":
        _to_the_disk(file.parent)


def _to_the_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def close_journal(file: Path) -> None:
    """Take what is in the journal of a file that nobody uses into the file, where it can still be read."""
    with contextlib.suppress(StoreError), _opened(file) as old:
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        old.execute("PRAGMA journal_mode=DELETE")


def owned_like(path: Path, example: Path) -> None:
    """Let the file belong to whom the example belongs, where this user may do that."""
    if os.name != "posix":
        return
    wanted = example.stat()
    with contextlib.suppress(OSError):
        os.chown(path, wanted.st_uid, wanted.st_gid)
        if example.is_file():
            path.chmod(wanted.st_mode & 0o777)
