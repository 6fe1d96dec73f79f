"""How long nobody in a server is answered when the process that has its shard is killed: three real processes, one
PostgreSQL, one Discord, all on this machine.

`python -m tests.discord.takeover` prints it. It takes minutes, for shards log in five seconds apart.
"""

from __future__ import annotations

import asyncio
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.discord.running import program
from tests.discord.server import Discord, Interaction, Person
from tests.discord.server.channels import Channel
from tests.postgres.server import server
from tests.serving import with_settings

PROCESSES = 3
ROUNDS = 3
OFTEN = 0.1
"""Seconds between two tries of somebody who is not answered."""

LONGEST = 120.0
"""Seconds after which something does not come about any more."""

_TAKES = re.compile(r"this process (takes|gives up): (.*)")


@dataclass
class Running:
    """One process; `roles` are those that its log says it has."""

    process: asyncio.subprocess.Process
    roles: set[str] = field(default_factory=set)

    async def listen(self) -> None:
        """Read its log until it ends."""
        while self.process.stderr and (line := (await self.process.stderr.readline()).decode()):
            if found := _TAKES.search(line):
                roles = set(found[2].strip().split(", "))
                self.roles = self.roles | roles if found[1] == "takes" else self.roles - roles


@asynccontextmanager
async def started(folder: Path, discord: Discord, database: str) -> AsyncIterator[Running]:
    """One process more, killed at the end."""
    told = with_settings(program(folder, discord), database_url=database, discord_shards=str(PROCESSES))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        stderr=asyncio.subprocess.PIPE,
        cwd=told.folder,
        env=told.environment,
    )
    made = Running(process)
    listening = asyncio.create_task(made.listen())
    try:
        yield made
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await listening


async def settled(discord: Discord, running: list[Running]) -> None:
    """Wait until each has one shard, and all are connected."""
    async with asyncio.timeout(LONGEST):
        # What they say has no event to wait for.
        while {len(each.roles) for each in running} != {1} or len(discord.gateway.connected) < PROCESSES:  # noqa: ASYNC110
            await asyncio.sleep(OFTEN)
    await discord.until(lambda: discord.commands)


async def answered(person: Person, channel: Channel) -> float:
    """Seconds until somebody who asks again and again is answered."""
    began, asked = time.monotonic(), list[Interaction]()
    async with asyncio.timeout(LONGEST):
        while not any(each.kind for each in asked):
            asked.append(person.slash(channel, "help"))
            await asyncio.sleep(OFTEN)
    return time.monotonic() - began


async def measure() -> list[float]:
    """Kill the process of the shard that a server is in, again and again."""
    found = []
    async with server(durable=True) as postgres, Discord() as discord, AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ann = discord.person("Ann")
        guild = discord.guild("Study", ann)
        channel, role = guild.channel("quiz"), f"discord/{(int(guild.id) >> 22) % PROCESSES} of {PROCESSES}"

        async def begin(number: int) -> Running:
            return await stack.enter_async_context(started(folder / str(number), discord, postgres.url()))

        running = [await begin(number) for number in range(PROCESSES)]
        for number in range(ROUNDS):
            await settled(discord, running)
            hit = next(each for each in running if role in each.roles)
            hit.process.send_signal(signal.SIGKILL)
            await hit.process.wait()
            found.append(await answered(ann, channel))
            running.remove(hit)
            running.append(await begin(PROCESSES + number))
    return found


if __name__ == "__main__":
    sys.stdout.write("".join(f"answered again after {seconds:.1f} s\n" for seconds in asyncio.run(measure())))
