"""A session whose host has been forgotten: it goes on for the others, and moderators alone steer it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.effects import Reason, Told
from bot.core.events import Advanced, Begun, Change, ChatLost, Configured, Event, Stopped
from bot.core.session import Actor, Ending, Phase
from tests.core.building import ANN, BOB, CAT, MIA, Room

NOBODY = Actor("", "")
"""An adapter never says so, but if one did this would be no host either."""


@pytest.fixture
def room() -> Room:
    """Ann's quiz, at its first question, after Ann has been forgotten."""
    room = Room()
    room.start()
    room.last = replace(room.session, host="", host_name="")
    return room


def steering(room: Room, by: Actor) -> list[Event]:
    id_ = room.session.id
    return [
        Advanced(room.key(), by, id_),
        Stopped(room.key(), by, id_),
        Begun(room.key(), by, id_),
        Configured(room.key(), by, id_, Change(count=1), False),
    ]


@pytest.mark.parametrize("by", [ANN, BOB, NOBODY])
def test_nobody_is_its_host(room: Room, by: Actor) -> None:
    before = room.session
    for event in steering(room, by):
        assert room.feed(event).reply == Told(Reason.NOT_ALLOWED)
    assert room.session == before


def test_moderators_steer_it(room: Room) -> None:
    assert room.advance(MIA).reply == Told(Reason.ADVANCED)
    assert room.feed(Stopped(room.key(), MIA, room.session.id)).reply == Told(Reason.STOPPED)


def test_it_is_answered_closes_and_ends_by_itself(room: Room) -> None:
    room.answer(BOB, 0)
    room.answer(CAT, 1)
    room.wait(600)
    assert (room.phase(), room.session.ending, room.session.players) == (Phase.ENDED, Ending.COMPLETED, 2)


def test_when_its_chat_is_lost_nobody_is_told(room: Room) -> None:
    decision = room.feed(ChatLost(room.session.id))
    assert (room.session.ending, decision.posts) == (Ending.LOST, ())
