"""Somebody who comes back is shown what the chat shows: the last post of the live session, as it was posted."""

from __future__ import annotations

import pytest

from bot.core import steps
from bot.core.effects import Paused
from bot.core.session import Pace, Phase
from tests.core.building import ANN, LIMIT, READING, Room, settings


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("pace", Pace)
def test_in_every_phase_it_is_what_was_posted_last(pace: Pace, private: bool) -> None:
    room = Room()
    room.start(settings(pace), private=private, card=True)
    assert room.phase() is Phase.CARD
    assert steps.standing(room.session) == room.posts[-1]
    room.begin()
    assert room.phase() is Phase.OPEN
    assert steps.standing(room.session) == room.posts[-1]
    room.advance()
    assert room.phase() is Phase.CLOSED
    assert steps.standing(room.session) == room.posts[-1]
    room.stop(ANN)
    assert steps.standing(room.session) is None


def test_a_pause_is_shown_as_it_began() -> None:
    room = Room()
    room.start()
    room.wait(2 * (LIMIT + READING))
    assert steps.standing(room.session) == room.posts[-1] == Paused("u1", 1, private=False)
