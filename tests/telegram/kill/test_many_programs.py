"""Two real processes on one PostgreSQL and one Telegram: one ends, in order or not, and the other takes over its work.

On the real clock. Nothing here depends on speed: what is waited for are requests and lines of the log that come.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import psycopg
import pytest

from tests.playing import write_haste
from tests.program import Program
from tests.telegram.kill.process import PATIENCE
from tests.telegram.kill.test_kill import at_home, first_question, of
from tests.telegram.server import NO_LIMITS, BotApi
from tests.telegram.study import key_of

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this operating system kills in another way")


class Process:
    """`quizbot run`. `said` is its log so far."""

    def __init__(self, folder: Path, server: BotApi, url: str) -> None:
        self.said = ""
        self._program = Program(
            folder,
            {
                "QUIZBOT_CONTENT_DIR": str(folder),
                "QUIZBOT_DATABASE_URL": url,
                "QUIZBOT_TELEGRAM_TOKEN": server.token,
                "QUIZBOT_TELEGRAM_API_URL": server.url,
            },
        )

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", "run"),
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            cwd=self._program.folder,
            env=self._program.environment,
        )

    async def says(self, words: str) -> None:
        """Return when this stands in its log, after what was waited for before."""
        assert self._process.stderr
        async with asyncio.timeout(PATIENCE):
            while line := await self._process.stderr.readline():
                self.said += line.decode()
                if words in line.decode():
                    return
        raise AssertionError(f"it never says {words!r}:\n{self.said}")

    async def end(self, number: signal.Signals) -> int:
        """Send a signal; the exit code."""
        if self._process.returncode is None:
            self._process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            _, rest = await self._process.communicate()
        self.said += rest.decode()
        return self._process.returncode or 0

    async def kill(self) -> None:
        if self._process.returncode is None:
            await self.end(signal.SIGKILL)


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with BotApi(limits=NO_LIMITS) as running:
        yield running


@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
async def test_when_the_process_that_polls_ends_the_other_goes_on_and_counts_each_press_once(
    server: BotApi, tmp_path: Path, postgres_url: str, how: str
) -> None:
    write_haste(tmp_path, 3)
    people, group = at_home(server)
    ann, bob, cem, _ = people
    first, second = Process(tmp_path, server, postgres_url), Process(tmp_path, server, postgres_url)
    async with AsyncExitStack() as stack:
        for process in (first, second):
            await process.start()
            stack.push_async_callback(process.kill)
            await process.says("Telegram: @")
        question = await first_question(people, group)
        assert (await (await ann.press(question, key_of(question))).answered()).text.startswith("✓ Right.")
        code = await first.end(signal.Signals[how])
        presses = [await person.press(question, key_of(question)) for person in (bob, cem)]
        await second.says("this process takes: telegram")
        for press in presses:
            assert (await press.answered()).text.startswith("✓ Right.")
        await server.confirmed()
        with psycopg.connect(postgres_url) as connection:
            counted = connection.execute("SELECT question, person FROM response ORDER BY question, person").fetchall()
            outages = connection.execute("SELECT COUNT(*) FROM outage").fetchone()
        assert counted == of(0, ann, bob, cem)
        assert outages == (0,)
        if how == "SIGTERM":
            assert code == 0
            assert first.said.rstrip().endswith("Stopped")
            assert "Traceback" not in first.said
        assert await second.end(signal.SIGTERM) == 0
        assert "Traceback" not in second.said
