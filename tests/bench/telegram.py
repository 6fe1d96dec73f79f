"""From a press to its acknowledgement, as the platform sees it, beside a stock program and the same on our requests.

The Bot API server runs in this process, what is measured in another. Presses and acknowledgements are timed where they
leave and reach the server. The programs take turns, so that a machine that gets slower meanwhile slows all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from tests.bench.pressing import LOADS, PATIENCE, ROUNDS, TICK, Figures, Load, ticks
from tests.bench.report import say
from tests.bench.telegram_contenders import OURS, STOCK, Look, contenders
from tests.telegram.server import BotApi, Message, Person, Press

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
    presses = [
        await person.press(question, letter) async for tick in ticks(people, load.seconds) for person, letter in tick
    ]
    await _answered(presses)
    heard = {request.params.get("callback_query_id"): request.at for request in server.requests[before:]}
    answered = [press for press in presses if press.answer]
    figures.missing += len(presses) - len(answered)
    figures.latencies += [(heard[press.id] - press.at).total_seconds() for press in answered]
    if answered:
        took = max(heard[press.id] for press in answered) - presses[0].at
        figures.rates.append(len(answered) / took.total_seconds())


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
