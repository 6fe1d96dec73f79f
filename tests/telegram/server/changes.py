"""Waiting for something to have happened, woken by every change. Knows nothing of what changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 10
"""Real seconds after which what is waited for counts as missing."""


class Changes:
    """Whoever changes something says so; whoever waits looks again then."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    def notify(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def until(self, look: Callable[[], T | None], missing: Callable[[], str]) -> T:
        """What `look` finds as soon as it is truthy. After `PATIENCE` an AssertionError that says what is `missing`."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := look()):
                    self._waiting.append(asyncio.get_running_loop().create_future())
                    await self._waiting[-1]
                return found
        except TimeoutError:
            raise AssertionError(f"after {PATIENCE} s: {missing()}") from None
