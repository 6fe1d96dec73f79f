"""Tells an update that cannot be taken from a time in which none can, and keeps the log readable in such a time."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.engine import StoppingError
from bot.ports import Clock
from bot.remembering import Remembered

log = logging.getLogger(__name__)

SELDOM = timedelta(minutes=1)
MOST_FAILURES = 5
MOST_REMEMBERED = 1000
"""Failing updates."""


class Seldom:
    """Says yes at most once a minute: for what would otherwise be logged again and again."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: datetime | None = None

    def __call__(self) -> bool:
        now = self._clock.now()
        if self._last is not None and now - self._last < SELDOM:
            return False
        self._last = now
        return True


@dataclass(slots=True)
class _Failing:
    """An update that failed so often while others were taken, and how many had been when it last did."""

    failures: int = 0
    taken: int = -1


class Strikes:
    """Tells an update that cannot be taken from a time in which none can.

    What fails again and again while others succeed is at fault itself: it is passed over after a few failures, or it
    would be in the way of others for ever. While the store fails nothing is passed over: a failure counts only if
    another update was taken since the last. That the engine stops counts never.
    """

    def __init__(self, clock: Clock) -> None:
        self._taken = 0
        self._failing: Remembered[int, _Failing] = Remembered(MOST_REMEMBERED)
        self._seldom = Seldom(clock)

    def succeeded(self, number: int) -> None:
        """The update was taken."""
        self._taken += 1
        self._failing.pop(number, None)

    def failed(self, number: int, error: Exception) -> bool:
        """Whether the update that failed with `error` is to be passed over. Says so in the log, without its content."""
        if isinstance(error, StoppingError):
            return False
        failing = self._failing.get(number) or _Failing()
        if failing.taken != self._taken:
            failing.failures += 1
        failing.taken = self._taken
        if failing.failures >= MOST_FAILURES:
            self._failing.pop(number, None)
            log.error("update %d failed %d times and is passed over: it is lost", number, MOST_FAILURES, exc_info=error)
            return True
        self._failing[number] = failing
        if self._seldom():
            log.error("updates cannot be stored; they wait and are tried again: %s", error)
        return False
