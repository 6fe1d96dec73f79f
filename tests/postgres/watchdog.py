"""Ends a PostgreSQL server of the tests when nobody uses it any more, however they ended: python watchdog.py FOLDER.

Everyone who uses the server holds the file `users` in its folder; the operating system lets go of it for them. Knows
nothing but that folder, so that it starts at once and no test can break it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
from pathlib import Path

USERS = "users"
PROCESS = "process"
"""The number of the server's process, there as long as it runs."""

STILL = 0.01
PATIENCE = 10.0


def end(folder: Path) -> None:
    """Stop the server in this folder, if it runs."""
    try:
        process = int((folder / PROCESS).read_text())
    except (OSError, ValueError):
        return
    held = folder / "data" / "postmaster.pid"  # whoever started the process may not have noticed its end
    last = time.monotonic() + PATIENCE
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGQUIT)
        while held.exists() and time.monotonic() < last:
            time.sleep(STILL)
        if held.exists():
            os.kill(process, signal.SIGKILL)


def watch(folder: Path) -> None:
    """Wait until nobody uses the server, then leave nothing of it."""
    with (folder / USERS).open("a") as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        end(folder)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    watch(Path(sys.argv[1]))
