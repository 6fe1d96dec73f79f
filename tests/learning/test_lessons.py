"""What a session that has ended says of those who played it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.quiz import Origin, QuestionRef
from bot.core.session import Drawn, Ending, Phase, Response, Result, Session
from bot.learning.lessons import attempts_of
from bot.learning.memory import Attempt
from tests.core.building import NOON, drawn, plain_quiz, settings
from tests.learning.building import ANN, BOB

QUIZ = plain_quiz(4)
SESSION = Session(
    id="s1",
    quiz="digest",
    host=ANN,
    host_name="Ann",
    private=False,
    settings=settings(),
    draw=drawn(QUIZ),
    phase=Phase.ENDED,
    opened=NOON,
    deadline=None,
    recovered=NOON,
    at=3,
    results=tuple(Result(each, (0, 0, 0, 0), 0, 0) for each in drawn(QUIZ)),
    ending=Ending.COMPLETED,
)
STOPPED = replace(SESSION, ending=Ending.STOPPED, at=2, results=SESSION.results[:3])


def responded(question: int, person: str = ANN, *, right: bool = True) -> Response:
    at = NOON + timedelta(minutes=question)
    return Response("s1", question, f"q{question}", person, (0,), right, 100 * right, at)


def said(session: Session, *responses: Response, person: str = ANN) -> list[str]:
    """What comes of the person's responses, in few words."""
    (theirs,) = attempts_of(session, QUIZ, [person], responses).values()
    return [f"{each.ref.question} {_word(each)}" for each in theirs]


def _word(each: Attempt) -> str:
    return "let pass" if each.let_pass else "right" if each.right else "wrong"


def test_each_response_is_right_or_wrong_and_the_rest_was_let_pass() -> None:
    assert said(SESSION, responded(0), responded(1, right=False), responded(3)) == [
        "q0 right",
        "q1 wrong",
        "q2 let pass",
        "q3 right",
    ]


def test_whoever_comes_late_has_missed_nothing_before() -> None:
    assert said(SESSION, responded(2)) == ["q2 right", "q3 let pass"]


def test_whoever_never_responded_has_missed_nothing() -> None:
    assert said(SESSION) == []


def test_the_question_that_a_stop_cut_off_was_not_let_pass() -> None:
    assert said(STOPPED, responded(0)) == ["q0 right", "q1 let pass"]
    assert said(STOPPED, responded(0), responded(2, right=False)) == ["q0 right", "q1 let pass", "q2 wrong"]


@pytest.mark.parametrize("ending", [each for each in Ending if each is not Ending.COMPLETED])
def test_questions_that_were_never_asked_say_nothing(ending: Ending) -> None:
    assert said(replace(STOPPED, ending=ending, results=SESSION.results[:1]), responded(0)) == ["q0 right"]


def test_the_order_in_which_questions_were_drawn_is_not_that_of_the_quiz() -> None:
    turned = tuple(reversed(SESSION.draw))
    session = replace(SESSION, draw=turned, results=tuple(replace(each, drawn=turned[0]) for each in SESSION.results))
    assert said(session, responded(0), responded(1, right=False))[:2] == ["q3 right", "q2 wrong"]


def test_what_was_let_pass_is_of_the_time_of_the_response_before() -> None:
    (theirs,) = attempts_of(SESSION, QUIZ, [ANN], [responded(1)]).values()
    assert [each.at for each in theirs] == [NOON + timedelta(minutes=1)] * 3


def test_everybody_has_their_own_and_only_who_is_asked_for() -> None:
    responses = [responded(3, BOB, right=False), responded(3), responded(3, "test:cat")]
    made = attempts_of(SESSION, QUIZ, [ANN, BOB], responses)
    assert {person: [_word(each) for each in theirs] for person, theirs in made.items()} == {
        ANN: ["right"],
        BOB: ["wrong"],
    }


def test_in_private_only_the_host_learns() -> None:
    responses = [responded(3), responded(3, BOB)]
    assert list(attempts_of(replace(SESSION, private=True), QUIZ, [ANN, BOB], responses)) == [ANN]


def test_nothing_in_a_session_is_practice() -> None:
    (theirs,) = attempts_of(SESSION, QUIZ, [ANN], [responded(0)]).values()
    assert {(each.practice, each.pace) for each in theirs} == {(False, None)}


def test_a_question_of_a_mix_is_that_of_its_own_quiz() -> None:
    origin = Origin(QuestionRef("shapes", "square"), "en")
    question = replace(QUIZ.questions[0], id="shapes/square", origin=origin)
    mix = replace(QUIZ, slug="mix", questions=(question,))
    session = replace(SESSION, draw=(Drawn(0, (0, 1, 2, 3)),), results=SESSION.results[:1])
    (theirs,) = attempts_of(session, mix, [ANN], [responded(0)]).values()
    assert [(each.ref, each.fingerprint) for each in theirs] == [(origin.ref, QUIZ.fingerprint(QUIZ.questions[0]))]
