"""Telegram's getUpdates in memory, and a bot that polls it on a virtual clock."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from adapters.telegram.intake import ALLOWED_UPDATES
from adapters.telegram.polling import Polling
from tests.clock import VirtualClock
from tests.telegram.taking import Desk

FIRST = 700


@dataclass(frozen=True, slots=True)
class Question:
    """What getUpdates was asked, and when."""

    at: datetime
    offset: int | None
    timeout: int
    limit: int


@dataclass
class Feed:
    """Telegram's queue of updates and its getUpdates, without the network between. One that is not `patient` answers
    at once that there is nothing, however long it was to wait."""

    clock: VirtualClock
    queue: dict[int, object] = field(default_factory=dict)
    junk: list[object] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    failures: deque[Exception] = field(default_factory=deque)
    patient: bool = True
    answering: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.answering.set()

    def push(self, *numbers: int) -> None:
        for number in numbers:
            self.queue[number] = {"update_id": number, "message": {"text": "secret words"}}
        self._news.set()

    def push_junk(self, *junk: object) -> None:
        self.junk += junk
        self._news.set()

    def fail(self, *failures: Exception) -> None:
        self.failures.extend(failures)
        self._news.set()

    async def raw(self, url: str, parameters: Mapping[str, object], *, wait: float = 0.0) -> Any:
        assert url == "http://telegram/bot1:a/getUpdates"
        given: dict[str, Any] = dict(parameters)
        assert given["allowed_updates"] == ALLOWED_UPDATES
        assert given["timeout"] == wait
        question = Question(self.clock.now(), given.get("offset"), given["timeout"], given["limit"])
        self.asked.append(question)
        if not self.failures:
            await self._arrival(question)
        if self.failures:
            raise self.failures.popleft()
        answer = [*self.junk, *(self.queue[number] for number in sorted(self.queue))][: question.limit]
        await self.answering.wait()
        return answer

    async def _arrival(self, question: Question) -> None:
        """Confirm what is before the offset; one that is ahead of everything there is means nothing, as in Telegram."""
        if question.offset is not None and (not self.queue or question.offset <= max(self.queue) + 1):
            for number in [number for number in self.queue if number < question.offset]:
                del self.queue[number]
        while self.patient and question.timeout and not (self.queue or self.junk or self.failures):
            self._news.clear()
            await self._news.wait()

    @property
    def short(self) -> list[Question]:
        """Those that were answered at once."""
        return [question for question in self.asked if not question.timeout]


@dataclass
class Scene:
    """A bot that polls, what it is told, and who takes it. Use as `async with scene.polling()`."""

    clock: VirtualClock
    feed: Feed
    desk: Desk = field(default_factory=Desk)

    @asynccontextmanager
    async def polling(self) -> AsyncIterator[asyncio.Task[None]]:
        task = asyncio.create_task(Polling("http://telegram/bot1:a", self.feed, self.clock).run(self.desk.take))
        try:
            yield task
        finally:
            task.cancel()
            for _ in range(10):
                self.clock.advance(0 if task.done() else 1)
                await calm()
        assert task.done(), "it does not stop"
        if not task.cancelled():
            task.result()

    async def pass_time(self, seconds: float, step: float = 0.25) -> None:
        """Let time go by in small steps, in each of which everybody does what they can."""
        await calm()
        for _ in range(round(seconds / step)):
            self.clock.advance(step)
            await calm()


async def calm() -> None:
    """Let everybody do what they can do by now."""
    for _ in range(30):
        await asyncio.sleep(0)
