"""From a press to its acknowledgement, as the platform sees it, beside a stock program and the same on our requests.

The Bot API server runs in this process, what is measured in another. Presses and acknowledgements are timed where they
leave and reach the server. The programs take turns, so that a machine that gets slower meanwhile slows all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.bench.report import percentile, say
from tests.bench.telegram_contenders import OURS, STOCK, Look, contenders
from tests.telegram.server import BotApi, Message, Person, Press

ROUNDS = 5
LETTERS = "ABCD"
TICK = 0.01
PATIENCE = 20.0
"""Seconds after which an acknowledgement has not come."""


@dataclass(frozen=True, slots=True)
class Load:
    """So many presses, spread evenly over so many seconds; 0: all in one tick."""

    presses: int
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.presses} presses in {'a second' if self.seconds else 'one tick'}"


LOADS = (Load(50), Load(500, 1.0), Load(500))


@dataclass(slots=True)
class Figures:
    """What rounds have shown: seconds to each acknowledgement, acknowledgements a second by round, and how many never
    came."""

    latencies: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    missing: int = 0

    @property
    def lateness(self) -> str:
        p50, p99 = (percentile(self.latencies, share) * 1e3 for share in (0.5, 0.99))
        missing = f", {self.missing} never came" if self.missing else ""
        return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms{missing}"

    def times(self, other: Figures) -> float:
        """How often the other's rate, as the median over rounds."""
        return median(mine / theirs for mine, theirs in zip(self.rates, other.rates, strict=True))


Found = Mapping[Load, Mapping[str, Figures]]


async def measure(folder: Path, rounds: int = ROUNDS, loads: Sequence[Load] = LOADS) -> Found:
    """Figures by load and program. The first round only warms up."""
    found: dict[Load, dict[str, Figures]] = {load: {} for load in loads}
    like: Look | None = None
    async with contenders(folder) as programs:
        for number in range(rounds + 1):
            for load in loads:
                for program in programs:
                    figures = found[load].setdefault(program.name, Figures()) if number else Figures()
                    async for question, people in program.questions(load.presses, like):
                        like = like or Look(question.said, question.markup)
                        await _press(program.server, question, people, load, figures)
    return found


async def _press(server: BotApi, question: Message, people: Sequence[Person], load: Load, figures: Figures) -> None:
    """Everybody presses, and everybody is waited for."""
    before = len(server.requests)
    presses = [await person.press(question, letter) async for person, letter in _at_their_time(people, load.seconds)]
    await _answered(presses)
    heard = {request.params.get("callback_query_id"): request.at for request in server.requests[before:]}
    answered = [press for press in presses if press.answer]
    figures.missing += len(presses) - len(answered)
    figures.latencies += [(heard[press.id] - press.at).total_seconds() for press in answered]
    if answered:
        took = max(heard[press.id] for press in answered) - presses[0].at
        figures.rates.append(len(answered) / took.total_seconds())


async def _at_their_time(people: Sequence[Person], seconds: float) -> AsyncIterator[tuple[Person, str]]:
    """People with the letters that they press, spread over so many seconds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number, person in enumerate(people):
        early = began + seconds * number / len(people) - loop.time()
        if early > TICK:
            await asyncio.sleep(early)
        yield person, LETTERS[number % len(LETTERS)]


async def _answered(presses: Iterable[Press]) -> None:
    """Return when all have an answer, or when those that have none will never have one."""
    try:
        async with asyncio.timeout(PATIENCE):
            for press in presses:
                while press.answer is None:  # noqa: ASYNC110  # the server's own waiting would cost it time
                    await asyncio.sleep(TICK)
    except TimeoutError:
        return


def report(found: Found) -> None:
    """Print the figures, ours beside those of the bare programs."""
    for load, programs in found.items():
        for name, figures in programs.items():
            beside = figures.lateness
            if name not in (STOCK, OURS):
                beside += f"; {figures.times(programs[STOCK]):.1f} times the stock program's rate"
                beside += f", {figures.times(programs[OURS]):.2f} of the bare one on our layer"
            say(f"{load}: {name}", f"{median(figures.rates):,.0f}/s", beside)
