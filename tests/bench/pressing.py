"""Many people who press at once or after each other, and what came of it. Knows no platform."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

from tests.bench.report import percentile

Person = TypeVar("Person")

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
        p50, p99 = (self.latency(share) * 1e3 for share in (0.5, 0.99))
        missing = f", {self.missing} never came" if self.missing else ""
        return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms{missing}"

    def latency(self, share: float) -> float:
        """Seconds in which this share of the acknowledgements came; of 1, the slowest."""
        return percentile(self.latencies, share)

    def times(self, other: Figures) -> float:
        """How often the other's rate, as the median over rounds."""
        return median(mine / theirs for mine, theirs in zip(self.rates, other.rates, strict=True))


async def ticks(people: Sequence[Person], seconds: float) -> AsyncIterator[Sequence[tuple[Person, str]]]:
    """Those who press in one tick, with the letters that they press; all of them spread over so many seconds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    tick: list[tuple[Person, str]] = []
    for number, person in enumerate(people):
        early = began + seconds * number / len(people) - loop.time()
        if early > TICK:
            yield tick
            tick = []
            await asyncio.sleep(early)
        tick.append((person, LETTERS[number % len(LETTERS)]))
    yield tick
