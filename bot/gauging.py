"""Brings the figures that stand in the store into the metrics, when somebody looks at them. Knows no scraper."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from bot import metrics
from bot.ports import Backlog, Clock, Store

log = logging.getLogger(__name__)

FRESH = timedelta(seconds=5)
"""For so long figures are not counted anew, however many look."""

PATIENCE = 2.0
"""Seconds that the store may take; whoever looks wants the other figures, above all when it does not answer."""


class Gauges:
    """The gauges of what waits and what runs in `store`, as soon as there is one."""

    def __init__(self, clock: Clock) -> None:
        self.store: Store | None = None
        self._clock = clock
        self._looked: datetime | None = None

    async def refresh(self) -> None:
        """Count, unless that was just done. What cannot be counted is left out: no old figure shall look like new."""
        now = self._clock.now()
        if self.store is None or (self._looked is not None and timedelta(0) <= now - self._looked < FRESH):
            return
        self._looked = now
        try:
            async with asyncio.timeout(PATIENCE):
                found = await self.store.backlog()
        except Exception as error:
            log.warning("what waits in the database cannot be counted: %s", str(error) or type(error).__name__)
            found = {}
        _set(found, now)


def _set(found: Mapping[str, Backlog], now: datetime) -> None:
    for gauge in (metrics.OUTBOX_POSTS, metrics.OUTBOX_OLDEST_SECONDS, metrics.LIVE_SESSIONS):
        gauge.clear()
    for platform, each in found.items():
        age = (now - each.oldest).total_seconds() if each.oldest else 0.0
        metrics.OUTBOX_POSTS.labels(platform, "waiting").set(each.waiting)
        metrics.OUTBOX_POSTS.labels(platform, "refused").set(each.refused)
        metrics.OUTBOX_OLDEST_SECONDS.labels(platform).set(max(age, 0.0))
        metrics.LIVE_SESSIONS.labels(platform).set(each.sessions)
