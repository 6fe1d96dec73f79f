"""How hard the crash tests try, and on what: a little in every run of the tests, and hard when they are told to."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from tests.crash.aftermath import Aftermath, gathered
from tests.crash.killing import Killing, Scale

FULL = "QUIZBOT_TEST_CRASHES"
"""Set it to `full` to try hard."""


@dataclass(frozen=True, slots=True)
class Scales:
    """One process on SQLite, and several on PostgreSQL."""

    sqlite: Scale
    postgres: Scale


USUAL = Scales(
    Scale(chats=50, kills=8, most_lines=(20, 200, 600)),
    Scale(chats=30, kills=6, most_lines=(20, 200, 400), players=3, server_kills=1),
)
HARD = Scales(
    Scale(chats=300, kills=25, most_lines=(400, 5_000, 10_000)),
    Scale(chats=300, kills=30, most_lines=(400, 5_000, 10_000), players=3, server_kills=6),
)


def chosen() -> Scales:
    """Those that are wanted of this run."""
    return HARD if os.environ.get(FULL) == "full" else USUAL


async def on_sqlite(folder: Path, seed: int, scale: Scale) -> Aftermath:
    """One process at a time, on a file."""
    database = f"sqlite:///{folder.as_posix()}/sessions.sqlite3"
    return await gathered(folder, database, await Killing(folder, database, seed, scale).to_the_end())


async def on_postgres(folder: Path, seed: int, scale: Scale) -> Aftermath:
    """Several processes at a time, on a server of their own that waits for the disk."""
    from tests.postgres.server import begin

    server = await asyncio.to_thread(begin, folder, durable=True)
    try:
        database = server.url()
        return await gathered(folder, database, await Killing(folder, database, seed, scale, server).to_the_end())
    finally:
        await asyncio.to_thread(server.close)
