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
from typing import Any
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, web

from adapters.telegram.adapter import opened
from adapters.telegram.chats import PLATFORM
from adapters.telegram.webhook import Webhook, generated_secret
from bot import present
from bot.core.quiz import Quiz
from bot.library import Library
from bot.running import Service, serving
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.playing import Row
from tests.telegram.server import TOKEN, BotApi
from tests.together import Apart, Line, Together

CONNECTIONS = 2
"""To the database, of one process."""

PUBLIC = "https://quiz.example.org/telegram"


class Way:
    """A way to a server of this machine, at `url`, that can be cut."""

    def __init__(self, target: str) -> None:
        found = urlsplit(target)
        self._target = (found.hostname, found.port)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.url = ""

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Nothing comes through any more, and whatever is open breaks."""
        if self._server:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._target)
        self._writers |= {writer, back}
        try:
            await asyncio.gather(_pour(reader, back), _pour(there, writer))
        finally:
            self._writers -= {writer, back}


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@dataclass(eq=False)
class Process:
    """One of them. `task` runs it from its start to its end."""

    name: str
    line: Line
    store: SqlStore
    way: Way
    webhook: Webhook | None
    service: Service = field(init=False)
    task: asyncio.Task[None] = field(init=False)

    @property
    def polls(self) -> bool:
        return self.service.crew.holds(PLATFORM)

    async def stop(self) -> None:
        """End it in order."""
        self.task.cancel()
        await asyncio.wait([self.task])

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
        name = f"p{len(self.processes)}"
        line = Line(await PostgresDriver.open(self.url, CONNECTIONS))
        store = SqlStore(line, [PLATFORM], name)
        self.stack.push_async_callback(store.close)
        await store.migrate()
        way = Way(self.server.url)
        await way.open()
        self.stack.callback(way.cut)
        process = Process(name, line, store, way, _webhook(self.clock) if self.by_webhook else None)
        begun = asyncio.Event()
        process.task = asyncio.create_task(self._live(process, begun, timedelta(seconds=ahead)), name=name)
        self.stack.push_async_callback(process.kill)
        await asyncio.wait([asyncio.create_task(begun.wait()), process.task], return_when=asyncio.FIRST_COMPLETED)
        if process.task.done():
            process.task.result()
        self.processes.append(process)
        await self.quiet()
        return process

    async def _live(self, process: Process, begun: asyncio.Event, ahead: timedelta) -> None:
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
                begun.set()
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

    async def rows(self, sql: str, *values: Any) -> list[Row]:
        """What is stored, seen from beside all processes."""
        async with self.processes[0].line.real.reading() as connection:
            return [tuple(row) for row in await connection.fetch(sql, *values)]

    async def responses(self) -> list[Row]:
        """(question, person) of every response, in order."""
        return await self.rows("SELECT question, person FROM response ORDER BY question, person")


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
