"""Small values of what is remembered, and the shortest ways to say what somebody did."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.core.quiz import QuestionRef
from bot.learning.days import learning_day
from bot.learning.memory import Attempt, Day, Known, Learner, Memory, Studied
from bot.learning.studying import study

ANN = "test:ann"
BOB = "test:bob"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
TODAY = learning_day(NOON, None)
WORDING = "one wording"
OTHER_WORDING = "another wording"


def ref(number: int = 0, slug: str = "colours") -> QuestionRef:
    return QuestionRef(slug, f"q{number:02}")


def later(days: float) -> datetime:
    """This many days after the noon on which most tests begin."""
    return NOON + timedelta(days=days)


def memory(number: int = 0, **changes: Any) -> Memory:
    return Memory(**{"person": ANN, "ref": ref(number), "fingerprint": WORDING, **changes})


def queued(number: int, due: Day, *, missed: bool = False, reviewed: Day | None = None) -> Memory:
    """A memory of a question that is in the queue."""
    seen = TODAY - 10 if reviewed is None else reviewed
    return memory(number, answered=1, missed=missed, stability=3.0, difficulty=5.0, reviewed=seen, due=due)


def attempt(number: int = 0, *, right: bool = True, at: datetime = NOON, **changes: Any) -> Attempt:
    """A response in a quiz."""
    return Attempt(**{"person": ANN, "ref": ref(number), "fingerprint": WORDING, "right": right, "at": at, **changes})


def practised(number: int = 0, *, right: bool = True, at: datetime = NOON, **changes: Any) -> Attempt:
    return attempt(number, right=right, at=at, practice=True, **changes)


def knowing(
    *memories: Memory, learner: Learner | None = None, earliest: Day | None = None, zone: str | None = None
) -> Known:
    """What is known of Ann."""
    return Known(
        memories={(ANN, each.ref): each for each in memories},
        learners={ANN: learner} if learner else {},
        zones={ANN: zone},
        earliest={} if earliest is None else {ANN: earliest},
    )


def remembered(studied: Studied) -> Mapping[QuestionRef, Memory]:
    """The memories that came of it; there is one person."""
    return {each.ref: each for each in studied.memories}


def after(*attempts: Attempt, known: Known | None = None) -> Memory:
    """The one memory that these attempts come to."""
    (left,) = study(attempts, known or Known()).memories
    return left
