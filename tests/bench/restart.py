"""How long a restart takes while thousands of sessions are live."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from bot.core.effects import Post
from bot.core.quiz import Quiz
from bot.core.session import Pace
from bot.messages import Block, Card, Role
from bot.running import serving
from bot.storage.sqlite import open_sqlite
from tests.bench.world import CLOCK, LIBRARY, PLATFORM, opened, start

LIVE = 10_000
LATER = timedelta(hours=1)


class Ahead:
    """The system clock, some time ahead of it."""

    def __init__(self, ahead: timedelta) -> None:
        self._ahead = ahead

    def now(self) -> datetime:
        return CLOCK.now() + self._ahead

    async def sleep_until(self, moment: datetime) -> None:
        await CLOCK.sleep_until(moment - self._ahead)


class FirstPost:
    """A transport that notes when the first card arrives."""

    def __init__(self) -> None:
        self.arrived = asyncio.Event()
        self.at = 0.0

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        if not self.arrived.is_set():
            self.at = time.perf_counter()
            self.arrived.set()
        return nonce

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        await self.send(chat, card, "")


def _kind(post: Post, quiz: Quiz | None, language: str) -> Card:
    return Card((Block(Role.LINE, f"{type(post).__name__} {quiz and quiz.slug} {language}"),))


async def first_due_question(path: Path) -> tuple[float, float]:
    """Seconds from opening the file until the service is ready, and until the first due question has been posted.

    The worst case: no time was lost, so nothing is given back, and the deadlines of all sessions have passed at once.
    """
    async with opened(path) as (store, engine):
        for first in range(0, LIVE, 1000):
            chats = [f"{PLATFORM}:{number}" for number in range(first, first + 1000)]
            events = (start(chat, Random(chat), pace=Pace.STEADY) for chat in chats)
            await asyncio.gather(*(engine.handle(chat, event) for chat, event in zip(chats, events, strict=True)))
        await store.sign_in(CLOCK.now() + LATER)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM outbox")
    transport = FirstPost()
    began = time.perf_counter()
    store = await open_sqlite(str(path), [PLATFORM])
    try:
        clock = Ahead(LATER)
        async with serving(store, LIBRARY, clock, _kind, {PLATFORM: transport}, Random(1)):
            ready = time.perf_counter()
            await transport.arrived.wait()
    finally:
        await store.close()
    return ready - began, transport.at - ready
