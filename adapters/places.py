"""Places for requests: so many in any span of time, the more urgent first. Knows no platform's numbers and no chat.

A place in a window is held from the start of a request until its span after the *end*. So whoever counts at the other
side never counts more than the limit, however long requests are on their way.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from itertools import count

from bot.ports import Clock


class Urgency(IntEnum):
    """What goes first. A library may drop an argument that is false, so none of them is 0."""

    COUNTER = 1
    REPLY = 2  # to a command; anybody can ask for many
    EDIT = 3
    SEND = 4


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `places` in any `span`; a request finds at least `spare` places left, by its urgency."""

    places: int
    span: timedelta
    spare: Mapping[Urgency, int] = field(default_factory=dict)


class ClosedError(Exception):
    """Not let in: nobody is any more."""


class Window:
    """Counts the requests under way, and those that ended less than a span ago."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.under_way = 0
        self._ended: deque[datetime] = deque()

    def taken(self, now: datetime) -> int:
        """Places that nobody else can have at `now`."""
        # What ended in the future was before the clock was set back, and would never be over.
        while self._ended and not now - self.limit.span < self._ended[0] <= now:
            self._ended.popleft()
        return self.under_way + len(self._ended)

    def ready(self, now: datetime, urgency: Urgency) -> datetime:
        """When a request may start: `now`, or the moment until which it cannot."""
        excess = self.taken(now) + 1 + self.limit.spare.get(urgency, 0) - self.limit.places
        if excess <= 0:
            return now
        # A request that is still under way ends now at the earliest.
        last = self._ended[excess - 1] if excess <= len(self._ended) else now
        return last + self.limit.span

    def start(self) -> None:
        """A request takes a place."""
        self.under_way += 1

    def end(self, now: datetime, *, counted: bool) -> None:
        """It is over; not `counted`: the platform has not seen it."""
        self.under_way -= 1
        if counted:
            self._ended.append(now)


class Gate:
    """The places that all chats share. For these one waits, since it is short: the more urgent first, else in order.

    They are counted from when a request starts, or a few that hang would keep all chats waiting.
    """

    def __init__(self, clock: Clock, limit: Limit) -> None:
        self._clock = clock
        self._window = Window(limit)
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = count()
        self._porter: asyncio.Task[None] | None = None

    async def enter(self, urgency: Urgency) -> None:
        """Wait for a place and take it. Raises ClosedError when the gate is closed meanwhile."""
        if self._porter is None and self._ready(urgency) <= self._clock.now():
            self._take()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (-urgency, next(self._order), turn))
        if self._porter is None:
            self._porter = asyncio.create_task(self._admit())
        await turn

    @property
    def limit(self) -> Limit:
        """How many are let in; it may change while somebody waits."""
        return self._window.limit

    @limit.setter
    def limit(self, limit: Limit) -> None:
        self._window.limit = limit

    def close(self) -> None:
        """Send away who waits."""
        if self._porter is not None:
            self._porter.cancel()
            self._porter = None
        for _, _, turn in self._waiting:
            if not turn.done():
                turn.set_exception(ClosedError())
        self._waiting.clear()

    def _ready(self, urgency: Urgency) -> datetime:
        return self._window.ready(self._clock.now(), urgency)

    def _take(self) -> None:
        self._window.start()
        self._window.end(self._clock.now(), counted=True)

    async def _admit(self) -> None:
        while self._waiting:
            urgency, _, turn = self._waiting[0]
            ready = self._ready(Urgency(-urgency))
            if turn.done():
                heapq.heappop(self._waiting)
            elif ready <= self._clock.now():
                heapq.heappop(self._waiting)
                self._take()
                turn.set_result(None)
            else:
                await self._clock.sleep_until(ready)
            if not self._waiting:
                # Who was let in goes before whoever comes in this very moment.
                await asyncio.sleep(0)
        self._porter = None
