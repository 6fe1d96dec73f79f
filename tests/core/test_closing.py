"""How a question closes, what everyone sees then, and how the session goes on to its end."""

from __future__ import annotations

import pytest

from bot.core.effects import Asked, Closed, Ended, Reason, Told
from bot.core.events import Advanced, DeadlinePassed
from bot.core.session import Drawn, Ending, Feedback, Pace, Phase, Result
from tests.core.building import ANN, BOB, CAT, LIMIT, MIA, NOON, READING, Room, plain_quiz, seconds, settings

FIRST = Drawn(0, (0, 1, 2, 3))


def test_when_the_time_is_over_the_question_closes_with_what_everyone_chose() -> None:
    room = Room()
    room.start()
    room.answer(ANN, 0)
    room.answer(BOB, 2)
    (decision,) = room.wait(LIMIT)
    result = Result(FIRST, tally=(1, 0, 1, 0), answered=2, right=1)
    assert decision.posts == (Closed("u1", 0, 3, result, reveal=True, private=False, step=None),)
    assert decision.reply is None
    assert room.session.deadline == NOON + seconds(LIMIT + READING)


def test_nobody_answering_is_a_normal_result() -> None:
    room = Room()
    room.start()
    (decision,) = room.wait(LIMIT)
    (closed,) = decision.posts
    assert isinstance(closed, Closed)
    assert closed.result == Result(FIRST, (0, 0, 0, 0), answered=0, right=0)
    assert room.phase() is Phase.CLOSED


def test_after_the_reading_time_comes_the_next_question() -> None:
    room = Room()
    room.start()
    room.answer(ANN, 0)
    room.wait(LIMIT + READING - 1)
    assert room.phase() is Phase.CLOSED
    room.wait(1)
    assert room.stage == (1, Phase.OPEN)
    assert (room.session.answered, room.session.right, room.session.tally) == (0, 0, (0, 0, 0, 0))


def test_a_deadline_that_was_moved_or_has_not_come_means_nothing() -> None:
    room = Room()
    room.start()
    before = room.session
    assert before.deadline is not None
    early = room.feed(DeadlinePassed("u1", before.deadline))
    room.now += seconds(LIMIT)
    wrong = room.feed(DeadlinePassed("u1", before.deadline - seconds(1)))
    other = room.feed(DeadlinePassed("gone", before.deadline))
    for decision in (early, wrong, other):
        assert decision.posts == ()
        assert decision.session == before


def test_next_closes_the_open_question_and_goes_on_from_a_closed_one() -> None:
    room = Room()
    room.start(settings(Pace.RELAXED))
    closing = room.advance()
    assert closing.reply == Told(Reason.ADVANCED)
    (closed,) = closing.posts
    assert isinstance(closed, Closed)
    assert closed.step == 1
    (asked,) = room.advance(MIA).posts
    assert isinstance(asked, Asked)
    assert (asked.at, asked.step, asked.limit, asked.deadline) == (1, 2, None, None)


def test_two_presses_of_the_same_next_button_advance_once() -> None:
    room = Room()
    room.start()
    first, second = (Advanced(room.key(), by, "u1", step=0) for by in (ANN, MIA))
    assert room.feed(first).reply == Told(Reason.ADVANCED)
    assert room.feed(second).reply == Told(Reason.MOVED_ON)
    assert room.stage == (0, Phase.CLOSED)


def test_the_same_next_delivered_twice_advances_once() -> None:
    room = Room()
    room.start()
    typed = Advanced(room.key(), ANN)
    room.feed(typed)
    assert room.feed(typed).reply == Told(Reason.ALREADY_DONE)
    assert room.stage == (0, Phase.CLOSED)


def test_next_is_for_the_host_and_moderators_and_needs_a_question() -> None:
    room = Room()
    assert room.advance().reply == Told(Reason.NOTHING_RUNNING)
    room.start(card=True)
    assert room.advance().reply == Told(Reason.NOT_BEGUN)
    room.begin()
    assert room.advance(BOB).reply == Told(Reason.NOT_ALLOWED)
    assert room.phase() is Phase.OPEN


def test_after_the_last_question_come_the_standings() -> None:
    room = Room(plain_quiz(1))
    room.start()
    room.answer(ANN, 0)
    room.answer(BOB, 1)
    *_, last = room.wait(LIMIT + READING)
    result = Result(FIRST, (1, 1, 0, 0), answered=2, right=1)
    assert last.posts == (Ended("u1", Ending.COMPLETED, (result,), 1, players=2, private=False, clocked=True),)
    assert room.session.ending is Ending.COMPLETED
    assert room.session.deadline is None


def test_three_of_ten_members_play_and_three_are_counted_even_without_a_right_answer() -> None:
    room = Room()
    room.start()
    for by, option in [(ANN, 0), (BOB, 1), (CAT, 2)]:
        room.answer(by, option)
    ended = room.stop().posts[-1]
    assert isinstance(ended, Ended)
    assert ended.players == 3


def test_with_feedback_at_the_end_no_key_is_shown_before_and_every_key_then() -> None:
    room = Room(plain_quiz(2))
    room.start(settings(feedback=Feedback.AT_END))
    room.answer(ANN, 0)
    room.wait(2 * (LIMIT + READING))
    shown = [(type(post), post.slot, getattr(post, "reveal", None)) for post in room.posts if not is_question(post)]
    assert shown == [
        (Closed, "q0", False),
        (Closed, "q1", False),
        (Ended, "standings", None),
        (Closed, "q0", True),
        (Closed, "q1", True),
    ]


@pytest.mark.parametrize("feedback", list(Feedback))
def test_the_end_knows_whether_the_keys_are_shown_only_afterwards(feedback: Feedback) -> None:
    room = Room()
    room.start(settings(feedback=feedback))
    (ended,) = [post for post in room.stop().posts if isinstance(post, Ended)]
    assert ended.afterwards is (feedback is Feedback.AT_END)


def is_question(post: object) -> bool:
    return isinstance(post, Asked)


def test_with_feedback_at_the_end_a_stop_tells_the_key_of_the_open_question_too() -> None:
    room = Room()
    room.start(settings(feedback=Feedback.AT_END))
    posts = room.stop().posts
    assert [(post.slot, getattr(post, "reveal", None)) for post in posts] == [
        ("q0", False),
        ("standings", None),
        ("q0", True),
    ]


def test_a_private_question_with_a_clock_has_next_and_goes_on_by_itself() -> None:
    room = Room()
    room.start(private=True)
    (closed,) = room.answer(ANN, 0).posts
    assert isinstance(closed, Closed)
    assert room.feed(Advanced(room.key(), ANN, "u1", closed.step)).reply == Told(Reason.ADVANCED)
    assert room.session.at == 1
    room.answer(ANN, 0)
    room.wait(READING)
    assert room.session.at == 2


@pytest.mark.parametrize("closed", [False, True])
def test_without_a_clock_an_idle_question_expires_after_a_day_with_scores_kept(closed: bool) -> None:
    room = Room()
    room.start(settings(Pace.RELAXED))
    room.answer(ANN, 0)
    if closed:
        room.advance()
    room.wait(24 * 3600 - 1)
    assert room.session.live
    (expired,) = room.wait(1)
    ended = expired.posts[-1]
    assert isinstance(ended, Ended)
    assert (ended.ending, ended.clocked, ended.players) == (Ending.EXPIRED, False, 1)
    assert ended.results[0].answered == 1
