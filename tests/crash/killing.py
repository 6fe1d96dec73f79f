"""Kills the players again and again at random moments, and the database server too, then lets the last of them finish.
Knows no rule of the game, and judges nothing."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

ROOT = Path(__file__).parents[2]


MOST_AWAY = 1.5
"""Seconds for which the server is left alone at most before it is started again."""


class Server(Protocol):
    """A database server, as far as it can be killed."""

    def kill(self) -> None:
        """End it at once."""
        ...

    def start(self) -> None:
        """Start it again; returns when it answers."""
        ...


@dataclass(frozen=True, slots=True)
class Scale:
    """How hard it is tried: `players` processes at a time play in so many `chats`; `kills` of them are killed, each
    after at most one of `most_lines`: while starting, soon, or in the thick of it; and the server `server_kills`
    times."""

    chats: int
    kills: int
    most_lines: tuple[int, ...]
    players: int = 1
    server_kills: int = 0


@dataclass
class Killed:
    """What was seen of it: all `lines` that processes said; their `exits` in the order in which they ended, those of
    the last ones apart; where the screen ended when each was `gone`; how long the server was `away`, in seconds, each
    time; and how long all of it `took`."""

    scale: Scale
    lines: list[str] = field(default_factory=list)
    exits: list[int] = field(default_factory=list)
    finished: Sequence[int] = ()
    gone: dict[str, int] = field(default_factory=dict)
    away: list[float] = field(default_factory=list)
    took: float = 0.0


class Killing:
    """One run of it."""

    def __init__(self, folder: Path, database: str, seed: int, scale: Scale, server: Server | None = None) -> None:
        """`folder` takes what processes show and complain of; `database` is where they play."""
        self.killed = Killed(scale)
        self._folder = folder
        self._database = database
        self._seed = seed
        self._scale = scale
        self._server = server
        self._lots = Random(seed)
        self._runs = iter(range(scale.kills))

    async def to_the_end(self) -> Killed:
        """Kill all that are to be killed, then let as many as play at a time finish.

        A process that did not live to be killed ends it: something is wrong, and stays so.
        """
        began = time.monotonic()
        server = asyncio.create_task(self._kill_server())
        await asyncio.gather(*(self._one_after_the_other() for _ in range(self._scale.players)))
        await server
        last = (self._run(f"{self._seed}.last{number}") for number in range(self._scale.players))
        self.killed.finished = await asyncio.gather(*last)
        self.killed.took = time.monotonic() - began
        return self.killed

    async def _one_after_the_other(self) -> None:
        for number in self._runs:
            lines = self._lots.randint(1, self._lots.choice(self._scale.most_lines))
            self.killed.exits.append(await self._run(f"{self._seed}.{number}", lines))
            if self.killed.exits[-1] != -signal.SIGKILL:
                break

    async def _kill_server(self) -> None:
        """Kill the server at moments that are spread over the kills of players."""
        if self._server is None:
            return
        for number in range(self._scale.server_kills):
            share = (number + self._lots.random()) / self._scale.server_kills
            await self._ended(round(share * (self._scale.kills - self._scale.players)))
            await asyncio.sleep(self._lots.uniform(0, 0.5))
            began = time.monotonic()
            await asyncio.to_thread(self._server.kill)
            await asyncio.sleep(self._lots.choice((0, self._lots.uniform(0, MOST_AWAY))))
            await asyncio.to_thread(self._server.start)
            self.killed.away.append(time.monotonic() - began)

    async def _ended(self, processes: int) -> None:
        while len(self.killed.exits) < processes and {-signal.SIGKILL}.issuperset(self.killed.exits):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def _run(self, run: str, last: int | None = None) -> int:
        """Let one process play, kill it when it has said its `last` line; keeps all that it said. Its exit code."""
        arguments = [self._database, str(self._folder / "screen"), run, str(self._scale.chats)]
        with (self._folder / "complaints").open("ab") as complaints:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.crash.player", *arguments, *(() if last else ("finish",))),
                cwd=ROOT,
                stdout=asyncio.subprocess.PIPE,
                stderr=complaints,
            )
        number = 0
        try:
            while process.stdout and (line := await process.stdout.readline()):
                number += 1
                self.killed.lines.append(line.decode())
                if number == last:
                    process.kill()
        except BaseException:
            process.kill()
            raise
        code = await process.wait()
        self.killed.gone[run] = (self._folder / "screen").stat().st_size
        return code
