"""What nobody in the chat does: a deadline passes, the service was away, a post came late, a chat moved or is lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import assert_never

from bot.core import effects, steps, timing
from bot.core.effects import Post
from bot.core.events import ChatLost, DeadlinePassed, Moved, Posted, Recovered, Signal
from bot.core.quiz import Quiz
from bot.core.session import Ending, Phase, Player, Session
from bot.core.steps import Decision


def signal(quiz: Quiz, session: Session | None, player: Player | None, event: Signal, now: datetime) -> Decision:
    if session is None or not session.live:
        return Decision(session, player)
    if not isinstance(event, Recovered | Moved) and event.session != session.id:
        return Decision(session, player)
    match event:
        case DeadlinePassed():
            due = event.deadline == session.deadline and now >= event.deadline
            decision = _pass(quiz, session, now) if due else Decision(session)
        case Recovered():
            decision = _recover(session, event)
        case Posted():
            decision = _count_from(session, event)
        case ChatLost():
            decision = steps.cut_off(session, Ending.LOST, *_told_to_host(session))
        case Moved():
            decision = _show_again(session, event)
        case _:
            assert_never(event)
    return replace(decision, player=player)


def _pass(quiz: Quiz, session: Session, now: datetime) -> Decision:
    if session.phase in (Phase.CARD, Phase.PAUSED) or not session.settings.clocked:
        return steps.end(session, Ending.EXPIRED)
    if session.phase is Phase.CLOSED:
        return steps.go_on(quiz, session, now)
    return steps.close(quiz, replace(session, silent=session.silent + (session.answered == 0)), now)


def _recover(session: Session, event: Recovered) -> Decision:
    """Give back what the outage took; say so when it was long and somebody was kept waiting."""
    if event.until <= session.recovered or session.deadline is None:
        return Decision(session)
    lost = max(event.until - max(event.since, session.opened, session.recovered), timedelta(0))
    recovered = replace(session, deadline=session.deadline + lost, recovered=event.until)
    waiting = session.settings.clocked and session.phase in (Phase.OPEN, Phase.CLOSED)
    posts: list[Post] = []
    if waiting and lost > timing.WORTH_ANNOUNCING:
        posts.append(effects.Returned(session.id, event.until, lost))
    if waiting and session.phase is Phase.OPEN and lost:
        posts.append(steps.asked(recovered))
    return Decision(recovered, posts=tuple(posts))


def _show_again(session: Session, event: Moved) -> Decision:
    standing = steps.standing(session)
    if event.key in session.handled or standing is None:
        return Decision(session)
    handled = steps.remember(session.handled, event.key, steps.KEYS_REMEMBERED)
    return Decision(replace(session, handled=handled), posts=(standing,))


def _told_to_host(session: Session) -> tuple[Post, ...]:
    """Nobody is told where the host has been forgotten."""
    return (effects.HostTold(session.id, session.host),) if session.host else ()


def _count_from(session: Session, event: Posted) -> Decision:
    if session.phase is not Phase.OPEN or event.question != session.at or not session.limit or not session.deadline:
        return Decision(session)
    deadline = event.at + session.limit
    if deadline - session.deadline <= timing.LATE_POST:
        return Decision(session)
    moved = replace(session, opened=event.at, deadline=deadline)
    return Decision(moved, posts=(steps.asked(moved),))
