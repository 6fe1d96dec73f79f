"""Days in a row: what ends them, and what never does."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from bot.learning.memory import Day, Knowledge, Learner
from bot.learning.streaks import streak_now, studied_on
from tests.learning.building import ANN, NOON, TODAY, later, memory, queued

SOFIA = "Europe/Sofia"
Fault = tuple[datetime, datetime]


def at_five(*faults: Fault, last: Day = TODAY, today: Day, earliest: Day | None, zone: str | None = None) -> int:
    """The days in a row after somebody who had five up to `last` answers something on `today`."""
    learner = Learner(ANN, 5, last)
    return studied_on(learner, today, earliest=earliest, faults=faults, zone=zone).streak


def test_the_first_day_is_one() -> None:
    assert studied_on(Learner(ANN), TODAY, earliest=None, faults=(), zone=None) == Learner(ANN, 1, TODAY)


def test_the_next_day_is_one_more_and_the_same_day_none() -> None:
    assert at_five(today=TODAY + 1, earliest=TODAY) == 6
    assert at_five(today=TODAY, earliest=TODAY) == 5


def test_a_day_off_ends_them_when_a_review_was_due_on_it() -> None:
    assert at_five(today=TODAY + 2, earliest=TODAY + 1) == 1
    assert at_five(today=TODAY + 2, earliest=TODAY - 30) == 1


def test_days_without_a_due_review_never_end_them() -> None:
    assert at_five(today=TODAY + 2, earliest=None) == 6
    assert at_five(today=TODAY + 9, earliest=TODAY + 9) == 6
    assert at_five(today=TODAY + 9, earliest=TODAY + 8) == 1


def test_a_day_that_has_passed_already_adds_nothing_and_takes_nothing() -> None:
    learner = Learner(ANN, 5, TODAY)
    assert studied_on(learner, TODAY - 3, earliest=TODAY - 9, faults=(), zone=None) == learner


def test_a_day_on_which_the_service_was_away_never_ends_them() -> None:
    fault = (later(1), later(1) + timedelta(minutes=10))
    assert at_five(fault, today=TODAY + 2, earliest=TODAY) == 6
    assert at_five(fault, today=TODAY + 3, earliest=TODAY) == 1


def test_a_fault_of_several_days_excuses_all_of_them() -> None:
    assert at_five((later(0.9), later(4)), today=TODAY + 5, earliest=TODAY) == 6


@pytest.mark.parametrize(
    ("hours", "kept"),
    [(16.5, True), (15.5, False), (39.5, True), (40, False)],
    ids=["04:30", "03:30", "03:30 next", "04:00 next"],
)
def test_a_fault_excuses_the_learners_day_that_it_touched(hours: float, *, kept: bool) -> None:
    """The day after TODAY begins at 04:00, 16 hours after noon."""
    since = NOON + timedelta(hours=hours)
    assert at_five((since, since + timedelta(minutes=10)), today=TODAY + 2, earliest=TODAY) == (6 if kept else 1)


def test_a_fault_that_ends_as_a_day_begins_does_not_excuse_that_day() -> None:
    morning = NOON + timedelta(hours=16)
    assert at_five((morning - timedelta(hours=1), morning), today=TODAY + 2, earliest=TODAY) == 1


def test_the_learners_day_is_that_of_their_own_zone() -> None:
    """02:30 UTC is 04:30 in Sofia, where a new day has begun."""
    since = NOON + timedelta(hours=14.5)
    fault = (since, since + timedelta(minutes=10))
    assert at_five(fault, today=TODAY + 2, earliest=TODAY, zone=SOFIA) == 6
    assert at_five(fault, today=TODAY + 2, earliest=TODAY, zone="UTC") == 1


# What is shown


def shown(today: Day, *faults: Fault, due: Day | None = TODAY + 1) -> int:
    memories = (memory(0),) if due is None else (memory(0), queued(1, due), queued(2, due + 5))
    return streak_now(Knowledge(memories, Learner(ANN, 5, TODAY), (), None, faults), today)


def test_nobody_who_never_answered_has_days_in_a_row() -> None:
    assert streak_now(Knowledge((), Learner(ANN), ()), TODAY) == 0


def test_yesterdays_days_in_a_row_stand_until_today_is_over() -> None:
    assert [shown(TODAY + later) for later in range(4)] == [5, 5, 0, 0]


def test_they_stand_as_long_as_nothing_is_due() -> None:
    assert shown(TODAY + 100, due=None) == 5
    assert shown(TODAY + 8, due=TODAY + 8) == 5
    assert shown(TODAY + 9, due=TODAY + 8) == 0


def test_they_stand_where_the_service_was_away() -> None:
    assert shown(TODAY + 2, (later(1), later(1.1))) == 5


def test_whoever_travelled_back_over_midnight_keeps_them() -> None:
    assert shown(TODAY - 1) == 5
