"""Whether presses wait while pictures are drawn: acknowledgements in one chat, with and without others' statistics.

Presses come at a steady rate, faster than any group's; pictures are drawn one after the other, each another.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from bot import present
from bot.charts import Chart
from bot.drawing import Pictures
from bot.engine import Engine
from bot.learning.days import day_of
from bot.progress import DAYS_AHEAD, DAYS_BACK, Progress, Reviews, Share
from tests.bench.report import beside, percentile, say, spread
from tests.bench.world import CLOCK, PLATFORM, answer, expect_verdict, opened, start

PRESSES = 500
EVERY = 0.01
"""Seconds from one press to the next."""

ROUNDS = 3
CHAT = f"{PLATFORM}:-1"


@dataclass(slots=True)
class Figures:
    """Seconds to each acknowledgement while nothing else happens, and while pictures are `drawn`: seconds for each."""

    quiet: list[float] = field(default_factory=list)
    drawing: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)


async def measure(folder: Path, presses: int = PRESSES, rounds: int = ROUNDS) -> Figures:
    """Quiet and drawing take turns; the first picture, which loads the library, is drawn before."""
    figures, charts = Figures(), map(chart, count())
    pictures = Pictures(patience=60)
    await pictures.picture(next(charts))
    async with opened(folder / "pictures.sqlite3") as (_, engine):
        for number in range(rounds):
            figures.quiet += await _pressed(engine, f"{CHAT}{number}0", presses)
            async with _drawing(pictures, charts, figures.drawn):
                figures.drawing += await _pressed(engine, f"{CHAT}{number}1", presses)
    return figures


async def _pressed(engine: Engine, chat: str, presses: int) -> list[float]:
    """Players press, one EVERY seconds, whether those before have their answer or not. A press counts from when it was
    to be made: a loop that is held up makes it late."""
    event = start(chat, Random(chat))
    await engine.handle(chat, event)
    loop, latencies = asyncio.get_running_loop(), []
    began = loop.time()

    async def press(number: int) -> None:
        due = began + number * EVERY
        await asyncio.sleep(due - loop.time())
        expect_verdict(await engine.handle(chat, answer(chat, event.key, number)))
        latencies.append(loop.time() - due)

    await asyncio.gather(*map(press, range(presses)))
    return latencies


@asynccontextmanager
async def _drawing(pictures: Pictures, charts: Iterator[Chart], drawn: list[float]) -> AsyncIterator[None]:
    """One picture after the other, meanwhile."""
    over = False

    async def draw() -> None:
        while not over:
            began = time.perf_counter()
            if await pictures.picture(next(charts)) is None:
                raise RuntimeError("a picture could not be drawn: is matplotlib installed (the extra `pictures`)?")
            drawn.append(time.perf_counter() - began)

    task = asyncio.create_task(draw())
    yield
    over = True
    await task


def chart(number: int) -> Chart:
    """The progress of somebody who has practised every day; each number's is another."""
    lots = Random(number)
    days = tuple(Share(20 + lots.randrange(20), lots.randrange(20)) for _ in range(DAYS_BACK))
    ahead = tuple(1 + lots.randrange(30) for _ in range(DAYS_AHEAD))
    today = day_of(CLOCK.now().date())
    whole = Progress(today, Share(900, 700), 30, (), (), Share(0, 0), Reviews(ahead[0], ahead[1], 5, 20), days, ahead)
    made = present.progress_chart(whole, "en")
    if made is None:
        raise ValueError("there is nothing to draw")
    return made


def report(figures: Figures) -> None:
    """Print the figures."""
    rate = f"{1 / EVERY:.0f} presses a second"
    say(f"{rate}, nothing else", spread(figures.quiet), f"the slowest {percentile(figures.quiet, 1) * 1e3:.1f} ms")
    slowest = f"the slowest {percentile(figures.drawing, 1) * 1e3:.1f} ms"
    compared = beside(figures.drawing, figures.quiet, "what it is else")
    say(f"{rate}, pictures meanwhile", spread(figures.drawing), f"{slowest}; {compared}")
    say(f"  {len(figures.drawn)} pictures, each", spread(figures.drawn))
