"""Programs to measure, each in a process and a folder of its own. Knows no platform and measures nothing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.program import ROOT

QUIZ = "gradient-checkpointing"
"""What is played."""

START_UP, FAREWELL = 30.0, 15.0
"""Seconds in which a program has to be there, and has to end."""


def folder_in(folder: Path, name: str) -> Path:
    """A new folder."""
    made = folder.absolute() / name
    made.mkdir()
    return made


@asynccontextmanager
async def running(folder: Path, program: Sequence[str], variables: Mapping[str, str]) -> AsyncIterator[None]:
    """The process, told to end when it is no longer needed; what it prints goes to a log in `folder`."""
    foreign = {name: value for name, value in os.environ.items() if not name.startswith("QUIZBOT_")}
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *program, stdout=log, stderr=log, cwd=ROOT, env=foreign | dict(variables)
        )
    try:
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), FAREWELL)
        except TimeoutError:
            process.kill()
            await process.wait()


async def until(look: Callable[[], object], missing: str, folder: Path) -> None:
    """Wait until a program has done something. What it printed, if it never does."""
    try:
        async with asyncio.timeout(START_UP):
            while not look():  # noqa: ASYNC110  # the servers' own patience is shorter
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise RuntimeError(f"the program never {missing}:\n{(folder / 'log').read_text()}") from None
