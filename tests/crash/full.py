"""`python -m tests.crash.full`: kills hard, judges what is left as the tests do, and prints what it came to."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.crash import scales
from tests.crash.aftermath import Aftermath
from tests.crash.killing import ROOT


class Telling:
    """A plug-in that prints a line about every aftermath."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, request: pytest.FixtureRequest) -> Generator[None, object, object]:
        """Whatever a test asked for is there."""
        made = yield
        if isinstance(made, Aftermath):
            self._lines.append(f"{request.param}: {summed(made)}")
        return made

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """All tests have been run."""
        for line in self._lines:
            terminalreporter.write_line(line)


def summed(after: Aftermath) -> str:
    """What it came to, in a line."""
    killed = after.killed
    kept = len({response for response, _ in after.acknowledged})
    lost = sum(response not in after.responses for response, _ in after.acknowledged)
    away = ", ".join(f"{seconds:.1f} s" for seconds in killed.away)
    return (
        f"{len(killed.exits)} processes killed"
        + (f" and the server {len(killed.away)} times (away {away})" if killed.away else "")
        + f" in {killed.took:.0f} s; {kept:,} responses acknowledged, {lost} of them lost;"
        f" {len(after.responses):,} in the database, {len(after.sessions):,} sessions;"
        f" {len(after.shown):,} messages shown or edited, {after.undelivered} undelivered"
    )


def main() -> int:
    """Judge in this process; the exit code."""
    os.environ[scales.FULL] = "full"
    folder = str(Path(__file__).parent.relative_to(ROOT))
    return pytest.main([folder, "-q", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[Telling()])


if __name__ == "__main__":
    sys.exit(main())
