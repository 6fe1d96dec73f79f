"""Fires deadlines: sleeps until the next one that the store knows of. There is no other timer."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from bot.clock import Alarm
from bot.core import timing
from bot.core.events import DeadlinePassed
from bot.engine import Engine
from bot.ports import Clock, Due, Store

log = logging.getLogger(__name__)

MOST_AT_ONCE = 256
MOST_CAUGHT_UP = 100_000
REST = timedelta(seconds=1)
"""How long to wait after deadlines that could not be fired."""


class Ticker:
    """Tells the engine of every deadline that passes."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._alarm = Alarm(clock)
        self._asleep_until: datetime | None = None

    def expect(self, deadline: datetime) -> None:
        """A deadline was set; wake up for it if it comes first."""
        if self._asleep_until is None or deadline < self._asleep_until:
            self._alarm.ring()

    def look(self) -> None:
        """A deadline that was held up may be no longer."""
        self._alarm.ring()

    async def run(self, engine: Engine) -> None:
        """Fire deadlines until cancelled."""
        while True:
            self._asleep_until = None
            try:
                failed = await self.fire_due(engine)
                self._asleep_until = await self._next(failed)
            except Exception:
                log.exception("deadlines cannot be read")
                self._asleep_until = self._clock.now() + REST
            await self._alarm.wait(self._asleep_until)

    async def _next(self, failed: int) -> datetime | None:
        now = self._clock.now()
        return now + REST if failed else await self._store.next_wake(now)

    async def catch_up(self, engine: Engine) -> None:
        """Give every chat whose clock runs a turn, once after a start: a turn gives back what the outage took.

        Without this, players would see the new end of their time only when the old one has come.
        """
        now = self._clock.now()
        soon = await self._store.due(now + timing.LONGEST_CLOCK, MOST_CAUGHT_UP)
        running = [each for each in soon if each.deadline > now]
        for first in range(0, len(running), MOST_AT_ONCE):
            # A deadline that has not come changes nothing by itself.
            await asyncio.gather(*(self._fire(engine, each) for each in running[first : first + MOST_AT_ONCE]))

    async def fire_due(self, engine: Engine) -> int:
        """Fire everything that is due now; how many failed, or were due again at once, which no deadline should be."""
        fired: set[Due] = set()
        while due := await self._store.due(self._clock.now(), MOST_AT_ONCE):
            results = await asyncio.gather(*(self._fire(engine, each) for each in due))
            if failed := results.count(False) + len(fired.intersection(due)):
                return failed
            fired.update(due)
        return 0

    async def _fire(self, engine: Engine, due: Due) -> bool:
        try:
            await engine.handle(due.chat, DeadlinePassed(due.session, due.deadline))
        except Exception:
            log.exception("a deadline could not be fired in chat %s", due.chat)
            return False
        return True
