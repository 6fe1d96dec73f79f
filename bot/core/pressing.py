"""What a player does: answer, toggle, send. A response counts once, and only while its question is open."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import assert_never

from bot.core import effects, scoring, steps
from bot.core.effects import Reason, Reply, Told
from bot.core.events import Answered, Chosen, Press, Sent, Toggled
from bot.core.quiz import Question, Quiz
from bot.core.session import Actor, Feedback, Phase, Player, Response, Session
from bot.core.steps import Decision

TOGGLES_REMEMBERED = 64
_MILLISECOND = timedelta(milliseconds=1)


def press(quiz: Quiz, session: Session | None, player: Player | None, event: Press, now: datetime) -> Decision:
    if session is None or event.session != session.id:
        return Decision(session, player, reply=Told(Reason.OTHER_SESSION))
    if session.private and event.by.person != session.host:
        return Decision(session, player, reply=Told(Reason.NOT_ALLOWED))
    refusal = _closed_to(session, player, event, now)
    if refusal:
        return Decision(session, player, reply=refusal)
    question = quiz.questions[session.current.question]
    match event:
        case Answered():
            return _answer(quiz, session, player, event, event.options, now)
        case Toggled():
            return _toggle(question, session, player, event)
        case Chosen():
            return _choose(question, session, player, event)
        case Sent():
            chosen = player.selection if player and player.selecting == session.at else ()
            if not chosen:
                return Decision(session, player, reply=Told(Reason.NOTHING_SELECTED))
            return _answer(quiz, session, player, event, chosen, now)
        case _:
            assert_never(event)


def _closed_to(session: Session, player: Player | None, event: Press, now: datetime) -> Reply | None:
    """Why this press cannot count, if it cannot."""
    if event.question == session.at and player and player.question == session.at:
        return _again(session, player)
    if session.phase is Phase.ENDED:
        return Told(Reason.ENDED)
    if session.at < 0 or not 0 <= event.question <= session.at:
        return Told(Reason.INVALID)
    late = session.settings.clocked and session.deadline is not None and min(event.at, now) > session.deadline
    if event.question < session.at or session.phase is not Phase.OPEN or late:
        return Told(Reason.LATE)
    return None


def _again(session: Session, player: Player) -> Reply:
    return effects.Noted(session.current, player.options, again=True)


def _toggle(question: Question, session: Session, player: Player | None, event: Toggled) -> Decision:
    if not question.several or not 0 <= event.option < len(question.options):
        return Decision(session, player, reply=Told(Reason.INVALID))
    player = player or Player(event.by.person, event.by.name)
    fresh = player.selecting != session.at
    selection, toggles = ((), ()) if fresh else (player.selection, player.toggles)
    if event.key not in toggles:
        selection = tuple(sorted({*selection} ^ {event.option}))
        toggles = steps.remember(toggles, event.key, TOGGLES_REMEMBERED)
        player = replace(player, selecting=session.at, selection=selection, toggles=toggles)
    return Decision(session, player, reply=effects.Selected(session.current, selection))


def _choose(question: Question, session: Session, player: Player | None, event: Chosen) -> Decision:
    selection = tuple(sorted(set(event.options)))
    if not question.several or not set(selection) <= set(range(len(question.options))):
        return Decision(session, player, reply=Told(Reason.INVALID))
    player = player or Player(event.by.person, event.by.name)
    toggles = player.toggles if player.selecting == session.at else ()
    if event.key in toggles:
        return Decision(session, player, reply=effects.Selected(session.current, player.selection))
    toggles = steps.remember(toggles, event.key, TOGGLES_REMEMBERED)
    player = replace(player, selecting=session.at, selection=selection, toggles=toggles)
    return Decision(session, player, reply=effects.Selected(session.current, selection))


def _answer(
    quiz: Quiz,
    session: Session,
    player: Player | None,
    event: Answered | Sent,
    options: tuple[int, ...],
    now: datetime,
) -> Decision:
    question = quiz.questions[session.current.question]
    chosen = options if len(options) == 1 else tuple(sorted(set(options)))
    possible = chosen and chosen[0] >= 0 and chosen[-1] < len(question.options)
    if not possible or (len(chosen) > 1 and not question.several):
        return Decision(session, player, reply=Told(Reason.INVALID))
    pressed = max(min(event.at, now), session.opened)
    response = _judge(question, session, event.by, chosen, pressed)
    answering = _credit(player, event.by, session, response)
    deadline = session.deadline if session.limit else steps.idle_deadline(session, now)
    counted = session.counting(response, newcomer=answering.answered == 1, deadline=deadline)
    reply = _reply(session, response)
    if not _everyone_answered(counted):
        return Decision(counted, answering, response, (steps.asked(counted, counted=True),), reply)
    closed = steps.close(quiz, counted, now)
    return Decision(closed.session, answering, response, closed.posts, reply)


def _judge(question: Question, session: Session, by: Actor, chosen: tuple[int, ...], pressed: datetime) -> Response:
    right = frozenset(chosen) == question.key
    limit = session.limit if session.settings.speed_bonus else None
    left = session.deadline - pressed if session.deadline else timedelta(0)
    return Response(
        session=session.id,
        question=session.at,
        question_id=question.id,
        person=by.person,
        options=chosen,
        right=right,
        points=scoring.points(right=right, left=left, limit=limit),
        at=pressed,
    )


def _credit(player: Player | None, by: Actor, session: Session, response: Response) -> Player:
    taken = (response.at - session.opened) // _MILLISECOND
    points, right, answered = response.points, int(response.right), 1
    if player is not None:
        taken += player.taken
        points, right, answered = player.points + points, player.right + right, player.answered + answered
    return Player(by.person, by.name, points, right, answered, taken, session.at, response.options)


def _reply(session: Session, response: Response) -> Reply:
    if session.settings.feedback is not Feedback.AT_ONCE:
        return effects.Noted(session.current, response.options)
    return effects.Verdict(session.current, response.options, response.right, response.points, session.quiz)


def _everyone_answered(session: Session) -> bool:
    """In a channel nobody knows who else is there before a question that somebody answered has closed."""
    known = any(result.answered for result in session.results)
    return session.private or (known and session.answered == session.players)
