"""Ids: when something was made, and a number that no other has. Knows nothing of what is made."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import Protocol

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Now(Protocol):
    """All that is wanted of a clock."""

    def now(self) -> datetime: ...


class RealTime:
    def now(self) -> datetime:
        return datetime.now(UTC)


class Snowflakes:
    """Ids of a clock's time. What is made at one moment stays in order."""

    def __init__(self, clock: Now) -> None:
        self._clock = clock
        self._numbers = itertools.count()

    def next(self, at: datetime | None = None) -> str:
        """A new id, made `at` a moment, now if none is given."""
        milliseconds = ((at or self._clock.now()) - EPOCH) // _MILLISECOND
        return str(milliseconds << 22 | next(self._numbers) & 0x3FFFFF)


def made_at(snowflake: str | int) -> datetime:
    """The moment in an id, in whole milliseconds."""
    return EPOCH + (int(snowflake) >> 22) * _MILLISECOND
