"""Says on stderr how far a long job is: in a terminal by one line that moves, else by a line a step and one every few
seconds. Knows no job."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

EVERY = 5.0
"""Seconds between two lines about one step."""


class Lines:
    """For whoever reads it later, as in a log."""

    def __init__(self) -> None:
        self._doing, self._done, self._total, self._said = "", 0, 0, 0.0

    def begin(self, doing: str, done: int, total: int) -> None:
        self.end()
        self._doing, self._done, self._total, self._said = doing, done, total, time.monotonic()
        if done:
            click.echo(f"{doing}: {done:,} of {total:,} are there", err=True)

    def advance(self, rows: int) -> None:
        self._done += rows
        if time.monotonic() - self._said > EVERY:
            self._said = time.monotonic()
            click.echo(f"{self._doing}: {self._done:,} of {self._total:,}", err=True)

    def end(self) -> None:
        """Say what the last step came to."""
        if self._done:
            click.echo(f"{self._doing}: {self._done:,}", err=True)
        self._done = 0


class Bar:
    """For whoever looks on."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def begin(self, doing: str, done: int, total: int) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(doing, completed=done, total=total)

    def advance(self, rows: int) -> None:
        if self._task is not None:
            self._progress.advance(self._task, rows)


@contextmanager
def headway() -> Iterator[Lines | Bar]:
    """Whoever is told, as long as the job lasts."""
    if not sys.stderr.isatty():
        lines = Lines()
        yield lines
        lines.end()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield Bar(progress)


class Watch:
    """How long it has taken."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def rate(self, rows: int) -> str:
        """`1,234 rows in 2.0 s, 617 a second`."""
        seconds = max(time.monotonic() - self._began, 0.001)
        return f"{rows:,} rows in {seconds:.1f} s, {rows / seconds:,.0f} a second"
