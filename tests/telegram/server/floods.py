"""Flood control: how many sends and edits Telegram takes. Counts by the clock it is given; never waits."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.telegram.server.errors import ApiError


@dataclass(frozen=True, slots=True)
class Limits:
    """Sends and edits together: a minute in a group, a second in all chats, a second in one private chat after a burst
    of so many at once."""

    group_a_minute: int = 20
    all_a_second: int = 30
    private_a_second: float = 1.0
    private_burst: int = 10


NO_LIMITS = Limits(10**9, 10**9, 1e9, 10**9)
_MINUTE, _SECOND = timedelta(minutes=1), timedelta(seconds=1)


class Floods:
    """Counts what was let through. `refused` is how many were not."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.refused = 0
        self._all: deque[datetime] = deque()
        self._groups: dict[int, deque[datetime]] = defaultdict(deque)
        self._private: dict[int, datetime] = {}

    def charge(self, chat: int | None, now: datetime) -> None:
        """Count a send or an edit in `chat` (None: an inline message); 429 when there have been too many."""
        wait = max(_wait(self._all, self.limits.all_a_second, _SECOND, now), self._wait_in(chat, now))
        if wait > timedelta():
            self.refused += 1
            seconds = max(1, math.ceil(wait.total_seconds()))
            raise ApiError(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})
        self._all.append(now)
        if chat is not None and chat < 0:
            self._groups[chat].append(now)
        elif chat is not None:
            self._private[chat] = max(self._private.get(chat, now), now) + self._gap

    @property
    def _gap(self) -> timedelta:
        return _SECOND / self.limits.private_a_second

    def _wait_in(self, chat: int | None, now: datetime) -> timedelta:
        if chat is None:
            return timedelta()
        if chat < 0:
            return _wait(self._groups[chat], self.limits.group_a_minute, _MINUTE, now)
        ahead = self._private.get(chat, now) - now
        return ahead - self._gap * (self.limits.private_burst - 1)


def _wait(times: deque[datetime], most: int, window: timedelta, now: datetime) -> timedelta:
    """How long until one more is allowed; forgets what the window no longer holds."""
    while times and times[0] <= now - window:
        times.popleft()
    return timedelta() if len(times) < most else times[-most] + window - now
