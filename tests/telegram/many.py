"""Several processes of the bot at once, on one PostgreSQL and one Telegram: each has a store, a way and a clock of its
own, and can be stopped, killed, or cut off from what it needs. Tests say who does what and how much time passes."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, web

from adapters.telegram.adapter import opened
from adapters.telegram.chats import PLATFORM
from adapters.telegram.webhook import Webhook, generated_secret
from bot import present
from bot.core.quiz import Quiz
from bot.library import Library
from bot.running import serving
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.telegram.server import TOKEN, BotApi
from tests.together import Apart, Line, Mate, Together, own_store, own_way

PUBLIC = "https://quiz.example.org/telegram"


@dataclass(eq=False)
class Process(Mate):
    """One of them."""

    webhook: Webhook | None

    @property
    def polls(self) -> bool:
        return self.service.crew.holds(PLATFORM)

    def vanish(self) -> None:
        """Nothing it does from now on reaches anybody."""
        self.line.away = True
        if self.line.hangs:
            self.line.hangs.set()
        self.way.cut()

    async def kill(self) -> None:
        """End it without a word."""
        self.vanish()
        await self.stop()


@dataclass
class Many(Together):
    """Processes of one bot on `server`."""

    server: BotApi
    url: str
    quizzes: Sequence[Quiz]
    by_webhook: bool
    processes: list[Process] = field(default_factory=list)
    handed: Counter[str] = field(default_factory=Counter)
    """How many updates each has been handed by the proxy."""
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def begin(self, *, ahead: float = 0) -> Process:
        """One more process, that serves; its clock goes `ahead` of the others'."""
        mine = await own_store(self.stack, self.url, PLATFORM, len(self.processes))
        way = await own_way(self.stack, self.server.url)
        process = Process(*mine, way, _webhook(self.clock) if self.by_webhook else None)
        self.stack.push_async_callback(process.kill)
        await process.live(self._live(process, timedelta(seconds=ahead)))
        self.processes.append(process)
        await self.quiet()
        return process

    async def _live(self, process: Process, ahead: timedelta) -> None:
        clock = Apart(self.clock, ahead)
        way_out = opened(
            self.server.token, api_url=process.way.url, webhook=process.webhook, pictures=Path(), clock=clock
        )
        async with way_out as adapter:
            library = Library(self.quizzes or [plain_quiz()])
            transports, duties = {PLATFORM: adapter.transport}, {PLATFORM: adapter.duties}
            lots = Random(process.name)
            parts = (process.store, library, clock, present.post, transports, lots, duties)
            async with serving(*parts) as process.service:
                process.begun.set()
                await adapter.run(process.service)

    @property
    def alive(self) -> list[Process]:
        return [process for process in self.processes if not process.task.done()]

    @property
    def pollers(self) -> list[str]:
        """The names of those that may poll and send."""
        return [process.name for process in self.alive if process.polls]

    @property
    def lines(self) -> Sequence[Line]:
        return [process.line for process in self.processes]

    def busy(self) -> bool:
        calls = sum(not call.status and call.method != "getUpdates" for call in self.server.requests[-200:])
        return calls > self.server.faults.waiting

    def activity(self) -> tuple[object, ...]:
        done = sum(1 for call in self.server.requests if call.status)
        return done, len(self.server.requests), len(self.server.world.updates.pending)


def _webhook(clock: VirtualClock) -> Webhook:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    return Webhook(PUBLIC, listen, generated_secret(TOKEN), clock)


@asynccontextmanager
async def many(
    server: BotApi, clock: VirtualClock, url: str, number: int, *quizzes: Quiz, webhook: bool = False
) -> AsyncIterator[Many]:
    """So many processes on this database, with these quizzes (the plain one for none). Those that are left at the end
    are killed."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    made = Many(clock, server, url, quizzes, webhook)
    async with made.stack:
        if webhook:
            server.world.webhook.through = await made.stack.enter_async_context(balanced(made))
        for _ in range(number):
            await made.begin()
        yield made


@asynccontextmanager
async def balanced(many: Many) -> AsyncIterator[str]:
    """The address of a reverse proxy that hands each request to any of the processes, and to another where one does not
    listen."""
    lots = Random("balance")
    async with ClientSession() as client:

        async def hand_on(request: web.BaseRequest) -> web.StreamResponse:
            body, headers = await request.read(), {**request.headers}
            for process in lots.sample(many.alive, len(many.alive)):
                assert process.webhook
                url = f"http://127.0.0.1:{process.webhook.port}{request.path}"
                with suppress(ClientError):
                    async with client.post(url, data=body, headers=headers) as answer:
                        many.handed[process.name] += 1
                        return web.Response(status=answer.status, body=await answer.read())
            return web.Response(status=502)

        runner = web.ServerRunner(web.Server(hand_on, access_log=None), shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            yield f"http://{host}:{port}{urlsplit(PUBLIC).path}"
        finally:
            await runner.cleanup()
