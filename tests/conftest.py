"""What holds for every run: it ends when it has ended, Ctrl-C means what it means wherever it was started, and it does
not pass when it was to check requests to a platform and did not."""

from __future__ import annotations

import os
import signal
import sys
import threading
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import tests.seed  # noqa: F401  # drawn before other processes are started, which have to draw the same

pytest_plugins = ["tests.postgres.fixtures"]

_status = pytest.StashKey[int]()
_spoke = pytest.StashKey[set[str]]()

_APIS = {"telegram": "the Bot API", "discord": "Discord's API"}
"""The platforms with a server of the tests, and what requests to each are held against."""

_CONTRACT = "tests.{}.server.contract"
_OUTPUT = "contracts"


def pytest_configure(config: pytest.Config) -> None:
    """A run that was put into the background ignores Ctrl-C, and so would every program that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_call(item: pytest.Item) -> None:
    """Most tests with a platform's server speak to it, but for its own."""
    names = getattr(item, "fixturenames", ())
    platform = "discord" if "/discord/" in item.nodeid else "telegram"
    if "server" in names and "raw" not in names and f"/{platform}/server/" not in item.nodeid:
        item.config.stash.setdefault(_spoke, set()).add(platform)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # one of several processes: the first of them adds up what all have checked
        output[_OUTPUT] = {
            platform: (contract.checked, _has_spoken(session.config, platform))
            for platform in _APIS
            if (contract := _contract(platform))
        }
    elif exitstatus == pytest.ExitCode.OK and any(_unchecked(session.config, platform) for platform in _APIS):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    session.config.stash[_status] = int(session.exitstatus)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Another process has run its share of the tests."""
    for platform, (checked, spoke) in getattr(node, "workeroutput", {}).get(_OUTPUT, {}).items():
        contract: Any = import_module(_CONTRACT.format(platform))
        contract.checked += checked
        if spoke:
            node.config.stash.setdefault(_spoke, set()).add(platform)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say whether requests to each platform were checked, where there can have been any."""
    for platform, api in _APIS.items():
        contract = _contract(platform)
        if contract is not None and (contract.checked or _has_spoken(config, platform)):
            terminalreporter.write_sep("=", f"contract of {api}")
            terminalreporter.write_line(contract.summary(), red=_unchecked(config, platform))


def _contract(platform: str) -> ModuleType | None:
    """Loaded by the tests that speak to the platform; the others shall not wait for it."""
    return sys.modules.get(_CONTRACT.format(platform))


def _has_spoken(config: pytest.Config, platform: str) -> bool:
    return platform in config.stash.get(_spoke, set())


def _unchecked(config: pytest.Config, platform: str) -> bool:
    contract = _contract(platform)
    return contract is not None and _has_spoken(config, platform) and contract.problem() is not None


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
