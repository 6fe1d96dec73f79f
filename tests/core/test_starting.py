"""How a session starts: once per chat, with the settings that its host chose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.effects import Asked, CardState, Reason, Running, StartCard, Told
from bot.core.events import Begun, Change, Configured, Started, Stopped
from bot.core.rules import decide
from bot.core.session import Drawn, Feedback, Order, Pace, Phase, Settings
from bot.core.steps import KEYS_REMEMBERED
from tests.core.building import ANN, BOB, LIMIT, MIA, NOON, Room, drawn, plain_quiz, seconds, settings


def test_a_quiz_starts_with_a_card_that_says_what_will_come() -> None:
    room = Room()
    decision = room.start(settings(count=2), card=True)
    assert decision.posts == (StartCard("u1", "Ann", settings(count=2), 3, False, CardState.WAITING),)
    assert decision.reply == Told(Reason.DONE)
    assert room.session.deadline == NOON + seconds(24 * 3600)


def test_start_turns_the_card_into_one_that_has_begun_and_asks_the_first_question() -> None:
    room = Room()
    room.start(settings(count=2), card=True)
    decision = room.begin()
    card, asked = decision.posts
    assert isinstance(card, StartCard)
    assert card.state is CardState.BEGUN
    assert asked == Asked(
        session="u1",
        at=0,
        total=2,
        drawn=Drawn(0, (0, 1, 2, 3)),
        limit=seconds(LIMIT),
        deadline=NOON + seconds(LIMIT),
        step=0,
        private=False,
    )
    assert decision.reply == Told(Reason.BEGUN)


def test_without_a_card_a_session_begins_at_once() -> None:
    decision = Room().start()
    assert [post.slot for post in decision.posts] == ["q0"]
    assert decision.reply == Told(Reason.BEGUN)


def test_two_starts_in_the_same_instant_give_one_session_and_the_second_learns_where_it_is() -> None:
    room = Room()
    room.start(settings(count=2), card=True)
    second = room.start(by=BOB)
    assert second.reply == Running("u1", Phase.CARD, at=-1, total=2)
    assert second.posts == ()
    assert room.session.host == "ann"


@pytest.mark.parametrize("phase", [Phase.CARD, Phase.OPEN, Phase.CLOSED, Phase.PAUSED])
def test_a_start_is_refused_in_every_phase_of_a_running_session(phase: Phase) -> None:
    room = Room()
    room.start(card=True)
    if phase is not Phase.CARD:
        room.begin()
    if phase is Phase.CLOSED:
        room.wait(LIMIT)
    if phase is Phase.PAUSED:
        room.wait(100)
    assert room.phase() is phase
    assert isinstance(room.start(by=BOB).reply, Running)
    assert room.session.id == "u1"


def test_the_same_start_delivered_twice_is_one_session_even_after_its_end() -> None:
    room = Room()
    started = Started(room.key(), ANN, "digest", drawn(room.quiz), settings(), private=False)
    room.feed(started)
    assert room.feed(started).reply == Told(Reason.ALREADY_DONE)
    room.stop()
    again = room.feed(started)
    assert again.reply == Told(Reason.ALREADY_DONE)
    assert again.posts == ()
    assert not room.session.live


def test_a_stop_of_the_last_session_that_is_delivered_again_does_not_stop_the_next_one() -> None:
    room = Room()
    room.start()
    stopped = Stopped(room.key(), ANN)
    room.feed(stopped)
    room.start()
    assert room.feed(stopped).reply == Told(Reason.ALREADY_DONE)
    assert room.session.live


@pytest.mark.parametrize("count", [0, -1, -(10**9)])
def test_a_session_of_no_questions_is_refused(count: int) -> None:
    room = Room()
    decision = room.start(settings(count=count))
    assert decision.reply == Told(Reason.INVALID)
    assert room.last is None


@pytest.mark.parametrize(("wanted", "given"), [(1, 1), (3, 3), (4, 3), (10**9, 3)])
def test_nobody_is_asked_more_questions_than_the_quiz_has(wanted: int, given: int) -> None:
    room = Room()
    decision = room.start(settings(count=wanted), card=True)
    assert isinstance(decision.posts[0], StartCard)
    assert decision.posts[0].settings.count == given
    room.begin()
    assert len(room.session.draw) == given


def test_a_session_in_written_order_asks_the_drawn_questions_as_the_author_sorted_them() -> None:
    quiz = plain_quiz(4)
    shuffled = (3, 1, 0, 2)
    draw = tuple(drawn(quiz)[number] for number in shuffled)
    for order, expected in [(Order.WRITTEN, [1, 3]), (Order.SHUFFLED, [3, 1])]:
        event = Started("s", ANN, "digest", draw, settings(count=2, order=order), private=False, card=False)
        session = decide(quiz, None, None, event, NOON).session
        assert session is not None
        assert [one.question for one in session.draw] == expected


def test_settings_on_the_card_are_changed_by_the_host_and_count_for_the_session() -> None:
    room = Room()
    room.start(card=True)
    chosen = settings(Pace.RELAXED, count=1)
    change = Change(pace=Pace.RELAXED, count=1)
    for unfolded, state in [(False, CardState.WAITING), (True, CardState.CONFIGURING)]:
        decision = room.feed(Configured(room.key(), ANN, room.session.id, change, configuring=unfolded))
        assert decision.reply == Told(Reason.CONFIGURED)
        assert decision.posts == (StartCard("u1", "Ann", chosen, 3, False, state),)
    room.begin()
    assert room.session.settings == chosen
    assert len(room.session.draw) == 1


@pytest.mark.parametrize(
    ("change", "chosen"),
    [
        (Change(), settings(count=2, order=Order.SHUFFLED)),
        (Change(pace=Pace.BRISK), settings(Pace.BRISK, count=2, order=Order.SHUFFLED)),
        (Change(count=1), settings(count=1, order=Order.SHUFFLED)),
        (Change(feedback=Feedback.AT_END), settings(count=2, feedback=Feedback.AT_END, order=Order.SHUFFLED)),
        (Change(order=Order.WRITTEN), settings(count=2)),
        (Change(speed_bonus=True), settings(count=2, order=Order.SHUFFLED, speed_bonus=True)),
    ],
)
def test_a_button_beside_the_settings_changes_one_of_them_or_none(change: Change, chosen: Settings) -> None:
    room = Room()
    room.start(settings(count=2, order=Order.SHUFFLED), card=True)
    decision = room.feed(Configured(room.key(), ANN, room.session.id, change, configuring=True))
    assert decision.posts == (StartCard("u1", "Ann", chosen, 3, False, CardState.CONFIGURING),)
    assert room.session.settings == chosen


@pytest.mark.parametrize("count", [0, -1, 4, 10**9])
def test_a_forged_number_of_questions_changes_nothing_on_the_card(count: int) -> None:
    room = Room()
    room.start(card=True)
    before = room.session
    forged = Configured(room.key(), ANN, before.id, Change(count=count), configuring=True)
    assert room.feed(forged).reply == Told(Reason.INVALID)
    assert room.session == before


def test_an_update_delivered_again_is_known_while_it_is_among_the_last_that_were_acted_on() -> None:
    room = Room()
    room.start(card=True)
    events = [
        Configured(room.key(), ANN, room.session.id, Change(count=1 + number % 3), configuring=True)
        for number in range(KEYS_REMEMBERED + 5)
    ]
    for event in events:
        room.feed(event)
    before = room.session
    assert len(before.handled) == KEYS_REMEMBERED
    for event in events[-KEYS_REMEMBERED:]:
        assert room.feed(event).reply == Told(Reason.ALREADY_DONE)
    assert room.session == before


def test_start_and_settings_do_nothing_once_the_first_question_is_asked() -> None:
    room = Room()
    room.start()
    before = room.session
    assert room.begin().reply == Told(Reason.ALREADY_BEGUN)
    late = Configured(room.key(), ANN, before.id, Change(count=1), configuring=True)
    assert room.feed(late).reply == Told(Reason.ALREADY_BEGUN)
    assert room.session == before


def test_only_the_host_and_moderators_start_from_the_card() -> None:
    room = Room()
    room.start(card=True)
    assert room.begin(BOB).reply == Told(Reason.NOT_ALLOWED)
    assert room.phase() is Phase.CARD
    assert room.begin(MIA).reply == Told(Reason.BEGUN)


def test_the_card_of_another_session_starts_nothing() -> None:
    room = Room()
    assert room.feed(Begun("k", ANN, "gone")).reply == Told(Reason.NOTHING_RUNNING)
    room.start(card=True)
    assert room.feed(Begun("k", ANN, "gone")).reply == Told(Reason.OTHER_SESSION)
    assert room.phase() is Phase.CARD


def test_a_card_that_nobody_touches_expires_after_a_day() -> None:
    room = Room()
    room.start(card=True)
    (expired,) = room.wait(24 * 3600)
    assert expired.posts == (StartCard("u1", "Ann", settings(count=3), 3, False, CardState.EXPIRED),)
    assert not room.session.live


def test_a_host_may_change_their_name_without_losing_the_session() -> None:
    room = Room()
    room.start(card=True)
    assert room.begin(replace(ANN, name="Anna")).reply == Told(Reason.BEGUN)
