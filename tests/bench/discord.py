"""From a press to its acknowledgement, as the platform sees it, beside a program that does nothing but acknowledge.

API and gateway run in this process, what is measured in another. A press counts from when the gateway has been told of
all in its tick, an acknowledgement when it reaches the API. The programs take turns, so that a machine that gets slower
meanwhile slows both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from pathlib import Path
from statistics import median

from tests.bench.discord_contenders import BARE, contenders
from tests.bench.pressing import LOADS, PATIENCE, ROUNDS, TICK, Figures, Load, ticks
from tests.bench.report import say
from tests.discord.server import ANSWERED_WITHIN, Discord, Interaction, Message, Person

AIM = 0.5
"""Seconds in which people take an answer to come at once."""

Found = Mapping[Load, Mapping[str, Figures]]


async def measure(folder: Path, rounds: int = ROUNDS, loads: Sequence[Load] = LOADS) -> Found:
    """Figures by load and program. The first round only warms up."""
    found: dict[Load, dict[str, Figures]] = {load: {} for load in loads}
    like: Message | None = None
    async with contenders(folder) as programs:
        for number in range(rounds + 1):
            for load in loads:
                for program in programs:
                    figures = found[load].setdefault(program.name, Figures()) if number else Figures()
                    async for question, people in program.questions(load.presses, like):
                        like = like or copy(question)
                        await _press(program.server, question, people, load, figures)
    return found


async def _press(server: Discord, question: Message, people: Sequence[Person], load: Load, figures: Figures) -> None:
    """Everybody presses, and everybody is waited for."""
    before = len(server.requests)
    pressed: dict[str, datetime] = {}
    presses: list[Interaction] = []
    async for tick in ticks(people, load.seconds):
        presses += [person.press(question, letter) for person, letter in tick]
        told = server.world.clock.now()
        pressed |= {press.id: told for press in presses[len(pressed) :]}
    await _answered(presses)
    heard = _heard(server, before)
    answered = [press.id for press in presses if press.kind is not None]
    if not answered:
        raise RuntimeError(f"of {load} none was acknowledged within {PATIENCE:.0f} s")
    figures.missing += len(presses) - len(answered)
    figures.latencies += [(heard[id_] - pressed[id_]).total_seconds() for id_ in answered]
    took = max(heard[id_] for id_ in answered) - min(pressed.values())
    figures.rates.append(len(answered) / took.total_seconds())


def _heard(server: Discord, before: int) -> Mapping[str, datetime]:
    """When the first answer to each interaction came, of the requests after so many."""
    heard: dict[str, datetime] = {}
    for request in server.requests[before:]:
        match request.path.split("/"):
            case ["", "interactions", id_, _, "callback"]:
                heard.setdefault(id_, request.at)
    return heard


async def _answered(presses: Iterable[Interaction]) -> None:
    """Return when all have an answer, or when those that have none will never have one."""
    try:
        async with asyncio.timeout(PATIENCE):
            for press in presses:
                while press.kind is None:  # noqa: ASYNC110  # the server's own waiting would cost it time
                    await asyncio.sleep(TICK)
    except TimeoutError:
        return


def report(found: Found) -> None:
    """Print the figures, Quizbot's beside those of the bare handler."""
    for load, programs in found.items():
        bare = programs[BARE]
        for name, figures in programs.items():
            beside = figures.lateness
            if figures is not bare:
                p50, p99 = (figures.latency(share) / bare.latency(share) for share in (0.5, 0.99))
                beside += f"; {figures.times(bare):.2f} of the bare handler's rate, {p50:.1f} times its p50"
                beside += f" and {p99:.1f} times its p99; {_in_time(figures)}"
            say(f"{load}: {name}", f"{median(figures.rates):,.0f}/s", beside)


def _in_time(figures: Figures) -> str:
    """Whether all came while Discord takes an answer, and how many came at once."""
    slowest, limit = figures.latency(1), ANSWERED_WITHIN.total_seconds()
    inside = "all" if not figures.missing and slowest < limit else "NOT all"
    at_once = sum(latency <= AIM for latency in figures.latencies) / len(figures.latencies)
    return f"{inside} inside {limit:.0f} s, {at_once:.1%} inside {AIM} s, the slowest in {slowest:.2f} s"
