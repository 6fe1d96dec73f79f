"""Cancels a coroutine at one chosen point, so that a test can go through all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from itertools import count
from typing import Any


class CancelledAt:
    """Awaits `coroutine`, and cancels the task that does so where it waits for the `point`-th time."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], point: int) -> None:
        self._coroutine = coroutine
        self._point = point

    def __await__(self) -> Generator[Any, None, Any]:
        inner = self._coroutine.__await__()
        thrown: BaseException | None = None
        for waits in count():
            try:
                waiting = next(inner) if thrown is None else inner.throw(thrown)
            except StopIteration as stop:
                return stop.value
            task = asyncio.current_task()
            if waits == self._point and task is not None:
                task.cancel()
            thrown = None
            try:
                yield waiting
            except BaseException as error:  # handed on to the coroutine
                thrown = error
        raise AssertionError


async def cancelled_everywhere(make: Callable[[], Coroutine[Any, Any, Any]]) -> AsyncIterator[int]:
    """Run `make()` again and again, cancelled at its first point, its second, … and yield after each, until one run
    comes to its end."""

    async def run(point: int) -> Any:
        return await CancelledAt(make(), point)

    for point in count():
        task = asyncio.create_task(run(point))
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()
            return
        yield point
