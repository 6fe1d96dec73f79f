"""How long things last: time to answer, time to read, and when an idle session expires.

Silent reading of factual prose runs at about 24 characters a second in one's first language (238 words a minute,
Brysbaert 2019); learners in a second language, weighing options, are given a good deal more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.core.quiz import Question
from bot.core.session import Pace, Settings

IDLE_EXPIRY = timedelta(hours=24)
"""A start card, a pause, or a question without a clock that nobody touches ends the session after this."""

LONGEST_CLOCK = timedelta(minutes=10)
"""No time to answer, set by an author or by the pace, and no time to read is longer."""

COUNTER_EVERY = timedelta(seconds=5)
"""An edit that only counts answers comes at most this often."""

SILENT_BEFORE_PAUSE = 2
WORTH_ANNOUNCING = timedelta(minutes=1)
LATE_POST = timedelta(seconds=2)
"""A question that became visible later than this after it was asked has its time counted anew."""


@dataclass(frozen=True, slots=True)
class Span:
    """Seconds at rest, characters a second on top, and the seconds it never leaves."""

    base: float
    speed: float
    least: float
    most: float

    def of(self, characters: int) -> timedelta:
        """The time for a text of this many characters, in whole seconds."""
        return timedelta(seconds=round(min(max(self.base + characters / self.speed, self.least), self.most)))


ANSWERING = {Pace.STEADY: Span(10, 15, 20, 120), Pace.BRISK: Span(5, 24, 10, 60)}
READING = {Pace.STEADY: Span(4, 20, 6, 45), Pace.BRISK: Span(2, 30, 4, 20)}


def time_limit(question: Question, settings: Settings) -> timedelta | None:
    """How long a question stays open: as its author set it, else by the length of its text; None without a clock."""
    if not settings.clocked:
        return None
    if question.seconds is not None:
        return timedelta(seconds=question.seconds)
    return ANSWERING[settings.pace].of(question.length)


def reading_time(question: Question, settings: Settings) -> timedelta | None:
    """How long the answer of a closed question stays before the next one; None without a clock."""
    return READING[settings.pace].of(question.review_length) if settings.clocked else None
