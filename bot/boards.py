"""What a leaderboard is asked for and what it says. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.core.quiz import QuestionRef
from bot.learning.days import Period
from bot.learning.memory import Day

EVERYWHERE = "*"
"""Stands for a chat: the leaderboard across chats, of those who joined it. Its days are those of UTC."""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: of a chat (`place_of`, or EVERYWHERE), over the period that began on the day `start` (0 for all
    time) in the chat's time zone, of one quiz by its slug, or of all ("")."""

    chat: str
    period: Period
    start: Day
    quiz: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a leaderboard. Equal points share a rank, and the next rank counts them. `points` are hundredths."""

    rank: int
    person: str
    name: str
    points: int
    right: int
    answered: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A part of a leaderboard: `lines` of the `count` that it has, and that of whoever asks, if they are on it and are
    not hidden."""

    lines: tuple[Line, ...]
    count: int
    own: Line | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """What a person gained in a chat with questions of one quiz at one time; added to every board that counts it."""

    chat: str
    slug: str
    person: str
    name: str
    points: int
    right: int
    answered: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Served:
    """How a question fared in a chat: how many answered it, how many of them right, and when it last closed there.
    Written, it is one closing; read, the sum of all."""

    chat: str
    ref: QuestionRef
    answered: int
    right: int
    at: datetime
