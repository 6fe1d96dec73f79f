"""One server for all processes of a test run: the first that wants it starts it, the others find it in a note."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from filelock import FileLock

from tests.postgres.server import Server, begin, use

NOTE = "postgres.json"


@contextmanager
def shared(folder: Path) -> Iterator[str]:
    """The address of a database on the server of all who share this folder. Whoever started it stays until the others
    have left. Raises ServerError."""
    with FileLock(folder / f"{NOTE}.lock"):
        users, url = _joined(folder / NOTE) or _begun(folder / NOTE)
    try:
        yield url
    finally:
        users.close()


def _joined(note: Path) -> tuple[Server | IO[str], str] | None:
    """The server that another process has started, unless it has ended."""
    try:
        found = json.loads(note.read_text())
        return use(Path(found["home"])), found["url"]
    except OSError:
        return None


def _begun(note: Path) -> tuple[Server | IO[str], str]:
    made = begin()
    note.write_text(json.dumps({"home": str(made.home), "url": made.url()}))
    return made, made.url()
