"""Starts the foreign server where Node.js and the package are there, or says why it cannot be. Knows nobody on it."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.program import ROOT

VARIABLE = "QUIZBOT_TEST_NODE"
MODULES = ROOT / ".node" / "node_modules"
PATIENCE = 30.0
"""Seconds in which it has to be there."""


def missing() -> str | None:
    """What the tests with it lack, None if nothing."""
    if os.environ.get(VARIABLE) == "0":
        return f"{VARIABLE}=0 says to leave it out"
    if shutil.which("node") is None:
        return "there is no Node.js on this machine"
    if not (MODULES / "telegram-test-api").is_dir():
        return "telegram-test-api is not installed: make foreign (needs npm and a network)"
    return None


@asynccontextmanager
async def running() -> AsyncIterator[str]:
    """The address of a new server, which ends on leaving."""
    process = await asyncio.create_subprocess_exec(
        "node",
        str(Path(__file__).with_name("server.js")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"NODE_PATH": str(MODULES)},
    )
    try:
        if process.stdout is None:
            raise TypeError("a process without a pipe cannot say its port")
        async with asyncio.timeout(PATIENCE):
            port = (await process.stdout.readline()).decode().strip()
        if not port:
            raise RuntimeError("the foreign server did not start; what is wrong stands on stderr")
        yield f"http://127.0.0.1:{port}"
    finally:
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()
    if process.stdin is not None:
        process.stdin.close()
