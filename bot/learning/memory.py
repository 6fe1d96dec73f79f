"""What is remembered of a learner: one `Memory` for a person and a question, days, and how fast they answer. Values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.core.quiz import QuestionRef

Day = int
"""A date as the days since 1970-01-01: of a learner's day, which begins at 04:00, or of a chat's, which begins at
00:00, each in its own time zone."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What one person has done with one question, across sessions and languages.

    `fingerprint` is that of the question which they know (`Quiz.fingerprint`). `answered` counts their responses and
    what they let pass, `right` the right ones among them. `due`, `reviewed`, `stability` (days) and `difficulty` (1 to
    10) are those of FSRS: all None until the question enters the queue, which it does when it is missed anywhere or
    answered in practice. `missed`: the last response was wrong; it stays due until it is answered right.
    """

    person: str
    ref: QuestionRef
    fingerprint: str
    answered: int = 0
    right: int = 0
    missed: bool = False
    stability: float | None = None
    difficulty: float | None = None
    reviewed: Day | None = None
    due: Day | None = None


@dataclass(frozen=True, slots=True)
class Learner:
    """How one person studies. `streak` is the days in a row up to `last`, the last day they answered anything on;
    `paces` are the last right answers in practice, the newest last: milliseconds for a hundred characters."""

    person: str
    streak: int = 0
    last: Day | None = None
    paces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DayCount:
    """How many questions a person answered on a day of theirs, and how many of them right."""

    person: str
    day: Day
    answered: int
    right: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """A response of a person to a question, or with `let_pass` that they gave none in time. In `practice` it is a
    review in any case, and `pace` (milliseconds for a hundred characters) says how fast it was."""

    person: str
    ref: QuestionRef
    fingerprint: str
    right: bool
    at: datetime
    practice: bool = False
    pace: int | None = None
    let_pass: bool = False


@dataclass(frozen=True, slots=True)
class Studied:
    """What a batch of attempts comes to: memories and learners as they are now; what is to be added to days."""

    memories: tuple[Memory, ...] = ()
    learners: tuple[Learner, ...] = ()
    days: tuple[DayCount, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What has to be known of learners before attempts of theirs are studied. Missing entries: nothing yet.

    `zones` are IANA names or None; `earliest` is the earliest day on which a review of a person is due; `faults` are
    times (from, until) in which the service was away long enough to keep people from studying.
    """

    memories: Mapping[tuple[str, QuestionRef], Memory] = field(default_factory=dict)
    learners: Mapping[str, Learner] = field(default_factory=dict)
    zones: Mapping[str, str | None] = field(default_factory=dict)
    earliest: Mapping[str, Day] = field(default_factory=dict)
    faults: tuple[tuple[datetime, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that is remembered of one person. `days` are in order; `zone` is the time zone that holds for them: their
    own, else that of the chat they last answered in, else None."""

    memories: tuple[Memory, ...]
    learner: Learner
    days: tuple[DayCount, ...]
    zone: str | None = None
    faults: tuple[tuple[datetime, datetime], ...] = ()
