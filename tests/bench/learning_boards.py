"""How long a page of a leaderboard takes to read, with one's own line, as answers add up in a chat.

Everybody plays in one chat: the worst there is, for a leaderboard holds the rows of one chat. The store itself makes
them. Beside it the ceiling: one indexed SELECT of as many rows, through the same driver.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from bot.boards import Board, Scored
from bot.core.session import Response
from bot.learning.days import Period, calendar_day, start_of
from bot.ports import Changes
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from bot.storage.sqlite import SqliteDriver
from tests.bench.report import beside, say, spread
from tests.bench.world import CLOCK, PLATFORM

CHAT = f"{PLATFORM}:-1"
SLUGS = ("colours", "capitals", "rivers", "elements", "composers")
PAGE = 10
READS = 500
"""Of each leaderboard, and as many of all of them in files that are not in memory."""

DAYS = 60
EVENING = 10
"""Answers that somebody gives to one quiz on one day."""

FULL = 100
"""Hundredths of a point for a right answer. Without a bonus for speed many are equal, and come by their names."""

AT_A_TIME = 2_000
"""Such evenings in one transaction, while the leaderboards are filled."""

CEILING = """
    SELECT person, name, points FROM score WHERE chat = $1 AND quiz = $2 AND shown = 1 ORDER BY points DESC LIMIT $3
"""


@dataclass(frozen=True, slots=True)
class Crowd:
    """So many answers in one chat, by so many people."""

    answers: int
    people: int

    def __str__(self) -> str:
        return f"{self.answers:,} answers of {self.people:,} people"


CROWDS = tuple(Crowd(answers, answers // each) for each in (200, EVENING) for answers in (10_000, 100_000, 1_000_000))


@dataclass(slots=True)
class Readings:
    """Seconds for each read, and for the ceiling beside it."""

    reads: list[float] = field(default_factory=list)
    ceiling: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Boards:
    """What was measured in one chat: each leaderboard by its name, read again and again, and all of them `cold`."""

    warm: dict[str, Readings]
    cold: Readings


async def measure(folder: Path, crowd: Crowd, reads: int = READS) -> Boards:
    """Fill a file as this crowd would, and read it."""
    path, now = folder / f"boards-{crowd.answers}-{crowd.people}.sqlite3", CLOCK.now()
    async with _opened(path) as (store, _):
        await fill(store, crowd, now)
    lots = Random(str(crowd))
    async with _opened(path) as (store, driver):
        warm = {name: await _warm(store, driver, board, crowd, lots, reads) for name, board in boards(now).items()}
    cold = await _cold(path, list(boards(now).values()), crowd, lots, reads)
    path.unlink()
    return Boards(warm, cold)


def boards(now: datetime) -> dict[str, Board]:
    """The leaderboards of the chat at that time: each period, and all time of one quiz."""
    today = calendar_day(now, None)
    periods = {period.value: Board(CHAT, period, start_of(period, today)) for period in Period}
    return {**periods, "one quiz": Board(CHAT, Period.ALL, 0, SLUGS[0])}


# Filling


async def fill(store: SqlStore, crowd: Crowd, now: datetime) -> None:
    """Everything that this crowd has answered in the last DAYS days, a fifth of it today."""
    evenings = list(_evenings(crowd, now))
    for first in range(0, len(evenings), AT_A_TIME):
        changes = Changes(scores=evenings[first : first + AT_A_TIME])
        for number, scored in enumerate(changes.scores, first):
            changes.responses += _responses(number, scored)
        async with store.turns({}) as turns:
            await turns.write(changes)


def _evenings(crowd: Crowd, now: datetime) -> Iterator[Scored]:
    lots = Random(str(crowd))
    count = crowd.answers // EVENING
    for number in range(count):
        person = number % crowd.people
        # Of those who answer for the last time some do so today, others in its week or month, others long before.
        ago = 0 if lots.random() < 0.2 else lots.randrange(DAYS) * (1 - number / count / 2)
        right = lots.randrange(EVENING + 1)
        yield Scored(
            CHAT,
            SLUGS[(number + number // crowd.people) % len(SLUGS)],
            _person(person),
            f"Player {person}",
            right * FULL,
            right,
            EVENING,
            now - timedelta(days=ago),
        )


def _responses(evening: int, scored: Scored) -> Iterator[Response]:
    for question in range(scored.answered):
        right = question < scored.right
        options = (0 if right else 1,)
        points = FULL if right else 0
        yield Response(f"s{evening}", question, f"q{question}", scored.person, options, right, points, scored.at)


def _person(number: int) -> str:
    return f"{PLATFORM}:{number}"


# Reading


async def _warm(store: SqlStore, driver: Driver, board: Board, crowd: Crowd, lots: Random, reads: int) -> Readings:
    readings = Readings()
    await _read(store, board, crowd, lots)
    for _ in range(reads):
        readings.ceiling.append(await timed(lambda: _ceiling(driver, board)))
        readings.reads.append(await timed(lambda: _read(store, board, crowd, lots)))
    return readings


async def _cold(path: Path, each: Sequence[Board], crowd: Crowd, lots: Random, reads: int) -> Readings:
    """Each read by a connection that has just been opened, of a file that the operating system has let go of."""
    readings = Readings()
    for number in range(reads):
        board = each[number % len(each)]
        async with _forgotten(path) as (_, driver):
            readings.ceiling.append(await timed(lambda: _ceiling(driver, board)))  # noqa: B023  # called at once
        async with _forgotten(path) as (store, _):
            readings.reads.append(await timed(lambda: _read(store, board, crowd, lots)))  # noqa: B023  # called at once
    return readings


async def _read(store: SqlStore, board: Board, crowd: Crowd, lots: Random) -> None:
    """Somebody of the crowd looks at the first page, or a fifth of the times at any."""
    skipped = 0 if lots.random() < 0.8 else lots.randrange(max(crowd.people // PAGE, 1)) * PAGE
    await store.leaderboard(board, skipped, PAGE, _person(lots.randrange(crowd.people)))


async def _ceiling(driver: Driver, board: Board) -> None:
    async with driver.reading() as connection:
        await connection.fetch(CEILING, board.chat, board.quiz, PAGE)


async def timed(do: Callable[[], Awaitable[object]]) -> float:
    """Seconds that it took."""
    began = time.perf_counter()
    await do()
    return time.perf_counter() - began


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[tuple[SqlStore, Driver]]:
    driver = await SqliteDriver.open(str(path))
    store = SqlStore(driver, [PLATFORM])
    try:
        await store.migrate()
        yield store, driver
    finally:
        await store.close()


@asynccontextmanager
async def _forgotten(path: Path) -> AsyncIterator[tuple[SqlStore, Driver]]:
    """The file, none of which is in memory, where the operating system can be asked for that."""
    if sys.platform == "linux":
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    async with _opened(path) as opened:
        yield opened


def report(crowd: Crowd, found: Boards) -> None:
    """Print the figures."""
    say(f"leaderboards of {crowd}", "")
    for name, readings in {**found.warm, "all of them, cold": found.cold}.items():
        compared = beside(readings.reads, readings.ceiling, f"the ceiling ({spread(readings.ceiling)})")
        say(f"  {name}: ten lines and one's own", spread(readings.reads), compared)


async def sizes(folder: Path, crowds: Sequence[Crowd] = CROWDS) -> None:
    """Measure each, and print it."""
    for crowd in crowds:
        report(crowd, await measure(folder, crowd))
