"""Learns from sessions that have ended: what was missed there comes back in practice. Knows no chat and no platform."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from bot import tracing
from bot.clock import Alarm
from bot.learning.lessons import attempts_of
from bot.learning.memory import Attempt, Known, Studied
from bot.learning.studying import study, together
from bot.library import Library
from bot.ports import Clock, Lesson, Store

log = logging.getLogger(__name__)

MOST_PLAYERS = 50
"""Players of a session that one transaction learns from; turns of chats that play have to wait for it."""

MOST_SETTLED = 20
"""Lessons that somebody who asks for what is known by now waits for."""

BREATH = 4
"""People studied before others on the loop get their turn."""

LONGEST_REST = timedelta(minutes=5)


class Studying:
    """Goes through sessions that nobody has learned from yet, a part at a time."""

    def __init__(
        self,
        store: Store,
        library: Library,
        clock: Clock,
        *,
        look_every: Callable[[], timedelta | None] = lambda: None,
    ) -> None:
        """`look_every`: after how long to look for sessions that other processes have left, if there are any."""
        self._look_every = look_every
        self._store = store
        self._library = library
        self._clock = clock
        self._alarm = Alarm(clock)
        self._learning = asyncio.Lock()

    def nudge(self) -> None:
        """A session has ended."""
        self._alarm.ring()

    async def run(self) -> None:
        """Learn until cancelled, beginning with what others have left."""
        failed = 0
        while True:
            with tracing.about():
                try:
                    more = await self._learn()
                except Exception:
                    rest = min(timedelta(seconds=2.0 ** min(failed, 16)), LONGEST_REST)
                    failed += 1
                    log.exception("a session cannot be learned from; again in %g s", rest.total_seconds())
                    # Not woken by the next session that ends: it would meet the same fault.
                    await self._clock.sleep_until(self._clock.now() + rest)
                    continue
            failed = 0
            if not more:
                await self._alarm.wait(None)

    async def settle(self) -> None:
        """Learn from what has ended by now, but for a long backlog. A fault is no reason to know nothing."""
        for _ in range(MOST_SETTLED):
            with tracing.about():
                try:
                    if not await self._learn():
                        return
                except Exception:
                    log.exception("a session cannot be learned from; what was known before holds")
                    return

    async def _learn(self) -> bool:
        """Learn from the next part of a session; whether there was one."""
        async with self._learning, self._store.lesson(MOST_PLAYERS) as lesson:
            if lesson is not None:
                tracing.note(lesson.session.id)
                await lesson.keep(await self._studied(lesson))
            return lesson is not None

    async def _studied(self, lesson: Lesson) -> Studied:
        """What comes of it; nothing where the quiz cannot be read any more, which the library says in the log."""
        quiz = await self._library.find(lesson.session.quiz, lesson.quiz)
        if quiz is None:
            return Studied()
        attempts = attempts_of(lesson.session, quiz, lesson.people, lesson.responses)
        known = await lesson.known({(each.person, each.ref) for theirs in attempts.values() for each in theirs})
        return await _study(attempts, known)


async def _study(attempts: Mapping[str, Sequence[Attempt]], known: Known) -> Studied:
    """What comes of each person's attempts, so that one whose memories are damaged harms nobody else's."""
    parts: list[Studied] = []
    for number, theirs in enumerate(attempts.values(), 1):
        try:
            parts.append(study(theirs, known))
        except Exception:
            log.exception("what somebody did in a session cannot be studied and is left out")
        if number % BREATH == 0:
            await asyncio.sleep(0)
    return together(parts)
