"""Lets a part of the service run by itself, and waits for what it does: no test guesses how long that takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

TOO_LONG = 20.0
"""Seconds after which a test is given up."""


@asynccontextmanager
async def running(part: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(part)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
    if not task.cancelled():
        task.result()


async def until(condition: Callable[[], bool]) -> None:
    """Return once it holds; the database has a thread of its own, so only its own doing can tell."""
    async with asyncio.timeout(TOO_LONG):
        while not condition():  # noqa: ASYNC110  # any part of the world may bring it about
            await asyncio.sleep(0)
