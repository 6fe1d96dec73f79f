"""What it costs the writing of answers that they count for leaderboards. Measures no reading.

Answers that are told at once count at once; those of sessions that tell when the question closes count at the end. So
the same presses are written with score rows and without, each beside the ceiling of its own rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bot.core.session import Feedback
from tests.bench import ceiling
from tests.bench.answering import PLAYERS, SESSIONS, many_sessions, rows_of_answers
from tests.bench.report import say

ROUNDS = 5
WITHOUT, WITH, JOINED = "without score rows", "with score rows", "with those across chats"


@dataclass(slots=True)
class Rates:
    """Answers a second, by round: by the engine, and of the same rows by the bare database."""

    engine: list[float] = field(default_factory=list)
    ceiling: list[float] = field(default_factory=list)


async def measure(fresh: Iterator[Path], rounds: int = ROUNDS) -> dict[str, Rates]:
    """Rates by what was written, taking turns in each round."""
    counted = {WITHOUT: Feedback.AT_CLOSE, WITH: Feedback.AT_ONCE}
    samples = {name: rows_of_answers(SESSIONS, PLAYERS, feedback) for name, feedback in counted.items()}
    found = {name: Rates() for name in (WITHOUT, WITH, JOINED)}
    for _ in range(rounds):
        for name, feedback in counted.items():
            found[name].ceiling.append(await ceiling.answers_per_second(next(fresh), samples[name]))
            found[name].engine.append((await many_sessions(next(fresh), feedback))[0])
        found[JOINED].engine.append((await many_sessions(next(fresh), joined=True))[0])
    return found


def report(found: dict[str, Rates]) -> None:
    """Print the figures."""
    bare = found[WITHOUT]
    for name, rates in found.items():
        said = [f"{_times(rates.engine, rates.ceiling):.2f} of its ceiling"] if rates.ceiling else []
        if rates is not bare:
            said.append(f"{_times(rates.engine, bare.engine):.2f} of what it is without")
        if rates is not bare and rates.ceiling:
            said.append(f"the ceiling {_times(rates.ceiling, bare.ceiling):.2f}")
        say(f"answers {name}", f"{median(rates.engine):,.0f}/s", ", ".join(said))


def _times(rates: Sequence[float], others: Sequence[float]) -> float:
    return median(mine / theirs for mine, theirs in zip(rates, others, strict=True))
