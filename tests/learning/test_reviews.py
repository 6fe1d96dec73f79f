"""When a question comes back: longer after each success, soon after a miss, once a year at the least."""

from __future__ import annotations

import pytest
from fsrs import Rating

from bot.learning.memory import Memory
from bot.learning.reviews import FEWEST_PACES, LONGEST, is_slow, rate, review
from tests.learning.building import TODAY, memory, queued


def due_in(left: Memory, today: int = TODAY) -> int:
    assert left.due is not None
    return left.due - today


def test_a_new_question_that_was_right_comes_back_in_days_and_not_minutes() -> None:
    left = review(memory(), Rating.Good, TODAY)
    assert due_in(left) == 2
    assert not left.missed
    assert left.reviewed == TODAY


def test_a_new_question_that_was_missed_stays_due_on_the_day() -> None:
    left = review(memory(), Rating.Again, TODAY)
    assert due_in(left) == 0
    assert left.missed


def test_what_was_missed_and_then_right_comes_back_tomorrow() -> None:
    left = review(review(memory(), Rating.Again, TODAY), Rating.Good, TODAY)
    assert due_in(left) == 1
    assert not left.missed


def test_slow_and_right_comes_back_sooner_than_right() -> None:
    known = queued(0, TODAY)
    assert due_in(review(memory(), Rating.Hard, TODAY)) < due_in(review(memory(), Rating.Good, TODAY))
    assert due_in(review(known, Rating.Hard, TODAY)) < due_in(review(known, Rating.Good, TODAY))


def test_each_success_puts_it_off_longer_until_a_year_is_reached() -> None:
    left, today, waits = memory(), TODAY, []
    for _ in range(12):
        left = review(left, Rating.Good, today)
        waits.append(due_in(left, today))
        today += waits[-1]
    assert waits[:4] == [2, 11, 46, 163]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST


def test_a_miss_after_months_brings_it_back_within_days() -> None:
    left, today = memory(), TODAY
    for _ in range(4):
        left = review(left, Rating.Good, today)
        today += due_in(left, today)
    left = review(review(left, Rating.Again, today), Rating.Good, today)
    assert 1 <= due_in(left, today) <= 7


def test_a_day_before_the_last_review_is_taken_for_that_day() -> None:
    left = review(memory(), Rating.Good, TODAY)
    assert review(left, Rating.Good, TODAY - 1) == review(left, Rating.Good, TODAY)
    assert review(left, Rating.Again, TODAY - 1).reviewed == TODAY


def test_the_same_review_gives_the_same_day_every_time() -> None:
    known = queued(0, TODAY)
    assert len({review(known, Rating.Good, TODAY) for _ in range(50)}) == 1


def test_counts_are_not_the_business_of_a_review() -> None:
    left = review(memory(answered=7, right=3), Rating.Again, TODAY)
    assert (left.answered, left.right) == (7, 3)


@pytest.mark.parametrize(
    ("pace", "paces", "slow"),
    [
        (9_000, [1_000] * (FEWEST_PACES - 1), False),
        (9_000, [1_000] * FEWEST_PACES, True),
        (1_000, [1_000] * FEWEST_PACES, False),
        (6_000, [8_000, 7_000, 6_000, 5_000, 4_000, 3_000, 2_000, 1_000], False),
        (6_001, [8_000, 7_000, 6_000, 5_000, 4_000, 3_000, 2_000, 1_000], True),
        (None, [1_000] * FEWEST_PACES, False),
    ],
    ids=["too few", "slower than all", "like all", "third of four quarters", "slower quarter", "unknown"],
)
def test_slow_is_slower_than_three_quarters_of_ones_own_paces(pace: int | None, paces: list[int], slow: bool) -> None:
    assert is_slow(pace, paces) is slow
    assert rate(pace, paces) is (Rating.Hard if slow else Rating.Good)
