"""The whole of Quizbot but for the network: a real store, engine and Telegram adapter, on a virtual clock, against the
server of the tests by real HTTP. Tests say who does what and how much time passes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from adapters.telegram.adapter import TelegramAdapter, opened
from adapters.telegram.chats import PLATFORM
from adapters.telegram.webhook import Webhook, generated_secret
from bot import present
from bot.core.quiz import Quiz
from bot.library import Library
from bot.ports import Clock
from bot.running import Service, serving
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.telegram.server import BotApi

ROUNDS = 4
"""How often nothing new has to be seen before everything counts as quiet."""

PATIENCE = 60
"""Real seconds after which something goes on for ever."""

Row = tuple[Any, ...]


@dataclass
class Playing:
    """A bot that serves. `task` is the adapter's; `answered`, how many requests were, before any that was not."""

    server: BotApi
    clock: VirtualClock
    driver: SqliteDriver
    store: SqlStore
    service: Service
    adapter: TelegramAdapter
    task: asyncio.Task[None]
    answered: int = 0

    async def quiet(self) -> None:
        """Return when everything that can happen without time passing has happened, within `PATIENCE`."""
        rounds, before, end = 0, None, monotonic() + PATIENCE
        while rounds < ROUNDS:
            if monotonic() > end:
                raise AssertionError(f"after {PATIENCE} s it is not quiet yet: {before}, busy: {self._busy()}")
            await self.store.next_wake(self.clock.now())  # behind whatever the database still has to do
            await asyncio.to_thread(int)  # and behind pictures that are being read
            for _ in range(10):
                await asyncio.sleep(0)
            now = self._activity()
            rounds = rounds + 1 if now == before and not self._busy() else 0
            before = now

    def _activity(self) -> tuple[object, ...]:
        requests = self.server.requests
        while self.answered < len(requests) and requests[self.answered].status:
            self.answered += 1
        calls = sum(1 for request in requests[self.answered :] if request.status)
        return self.answered, calls, len(requests), len(asyncio.all_tasks()), tuple(self.clock.alarms)

    def _busy(self) -> bool:
        open_calls = sum(
            not request.status and request.method != "getUpdates" for request in self.server.requests[-200:]
        )
        # What a test holds back goes on only when the test says so, and an update that waits for it is not confirmed.
        held = self.server.faults.waiting
        return open_calls > held or (bool(self.server.world.updates.pending) and not held)

    async def wait(self, seconds: float) -> None:
        """Let this many seconds pass; whatever time brings happens at its moment."""
        until = self.clock.now() + timedelta(seconds=seconds)
        await self.quiet()
        while (alarms := self.clock.alarms) and alarms[0] <= until:
            self.clock.advance(max((alarms[0] - self.clock.now()).total_seconds(), 0))
            await self.quiet()
        self.clock.advance((until - self.clock.now()).total_seconds())
        await self.quiet()

    async def rows(self, sql: str) -> list[Row]:
        async with self.driver.reading() as connection:
            return [tuple(row) for row in await connection.fetch(sql)]

    async def responses(self) -> list[Row]:
        """(question, person, options as bits) of every response, in order."""
        return await self.rows("SELECT question, person, options FROM response ORDER BY session, question, person")


@asynccontextmanager
async def playing(
    server: BotApi,
    clock: VirtualClock,
    *quizzes: Quiz,
    path: Path | str = MEMORY,
    webhook: bool = False,
    pictures: Path = Path(),
    seed: int = 1,
    stored: type[SqlStore] = SqlStore,
) -> AsyncIterator[Playing]:
    """A bot that takes updates from `server` by polling or by webhook, with these quizzes (the plain one for none).

    Leaving it is an orderly stop; `killed` is what a crash leaves behind.
    """
    # A single thread, so that whatever waits for one waits for all that came before.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    driver = await SqliteDriver.open(str(path))
    store = stored(driver, [PLATFORM])
    try:
        await store.migrate()
        hook = local_webhook(server.token, clock) if webhook else None
        async with (
            opened(server.token, api_url=server.url, webhook=hook, pictures=pictures, clock=clock) as adapter,
            serving(
                store,
                Library(quizzes or [plain_quiz()]),
                clock,
                present.post,
                {PLATFORM: adapter.transport},
                Random(seed),
            ) as service,
        ):
            before = len(server.calls(_first(webhook)))
            task = asyncio.create_task(adapter.run(service), name="telegram")
            bot = Playing(server, clock, driver, store, service, adapter, task)
            try:
                await _serves(bot, _first(webhook), before)
                yield bot
            finally:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
    finally:
        await store.close()


def local_webhook(token: str, clock: Clock) -> Webhook:
    """A webhook at a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    return Webhook(f"http://{listen}/telegram", listen, generated_secret(token), clock)


def _first(webhook: bool) -> str:
    """The call with which updates begin to come in."""
    return "setWebhook" if webhook else "getUpdates"


async def _serves(bot: Playing, method: str, before: int) -> None:
    """Wait until updates come in, or say why they never will. `before`: how often an earlier bot had made the call."""
    serves = asyncio.create_task(
        bot.server.until(lambda: len(bot.server.calls(method)) > before, "the bot never began")
    )
    await asyncio.wait([serves, bot.task], return_when=asyncio.FIRST_COMPLETED)
    if bot.task.done():
        serves.cancel()
        bot.task.result()
    await serves
