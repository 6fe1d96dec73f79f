"""Where a session stands, as the post that shows it to somebody who comes back."""

from __future__ import annotations

from bot.core import steps
from bot.core.effects import CardState, Closed, Paused, Post
from bot.core.session import Feedback, Phase, Session


def standing(session: Session) -> Post | None:
    """The last post of a live session; None when it is over."""
    match session.phase:
        case Phase.CARD:
            return steps.card(session, CardState.WAITING)
        case Phase.OPEN:
            return steps.asked(session)
        case Phase.CLOSED:
            return _closed(session)
        case Phase.PAUSED:
            return Paused(session.id, session.at, session.private)
        case Phase.ENDED:
            return None


def _closed(session: Session) -> Post:
    return Closed(
        session=session.id,
        at=session.at,
        total=len(session.draw),
        result=session.results[-1],
        reveal=session.settings.feedback is not Feedback.AT_END,
        private=session.private,
        step=session.step,
    )
