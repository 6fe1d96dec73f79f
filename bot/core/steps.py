"""The steps a session takes: ask, close, go on, end. Knows nothing of who caused them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from bot.core import effects, timing
from bot.core.effects import CardState, Post, Reply
from bot.core.quiz import Question, Quiz
from bot.core.session import Drawn, Ending, Feedback, Phase, Player, Response, Result, Session

KEYS_REMEMBERED = 32
"""How many of the events that a session acted on it can tell from new ones."""

BETWEEN = 3
"""In practice a missed question comes back after so many others, and only where so many are left."""

MOST_RETURNS = 2
"""So often does a question come back in one session."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Session and player as they are afterwards, the response that was accepted, posts in order, and the reply."""

    session: Session | None
    player: Player | None = None
    response: Response | None = None
    posts: tuple[Post, ...] = ()
    reply: Reply | None = None


def card(session: Session, state: CardState) -> Post:
    return effects.StartCard(session.id, session.host_name, session.settings, len(session.draw), session.private, state)


def ask_next(quiz: Quiz, session: Session, now: datetime) -> Decision:
    drawn = session.draw[session.at + 1]
    limit = timing.time_limit(quiz.questions[drawn.question], session.settings)
    opened = replace(
        session,
        phase=Phase.OPEN,
        at=session.at + 1,
        opened=now,
        limit=limit,
        deadline=now + (limit or timing.IDLE_EXPIRY),
        tally=(0,) * len(drawn.options),
        answered=0,
        right=0,
    )
    return Decision(opened, posts=(asked(opened),))


def asked(session: Session, *, counted: bool = False) -> Post:
    return effects.Asked(
        session=session.id,
        at=session.at,
        total=len(session.draw),
        drawn=session.current,
        limit=session.limit,
        deadline=session.deadline if session.limit else None,
        step=session.step,
        private=session.private,
        answered=session.answered,
        counted=counted,
    )


def close(quiz: Quiz, session: Session, now: datetime) -> Decision:
    """Close the open question; pause instead of reading on when nobody has been there for a while."""
    question = quiz.questions[session.current.question]
    pausing = session.silent >= timing.SILENT_BEFORE_PAUSE and not session.is_last
    reading = None if pausing else timing.reading_time(question, session.settings)
    done = replace(
        session,
        phase=Phase.PAUSED if pausing else Phase.CLOSED,
        deadline=now + (reading or timing.IDLE_EXPIRY),
        results=_results(session),
        draw=_coming_back(question, session) if _comes_back(session) else session.draw,
    )
    posts: tuple[Post, ...] = (_closed(done),)
    if pausing:
        posts += (effects.Paused(session.id, session.at, session.private),)
    return Decision(done, posts=posts)


def _comes_back(session: Session) -> bool:
    """Whether the open question, closing now, is asked once more. Never before its answer has been told, for that it
    comes back tells that it was missed."""
    if not session.practice or session.right or session.settings.feedback is Feedback.AT_END:
        return False
    asked_before = sum(drawn.question == session.current.question for drawn in session.draw[: session.at])
    return asked_before < MOST_RETURNS and len(session.draw) - (session.at + 1) >= BETWEEN


def _coming_back(question: Question, session: Session) -> tuple[Drawn, ...]:
    """What the session asks, with its current question once more."""
    again = Drawn(session.current.question, _rotated(question, session.current.options))
    place = session.at + 1 + BETWEEN
    return (*session.draw[:place], again, *session.draw[place:])


def _rotated(question: Question, options: tuple[int, ...]) -> tuple[int, ...]:
    """The options in another order: each but the pinned ones at another place, so that none is known by its letter."""
    free = [option for option in options if not question.options[option].pinned]
    following = iter([*free[1:], *free[:1]])
    return tuple(option if question.options[option].pinned else next(following) for option in options)


def _results(session: Session) -> tuple[Result, ...]:
    """The closed questions, and the one that is open as it would close now."""
    if session.phase is not Phase.OPEN:
        return session.results
    return (*session.results, Result(session.current, session.tally, session.answered, session.right))


def _closed(session: Session) -> Post:
    """The question that was closed last. Next is pressed where nobody waits for a clock."""
    waits = session.phase is Phase.CLOSED and (session.private or not session.settings.clocked)
    return effects.Closed(
        session=session.id,
        at=session.at,
        total=len(session.draw),
        result=session.results[-1],
        reveal=session.settings.feedback is not Feedback.AT_END,
        private=session.private,
        step=session.step if waits else None,
    )


def go_on(quiz: Quiz, session: Session, now: datetime) -> Decision:
    return end(session, Ending.COMPLETED) if session.is_last else ask_next(quiz, session, now)


def end(session: Session, ending: Ending) -> Decision:
    """End from any phase. An open question is closed first; buttons that stay on older messages have nothing to do."""
    before: tuple[Post, ...] = ()
    if session.phase is Phase.CARD:
        before = (card(session, CardState.STOPPED if ending is Ending.STOPPED else CardState.EXPIRED),)
    elif session.phase is Phase.PAUSED:
        before = (effects.Paused(session.id, session.at, session.private, over=True, ending=ending),)
    elif session.phase is Phase.OPEN:
        session = replace(session, results=_results(session))
        before = (_closed(session),)
    ended = replace(session, phase=Phase.ENDED, deadline=None, ending=ending)
    if session.phase is Phase.CARD:
        return Decision(ended, posts=before)
    return Decision(ended, posts=(*before, _ended(ended, ending), *_answer_key(ended)))


def _ended(session: Session, ending: Ending) -> Post:
    return effects.Ended(
        session=session.id,
        ending=ending,
        results=session.results,
        total=len(session.draw),
        players=session.players,
        private=session.private,
        clocked=session.settings.clocked,
        afterwards=session.settings.feedback is Feedback.AT_END,
        practice=session.practice,
    )


def _answer_key(session: Session) -> tuple[Post, ...]:
    """With feedback at the end, every closed question now gets its closing edit with the key."""
    if session.settings.feedback is not Feedback.AT_END:
        return ()
    return tuple(
        effects.Closed(
            session.id, at, len(session.draw), result, reveal=True, private=session.private, step=None, afterwards=True
        )
        for at, result in enumerate(session.results)
    )


def standing(session: Session) -> Post | None:
    """What the chat shows of a live session right now, for somebody who comes back; None when it has ended."""
    match session.phase:
        case Phase.CARD:
            return card(session, CardState.WAITING)
        case Phase.OPEN:
            return asked(session)
        case Phase.CLOSED:
            return _closed(session)
        case Phase.PAUSED:
            return effects.Paused(session.id, session.at, session.private)
        case Phase.ENDED:
            return None
        case _:
            assert_never(session.phase)


def idle_deadline(session: Session, now: datetime) -> datetime:
    """When a session in which somebody has just done something expires, as long as no clock runs in it."""
    return max(session.deadline or now, now + timing.IDLE_EXPIRY)


def remember(keys: tuple[str, ...], key: str, most: int) -> tuple[str, ...]:
    return (*keys, key)[-most:]


def cut_off(session: Session, ending: Ending, *posts: Post) -> Decision:
    """End where nothing can be closed any more, because chat or quiz are gone; `posts` are all that is said of it."""
    ended = replace(session, phase=Phase.ENDED, deadline=None, ending=ending, results=_results(session))
    return Decision(ended, posts=posts)
