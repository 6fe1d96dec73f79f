"""What holds for every run: it ends when it has ended, Ctrl-C means what it means wherever it was started, and it does
not pass when it was to check requests to Telegram and did not."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import ModuleType

import pytest

_status = pytest.StashKey[int]()
_spoke = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    """A run that was put into the background ignores Ctrl-C, and so would every program that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_call(item: pytest.Item) -> None:
    """Most tests with Telegram's server speak to it, but for its own."""
    names = getattr(item, "fixturenames", ())
    if "server" in names and "raw" not in names and "/telegram/server/" not in item.nodeid:
        item.config.stash[_spoke] = True


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK and _unchecked(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    session.config.stash[_status] = int(session.exitstatus)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say whether requests to Telegram were checked, where there can have been any."""
    contract = _contract()
    if contract is None or not (contract.checked or config.stash.get(_spoke, False)):
        return
    terminalreporter.write_sep("=", "contract of the Bot API")
    terminalreporter.write_line(contract.summary(), red=_unchecked(config))


def _contract() -> ModuleType | None:
    """Loaded by the tests that speak to Telegram; the others shall not wait for it."""
    return sys.modules.get("tests.telegram.server.contract")


def _unchecked(config: pytest.Config) -> bool:
    contract = _contract()
    return contract is not None and config.stash.get(_spoke, False) and contract.problem() is not None


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
