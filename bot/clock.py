"""The real clock, and an alarm that waits for a moment or for someone to ring it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from bot.codec import quantised
from bot.ports import Clock

LONGEST_NAP = 30.0
"""Seconds; a wall clock that is set while somebody sleeps is noticed after this."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        return quantised(datetime.now(UTC))

    async def sleep_until(self, moment: datetime) -> None:
        # A clock has no event to wait for.
        while (left := (moment - self.now()).total_seconds()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(min(left, LONGEST_NAP))


class Alarm:
    """Wakes one waiter at a moment, or as soon as it is rung. A ring while nobody waits is kept."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake the waiter now."""
        self._rung.set()

    async def wait(self, until: datetime | None) -> None:
        """Return at `until` (None: never by itself) or when rung, whichever comes first."""
        waits: set[asyncio.Future[object]] = {asyncio.ensure_future(self._rung.wait())}
        if until is not None:
            waits.add(asyncio.ensure_future(self._clock.sleep_until(until)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        self._rung.clear()
