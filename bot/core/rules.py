"""The rules of a session: what happens next, and nothing about how.

`decide` is the whole of it. It takes the quiz, the session so far (None when the chat never had one), the player who
caused the event (None for a newcomer and for events nobody caused), one event and the time, and returns all of them
as they are afterwards, with what makes it visible. It reads no clock, draws no lots and does no I/O: the same
arguments always give the same decision, so the shell may retry it, replay it or throw it away.

Laws, held by tests/core:
- an event that was acted on, fed again, changes nothing more and posts nothing more;
- a response counts once, only while its question is open, and scores are the sum of accepted responses;
- a session has a deadline exactly while it is live;
- no post shows which option is right before the question is closed;
- in practice, and nowhere else, a question that was not answered right comes back, twice at most: not before three
  others, in another order of its options, and never before its answer has been told.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from bot.core.effects import Broken, Reason, Told
from bot.core.events import (
    Advanced,
    Answered,
    Begun,
    ChatLost,
    Chosen,
    Configured,
    DeadlinePassed,
    Event,
    Moved,
    Posted,
    Recovered,
    Resumed,
    Sent,
    Started,
    Stopped,
    Toggled,
)
from bot.core.pressing import press
from bot.core.quiz import Quiz
from bot.core.session import Ending, Player, Session
from bot.core.signalling import signal
from bot.core.steering import start, steer
from bot.core.steps import Decision, cut_off

__all__ = ["Decision", "abandon", "decide", "idle"]


def decide(quiz: Quiz, session: Session | None, player: Player | None, event: Event, now: datetime) -> Decision:
    """What `event` means at `now` (aware UTC, whole milliseconds) for `session`, which runs `quiz`."""
    match event:
        case Started():
            return start(quiz, session, player, event, now)
        case Begun() | Configured() | Advanced() | Resumed() | Stopped():
            return steer(quiz, session, player, event, now)
        case Answered() | Toggled() | Chosen() | Sent():
            return press(quiz, session, player, event, now)
        case DeadlinePassed() | Recovered() | Posted() | ChatLost() | Moved():
            return signal(quiz, session, player, event, now)
        case _:
            assert_never(event)


def idle(event: Event) -> Decision:
    """What an event other than a start comes to in a chat that never had a session."""
    match event:
        case Answered() | Toggled() | Chosen() | Sent():
            return Decision(None, reply=Told(Reason.OTHER_SESSION))
        case Begun() | Configured() | Advanced() | Resumed() | Stopped():
            return Decision(None, reply=Told(Reason.NOTHING_RUNNING))
        case _:
            return Decision(None)


def abandon(session: Session, event: Event) -> Decision:
    """What any event comes to when the quiz of the session can no longer be read: the end, with scores as they are."""
    told = None if isinstance(event, DeadlinePassed | Recovered | Posted | ChatLost | Moved) else Told(Reason.ENDED)
    ended = cut_off(session, Ending.BROKEN, Broken(session.id)) if session.live else Decision(session)
    return replace(ended, reply=told)
