"""Reminds learners who asked for it of the reviews that are due: once a day at most, never at night."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

from bot.core.effects import Reminded
from bot.learning.days import learning_day, zone
from bot.learning.lineup import due_on
from bot.learning.memory import Day, Memory
from bot.library import Library
from bot.ports import Clock, Store
from bot.ports import Reminding as Wish
from bot.preferences import Reminders

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=5)

WINDOWS = {
    Reminders.OFF: (time(), time()),
    Reminders.MORNING: (time(9), time(12)),
    Reminders.EVENING: (time(18), time(21)),
}
"""Between which times of their own clock a learner is reminded: long enough to outlast a stop of the service."""

BREATH = 64
"""Wishes looked at before others on the loop get their turn."""


class Reminding:
    """Looks every few minutes whom to remind."""

    def __init__(
        self, store: Store, library: Library, clock: Clock, *, on_posts: Callable[[], None] = lambda: None
    ) -> None:
        """`on_posts` is called when reminders were queued."""
        self._store = store
        self._library = library
        self._clock = clock
        self._on_posts = on_posts

    async def run(self) -> None:
        """Remind until cancelled."""
        while True:
            try:
                await self.remind()
            except Exception:
                log.exception("learners cannot be reminded")
            await self._clock.sleep_until(self._clock.now() + EVERY)

    async def remind(self) -> None:
        """Remind everybody who is to be reminded now."""
        now = self._clock.now()
        queued = False
        for number, wish in enumerate(await self._store.reminding(), 1):
            until = _open_until(wish, now)
            if until is not None:
                queued |= await self._tried(wish, now, until)
            if number % BREATH == 0:
                await asyncio.sleep(0)
        if queued:
            self._on_posts()

    async def _tried(self, wish: Wish, now: datetime, until: datetime) -> bool:
        """Remind one learner, whose fault is no other's; whether a reminder was queued."""
        try:
            return await self._remind(wish.person, learning_day(now, wish.zone), now, until)
        except Exception:
            log.exception("a learner could not be reminded")
            return False

    async def _remind(self, person: str, today: Day, now: datetime, until: datetime) -> bool:
        # Most have nothing due, which costs less to find out than what of it is still on offer.
        if not await self._store.due_reviews(person, today):
            return False
        knowledge = await self._store.knowledge(person)
        due = len(due_on(filter(self._is_offered, knowledge.memories), today))
        return due > 0 and await self._store.remind(person, today, Reminded(_name(person, today), due, until), now)

    def _is_offered(self, memory: Memory) -> bool:
        found = self._library.question(memory.ref)
        return found is not None and found[0].fingerprint(found[1]) == memory.fingerprint


def _open_until(wish: Wish, now: datetime) -> datetime | None:
    """Until when they may be reminded (aware UTC); None where it is not the time they chose, or a day of theirs on
    which they were reminded or have studied already."""
    today = learning_day(now, wish.zone)
    if any(day is not None and day >= today for day in (wish.reminded, wish.last)):
        return None
    local = now.astimezone(zone(wish.zone))
    first, last = WINDOWS[wish.when]
    return datetime.combine(local, last, local.tzinfo).astimezone(UTC) if first <= local.time() < last else None


def _name(person: str, day: Day) -> str:
    """What stands for the session of a reminder: one name for a person and a day, that tells nobody who it is."""
    return f"reminder-{day}-{hashlib.blake2b(person.encode(), digest_size=8).hexdigest()}"
