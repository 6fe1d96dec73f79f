"""The shards of a bot as roles, which its processes divide among themselves. Knows no connection and no event.

A role names how many shards there are: processes that are told another number meanwhile divide others, and until they
are all told the same each server is in a shard of both.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from adapters.discord.chats import PLATFORM
from bot.vitals import Connection

PAUSE = 5.0
"""Seconds from one log-in at the gateway to the next."""

WORST_FIRST = (Connection.UNREACHABLE, Connection.CONNECTING, Connection.CONNECTED)


@dataclass(frozen=True, slots=True)
class Shard:
    """One of so many, counted from 0."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"shard {self.number} of {self.count}"


def roles_of(count: int | None) -> Mapping[str, Shard | None]:
    """What one process at a time may have: each of so many shards; without a number all of them, as many as Discord
    recommends (None). The first role is the one that comes first."""
    if count is None:
        return {PLATFORM: None}
    return {f"{PLATFORM}/{number} of {count}": Shard(number, count) for number in range(count)}


def standing(connections: Iterable[Connection]) -> Connection:
    """How it stands with Discord where it stands so with each of the shards that a process has."""
    found = set(connections)
    return next((each for each in WORST_FIRST if each in found), Connection.STANDING_BY)


class Turnstile:
    """Lets the shards of this process log in one after the other, which Discord wants. `time` are seconds that grow."""

    def __init__(self, time: Callable[[], float] = monotonic) -> None:
        self._time = time
        self._lock = asyncio.Lock()
        self._last: float | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool]:
        """Wait for those before. Whether nobody has logged in for so long that there need be no pause."""
        async with self._lock:
            yield self._last is None or self._time() - self._last >= PAUSE
            self._last = self._time()
