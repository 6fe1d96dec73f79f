"""What a host or a moderator does: start, begin, configure, next, resume, stop."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from bot.core import effects, steps, timing
from bot.core.effects import CardState, Reason, Told
from bot.core.events import Advanced, Begun, Configured, Resumed, Started, Steering, Stopped
from bot.core.quiz import Quiz
from bot.core.session import Actor, Ending, Order, Phase, Player, Session
from bot.core.steps import Decision


def start(quiz: Quiz, session: Session | None, player: Player | None, event: Started, now: datetime) -> Decision:
    handled = session.handled if session else ()
    if event.key in handled or (session and event.key == session.id):
        return Decision(session, player, reply=Told(Reason.ALREADY_DONE))
    if session and session.live:
        running = effects.Running(session.id, session.phase, session.at, session.asking)
        return Decision(session, player, reply=running)
    if event.settings.count < 1:
        return Decision(session, player, reply=Told(Reason.INVALID))
    fresh = Session(
        id=event.key,
        quiz=event.quiz,
        host=event.by.person,
        host_name=event.by.name,
        private=event.private,
        settings=replace(event.settings, count=min(event.settings.count, len(event.draw))),
        draw=event.draw,
        phase=Phase.CARD,
        opened=now,
        deadline=now + timing.IDLE_EXPIRY,
        recovered=now,
        handled=steps.remember(handled, event.key, steps.KEYS_REMEMBERED),
        practice=event.practice,
    )
    if event.card:
        return Decision(fresh, posts=(steps.card(fresh, CardState.WAITING),), reply=Told(Reason.DONE))
    return replace(steps.ask_next(quiz, _drawn(fresh), now), reply=Told(Reason.BEGUN))


def _drawn(session: Session) -> Session:
    """The session with the questions it will ask, no others."""
    chosen = session.draw[: session.settings.count]
    if session.settings.order is Order.WRITTEN:
        chosen = tuple(sorted(chosen, key=lambda drawn: drawn.question))
    return replace(session, draw=chosen)


def steer(quiz: Quiz, session: Session | None, player: Player | None, event: Steering, now: datetime) -> Decision:
    refusal = _refusal(session, event)
    if session is None or refusal:
        return Decision(session, player, reply=Told(refusal or Reason.NOTHING_RUNNING))
    match event:
        case Begun():
            decision = _begin(quiz, session, now)
        case Configured():
            decision = _configure(session, event, now)
        case Advanced():
            decision = _advance(quiz, session, event, now)
        case Resumed():
            decision = _resume(quiz, session, now)
        case Stopped():
            decision = _stop(session, event)
        case _:
            assert_never(event)
    if decision.session is None or decision.session is session:
        return replace(decision, player=player)
    handled = steps.remember(decision.session.handled, event.key, steps.KEYS_REMEMBERED)
    return replace(decision, session=replace(decision.session, handled=handled), player=player)


def _refusal(session: Session | None, event: Steering) -> Reason | None:
    if session is None:
        return Reason.NOTHING_RUNNING
    if event.key in session.handled:
        return Reason.ALREADY_DONE
    if event.session not in (None, session.id):
        return Reason.OTHER_SESSION
    if not session.live:
        return Reason.ENDED if event.session else Reason.NOTHING_RUNNING
    if not isinstance(event, Resumed) and not _may_steer(session, event.by):
        return Reason.NOT_ALLOWED
    return None


def _may_steer(session: Session, actor: Actor) -> bool:
    """A session whose host is forgotten has none."""
    return actor.moderator or (bool(session.host) and actor.person == session.host)


def _begin(quiz: Quiz, session: Session, now: datetime) -> Decision:
    if session.phase is not Phase.CARD:
        return Decision(session, reply=Told(Reason.ALREADY_BEGUN))
    card = steps.card(session, CardState.BEGUN)
    decision = steps.ask_next(quiz, _drawn(session), now)
    return replace(decision, posts=(card, *decision.posts), reply=Told(Reason.BEGUN))


def _configure(session: Session, event: Configured, now: datetime) -> Decision:
    if session.phase is not Phase.CARD:
        return Decision(session, reply=Told(Reason.ALREADY_BEGUN))
    settings = event.change.of(session.settings)
    if not 1 <= settings.count <= len(session.draw):
        return Decision(session, reply=Told(Reason.INVALID))
    configured = replace(session, settings=settings, deadline=steps.idle_deadline(session, now))
    card = steps.card(configured, CardState.CONFIGURING if event.configuring else CardState.WAITING)
    return Decision(configured, posts=(card,), reply=Told(Reason.CONFIGURED))


def _advance(quiz: Quiz, session: Session, event: Advanced, now: datetime) -> Decision:
    if session.phase is Phase.CARD:
        return Decision(session, reply=Told(Reason.NOT_BEGUN))
    if event.step not in (None, session.step):
        return Decision(session, reply=Told(Reason.MOVED_ON))
    if session.phase is Phase.PAUSED:
        return Decision(session, reply=Told(Reason.PAUSED))
    if session.phase is Phase.OPEN:
        decision = steps.close(quiz, replace(session, silent=0), now)
    else:
        decision = steps.go_on(quiz, session, now)
    return replace(decision, reply=Told(Reason.ADVANCED))


def _resume(quiz: Quiz, session: Session, now: datetime) -> Decision:
    if session.phase is not Phase.PAUSED:
        return Decision(session, reply=Told(Reason.NOT_PAUSED))
    over = effects.Paused(session.id, session.at, session.private, over=True)
    decision = steps.ask_next(quiz, replace(session, silent=0), now)
    return replace(decision, posts=(over, *decision.posts), reply=Told(Reason.RESUMED))


def _stop(session: Session, event: Stopped) -> Decision:
    if event.waiting and session.phase is not Phase.CARD:
        return Decision(session, reply=Told(Reason.ALREADY_BEGUN))
    reason = Reason.LEFT if session.practice else Reason.STOPPED
    return replace(steps.end(session, Ending.STOPPED), reply=Told(reason))
