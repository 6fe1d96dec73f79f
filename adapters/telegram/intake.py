"""Updates that have come in and are not done with: taken side by side, tried again, and confirmed in order.

It knows neither how they come nor what they say, only their numbers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from adapters.telegram.strikes import Seldom, Strikes
from bot import tracing
from bot.clock import Alarm
from bot.ports import Clock

log = logging.getLogger(__name__)

Update = Mapping[str, Any]
"""As Telegram sends it."""

Take = Callable[[Update], Awaitable[None]]
"""Returns when what an update means is durable; raises when it is not, and the update has to come again."""

ALLOWED_UPDATES = ["message", "callback_query", "inline_query", "my_chat_member"]
"""All that is wanted. Said every time, for what is left out stays as somebody else had set it."""

MOST_AT_ONCE = 100
"""Updates in one answer to getUpdates: the most that can be under way, for none can be asked for beyond the oldest."""

GRACE = timedelta(seconds=5)
"""How long what is under way is given when stopping."""

LONGEST_WAIT = timedelta(seconds=30)


def number_of(update: object) -> int | None:
    """The number of an update; None: it is no update at all."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return number if type(number) is int else None


def waits() -> Iterator[timedelta]:
    """How long to wait after each failure in a row: 1 s, twice as long each time, 30 s at most."""
    wait = timedelta(seconds=1)
    while True:
        yield wait
        wait = min(wait * 2, LONGEST_WAIT)


async def ended(tasks: Collection[asyncio.Task[Any]], clock: Clock, until: datetime) -> None:
    """Return when all of the tasks have ended, or at `until`. They go on in any case."""
    sleeping = asyncio.ensure_future(clock.sleep_until(until))
    left = {task for task in tasks if not task.done()}
    try:
        while left and not sleeping.done():
            done, _ = await asyncio.wait({*left, sleeping}, return_when=asyncio.FIRST_COMPLETED)
            left -= done
    finally:
        sleeping.cancel()


class Intake:
    """The updates that polling brings. One is confirmed only when it and all before it have been taken."""

    def __init__(self, take: Take, clock: Clock) -> None:
        self._take = take
        self._clock = clock
        self._strikes = Strikes(clock)
        self._seldom = Seldom(clock)
        self._changed = Alarm(clock)
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._resting: set[int] = set()
        self._ending = False
        # Of the numbers that Telegram counts by now: what it has to keep, and what is done beyond the oldest of those.
        self._held: set[int] = set()
        self._done: set[int] = set()
        self._offset: int | None = None

    def offset(self) -> int | None:
        """What to ask for next, which confirms everything before: the oldest that is not done. None: whatever there
        is."""
        if self._held:
            self._offset = min(self._held)
        elif self._done:
            self._offset = max(self._done) + 1
        # An answer to an earlier question may still hold what is done since, so that is forgotten only here.
        self._done = {number for number in self._done if self._offset is None or number >= self._offset}
        return self._offset

    @property
    def asked(self) -> int | None:
        """What was asked for last."""
        return self._offset

    @property
    def held(self) -> int:
        """How many updates are not done."""
        return len(self._held)

    def accept(self, updates: Sequence[object]) -> bool:
        """Begin with what is new in an answer, in its order. False: there is nothing in it that is an update."""
        numbered = [(number, update) for update in updates if (number := number_of(update)) is not None]
        if len(numbered) < len(updates) and self._seldom():
            log.error("Telegram sent something without an update_id; it is passed over")
        if updates and not numbered:
            self._pass_over()
            return False
        if self._offset is not None and any(number < self._offset for number, _ in numbered):
            # After a week of silence Telegram starts to count anew, anywhere; or it has forgotten what was confirmed.
            self._held.clear()
            self._done.clear()
        for number, update in numbered:
            self._begin(number, update)
        return True

    def _pass_over(self) -> None:
        """What has no number is asked past one by one: whatever has the number that was asked for is not lost by that,
        for it would have come first."""
        if self._offset is not None:
            self._offset += 1

    def _begin(self, number: int, update: Any) -> None:
        if number in self._done:
            return
        self._held.add(number)
        if number not in self._tasks:
            self._tasks[number] = asyncio.create_task(self._bring(number, update), name=f"update {number}")

    async def _bring(self, number: int, update: Update) -> None:
        try:
            for wait in waits():
                if await self._taken(number, update):
                    self._finish(number)
                    return
                if self._ending:
                    return
                await self._rest(number, wait)
        finally:
            del self._tasks[number]
            self._changed.ring()

    async def _taken(self, number: int, update: Update) -> bool:
        """Try once; whether the update is done with."""
        with tracing.about():
            try:
                await self._take(update)
            except Exception as error:
                return self._strikes.failed(number, error)
        self._strikes.succeeded(number)
        return True

    def _finish(self, number: int) -> None:
        if number in self._held:
            self._held.discard(number)
            self._done.add(number)

    async def _rest(self, number: int, wait: timedelta) -> None:
        self._resting.add(number)
        try:
            await self._clock.sleep_until(self._clock.now() + wait)
        finally:
            self._resting.discard(number)

    async def room(self, until: datetime) -> None:
        """Return when it is time to ask again: at once if nothing is held, else at `until`; and not while as much is
        known as an answer can hold, for then none would bring anything new."""
        while self._held:
            if self._full:
                await self._changed.wait(None)
            elif self._clock.now() < until:
                await self._changed.wait(until)
            else:
                return

    @property
    def _full(self) -> bool:
        oldest = min(self._held)
        return len(self._held) + sum(number > oldest for number in self._done) >= MOST_AT_ONCE

    async def end(self) -> None:
        """Let what is under way come to its end, for 5 s at most; what only waits to be tried again does not go on."""
        self._ending = True
        for number in self._resting:
            self._tasks[number].cancel()
        tasks = list(self._tasks.values())
        try:
            await ended(tasks, self._clock, self._clock.now() + GRACE)
        finally:
            for task in tasks:
                task.cancel()
