"""The real program as a process that is killed and started again, on one database and one Telegram. Knows no quiz."""

from __future__ import annotations

import asyncio
import signal
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

from tests.program import Program
from tests.telegram.server import BotApi

PATIENCE = 30.0
"""Real seconds in which a process has to serve, or to end."""


class Killable:
    """`quizbot run`, again and again. `exits` are the exit codes so far, `log` the file with all that it said."""

    def __init__(self, server: BotApi, folder: Path, *, webhook: bool) -> None:
        self.server = server
        self.exits: list[int] = []
        self.log = folder / "log"
        self._database = folder / "quizbot.sqlite3"
        self._first = "setWebhook" if webhook else "getUpdates"
        self._program = Program(folder, {**_variables(server, folder), **(_webhook() if webhook else {})})
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Return when it takes updates."""
        before = len(self.server.calls(self._first))
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "bot", "run"),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._program.folder,
                env=self._program.environment,
            )
        ended = asyncio.create_task(self._process.wait())
        serves = asyncio.create_task(self._serves(before))
        try:
            await asyncio.wait([ended, serves], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            assert serves.done(), f"it does not serve:\n{self.log.read_text()}"
            await serves
        finally:
            for task in (ended, serves):
                task.cancel()

    async def _serves(self, before: int) -> None:
        while len(self.server.calls(self._first)) <= before:
            await self.server.world.changes.until(
                lambda: len(self.server.calls(self._first)) > before, lambda: "it does not serve"
            )

    async def kill(self) -> None:
        """End it without warning."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """End it in order."""
        await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            self.exits.append(await process.wait())

    @contextmanager
    def database_busy(self) -> Iterator[None]:
        """Somebody else writes to the database: nothing can be committed meanwhile."""
        with closing(sqlite3.connect(self._database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What is on the disk."""
        with closing(sqlite3.connect(self._database)) as connection:
            return connection.execute(sql).fetchall()


def _variables(server: BotApi, folder: Path) -> dict[str, str]:
    return {
        "QUIZBOT_CONTENT_DIR": str(folder),
        "QUIZBOT_TELEGRAM_TOKEN": server.token,
        "QUIZBOT_TELEGRAM_API_URL": server.url,
    }


def _webhook() -> dict[str, str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    return {"QUIZBOT_TELEGRAM_WEBHOOK_URL": f"http://{listen}/telegram", "QUIZBOT_TELEGRAM_WEBHOOK_LISTEN": listen}


@asynccontextmanager
async def killable(server: BotApi, folder: Path, *, webhook: bool) -> AsyncIterator[Killable]:
    """One that serves; killed at the end if it still does."""
    bot = Killable(server, folder, webhook=webhook)
    try:
        await bot.start()
        yield bot
    finally:
        await bot.kill()
