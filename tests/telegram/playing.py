"""The whole of Quizbot but for the network: a real store, engine and Telegram adapter, on a virtual clock, against the
server of the tests by real HTTP. Tests say who does what and how much time passes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from adapters.telegram.adapter import TelegramAdapter, opened
from adapters.telegram.chats import PLATFORM
from adapters.telegram.webhook import Webhook, generated_secret
from bot import present
from bot.charts import Chart
from bot.core.quiz import Quiz
from bot.drawing import Pictures
from bot.library import Library
from bot.ports import Clock
from bot.running import serving
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.playing import PAINTED, PATIENCE, Bot
from tests.telegram.server import BotApi
from tests.telegram.server.wire import Request


@dataclass
class Playing(Bot):
    """A bot that serves people on `server`."""

    server: BotApi
    adapter: TelegramAdapter

    @property
    def requests(self) -> Sequence[Request]:
        return self.server.requests

    def busy(self) -> bool:
        open_calls = sum(
            not request.status and request.method != "getUpdates" for request in self.server.requests[-200:]
        )
        # What a test holds back goes on only when the test says so, and an update that waits for it is not confirmed.
        held = self.server.faults.waiting
        return open_calls > held or (bool(self.server.world.updates.pending) and not held)


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
    paint: Callable[[Chart], bytes] = lambda _: PAINTED,
) -> AsyncIterator[Playing]:
    """A bot that takes updates from `server` by polling or by webhook, with these quizzes (the plain one for none), and
    does not draw its pictures but with `paint`.

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
                {PLATFORM: adapter.duties},
            ) as service,
        ):
            equipped = replace(service, pictures=Pictures(paint, patience=PATIENCE))
            before = len(server.calls(_first(webhook)))
            task = asyncio.create_task(adapter.run(equipped), name="telegram")
            bot = Playing(clock, driver, store, equipped, task, server, adapter)
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
