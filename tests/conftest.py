"""What holds for every test: a run that has ended does end, and Ctrl-C means what it means wherever it was started."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

_status = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """A run that was put into the background ignores Ctrl-C, and so would every program that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[_status] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """A test that failed may leave the thread of a database connection behind, and the process would wait for ever."""
    left = [
        thread.name for thread in threading.enumerate() if not thread.daemon and thread is not threading.main_thread()
    ]
    if left:
        sys.stderr.write(f"left running by a test: {', '.join(left)}\n")
        sys.stderr.flush()
        os._exit(config.stash.get(_status, 0) or 1)
