"""What a session that has ended says of those who played it: a response each, and what they let pass. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime

from bot.core.quiz import QuestionRef, Quiz
from bot.core.session import Drawn, Ending, Response, Session
from bot.learning.memory import Attempt

Asked = tuple[QuestionRef, str]
"""A question that was asked, and its fingerprint."""


def attempts_of(
    session: Session, quiz: Quiz, people: Collection[str], responses: Iterable[Response]
) -> dict[str, list[Attempt]]:
    """The attempts of each of these players of a session, in the order of its questions.

    A question that closed without their response counts as let pass from their first response on: before it, they may
    not have been there. In a private chat only the host learns.
    """
    given: defaultdict[str, dict[int, Response]] = defaultdict(dict)
    for response in responses:
        given[response.person][response.question] = response
    asked = [_asked(quiz, drawn) for drawn in session.draw]
    learners = [person for person in people if not session.private or person == session.host]
    return {person: list(_attempts(person, given[person], asked, _closed(session))) for person in learners}


def _asked(quiz: Quiz, drawn: Drawn) -> Asked:
    question = quiz.questions[drawn.question]
    return quiz.ref(question), quiz.fingerprint(question)


def _closed(session: Session) -> int:
    """How many questions had their time. The last one of a session that was cut short may have been cut short too."""
    return len(session.results) - (session.ending is not Ending.COMPLETED)


def _attempts(person: str, given: Mapping[int, Response], asked: Iterable[Asked], closed: int) -> Iterator[Attempt]:
    last: datetime | None = None
    for at, (ref, fingerprint) in enumerate(asked):
        response = given.get(at)
        if response is not None:
            last = response.at
            yield Attempt(person, ref, fingerprint, response.right, last)
        elif last is not None and at < closed:
            yield Attempt(person, ref, fingerprint, right=False, at=last, let_pass=True)
