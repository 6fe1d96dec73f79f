"""How many messages a channel takes in a while, and what the API says of that. Knows no message."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from tests.discord.server.errors import TooManyError
from tests.discord.server.snowflakes import Now
from tests.discord.server.wire import Request

_CHANNEL = re.compile(r"/channels/(\d+)/messages(?:/\d+)?")


class Floods:
    """Nothing is limited before `most` is set: so many messages, and so many edits, go to each channel within `seconds`
    from the first of them. `refused` is how many were too many."""

    def __init__(self, clock: Now) -> None:
        self.most: int | None = None
        self.seconds = 5.0
        self.refused = 0
        self._clock = clock
        self._windows: dict[tuple[str, str], tuple[datetime, int]] = {}

    def take(self, call: Request) -> dict[str, str]:
        """What the answer to a request says of its bucket. Raises ApiError when it is exhausted."""
        found = _CHANNEL.fullmatch(call.path)
        if self.most is None or found is None or call.method not in ("POST", "PATCH"):
            return {}
        now, key = self._clock.now(), (call.method, found[1])
        begun, taken = self._windows.get(key, (now, 0))
        if now - begun >= timedelta(seconds=self.seconds):
            begun, taken = now, 0
        left = self.seconds - (now - begun).total_seconds()
        if taken >= self.most:
            self.refused += 1
            raise TooManyError(left)
        self._windows[key] = begun, taken + 1
        return self._headers(call.method, self.most, taken + 1, left, now)

    def _headers(self, method: str, most: int, taken: int, left: float, now: datetime) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(most - taken),
            "X-RateLimit-Reset": f"{now.timestamp() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": f"messages-{method.lower()}",
        }
