"""When nobody is there: two silent questions in a row pause a session, until someone resumes it or a day is over."""

from __future__ import annotations

import pytest

from bot.core.effects import Asked, Closed, Ended, Paused, Reason, Told
from bot.core.events import Resumed
from bot.core.session import Ending, Phase
from tests.core.building import ANN, BOB, LIMIT, READING, Room, plain_quiz, seconds

QUESTION = LIMIT + READING


def paused() -> Room:
    room = Room(plain_quiz(6))
    room.start()
    room.wait(QUESTION + LIMIT)
    assert room.phase() is Phase.PAUSED
    return room


def test_two_silent_questions_in_a_row_pause_the_session() -> None:
    room = paused()
    closed, pause = room.posts[-2:]
    assert isinstance(closed, Closed)
    assert closed.step is None
    assert pause == Paused("u1", 1, private=False)
    assert room.session.deadline == room.now + seconds(24 * 3600)


def test_a_private_pause_offers_resume_and_not_next() -> None:
    room = Room(plain_quiz(6))
    room.start(private=True)
    room.wait(QUESTION + LIMIT)
    closed, pause = room.posts[-2:]
    assert isinstance(closed, Closed)
    assert closed.step is None
    assert pause == Paused("u1", 1, private=True)


def test_an_answer_between_two_silent_questions_keeps_the_session_going() -> None:
    room = Room(plain_quiz(6))
    room.start()
    room.wait(QUESTION)
    room.answer(ANN, 3)
    room.wait(QUESTION + LIMIT)
    assert room.stage == (2, Phase.CLOSED)
    room.wait(QUESTION)
    assert room.phase() is Phase.PAUSED


@pytest.mark.parametrize("private", [False, True])
def test_a_question_that_closed_early_because_all_had_answered_was_not_silent(private: bool) -> None:
    room = Room(plain_quiz(6))
    room.start(private=private)
    room.answer(ANN, 0)
    room.wait((READING if private else QUESTION) + QUESTION)
    room.answer(ANN, 0)
    assert room.stage == (2, Phase.CLOSED)
    room.wait(QUESTION)
    assert room.stage == (3, Phase.CLOSED)


def test_a_host_who_presses_next_is_there() -> None:
    room = Room(plain_quiz(6))
    room.start()
    room.wait(QUESTION)
    room.advance()
    room.wait(QUESTION)
    assert room.stage == (2, Phase.CLOSED)


def test_a_silent_last_question_ends_the_session_instead_of_pausing_it() -> None:
    room = Room(plain_quiz(2))
    room.start()
    room.wait(2 * QUESTION)
    assert room.session.ending is Ending.COMPLETED
    assert not any(isinstance(post, Paused) for post in room.posts)


def test_anyone_resumes_and_the_next_question_has_its_whole_time() -> None:
    room = paused()
    room.wait(3600)
    decision = room.resume(BOB)
    assert decision.reply == Told(Reason.RESUMED)
    over, asked = decision.posts
    assert over == Paused("u1", 1, private=False, over=True)
    assert isinstance(asked, Asked)
    assert (asked.at, asked.deadline) == (2, room.now + seconds(LIMIT))


def test_after_a_pause_it_takes_two_silent_questions_again() -> None:
    room = paused()
    room.resume()
    room.wait(LIMIT)
    assert room.phase() is Phase.CLOSED
    room.wait(QUESTION)
    assert room.stage == (3, Phase.PAUSED)
    assert room.posts[-1].slot == "p3"


def test_a_resume_delivered_twice_or_pressed_by_two_resumes_once() -> None:
    room = paused()
    event = Resumed(room.key(), ANN, "u1")
    room.feed(event)
    assert room.feed(event).reply == Told(Reason.ALREADY_DONE)
    assert room.resume(BOB).reply == Told(Reason.NOT_PAUSED)
    assert room.stage == (2, Phase.OPEN)


def test_a_paused_session_takes_no_answers_and_no_next_but_can_be_stopped() -> None:
    room = paused()
    assert room.answer(ANN, 0).reply == Told(Reason.LATE)
    assert room.advance().reply == Told(Reason.PAUSED)
    over, ended = room.stop().posts
    assert over == Paused("u1", 1, private=False, over=True, ending=Ending.STOPPED)
    assert isinstance(ended, Ended)
    assert ended.ending is Ending.STOPPED


def test_a_pause_expires_after_a_day() -> None:
    room = paused()
    (expired,) = room.wait(24 * 3600)
    over, ended = expired.posts
    assert over == Paused("u1", 1, private=False, over=True, ending=Ending.EXPIRED)
    assert isinstance(ended, Ended)
    assert ended.ending is Ending.EXPIRED
    assert len(ended.results) == 2
