"""What to practise next: due before new, missed before all, ten at most, and nothing that is not there any more."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.quiz import QuestionRef
from bot.learning.lineup import MOST, Lineup, lineup
from bot.learning.memory import Memory
from tests.learning.building import OTHER_WORDING, TODAY, WORDING, memory, queued, ref

FRESH = [ref(number) for number in range(30)]
OFFERED = dict.fromkeys(FRESH, WORDING)


def numbers(made: Lineup) -> list[int]:
    return [int(each.question[1:]) for each in made.refs]


def test_for_whoever_begins_there_are_ten_new_questions_in_order() -> None:
    made = lineup([], OFFERED, FRESH, TODAY)
    assert numbers(made) == list(range(MOST))
    assert (made.reviews, made.new, made.due, made.next_due) == (0, 10, 0, None)


def test_what_was_missed_comes_first_the_latest_before_all_then_what_has_waited_longest() -> None:
    memories = [
        queued(1, TODAY),
        queued(2, TODAY - 4),
        queued(3, TODAY - 9, missed=True, reviewed=TODAY - 9),
        queued(4, TODAY - 1, missed=True, reviewed=TODAY - 1),
    ]
    made = lineup(memories, OFFERED, [], TODAY)
    assert numbers(made) == [4, 3, 2, 1]
    assert (made.reviews, made.new, made.due) == (4, 0, 4)


def test_due_reviews_come_before_new_questions_and_leave_them_the_rest() -> None:
    made = lineup([queued(number, TODAY) for number in range(20, 27)], OFFERED, FRESH, TODAY)
    assert numbers(made) == [20, 21, 22, 23, 24, 25, 26, 0, 1, 2]
    assert (made.reviews, made.new, made.due) == (7, 3, 7)


def test_more_than_ten_reviews_leave_no_place_for_new_ones_and_all_are_counted() -> None:
    made = lineup([queued(number, TODAY - number) for number in range(12)], OFFERED, FRESH, TODAY)
    assert numbers(made) == [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
    assert (made.reviews, made.new, made.due) == (10, 0, 12)


def test_what_is_due_later_waits_and_the_next_day_is_named() -> None:
    memories = [queued(0, TODAY + 3), queued(1, TODAY + 3), queued(2, TODAY + 8), queued(3, TODAY)]
    made = lineup(memories, OFFERED, [ref(number) for number in range(4)], TODAY)
    assert numbers(made) == [3]
    assert made.next_due == (TODAY + 3, 2)


def test_a_missed_question_is_due_even_where_it_is_still_yesterday() -> None:
    """Missed on a day that has not begun where its learner is now."""
    made = lineup([queued(0, TODAY + 1, missed=True)], OFFERED, [], TODAY)
    assert (numbers(made), made.next_due) == ([0], None)


def test_new_are_those_never_answered_and_then_those_right_in_a_quiz() -> None:
    seen = [memory(0, answered=1, right=1), memory(2, answered=3, right=3)]
    made = lineup(seen, OFFERED, [ref(0), ref(1), ref(2), ref(3), ref(1)], TODAY)
    assert numbers(made) == [1, 3, 0, 2]
    assert (made.reviews, made.new) == (0, 4)


def test_a_question_that_is_gone_is_not_due_nor_awaited() -> None:
    made = lineup([queued(0, TODAY), queued(1, TODAY + 1)], {}, FRESH, TODAY)
    assert made == Lineup((), 0, 0, 0)


def test_a_question_whose_wording_changed_is_new_again() -> None:
    known = [queued(0, TODAY), queued(1, TODAY + 1), memory(2, answered=1, right=1)]
    made = lineup(known, {ref(number): OTHER_WORDING for number in range(3)}, [ref(0), ref(1), ref(2)], TODAY)
    assert (numbers(made), made.reviews, made.new, made.due) == ([0, 1, 2], 0, 3, 0)


MEMORIES = st.lists(
    st.builds(
        lambda number, due, missed, wording: memory(number, fingerprint=wording, missed=missed, due=due, reviewed=due),
        st.integers(0, 29),
        st.one_of(st.none(), st.integers(TODAY - 20, TODAY + 20)),
        st.booleans(),
        st.sampled_from([WORDING, OTHER_WORDING]),
    ).map(lambda each: each if each.due is not None else memory(int(each.ref.question[1:]))),
    unique_by=lambda each: each.ref,
)


@settings(deadline=None)
@given(MEMORIES, st.permutations(FRESH), st.integers(1, 12))
def test_any_lineup_is_short_enough_free_of_repeats_and_due_first(
    memories: list[Memory], fresh: list[QuestionRef], most: int
) -> None:
    made = lineup(memories, OFFERED, fresh, TODAY, most)
    due = {each.ref for each in memories if each.fingerprint == WORDING and (each.missed or _is_due(each))}
    assert len(made.refs) == made.reviews + made.new == min(most, len(set(made.refs)))
    assert made.due == len(due)
    assert made.reviews == min(len(due), most)
    assert due.issuperset(made.refs[: made.reviews])
    assert due.isdisjoint(made.refs[made.reviews :])
    assert made.next_due is None or made.next_due[0] > TODAY


@settings(deadline=None)
@given(MEMORIES.flatmap(lambda memories: st.tuples(st.just(memories), st.permutations(memories))))
def test_the_order_in_which_memories_are_read_changes_nothing(orders: tuple[list[Memory], list[Memory]]) -> None:
    one, another = orders
    assert lineup(one, OFFERED, FRESH, TODAY) == lineup(another, OFFERED, FRESH, TODAY)


def _is_due(each: Memory) -> bool:
    return each.due is not None and each.due <= TODAY
