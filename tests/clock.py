"""A clock that moves only when a test says so."""

from __future__ import annotations

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count

from bot.codec import quantised

NOON = datetime(2025, 3, 3, 12, tzinfo=UTC)


class VirtualClock:
    """Aware UTC, whole milliseconds. Satisfies the clock port."""

    def __init__(self, start: datetime = NOON) -> None:
        self._now = quantised(start)
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._order = count()

    def now(self) -> datetime:
        return self._now

    async def sleep_until(self, moment: datetime) -> None:
        if moment <= self._now:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (moment, next(self._order), woken))
        await woken

    @property
    def alarms(self) -> list[datetime]:
        """The moments until which somebody sleeps now, in order."""
        return sorted(moment for moment, _, woken in self._sleepers if not woken.done())

    def advance(self, seconds: float) -> None:
        """Let this many seconds pass at once; sleepers whose moment has come wake in the order of their moments."""
        self._now = quantised(self._now + timedelta(seconds=seconds))
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)
