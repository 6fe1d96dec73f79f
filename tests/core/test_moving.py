"""A chat that becomes another one: what stands is shown there once, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.core.effects import Asked, Broken, CardState, Closed, Paused, Reason, Running, StartCard, Told
from bot.core.events import DeadlinePassed, Moved
from bot.core.rules import abandon
from bot.core.session import Ending, Phase
from tests.core.building import ANN, BOB, LIMIT, Room, seconds, settings


def on_the_card(room: Room) -> None:
    room.start(card=True)


def on_a_question(room: Room) -> None:
    room.start()
    room.answer(ANN, 0)
    room.answer(BOB, 1)


def on_an_answer(room: Room) -> None:
    on_a_question(room)
    room.wait(LIMIT)


def at_a_pause(room: Room) -> None:
    room.start()
    room.wait(3600)


def at_the_end(room: Room) -> None:
    on_a_question(room)
    room.stop()


STAGES = [
    (on_the_card, StartCard, "card"),
    (on_a_question, Asked, "q0"),
    (on_an_answer, Closed, "q0"),
    (at_a_pause, Paused, "p1"),
]


@pytest.mark.parametrize(("bring", "kind", "slot"), STAGES)
def test_what_stands_is_posted_once_for_a_move_however_often_it_is_told(
    bring: Callable[[Room], None], kind: type, slot: str
) -> None:
    room = Room()
    bring(room)
    before = room.session
    decision = room.feed(Moved("m1"))
    assert [(type(post), post.slot) for post in decision.posts] == [(kind, slot)]
    assert decision.reply is None
    after = room.session
    assert replace(after, handled=before.handled) == before
    again = room.feed(Moved("m1"))
    assert again.posts == ()
    assert room.session == after


@pytest.mark.parametrize(("bring", "kind", "slot"), STAGES)
def test_another_move_is_another_one(bring: Callable[[Room], None], kind: type, slot: str) -> None:
    room = Room()
    bring(room)
    assert [room.feed(Moved(key)).posts[0].slot for key in ("m1", "m2")] == [slot, slot]


def test_a_question_is_shown_as_it_is_now_with_its_counter_and_the_time_that_is_left() -> None:
    room = Room()
    on_a_question(room)
    room.now += seconds(7)
    (asked,) = room.feed(Moved("m1")).posts
    assert isinstance(asked, Asked)
    assert (asked.answered, asked.counted) == (2, False)
    assert asked.deadline == room.session.deadline == room.now + seconds(LIMIT - 7)


def test_a_card_whose_settings_were_unfolded_is_shown_folded_and_with_what_was_chosen() -> None:
    room = Room()
    room.start(settings(count=2), card=True)
    (card,) = room.feed(Moved("m1")).posts
    assert isinstance(card, StartCard)
    assert (card.state, card.settings.count) == (CardState.WAITING, 2)


def test_where_a_session_has_ended_or_never_was_nothing_is_shown() -> None:
    room = Room()
    assert room.feed(Moved("m1")).posts == ()
    at_the_end(room)
    before = room.session
    assert room.feed(Moved("m2")).posts == ()
    assert room.session == before


def test_a_move_that_is_told_again_after_the_next_session_began_shows_nothing() -> None:
    room = Room()
    on_a_question(room)
    room.feed(Moved("m1"))
    room.stop()
    on_a_question(room)
    assert room.feed(Moved("m1")).posts == ()


def test_a_move_changes_no_deadline_and_no_step_and_counts_no_press_twice() -> None:
    room = Room()
    on_a_question(room)
    due = room.session.deadline
    assert due is not None
    room.feed(Moved("m1"))
    room.answer(ANN, 1)
    assert len(room.responses) == 2
    room.now = due
    room.feed(DeadlinePassed(room.session.id, due))
    assert room.stage == (0, Phase.CLOSED)


def test_a_chat_that_moves_while_its_quiz_cannot_be_read_is_told_that_it_is_over() -> None:
    room = Room()
    on_a_question(room)
    decision = abandon(room.session, Moved("m1"))
    assert decision.posts == (Broken(room.session.id),)
    assert decision.reply is None
    assert decision.session
    assert decision.session.ending is Ending.BROKEN


@pytest.mark.parametrize(("bring", "kind", "slot"), STAGES)
def test_whoever_starts_a_second_quiz_is_told_in_which_message_the_first_one_waits(
    bring: Callable[[Room], None], kind: type, slot: str
) -> None:
    room = Room()
    bring(room)
    running = room.start(by=BOB).reply
    assert isinstance(running, Running)
    assert running.slot == slot


def test_a_start_is_known_again_however_much_has_happened_since() -> None:
    room = Room()
    room.start(card=True)
    room.stop()
    room.last = ended = replace(room.session, handled=("other",) * 32)
    room.updates = 0
    again = room.start(card=True)
    assert again.reply == Told(Reason.ALREADY_DONE)
    assert (again.session, again.posts) == (ended, ())
