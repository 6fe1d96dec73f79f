"""`quizbot run` with the Discord of the tests: as it is set up, killed and started again. Knows no quiz."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

from tests.discord.server import TOKEN, Discord
from tests.program import Program
from tests.serving import GOOD, Serving, with_settings

SECRETS = (TOKEN.rpartition(".")[2], "interaction-token-")
"""What must not be read in a log."""

DATABASE = "quizbot.sqlite3"


def program(folder: Path, discord: Discord, content: str = GOOD) -> Program:
    folder.mkdir(exist_ok=True)
    return with_settings(
        Program(folder, {"QUIZBOT_CONTENT_DIR": content}),
        discord_token=discord.token,
        discord_api_url=discord.api_url,
        discord_gateway_url=discord.gateway_url,
    )


async def serves(serving: Serving, discord: Discord, sessions: int = 1) -> None:
    """Wait until it hears what people ask."""
    await serving.until("Discord: quizbot#0001")
    await discord.gateway.ready(sessions)
    await discord.until(lambda: discord.commands)


class Killable:
    """The program, again and again on one database. `log` is all that it said."""

    def __init__(self, discord: Discord, folder: Path) -> None:
        self.discord = discord
        self.folder = folder
        self.log = ""
        self.kills = 0
        self._program = program(folder, discord, str(folder))
        self._serving: Serving | None = None

    async def start(self) -> None:
        before = len(self.discord.gateway.connected)
        self._serving = serving = Serving(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "run"),
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._program.folder,
                env=self._program.environment,
            )
        )
        await serves(serving, self.discord, before + 1)

    async def kill(self) -> None:
        """End it without warning."""
        serving, self._serving = self._serving, None
        if serving is not None:
            self.log += (await serving.end(signal.SIGKILL)).err
            await self.discord.until(lambda: not self.discord.gateway.connected)
            self.kills += 1

    async def stop(self) -> int:
        """End it in order; the exit code."""
        serving, self._serving = self._serving, None
        assert serving is not None
        ran = await serving.end(signal.SIGTERM)
        self.log += ran.err
        return ran.code

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What is on the disk."""
        return rows(self.folder, sql)

    def responses(self) -> list[tuple[int, str]]:
        """(question, person) of every response."""
        return self.rows("SELECT question, person FROM response ORDER BY question, person")


@contextmanager
def database_busy(folder: Path) -> Iterator[None]:
    """Somebody else writes to the database of a program: nothing can be committed meanwhile."""
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    """What is on the disk of a program."""
    with closing(sqlite3.connect(folder / DATABASE)) as connection:
        return connection.execute(sql).fetchall()


@asynccontextmanager
async def killable(discord: Discord, folder: Path) -> AsyncIterator[Killable]:
    """One that serves the quizzes in the folder; killed at the end if it still does."""
    bot = Killable(discord, folder)
    try:
        await bot.start()
        yield bot
    finally:
        await bot.kill()
