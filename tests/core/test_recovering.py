"""After an outage, or a post that came late: the same question, answers kept, and the time lost is given back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.effects import Asked, Returned
from bot.core.events import Posted, Recovered
from bot.core.session import Pace, Phase
from tests.core.building import ANN, BOB, LIMIT, NOON, READING, Room, question, quiz_of, seconds, settings


def test_after_a_short_outage_the_same_question_has_the_time_that_was_left() -> None:
    room = Room()
    room.start()
    room.answer(ANN, 0)
    room.answer(BOB, 1)
    room.now = NOON + seconds(8)
    decision = room.away(4)
    (asked,) = decision.posts
    assert isinstance(asked, Asked)
    assert (asked.at, asked.answered, asked.counted) == (0, 2, False)
    assert asked.deadline == room.now + seconds(12)
    assert room.session.tally == (1, 1, 0, 0)


def test_a_long_outage_is_announced_once() -> None:
    room = Room()
    room.start()
    room.now = NOON + seconds(8)
    decision = room.away(3592)
    returned, asked = decision.posts
    assert returned == Returned("u1", room.now, seconds(3592))
    assert returned.slot == f"r{int(room.now.timestamp())}"
    assert isinstance(asked, Asked)
    assert room.session.deadline == room.now + seconds(12)
    again = room.feed(Recovered(NOON + seconds(8), room.now))
    assert again.posts == ()
    assert again.session == room.session


def test_while_an_answer_is_read_a_long_outage_is_announced_and_the_reading_time_given_back() -> None:
    room = Room()
    room.start()
    room.wait(LIMIT)
    assert room.away(60).posts == ()
    (returned,) = room.away(61).posts
    assert isinstance(returned, Returned)
    assert room.session.deadline == room.now + seconds(READING)


@pytest.mark.parametrize("pace", [Pace.RELAXED, Pace.STEADY])
def test_where_nobody_was_kept_waiting_nothing_is_said(pace: Pace) -> None:
    room = Room()
    room.start(settings(pace), card=pace is not Pace.RELAXED)
    before = room.session.deadline
    assert before is not None
    assert room.away(3600).posts == ()
    assert room.session.deadline == before + seconds(3600)


def test_an_outage_before_the_question_was_asked_takes_nothing_from_it() -> None:
    room = Room()
    room.start()
    before = room.session
    room.feed(Recovered(NOON - seconds(3600), NOON))
    assert room.session == before
    room.now += seconds(5)
    room.feed(Recovered(NOON - seconds(3600), room.now))
    assert room.session.deadline == NOON + seconds(LIMIT + 5)


def test_an_outage_told_again_as_a_longer_one_gives_back_only_what_is_new() -> None:
    room = Room()
    room.start()
    since = NOON + seconds(8)
    room.now = NOON + seconds(12)
    room.feed(Recovered(since, room.now))
    room.now = NOON + seconds(18)
    room.feed(Recovered(since, room.now))
    assert room.session.deadline == room.now + seconds(12)


def test_an_outage_that_was_over_when_the_question_became_visible_is_not_given_back_twice() -> None:
    room = Room()
    room.start()
    room.now = NOON + seconds(15)
    room.feed(Posted("u1", 0, room.now))
    decision = room.feed(Recovered(NOON + seconds(2), NOON + seconds(12)))
    assert decision.posts == ()
    assert room.session.deadline == room.now + seconds(LIMIT)


def test_a_press_made_before_the_outage_counts_at_its_own_time() -> None:
    room = Room()
    room.start()
    room.now = NOON + seconds(8)
    room.away(60)
    room.answer(ANN, 0, ago=65)
    assert room.responses[0].at == NOON + seconds(3)


def test_a_question_that_became_visible_late_has_its_whole_time_from_then() -> None:
    room = Room()
    room.start()
    room.now = NOON + seconds(10)
    (asked,) = room.feed(Posted("u1", 0, room.now)).posts
    assert isinstance(asked, Asked)
    assert asked.deadline == room.now + seconds(LIMIT)
    assert room.feed(Posted("u1", 0, room.now)).posts == ()
    room.now += seconds(3)
    room.answer(ANN, 0)
    player = room.player("ann")
    assert player is not None
    assert player.taken == 3000


@pytest.mark.parametrize("late", [0, 1, 2])
def test_a_question_that_became_visible_soon_enough_keeps_its_deadline(late: float) -> None:
    room = Room()
    room.start()
    before = room.session
    room.now += seconds(late)
    assert room.feed(Posted("u1", 0, room.now)).session == before


def test_a_late_post_moves_nothing_but_the_open_question_it_shows() -> None:
    room = Room(quiz_of(question("one"), question("two")))
    room.start(card=True)
    room.now += seconds(30)
    for position in (-1, 0):
        card = room.session
        assert room.feed(Posted("u1", position, room.now)).session == card
    room.begin()
    room.now += seconds(10)
    opened = room.session
    assert room.feed(Posted("u1", 1, room.now)).session == opened
    assert room.feed(Posted("gone", 0, room.now)).session == opened
    room.wait(LIMIT - 10)
    assert room.phase() is Phase.CLOSED
    closed = room.session
    assert room.feed(Posted("u1", 0, room.now + seconds(60))).session == closed


def test_without_a_clock_a_late_post_moves_nothing() -> None:
    room = Room()
    room.start(settings(Pace.RELAXED))
    before = replace(room.session)
    room.now += seconds(60)
    assert room.feed(Posted("u1", 0, room.now)).session == before
