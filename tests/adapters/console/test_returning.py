"""Where somebody who comes back finds the session."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.console.returning import standing
from bot.core.effects import Asked, CardState, Closed, Paused, StartCard
from bot.core.session import Drawn, Feedback, Pace, Phase, Result, Session, Settings

DRAWN = Drawn(0, (1, 0))
NOW = datetime(2025, 3, 3, 12, tzinfo=UTC)
SESSION = Session(
    id="s",
    quiz="digest",
    host="console:ann",
    host_name="ann",
    private=True,
    settings=Settings(Pace.RELAXED, 1),
    draw=(DRAWN,),
    phase=Phase.OPEN,
    opened=NOW,
    deadline=NOW,
    recovered=NOW,
    at=0,
    tally=(0, 0),
    results=(Result(DRAWN, (0, 1), 1, 1),),
)


def test_an_open_question_is_asked_again() -> None:
    assert standing(SESSION) == Asked("s", 0, 1, DRAWN, None, None, 0, True)


@pytest.mark.parametrize("feedback", Feedback)
def test_a_closed_question_shows_its_key_only_when_the_feedback_does(feedback: Feedback) -> None:
    settings = replace(SESSION.settings, feedback=feedback)
    closed = standing(replace(SESSION, phase=Phase.CLOSED, settings=settings))
    assert isinstance(closed, Closed)
    assert closed.reveal is (feedback is not Feedback.AT_END)
    assert (closed.result, closed.step) == (SESSION.results[0], 1)


def test_a_pause_and_a_start_card_are_shown_as_they_were() -> None:
    assert standing(replace(SESSION, phase=Phase.PAUSED)) == Paused("s", 0, True)
    card = standing(replace(SESSION, phase=Phase.CARD))
    assert isinstance(card, StartCard)
    assert card.state is CardState.WAITING


def test_what_is_over_stands_nowhere() -> None:
    assert standing(replace(SESSION, phase=Phase.ENDED)) is None
