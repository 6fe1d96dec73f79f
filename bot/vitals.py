"""Whether this process is well and can serve, as its parts have last said. Knows no part.

Time is that of a clock that nobody sets: a wall clock that jumps makes nobody ill.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from time import monotonic

STUCK = 30.0
"""Seconds without a heartbeat after which the process is beyond help."""

STALE = 10.0
"""Seconds after which nobody knows whether the store still answers."""


class Connection(Enum):
    """How it stands with a platform."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    STANDING_BY = "standing by"  # another process serves it
    UNREACHABLE = "unreachable"
    NOT_SERVED = "not served"  # before its operator changes something


READY = frozenset({Connection.CONNECTED, Connection.STANDING_BY, Connection.NOT_SERVED})


class Vitals:
    """The state of one process. `time` gives seconds that only grow."""

    def __init__(self, time: Callable[[], float] = monotonic) -> None:
        self._time = time
        self._beat = time()
        self._answered: float | None = None
        self._platforms: dict[str, Connection] = {}
        self.stopping = False

    def beat(self) -> None:
        """The heartbeat is at work."""
        self._beat = self._time()

    def answered(self) -> None:
        """The store has answered the heartbeat."""
        self._answered = self._time()

    def report(self, platform: str, connection: Connection) -> None:
        """It now stands so with a platform."""
        self._platforms[platform] = connection

    @property
    def platforms(self) -> Mapping[str, Connection]:
        """How it stands with each platform that is to be served."""
        return self._platforms

    def ailments(self) -> list[str]:
        """Why this process should be ended and begun anew, a line each; none while it is well."""
        silence = self._time() - self._beat
        return [f"the heartbeat has not run for {silence:.0f} s"] if silence > STUCK else []

    def hindrances(self) -> list[str]:
        """Why nobody should be sent to this process now, a line each; none where it is ready."""
        found = ["this process is stopping"] if self.stopping else []
        if self._answered is None:
            found.append("the database has not answered yet")
        elif (silence := self._time() - self._answered) > STALE:
            found.append(f"the database has not answered for {silence:.0f} s")
        if not self._platforms:
            found.append("no platform is opened yet")
        return found + [f"{name} is {each.value}" for name, each in self._platforms.items() if each not in READY]
