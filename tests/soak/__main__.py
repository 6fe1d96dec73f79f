"""`python -m tests.soak [MINUTES [GROUPS]]`: plays so long (30 minutes) in so many groups (200) on both platforms, a
Quizbot of two processes on PostgreSQL and one on SQLite, while things go wrong; prints a line a minute, and at the end
whether it needed no more than at the beginning and lost nothing. The exit code says the same."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from random import Random

from tests.postgres.server import server
from tests.soak.accounting import settled
from tests.soak.installation import Installation, opened, stopped
from tests.soak.trouble import Trouble
from tests.soak.watching import Watch

MINUTES, GROUPS = 30.0, 200
GLANCE = 3.0
CALM = 40.0
"""Seconds at the end in which nothing more goes wrong."""


def say(line: str) -> None:
    """One line of the report."""
    print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)  # noqa: T201  # the report


async def soak(minutes: float, groups: int, folder: Path) -> bool:
    """Play; whether all was well."""
    lots = Random(1)
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(server(durable=True))
        two = await opened(stack, "postgres", running.url(), folder / "postgres", 2, shared=True)
        file = f"sqlite:///{(folder / 'sqlite').as_posix()}/quizbot.sqlite3"
        one = await opened(stack, "sqlite", file, folder / "sqlite", 1, shared=False)
        two.gather(groups * 7 // 20, lots)
        one.gather(groups // 2 - groups * 7 // 20, lots)
        both = [two, one]
        watch, trouble = Watch(both), Trouble(both, lots, running)
        try:
            for each in both:
                await each.begin()
            await _play(both, watch, trouble, minutes)
        finally:
            for each in both:
                await asyncio.gather(*(process.stop() for process in each.processes))
        found = [judged for each in both for judged in await settled(each)]
        return _told([*watch.trends(), *found, ("every process ended as it was told", stopped(both))], trouble)


async def _play(both: Sequence[Installation], watch: Watch, trouble: Trouble, minutes: float) -> None:
    tasks = [asyncio.create_task(each.keep()) for each in both]
    lives = [asyncio.create_task(crowd.live()) for each in both for crowd in each.crowds]
    making = asyncio.create_task(trouble.make())
    every = 60.0 if minutes >= 6 else 10.0
    end = time.monotonic() + minutes * 60
    try:
        while (now := time.monotonic()) < end:
            calm = now >= end - CALM
            if calm:
                making.cancel()
            await _pass(watch, min(every, end - now if calm else end - CALM - now))
            say(watch.look())
            _check([*tasks, *lives, *([] if making.cancelled() else [making])])
    finally:
        await _end([making, *lives])
        for each in both:
            each.telegram.mend()
            each.discord.mend()
    await _hear_out(both)
    await _end(tasks)


async def _pass(watch: Watch, seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        await asyncio.sleep(min(left, GLANCE))
        watch.glance()


async def _hear_out(both: Sequence[Installation]) -> None:
    """Wait until nobody waits for an answer any more."""
    crowds = [crowd for each in both for crowd in each.crowds]
    while any(crowd.waits for crowd in crowds):
        await asyncio.sleep(0.5)
        for crowd in crowds:
            crowd.listen()


def _check(tasks: Sequence[asyncio.Task[None]]) -> None:
    """A part that has failed ends it all."""
    for task in tasks:
        if task.done() and not task.cancelled():
            task.result()


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _told(judged: Sequence[tuple[str, bool]], trouble: Trouble) -> bool:
    say("went wrong: " + ", ".join(f"{kind} {times}" for kind, times in sorted(trouble.made.items())))
    for what, well in judged:
        say(f"{'ok  ' if well else 'NOT '} {what}")
    return all(well for _, well in judged)


def main(arguments: Sequence[str]) -> int:
    """Run it; the exit code."""
    minutes = float(arguments[0]) if arguments else MINUTES
    groups = int(arguments[1]) if len(arguments) > 1 else GROUPS
    folder = Path(tempfile.mkdtemp(prefix="quizbot-soak-"))
    say(f"{groups} groups, {timedelta(minutes=minutes)}, logs in {folder}")
    well = asyncio.run(soak(minutes, groups, folder))
    if well:
        shutil.rmtree(folder)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
