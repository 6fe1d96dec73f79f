"""Fires deadlines: sleeps until the next one that the store knows of. There is no other timer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from bot import metrics, tracing
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

MOMENT = timedelta(milliseconds=20)
"""How long to wait for a deadline that another process is at just now."""


class Ticker:
    """Tells the engine of every deadline that passes."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        stagger: Callable[[], timedelta] = lambda: timedelta(0),
        look_every: Callable[[], timedelta | None] = lambda: None,
    ) -> None:
        """`stagger` is how much later than the deadline to look, so that of several processes one is first;
        `look_every` after how long to look for what the others have set."""
        self._store = store
        self._stagger = stagger
        self._look_every = look_every
        self._clock = clock
        self._alarm = Alarm(clock)
        self._asleep_until: datetime | None = None
        self._began = clock.now()

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
        if failed:
            return now + REST
        wake = await self._store.next_wake(now)
        every = self._look_every()
        soonest = None if wake is None else wake + self._stagger()
        if every is not None and wake is not None and wake <= now:
            soonest = now + MOMENT
        look = soonest if every is None else now + every
        return look if soonest is None or look is None else min(soonest, look)

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

    def _measure(self, due: Due) -> None:
        """Note how late a deadline is. Those that come while nobody is there are no fault of this process."""
        now = self._clock.now()
        if self._began <= due.deadline <= now:
            metrics.DEADLINE_LATENESS_SECONDS.observe((now - due.deadline).total_seconds())

    async def _fire(self, engine: Engine, due: Due) -> bool:
        self._measure(due)
        with tracing.about(due.session):
            try:
                await engine.handle(due.chat, DeadlinePassed(due.session, due.deadline))
            except Exception:
                log.exception("a deadline could not be fired in chat %s", due.chat)
                return False
        return True
