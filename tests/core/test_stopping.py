"""Stop works in every phase, for those who may, and a lost chat ends its session: scores so far are kept."""

from __future__ import annotations

import pytest

from bot.core import timing
from bot.core.effects import Broken, CardState, Closed, Ended, HostTold, Reason, StartCard, Told
from bot.core.events import (
    Advanced,
    Answered,
    Begun,
    Change,
    ChatLost,
    Configured,
    DeadlinePassed,
    Event,
    Moved,
    Posted,
    Recovered,
    Resumed,
    Sent,
    Stopped,
    Toggled,
)
from bot.core.rules import abandon, decide, idle
from bot.core.session import Actor, Ending, Pace, Phase, wake_at
from tests.core.building import ANN, BOB, LIMIT, MIA, NOON, READING, Room, plain_quiz, seconds, settings


def test_a_stop_closes_the_open_question_and_keeps_the_scores() -> None:
    room = Room()
    room.start()
    room.answer(ANN, 0)
    decision = room.stop()
    assert decision.reply == Told(Reason.STOPPED)
    closed, ended = decision.posts
    assert isinstance(closed, Closed)
    assert closed.step is None
    assert isinstance(ended, Ended)
    assert (ended.ending, ended.players, ended.results) == (Ending.STOPPED, 1, (closed.result,))
    player = room.player("ann")
    assert player is not None
    assert player.points == 100


def test_a_stop_while_the_answer_is_read_says_nothing_more_afterwards() -> None:
    room = Room()
    room.start()
    room.wait(LIMIT)
    (ended,) = room.stop().posts
    assert isinstance(ended, Ended)
    assert wake_at(room.session) is None
    assert room.wait(600) == []


def test_a_stop_on_the_start_card_leaves_a_card_that_says_so() -> None:
    room = Room()
    room.start(card=True)
    (card,) = room.stop().posts
    assert isinstance(card, StartCard)
    assert card.state is CardState.STOPPED


def test_a_stop_that_is_meant_for_a_card_nobody_began_leaves_what_has_begun_alone() -> None:
    room = Room()
    room.start(card=True)
    waiting = Stopped(room.key(), ANN, room.session.id, waiting=True)
    room.begin()
    before = room.session
    assert room.feed(waiting).reply == Told(Reason.ALREADY_BEGUN)
    assert room.session == before
    room.stop()
    room.start(card=True)
    assert room.feed(Stopped(room.key(), ANN, room.session.id, waiting=True)).reply == Told(Reason.STOPPED)


def test_a_start_right_after_a_stop_runs_by_its_own_time() -> None:
    room = Room()
    room.start()
    room.now += seconds(10)
    room.stop()
    room.start()
    room.wait(LIMIT - 1)
    assert room.phase() is Phase.OPEN
    room.wait(1)
    assert room.phase() is Phase.CLOSED
    assert room.now == NOON + seconds(10 + LIMIT)


def test_stop_works_in_a_private_chat_and_for_moderators_but_not_for_strangers() -> None:
    room = Room()
    room.start(private=True)
    assert room.stop().reply == Told(Reason.STOPPED)
    room.start()
    refused = room.stop(BOB)
    assert refused.reply == Told(Reason.NOT_ALLOWED)
    assert refused.posts == ()
    assert room.stop(MIA).reply == Told(Reason.STOPPED)


def test_there_is_nothing_to_stop_before_a_session_and_after_one() -> None:
    room = Room()
    assert room.stop().reply == Told(Reason.NOTHING_RUNNING)
    room.start()
    room.stop()
    assert room.stop().reply == Told(Reason.NOTHING_RUNNING)
    assert room.feed(Stopped(room.key(), ANN, room.session.id)).reply == Told(Reason.ENDED)


def test_a_button_of_an_old_session_steers_nothing_in_the_new_one() -> None:
    room = Room()
    room.start()
    old = room.session.id
    room.stop()
    room.start()
    for event in (Advanced(room.key(), ANN, old, 0), Stopped(room.key(), ANN, old)):
        assert room.feed(event).reply == Told(Reason.OTHER_SESSION)
    assert room.stage == (0, Phase.OPEN)


def test_a_chat_that_is_lost_ends_its_session_and_only_the_host_is_told() -> None:
    room = Room()
    room.start()
    room.answer(ANN, 0)
    lost = room.feed(ChatLost("u1"))
    assert lost.posts == (HostTold("u1", "ann"),)
    assert room.session.ending is Ending.LOST
    assert len(room.responses) == 1
    assert room.feed(ChatLost("u1")).posts == ()
    assert room.wait(24 * 3600) == []


def test_a_quiz_that_cannot_be_read_does_not_leave_its_chat_in_progress() -> None:
    room = Room()
    room.start()
    room.last = abandon(room.session, Advanced(room.key(), ANN)).session
    assert room.start().reply == Told(Reason.BEGUN)


def test_the_loss_of_a_chat_in_an_earlier_session_does_not_end_this_one() -> None:
    room = Room()
    room.start()
    assert room.feed(ChatLost("gone")).session == room.session
    assert room.session.live


@pytest.mark.parametrize("ended", [False, True])
def test_where_nothing_runs_the_world_changes_nothing(ended: bool) -> None:
    room = Room()
    if ended:
        room.start()
        room.stop()
    before = room.last
    room.now += seconds(READING)
    for event in (Recovered(NOON, room.now), Posted("u1", 0, room.now), ChatLost("u1"), Moved("k")):
        decision = room.feed(event)
        assert decision.posts == ()
        assert decision.reply is None
    assert room.last == before
    assert wake_at(room.last) is None


def test_a_chat_that_never_had_a_session_answers_everyone_and_keeps_nothing() -> None:
    for event in events_of("gone", ANN):
        decision = idle(event)
        assert decision.session is None
        assert (decision.reply is not None) == hasattr(event, "by")
        assert decision == decide(plain_quiz(), None, None, event, NOON)


def test_whatever_comes_to_a_session_without_its_quiz_ends_it_once() -> None:
    room = Room()
    room.start()
    room.answer(ANN, 0)
    for event in events_of("u1", ANN):
        decision = abandon(room.session, event)
        assert decision.posts == (Broken("u1"),)
        assert decision.reply == (Told(Reason.ENDED) if hasattr(event, "by") else None)
        assert decision.session is not None
        assert (decision.session.live, decision.session.players) == (False, 1)
        again = abandon(decision.session, event)
        assert (again.session, again.posts, again.reply) == (decision.session, (), decision.reply)


def events_of(session: str, by: Actor) -> list[Event]:
    """One event of each kind but a start."""
    return [
        Begun("k", by, session),
        Configured("k", by, session, Change(count=1), configuring=True),
        Advanced("k", by, session),
        Resumed("k", by, session),
        Stopped("k", by, session),
        Answered(by, session, 0, (0,), NOON),
        Toggled("k", by, session, 0, 0, NOON),
        Sent(by, session, 0, NOON),
        DeadlinePassed(session, NOON),
        Recovered(NOON, NOON + seconds(5)),
        Posted(session, 0, NOON),
        ChatLost(session),
        Moved("k"),
    ]


def test_a_question_without_a_clock_expires_a_day_after_the_last_answer() -> None:
    day = timing.IDLE_EXPIRY.total_seconds()
    room = Room()
    room.start(settings(Pace.RELAXED))
    room.wait(day - 1)
    room.answer(ANN, 0)
    room.wait(day - 1)
    assert room.session.live
    room.wait(1)
    assert room.session.ending is Ending.EXPIRED
