"""What becomes of answers: the first counts, once, for the question it was made for, and only while that is open."""

from __future__ import annotations

import pytest

from bot.core.effects import Asked, Closed, Noted, Reason, Told, Verdict
from bot.core.events import Answered, Toggled
from bot.core.session import Drawn, Feedback, Pace, Phase
from tests.core.building import ANN, BOB, CAT, LIMIT, NOON, READING, Room, plain_quiz, seconds, settings

FIRST = Drawn(0, (0, 1, 2, 3))


def started(feedback: Feedback = Feedback.AT_ONCE, pace: Pace = Pace.STEADY, *, private: bool = False) -> Room:
    room = Room()
    room.start(settings(pace, feedback=feedback), private=private)
    return room


def test_an_answer_is_met_with_a_verdict_and_the_counter() -> None:
    room = started()
    right, wrong = room.answer(ANN, 0), room.answer(BOB, 1)
    assert right.reply == Verdict(FIRST, (0,), right=True, points=100, quiz="digest")
    assert wrong.reply == Verdict(FIRST, (1,), right=False, points=0, quiz="digest")
    (post,) = wrong.posts
    assert isinstance(post, Asked)
    assert (post.answered, post.counted) == (2, True)


@pytest.mark.parametrize("feedback", [Feedback.AT_CLOSE, Feedback.AT_END])
def test_with_later_feedback_an_answer_is_only_noted(feedback: Feedback) -> None:
    room = started(feedback)
    assert room.answer(ANN, 0).reply == Noted(FIRST, (0,))


def test_of_several_choices_of_one_person_the_first_counts() -> None:
    room = started()
    replies = [room.answer(ANN, option).reply for option in (1, 0, 2, 3)]
    assert replies[1:] == [Noted(FIRST, (1,), again=True)] * 3
    assert [response.options for response in room.responses] == [(1,)]
    assert room.session.tally == (0, 1, 0, 0)


def test_the_same_press_five_times_in_one_tick_is_one_response() -> None:
    room = started()
    event = Answered(ANN, room.session.id, 0, (0,), room.now)
    for _ in range(5):
        room.feed(event)
    assert len(room.responses) == 1
    assert room.session.answered == 1


def test_two_right_presses_back_to_back_advance_once_and_neither_lands_on_the_next_question() -> None:
    room = started(private=True)
    press = Answered(ANN, room.session.id, 0, (0,), room.now)
    room.feed(press)
    room.wait(READING)
    assert room.stage == (1, Phase.OPEN)
    second = room.feed(press)
    assert second.reply == Told(Reason.LATE)
    assert (room.session.at, room.session.answered) == (1, 0)


def test_fifty_people_in_one_tick_are_fifty_responses() -> None:
    room = started()
    people = [type(ANN)(f"p{number}", f"P{number}") for number in range(50)]
    for number, person in enumerate(people):
        room.answer(person, number % 4)
    assert room.session.answered == room.session.players == 50
    assert room.session.tally == (13, 13, 12, 12)


def test_a_press_at_the_deadline_counts_and_one_a_millisecond_later_is_late() -> None:
    room = started()
    room.now = NOON + seconds(LIMIT)
    assert isinstance(room.answer(ANN, 0).reply, Verdict)
    room.now += seconds(0.001)
    assert room.answer(BOB, 0).reply == Told(Reason.LATE)
    assert room.player("bob") is None


def test_a_press_made_in_time_counts_although_it_arrives_after_the_deadline() -> None:
    room = started()
    room.now = NOON + seconds(LIMIT + 4)
    assert isinstance(room.answer(ANN, 0, ago=5).reply, Verdict)
    assert room.responses[0].at == NOON + seconds(LIMIT - 1)


def test_a_press_after_the_close_is_told_that_it_is_late() -> None:
    room = started()
    room.wait(LIMIT)
    before = room.session
    assert room.answer(ANN, 0, ago=1).reply == Told(Reason.LATE)
    assert room.session == before


def test_a_burst_that_was_held_back_is_judged_question_by_question() -> None:
    room = started()
    room.wait(LIMIT + READING)
    replies = [room.answer(ANN, option, at=0, ago=4).reply for option in range(4)]
    assert replies == [Told(Reason.LATE)] * 4
    assert isinstance(room.answer(ANN, 0).reply, Verdict)
    assert [response.question for response in room.responses] == [1]


def test_without_a_clock_no_press_is_late() -> None:
    room = started(pace=Pace.RELAXED)
    room.now += seconds(5 * 3600)
    assert isinstance(room.answer(ANN, 0).reply, Verdict)


def test_answers_handled_in_reverse_keep_the_times_of_the_platform() -> None:
    room = started()
    room.now += seconds(2)
    room.answer(BOB, 0, ago=0.8)
    room.answer(ANN, 0, ago=1)
    assert {response.person: response.at for response in room.responses} == {
        "ann": NOON + seconds(1),
        "bob": NOON + seconds(1.2),
    }
    ann, bob = room.player("ann"), room.player("bob")
    assert ann is not None
    assert bob is not None
    assert (ann.taken, bob.taken) == (1000, 1200)


@pytest.mark.parametrize("ago", [3600, -3600])
def test_a_platform_clock_that_is_wrong_never_gives_a_negative_time_or_one_from_the_future(ago: float) -> None:
    room = started()
    room.now += seconds(3)
    room.answer(ANN, 0, ago=ago)
    player = room.player("ann")
    assert player is not None
    assert player.taken == (0 if ago > 0 else 3000)


def test_our_own_clock_set_back_never_gives_a_negative_time() -> None:
    room = started()
    room.now -= seconds(5)
    room.answer(ANN, 0)
    player = room.player("ann")
    assert player is not None
    assert player.taken == 0


@pytest.mark.parametrize("position", [-1, 1, 99_999])
def test_a_made_up_question_is_refused(position: int) -> None:
    room = started()
    assert room.answer(ANN, 0, at=position).reply == Told(Reason.INVALID)
    assert room.responses == []


@pytest.mark.parametrize("options", [(), (-1,), (4,), (99_999,), (0, 1)])
def test_a_made_up_choice_is_refused(options: tuple[int, ...]) -> None:
    room = started()
    assert room.answer(ANN, *options).reply == Told(Reason.INVALID)
    assert room.responses == []
    assert room.session.answered == 0


def test_a_press_before_the_first_question_is_refused() -> None:
    room = Room()
    room.start(card=True)
    assert room.answer(ANN, 0, at=0).reply == Told(Reason.INVALID)
    assert room.answer(ANN, 0).reply == Told(Reason.INVALID)


def test_a_press_from_another_session_changes_nothing() -> None:
    room = Room()
    lost = Answered(ANN, "gone", 0, (0,), room.now)
    assert room.feed(lost).reply == Told(Reason.OTHER_SESSION)
    assert room.last is None
    room.start()
    assert room.feed(lost).reply == Told(Reason.OTHER_SESSION)
    assert room.session.answered == 0


def test_after_the_end_a_press_is_told_so_and_a_repeated_one_what_was_chosen() -> None:
    room = started()
    room.answer(ANN, 2)
    room.stop()
    assert room.answer(BOB, 0).reply == Told(Reason.ENDED)
    assert room.answer(ANN, 0).reply == Noted(FIRST, (2,), again=True)


def test_nobody_else_answers_in_a_private_session() -> None:
    room = started(private=True)
    assert room.answer(BOB, 0).reply == Told(Reason.NOT_ALLOWED)
    toggled = Toggled(room.key(), BOB, room.session.id, 0, 0, room.now)
    assert room.feed(toggled).reply == Told(Reason.NOT_ALLOWED)
    assert room.session.answered == 0


def test_an_answer_closes_a_private_question_at_once() -> None:
    room = started(private=True)
    room.now += seconds(2)
    decision = room.answer(ANN, 0)
    (closed,) = decision.posts
    assert isinstance(closed, Closed)
    assert closed.step == 1
    assert room.phase() is Phase.CLOSED


def test_in_a_group_of_one_player_the_second_question_closes_with_the_answer() -> None:
    room = started()
    room.answer(ANN, 0)
    assert room.phase() is Phase.OPEN
    room.wait(LIMIT + READING)
    room.answer(ANN, 0)
    assert room.phase() is Phase.CLOSED


def test_a_question_closes_when_every_player_of_the_session_has_answered() -> None:
    room = started()
    room.answer(ANN, 0)
    room.answer(BOB, 0)
    room.wait(LIMIT + READING)
    room.answer(CAT, 0)
    room.answer(ANN, 0)
    assert room.phase() is Phase.OPEN
    room.answer(BOB, 0)
    assert room.phase() is Phase.CLOSED


def test_the_first_to_answer_after_a_silent_question_does_not_shut_the_others_out() -> None:
    room = started()
    room.wait(LIMIT + READING)
    room.answer(ANN, 0)
    assert room.phase() is Phase.OPEN
    assert isinstance(room.answer(BOB, 0).reply, Verdict)


def test_the_speed_bonus_is_at_most_half_a_point_and_only_for_right_answers() -> None:
    room = Room(plain_quiz(2))
    room.start(settings(speed_bonus=True))
    assert room.answer(ANN, 0).reply == Verdict(FIRST, (0,), right=True, points=150, quiz="digest")
    room.now += seconds(LIMIT / 2)
    assert room.answer(BOB, 0).reply == Verdict(FIRST, (0,), right=True, points=125, quiz="digest")
    assert room.answer(CAT, 1).reply == Verdict(FIRST, (1,), right=False, points=0, quiz="digest")


def test_a_player_is_named_as_they_were_last_seen() -> None:
    room = started()
    room.answer(ANN, 0)
    room.wait(LIMIT + READING)
    room.answer(type(ANN)("ann", "Anna"), 0)
    player = room.player("ann")
    assert player is not None
    assert (player.name, player.answered, player.right, player.points) == ("Anna", 2, 2, 200)
