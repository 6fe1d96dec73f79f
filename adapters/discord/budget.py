"""Keeps sends and edits within Discord's limits where the library does not. Knows no post and no reason.

The library learns from each answer how much a channel may have, and waits. It does not know which request is worth
waiting for, nor how much all channels may have together.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from adapters.places import ClosedError, Gate, Limit, Urgency, Window
from bot.ports import Clock, PostponedError, UnavailableError
from bot.remembering import Remembered

CHANNEL = Limit(5, timedelta(seconds=5), {Urgency.COUNTER: 3})
"""A channel, sends and edits together. Counters leave what a quiz needs for questions and closings."""

ALL = Limit(45, timedelta(seconds=1))
"""All channels together: Discord refuses the 51st, and a bot altogether that is refused too often. Several processes
share it evenly, for none knows what the others send. In one channel they hardly meet: posts to a chat go one by one."""

ANOTHER_TIME = timedelta(seconds=1)
MOST_REMEMBERED = 1000


class Budget:
    """What the channels of one bot have had. Answers to interactions are free, and not counted."""

    def __init__(self, clock: Clock, workers: Callable[[], int] = lambda: 1) -> None:
        """`workers`: how many processes there are now."""
        self._clock = clock
        self._workers = workers
        self._gate = Gate(clock, ALL)
        self._channels: Remembered[int, Window] = Remembered(MOST_REMEMBERED)

    @asynccontextmanager
    async def place(self, channel: int, urgency: Urgency) -> AsyncIterator[None]:
        """Make one request to the channel in here. Raises PostponedError at once for a counter that another request
        might have to wait for."""
        window = self._window(channel)
        if urgency is Urgency.COUNTER and not self._has_room(window):
            raise PostponedError(ANOTHER_TIME)
        window.start()
        try:
            self._gate.limit = replace(ALL, places=max(ALL.places // self._workers(), 1))
            try:
                await self._gate.enter(urgency)
            except ClosedError as error:
                raise UnavailableError("the connection to Discord has ended") from error
            yield
        finally:
            window.end(self._clock.now(), counted=True)

    def close(self) -> None:
        """Send away who waits."""
        self._gate.close()

    def _window(self, channel: int) -> Window:
        window = self._channels.get(channel) or Window(CHANNEL)
        self._channels[channel] = window
        return window

    def _has_room(self, window: Window) -> bool:
        """A request under way may itself be waiting for room, and others in line behind it."""
        now = self._clock.now()
        return not window.under_way and window.ready(now, Urgency.COUNTER) <= now
