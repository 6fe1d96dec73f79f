"""What responses and closed questions count for beyond their session: leaderboards, no repeats, practice. Pure; knows
no store. A place is a chat, whichever of its topics a session is in (`bot.ports.place_of`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from bot.boards import Scored, Served
from bot.core.quiz import Question, Quiz
from bot.core.session import Feedback, Response, Result, Session
from bot.learning.memory import Attempt

_MILLISECOND = timedelta(milliseconds=1)


def scores_at_once(session: Session) -> bool:
    """Whether each response goes to the leaderboards right away, for whoever gave it has been told what it was."""
    return not session.private and session.settings.feedback is Feedback.AT_ONCE


def scores_at_the_end(session: Session) -> bool:
    """Whether all responses go to the leaderboards when the session ends, for until then they would tell."""
    return not session.private and session.settings.feedback is not Feedback.AT_ONCE


def scored(place: str, quiz: Quiz, session: Session, response: Response, name: str) -> Scored:
    """What one response, by a player of this name, adds to the leaderboards of a place."""
    slug = _slug(quiz, _asked(quiz, session, response.question))
    return Scored(place, slug, response.person, name, response.points, int(response.right), 1, response.at)


def totals(
    place: str, quiz: Quiz, session: Session, responses: Iterable[Response], names: Mapping[str, str], at: datetime
) -> list[Scored]:
    """What all responses of a session add to the leaderboards of a place when they count at `at`: one sum for a person
    and a quiz. A person without a name has been forgotten."""
    given: dict[tuple[str, str], list[Response]] = defaultdict(list)
    for response in responses:
        if response.person in names:
            given[response.person, _slug(quiz, _asked(quiz, session, response.question))].append(response)
    return [
        Scored(
            chat=place,
            slug=slug,
            person=person,
            name=names[person],
            points=sum(response.points for response in theirs),
            right=sum(response.right for response in theirs),
            answered=len(theirs),
            at=at,
        )
        for (person, slug), theirs in given.items()
    ]


def served_at_once(place: str, quiz: Quiz, session: Session, now: datetime) -> list[Served]:
    """How the question that has just closed fared in a place, unless the session keeps that to its end."""
    kept = session.settings.feedback is Feedback.AT_END
    return [] if kept else [_served(place, quiz, session.results[-1], now)]


def served_at_the_end(place: str, quiz: Quiz, session: Session, now: datetime) -> list[Served]:
    """How all questions of a session that has ended fared, where that was kept until then."""
    kept = session.settings.feedback is Feedback.AT_END
    return [_served(place, quiz, result, now) for result in session.results] if kept else []


def _served(place: str, quiz: Quiz, result: Result, now: datetime) -> Served:
    return Served(place, quiz.ref(quiz.questions[result.drawn.question]), result.answered, result.right, now)


def attempt(quiz: Quiz, session: Session, response: Response) -> Attempt:
    """What a response in practice says of the learner. `session` is as it was when it was given, or just after."""
    question = _asked(quiz, session, response.question)
    taken = (response.at - session.opened) // _MILLISECOND
    return Attempt(
        person=response.person,
        ref=quiz.ref(question),
        fingerprint=quiz.fingerprint(question),
        right=response.right,
        at=response.at,
        practice=True,
        pace=taken * 100 // max(question.length, 1),
    )


def let_pass(quiz: Quiz, session: Session, now: datetime) -> Attempt:
    """What it says of the learner that the question which has just closed in practice was not answered."""
    question = _asked(quiz, session, session.at)
    ref, fingerprint = quiz.ref(question), quiz.fingerprint(question)
    return Attempt(session.host, ref, fingerprint, right=False, at=now, practice=True, let_pass=True)


def _slug(quiz: Quiz, question: Question) -> str:
    """That of the question's own quiz. Not through `Quiz.ref`, for every answer comes by here."""
    return question.origin.ref.slug if question.origin else quiz.slug


def _asked(quiz: Quiz, session: Session, at: int) -> Question:
    return quiz.questions[session.draw[at].question]
