"""What answers come to: counts, reviews, days, paces, and the days in a row."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.learning.memory import Attempt, DayCount, Known, Learner, Memory, Studied
from bot.learning.reviews import FEWEST_PACES, MOST_PACES
from bot.learning.studying import study
from tests.learning.building import (
    ANN,
    BOB,
    NOON,
    OTHER_WORDING,
    TODAY,
    after,
    attempt,
    knowing,
    later,
    memory,
    practised,
    queued,
    ref,
    remembered,
)

PACED = Learner(ANN, 1, TODAY, (1_000,) * FEWEST_PACES)

# What enters the queue


def test_nothing_comes_of_nothing() -> None:
    assert study([], Known()) == Studied()


def test_what_was_missed_in_a_quiz_is_due_at_once() -> None:
    left = after(attempt(right=False))
    assert (left.answered, left.right, left.missed, left.due) == (1, 0, True, TODAY)


def test_what_was_right_in_a_quiz_is_counted_and_not_queued() -> None:
    left = after(attempt())
    assert (left.answered, left.right, left.missed, left.due, left.reviewed) == (1, 1, False, None, None)


def test_what_was_let_pass_is_missed_but_no_answer_of_that_day() -> None:
    studied = study([attempt(right=False, let_pass=True)], Known())
    (left,) = studied.memories
    assert (left.answered, left.right, left.missed, left.due) == (1, 0, True, TODAY)
    assert (studied.days, studied.learners) == ((), ())


def test_any_answer_in_practice_is_a_review() -> None:
    assert after(practised()).due == TODAY + 2
    assert after(practised(right=False)).due == TODAY


def test_right_in_a_quiz_is_a_review_of_what_was_due_and_of_nothing_else() -> None:
    due = queued(0, TODAY)
    reviewed = after(attempt(), known=knowing(due))
    assert reviewed.reviewed == TODAY
    assert reviewed.due is not None
    assert reviewed.due > TODAY
    waiting = queued(0, TODAY + 1)
    assert after(attempt(), known=knowing(waiting)) == memory(
        0, answered=2, right=1, stability=3.0, difficulty=5.0, reviewed=TODAY - 10, due=TODAY + 1
    )


def test_three_misses_of_ten_come_back_and_once_right_they_are_spaced() -> None:
    studied = study([attempt(number, right=number not in {2, 5, 7}) for number in range(10)], Known())
    missed = [each for each in studied.memories if each.due == TODAY]
    assert [each.ref for each in missed] == [ref(2), ref(5), ref(7)]
    again = study([practised(each, at=later(0.1)) for each in (2, 5, 7)], knowing(*studied.memories))
    assert {each.due for each in again.memories} == {TODAY + 1}


def test_a_missed_question_stays_due_until_it_is_right() -> None:
    left = after(practised(right=False), practised(right=False, at=later(1)), practised(right=False, at=later(2)))
    assert (left.missed, left.due, left.answered) == (True, TODAY + 2, 3)
    righted = after(attempt(at=later(3)), known=knowing(left))
    assert (righted.missed, righted.due, righted.right) == (False, TODAY + 4, 1)


# Sessions that are learned from late


def test_a_miss_from_before_the_last_review_is_counted_but_undoes_nothing() -> None:
    known = queued(0, TODAY + 5, reviewed=TODAY)
    left = after(attempt(right=False, at=later(-1)), known=knowing(known))
    assert (left.answered, left.due, left.missed, left.reviewed) == (2, TODAY + 5, False, TODAY)


def test_a_miss_of_the_day_of_the_last_review_counts() -> None:
    known = queued(0, TODAY + 5, reviewed=TODAY)
    assert after(attempt(right=False), known=knowing(known)).missed


def test_practice_on_a_day_that_was_over_elsewhere_is_a_review_of_the_later_day() -> None:
    known = queued(0, TODAY + 5, reviewed=TODAY + 1)
    left = after(practised(right=False), known=knowing(known))
    assert (left.missed, left.due, left.reviewed) == (True, TODAY + 1, TODAY + 1)


# A question that changed


def test_a_question_whose_wording_changed_starts_anew() -> None:
    known = memory(0, answered=9, right=9, stability=90.0, difficulty=2.0, reviewed=TODAY - 1, due=TODAY + 80)
    left = after(practised(fingerprint=OTHER_WORDING), known=knowing(known))
    assert left == after(practised(fingerprint=OTHER_WORDING))
    assert (left.answered, left.right, left.due, left.fingerprint) == (1, 1, TODAY + 2, OTHER_WORDING)


def test_an_old_session_does_not_bring_an_old_wording_back() -> None:
    known = queued(0, TODAY + 5, reviewed=TODAY)
    studied = study([attempt(right=False, at=later(-1), fingerprint=OTHER_WORDING)], knowing(known))
    assert studied.memories == (known,)
    assert studied.days == (DayCount(ANN, TODAY - 1, 1, 0),)


# How fast


def test_right_but_slow_comes_back_sooner() -> None:
    slow = after(practised(pace=5_000), known=knowing(learner=PACED))
    steady = after(practised(pace=1_000), known=knowing(learner=PACED))
    assert (slow.due, steady.due) == (TODAY + 1, TODAY + 2)


def test_only_right_answers_in_practice_say_how_fast_somebody_is() -> None:
    attempts = [practised(1, pace=11), practised(2, right=False, pace=12), attempt(3, pace=13), practised(4)]
    (learner,) = study(attempts, Known()).learners
    assert learner.paces == (11,)


def test_what_comes_back_on_the_same_day_says_nothing_about_being_fast() -> None:
    missed, again = practised(right=False), practised(at=later(0.01), pace=5_000)
    studied = study([missed, again], knowing(learner=PACED))
    assert studied.learners == ()
    assert studied.memories == study([missed, again], Known()).memories


def test_only_the_last_paces_are_kept() -> None:
    attempts = [practised(number, at=NOON + timedelta(minutes=number), pace=number) for number in range(MOST_PACES + 5)]
    (learner,) = study(attempts, Known()).learners
    assert learner.paces == tuple(range(5, MOST_PACES + 5))


# Days


def test_answers_count_on_the_learners_own_day() -> None:
    night = datetime(2026, 3, 3, 1, 30, tzinfo=UTC)  # 03:30 in Sofia, 20:30 of the day before in New York
    zones = {ANN: "Europe/Sofia", BOB: "America/New_York"}
    attempts = [
        attempt(at=night),
        attempt(1, at=night + timedelta(hours=1), right=False),  # 04:30 in Sofia
        attempt(person=BOB, at=night),
    ]
    assert study(attempts, Known(zones=zones)).days == (
        DayCount(ANN, TODAY, 1, 1),
        DayCount(ANN, TODAY + 1, 1, 0),
        DayCount(BOB, TODAY, 1, 1),
    )


def test_days_in_a_row_go_on_with_any_answer() -> None:
    known = knowing(learner=Learner(ANN, 4, TODAY - 1), earliest=TODAY - 3)
    assert study([attempt(right=False)], known).learners == (Learner(ANN, 5, TODAY),)
    assert study([practised()], known).learners == (Learner(ANN, 5, TODAY),)


def test_days_in_a_row_end_with_a_day_off_on_which_something_was_due() -> None:
    known = knowing(learner=Learner(ANN, 4, TODAY - 2), earliest=TODAY - 1)
    assert study([attempt()], known).learners == (Learner(ANN, 1, TODAY),)


def test_a_fault_of_the_service_ends_no_days_in_a_row() -> None:
    known = Known(
        learners={ANN: Learner(ANN, 4, TODAY - 2)},
        earliest={ANN: TODAY - 1},
        faults=((later(-1), later(-0.9)),),
    )
    assert study([attempt()], known).learners == (Learner(ANN, 5, TODAY),)


def test_people_are_studied_each_for_themselves() -> None:
    studied = study([attempt(right=False), attempt(person=BOB)], Known(learners={BOB: Learner(BOB, 8, TODAY - 1)}))
    assert [(each.person, each.missed) for each in studied.memories] == [(ANN, True), (BOB, False)]
    assert studied.learners == (Learner(ANN, 1, TODAY), Learner(BOB, 9, TODAY))


# Any attempts

ATTEMPTS = st.lists(
    st.builds(
        lambda number, hours, right, practice, pace: attempt(
            number, right=right, at=NOON + timedelta(hours=hours), practice=practice, pace=pace if practice else None
        ),
        st.integers(0, 4),
        st.integers(0, 400),
        st.booleans(),
        st.booleans(),
        st.integers(100, 9_000),
    ),
    unique_by=lambda each: each.at,
    max_size=25,
)


@settings(deadline=None)
@given(ATTEMPTS.flatmap(lambda attempts: st.tuples(st.just(attempts), st.permutations(attempts))))
def test_attempts_may_come_in_any_order(orders: tuple[list[Attempt], list[Attempt]]) -> None:
    one, another = (study(attempts, Known()) for attempts in orders)
    assert one == another


@settings(deadline=None)
@given(ATTEMPTS, st.sampled_from(["Europe/Sofia", "America/New_York", None]))
def test_any_attempts_leave_counts_that_add_up_and_schedules_that_make_sense(
    attempts: list[Attempt], zone: str | None
) -> None:
    studied = study(attempts, knowing(zone=zone))
    assert sum(each.answered for each in studied.memories) == len(attempts)
    assert sum(each.answered for each in studied.days) == len(attempts)
    assert sum(each.right for each in studied.memories) == sum(each.right for each in studied.days)
    assert len({each.ref for each in studied.memories}) == len(studied.memories)
    assert all(_makes_sense(each) for each in studied.memories)
    assert sum(learner.streak for learner in studied.learners) <= len(studied.days)


@settings(deadline=None)
@given(ATTEMPTS)
def test_studying_in_parts_comes_to_the_same_as_all_at_once(attempts: list[Attempt]) -> None:
    """Nothing is due so early that a day off could end the days in a row: that is told apart elsewhere."""
    known, days = knowing(), 0
    for each in sorted(attempts, key=lambda each: each.at):
        part = study([each], known)
        days += sum(day.answered for day in part.days)
        memories = {**known.memories, **{(ANN, left.ref): left for left in part.memories}}
        known = Known(memories, {**known.learners, **{learner.person: learner for learner in part.learners}})
    whole = study(attempts, knowing())
    assert remembered(whole) == {ref: left for (_, ref), left in known.memories.items()}
    assert whole.learners == tuple(known.learners.values())
    assert days == len(attempts)


def _makes_sense(each: Memory) -> bool:
    if each.due is None or each.reviewed is None:
        return not each.missed
    return each.due == each.reviewed if each.missed else 1 <= each.due - each.reviewed <= 365


@pytest.mark.parametrize("right", [True, False], ids=["right", "wrong"])
def test_what_was_known_before_is_not_changed_in_place(right: bool) -> None:
    known = knowing(queued(0, TODAY), learner=PACED)
    study([practised(right=right)], known)
    assert known == knowing(queued(0, TODAY), learner=PACED)
