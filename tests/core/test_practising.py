"""Practice: what is missed comes back in the same session, and what is right does not."""

from __future__ import annotations

from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bot.core.effects import Asked, Closed, Ended, Reason, Running, Told
from bot.core.session import Ending, Feedback, Order, Pace, Phase
from tests.core.building import ANN, Room, plain_quiz, question, quiz_of, settings

RIGHT, WRONG = 0, 1


def practising(count: int = 6, feedback: Feedback = Feedback.AT_ONCE) -> Room:
    room = Room(plain_quiz(count))
    room.practise(feedback=feedback)
    return room


def asks(room: Room) -> list[int]:
    """The questions of the session, as far as it knows them."""
    return [each.question for each in room.session.draw]


def answer_all(room: Room, wrong: set[int], most: int = 100) -> list[int]:
    """Answer and go on to the end, these questions always wrong; what was asked, in order."""
    asked: list[int] = []
    while room.session.live:
        assert len(asked) < most, "the session never ends"
        asked.append(room.session.current.question)
        room.answer(ANN, WRONG if asked[-1] in wrong else RIGHT)
        room.advance()
    return asked


def test_what_is_missed_comes_back_after_three_others() -> None:
    room = practising(6)
    decision = room.answer(ANN, WRONG)
    assert asks(room) == [0, 1, 2, 3, 0, 4, 5]
    (closed,) = decision.posts
    assert isinstance(closed, Closed)
    assert (closed.at, closed.total) == (0, 7)
    (asked,) = room.advance().posts
    assert isinstance(asked, Asked)
    assert (asked.at, asked.total) == (1, 7)


def test_what_is_right_does_not_come_back() -> None:
    room = practising(6)
    room.answer(ANN, RIGHT)
    assert asks(room) == [0, 1, 2, 3, 4, 5]
    assert answer_all(practising(6), wrong=set()) == [0, 1, 2, 3, 4, 5]


def test_what_is_let_pass_comes_back_as_well() -> None:
    room = practising(6)
    room.advance()
    assert room.stage == (0, Phase.CLOSED)
    assert asks(room) == [0, 1, 2, 3, 0, 4, 5]


def test_it_comes_back_with_three_others_left_and_with_two_it_does_not() -> None:
    assert answer_all(practising(4), wrong={0}) == [0, 1, 2, 3, 0]
    assert answer_all(practising(4), wrong={1}) == [0, 1, 2, 3]
    assert answer_all(practising(3), wrong={0}) == [0, 1, 2]


def test_it_comes_back_twice_at_most() -> None:
    assert answer_all(practising(10), wrong={0}) == [0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9]
    assert answer_all(practising(14), wrong={0}).count(0) == 3


def test_missed_one_after_the_other_they_come_back_one_after_the_other() -> None:
    room = practising(6)
    for _ in range(2):
        room.answer(ANN, WRONG)
        room.advance()
    assert asks(room) == [0, 1, 2, 3, 0, 1, 4, 5]


def test_whoever_misses_everything_comes_to_an_end() -> None:
    assert len(answer_all(practising(10), wrong=set(range(10)))) <= 3 * 10


@hypothesis_settings(deadline=None)
@given(count=st.integers(1, 9), feedback=st.sampled_from(Feedback), doing=st.lists(st.sampled_from("rws"), max_size=27))
def test_whatever_somebody_knows_exactly_what_they_missed_comes_back_and_when(
    count: int, feedback: Feedback, doing: list[str]
) -> None:
    """Right, wrong, skipped in any order, and skipped from then on."""
    room = practising(count, feedback)
    asked: list[int] = []
    expected = list(range(count))
    for did in chain(doing, repeat("s")):
        at, current = room.session.at, room.session.current.question
        asked.append(current)
        again = did != "r" and feedback is not Feedback.AT_END and asked.count(current) <= 2 and len(expected) > at + 3
        if again:
            expected.insert(at + 4, current)
        if did != "s":
            room.answer(ANN, RIGHT if did == "r" else WRONG)
        else:
            room.advance()
        assert asks(room) == expected
        room.advance()
        if not room.session.live:
            break
    assert asked == expected
    assert len(asked) <= 3 * count


def test_when_it_comes_back_no_option_is_known_by_its_letter() -> None:
    room = practising(6)
    before = room.session.current.options
    room.answer(ANN, WRONG)
    after = room.session.draw[4].options
    assert sorted(after) == sorted(before)
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_pinned_options_keep_their_place_when_it_comes_back() -> None:
    pinned = question("pinned", pinned=[0, 3], options=5)
    room = Room(quiz_of(pinned, *plain_quiz(5).questions))
    room.practise()
    room.answer(ANN, WRONG)
    assert room.session.draw[4].options == (0, 2, 4, 3, 1)


def test_the_only_option_that_is_not_pinned_stays() -> None:
    room = Room(quiz_of(question("all but one", pinned=[0, 2, 3]), *plain_quiz(5).questions))
    room.practise()
    room.answer(ANN, WRONG)
    assert room.session.draw[4].options == (0, 1, 2, 3)


def test_a_question_that_came_back_is_answered_anew_and_counts_anew() -> None:
    room = practising(4)
    room.answer(ANN, WRONG)
    room.advance()
    for _ in range(3):
        room.answer(ANN, RIGHT)
        room.advance()
    assert room.stage == (4, Phase.OPEN)
    decision = room.answer(ANN, RIGHT)
    assert decision.response is not None
    assert (decision.response.question, decision.response.question_id, decision.response.right) == (4, "q0", True)
    player = room.player("ann")
    assert player is not None
    assert (player.answered, player.right) == (5, 4)


def test_in_the_end_it_says_that_it_was_practice_and_what_became_of_each_question() -> None:
    room = practising(4)
    answer_all(room, wrong={0})
    ended = room.posts[-1]
    assert isinstance(ended, Ended)
    assert ended.practice
    assert ended.ending is Ending.COMPLETED
    assert ended.total == 5
    assert [(result.drawn.question, result.right) for result in ended.results] == [
        (0, 0),
        (1, 1),
        (2, 1),
        (3, 1),
        (0, 0),
    ]


def test_a_session_that_is_no_practice_asks_everything_once_and_does_not_say_that_it_was() -> None:
    room = Room(plain_quiz(6))
    room.start(settings(Pace.RELAXED, order=Order.SHUFFLED), private=True)
    assert answer_all(room, wrong={0, 1, 2}) == [0, 1, 2, 3, 4, 5]
    ended = room.posts[-1]
    assert isinstance(ended, Ended)
    assert not ended.practice


def test_stopped_it_says_that_what_was_left_waits() -> None:
    assert practising().stop().reply == Told(Reason.LEFT)


def test_stopped_while_a_question_is_open_nothing_comes_back() -> None:
    room = practising(6)
    room.stop()
    ended = room.posts[-1]
    assert isinstance(ended, Ended)
    assert (ended.total, len(ended.results)) == (6, 1)


@pytest.mark.parametrize(("feedback", "returns"), [(Feedback.AT_CLOSE, True), (Feedback.AT_END, False)])
def test_nothing_comes_back_before_its_answer_has_been_told(feedback: Feedback, returns: bool) -> None:
    room = practising(6, feedback)
    room.answer(ANN, WRONG)
    assert (asks(room).count(0) == 2) == returns


def test_a_second_start_hears_how_many_questions_there_are_by_now() -> None:
    room = practising(6)
    room.answer(ANN, WRONG)
    assert room.practise().reply == Running("u1", Phase.CLOSED, 0, 7)
