"""The real program while it serves: started, its log read as it comes, ended by a signal."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from tests.program import PATIENCE, ROOT, Program, Ran

GOOD = (ROOT / "tests" / "adapters" / "console" / "quizzes").as_posix()
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [A-Z]+ +[\w.]+: ")
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")


def with_settings(quizbot: Program, **variables: str) -> Program:
    given = {f"QUIZBOT_{name.upper()}": value for name, value in variables.items()}
    return Program(quizbot.folder, {**quizbot.variables, **given})


@dataclass(slots=True)
class Serving:
    """The program under way; its log is read line by line."""

    process: asyncio.subprocess.Process
    log: list[str] = field(default_factory=list)

    async def until(self, text: str) -> str:
        """The next line with this text."""
        if self.process.stderr is None:
            raise TypeError("its log cannot be read")
        while True:
            line = (await asyncio.wait_for(self.process.stderr.readline(), PATIENCE)).decode().rstrip("\n")
            if not line:
                raise AssertionError(f"{text!r} was never said:\n" + "\n".join(self.log))
            self.log.append(line)
            if text in line:
                return line

    async def end(self, number: signal.Signals | None = None) -> Ran:
        """Send a signal, if any, and wait for the end."""
        if number:
            self.process.send_signal(number)
        out, err = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        self.log += err.decode().splitlines()
        return Ran(out.decode(), "\n".join(self.log), self.process.returncode or 0)


@asynccontextmanager
async def started(program: Program, *arguments: str) -> AsyncIterator[Serving]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *(arguments or ("-m", "bot", "run")),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=program.folder,
        env=program.environment,
    )
    serving = Serving(process)
    try:
        yield serving
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def check_log(log: str, *secrets: str) -> None:
    """Every line is one of the log's, and none of these is to be read."""
    assert [secret for secret in secrets if secret in log] == []
    assert [line for line in log.splitlines() if not LINE.match(line)] == []
