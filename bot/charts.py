"""What a chart shows: bars with their words, in the reader's language already. Values only; knows no way to draw."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Tone(Enum):
    """What a part of a bar stands for; told apart by more than colour."""

    RIGHT = auto()
    WRONG = auto()
    DUE = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of each bar of a panel, and what it is called."""

    tone: Tone
    name: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a count for each part of its panel, from the bottom up; `label` stands under it, if anything does."""

    counts: tuple[int, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars side by side under a title. With `numbered`, the sum stands over each bar; else there is a scale."""

    title: str
    parts: tuple[Part, ...]
    bars: tuple[Bar, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels, one under the other."""

    panels: tuple[Panel, ...]
