"""Days in a row: a day off ends them only if something waited to be reviewed on it and the service was there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from bot.learning.days import learning_day
from bot.learning.memory import Day, Knowledge, Learner

Faults = Iterable[tuple[datetime, datetime]]
"""Times (from, until) in which the service was away."""

_MOMENT = timedelta(milliseconds=1)


def studied_on(learner: Learner, day: Day, *, earliest: Day | None, faults: Faults, zone: str | None) -> Learner:
    """The learner after they answered something on this day of theirs. `earliest` is the earliest day on which a review
    was due before they did. A day that has passed already adds nothing."""
    if learner.last is None:
        return replace(learner, streak=1, last=day)
    if day <= learner.last:
        return learner
    kept = not _broken(learner.last, day, earliest, faults, zone)
    return replace(learner, streak=learner.streak + 1 if kept else 1, last=day)


def streak_now(knowledge: Knowledge, today: Day) -> int:
    """The days in a row to show on the learner's day `today`, which itself is not over: 0 once they have ended."""
    learner = knowledge.learner
    if learner.last is None:
        return 0
    earliest = min((memory.due for memory in knowledge.memories if memory.due is not None), default=None)
    return 0 if _broken(learner.last, today, earliest, knowledge.faults, knowledge.zone) else learner.streak


def _broken(last: Day, today: Day, earliest: Day | None, faults: Faults, zone: str | None) -> bool:
    """Whether a day between these two should not have been let pass."""
    if earliest is None:
        return False
    first = max(last + 1, earliest)
    if first >= today:
        return False
    excused = {
        day
        for since, until in faults
        for day in range(learning_day(since, zone), learning_day(until - _MOMENT, zone) + 1)
    }
    return any(day not in excused for day in range(first, today))
