"""How far a learner is: what is summed up, in which order, and what is due when."""

from __future__ import annotations

from dataclasses import replace

from bot.core.quiz import QuestionRef
from bot.learning.memory import Knowledge, Learner, Memory
from bot.library import Library
from bot.progress import DAYS_AHEAD, DAYS_BACK, Met, Reviews, Share, due_day, met, progress
from tests.core.building import plain_quiz
from tests.present.learned import (
    BATCH,
    KNOWLEDGE,
    LIBRARY,
    NORMALISATION,
    NOTHING,
    PROGRESS,
    SCHEDULE,
    SUM,
    TODAY,
    TOPICAL,
    counted,
    memory,
)

COLOURS = plain_quiz()
BOTH = Library([TOPICAL, COLOURS])
GONE = Memory("p", QuestionRef("gone", "q"), "f", 5, 3, due=TODAY)


def knows(*memories: Memory) -> Knowledge:
    return replace(KNOWLEDGE, memories=memories)


def test_totals_are_those_of_every_day_that_was_ever_counted() -> None:
    assert PROGRESS.total == Share(15, 10)
    assert PROGRESS.streak == 12


def test_the_weakest_quiz_comes_first_and_of_equals_the_first_by_name() -> None:
    first = COLOURS.questions[0]
    strong = progress(knows(memory(BATCH, 4, 1), memory(first, 4, 2, quiz=COLOURS)), TODAY, BOTH.question)
    assert [(quiz.slug, share.rate) for quiz, share in strong.quizzes] == [(TOPICAL.slug, 0.25), (COLOURS.slug, 0.5)]
    equal = progress(knows(memory(BATCH, 4, 2), memory(first, 2, 1, quiz=COLOURS)), TODAY, BOTH.question)
    assert [quiz.slug for quiz, _ in equal.quizzes] == [COLOURS.slug, TOPICAL.slug]


def test_a_question_counts_for_each_of_its_topics() -> None:
    assert PROGRESS.topics == (("batch-size", Share(6, 3)), ("memory", Share(12, 7)))


def test_questions_that_are_no_longer_offered_are_summed_up_apart_and_never_due() -> None:
    known = progress(knows(memory(BATCH, 4, 2), GONE), TODAY, LIBRARY.question)
    assert known.gone == Share(5, 3)
    assert known.quizzes == ((TOPICAL, Share(4, 2)),)
    assert known.reviews == Reviews(0, 0, 0, 0)


def test_a_quiz_of_which_nothing_was_ever_answered_is_not_listed() -> None:
    known = progress(knows(memory(BATCH, 0, 0, 0)), TODAY, LIBRARY.question)
    assert (known.quizzes, known.topics) == ((), ())


def test_a_question_that_has_changed_is_not_due() -> None:
    changed = replace(memory(BATCH, 1, 0, 0), fingerprint="another")
    assert due_day(memory(BATCH, 1, 0, 0), TODAY, LIBRARY.question) == TODAY
    assert due_day(changed, TODAY, LIBRARY.question) is None
    assert not any(progress(knows(changed), TODAY, LIBRARY.question).ahead)


def test_what_is_overdue_is_due_today_and_each_review_is_counted_once() -> None:
    distances = (-9, 0, 1, 2, 6, 7, 13, 14, 365)
    questions = (*TOPICAL.questions, *COLOURS.questions, *MORE.questions)
    quizzes = (*[TOPICAL] * 4, *[COLOURS] * 3, *[MORE] * 3)
    memories = [
        memory(question, 1, 0, distance, quiz=quiz)
        for question, quiz, distance in zip(questions, quizzes, distances, strict=False)
    ]
    known = progress(knows(*memories), TODAY, Library([TOPICAL, COLOURS, MORE]).question)
    assert known.reviews == Reviews(today=2, tomorrow=1, week=2, later=4)
    assert known.ahead == (2, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)
    assert len(known.ahead) == DAYS_AHEAD


MORE = replace(COLOURS, slug="more")


def test_the_last_thirty_days_are_told_one_by_one_and_today_is_the_last() -> None:
    days = (counted(30, 9, 9), counted(29, 1, 0), counted(0, 2, 1))
    known = progress(replace(KNOWLEDGE, days=days), TODAY, LIBRARY.question)
    assert len(known.days) == DAYS_BACK
    assert known.days[0] == Share(1, 0)
    assert known.days[-1] == Share(2, 1)
    assert sum(day.answered for day in known.days) == 3


def test_somebody_who_never_answered_has_nothing_but_who_let_questions_pass_has() -> None:
    assert NOTHING.is_nothing
    passed = Knowledge((memory(BATCH, 1, 0, 0),), Learner("p"), ())
    assert not progress(passed, TODAY, LIBRARY.question).is_nothing


def test_how_far_somebody_is_with_a_quiz_counts_what_is_offered_and_was_met() -> None:
    knowledge = knows(memory(BATCH, 3, 1, -2), memory(NORMALISATION, 1, 1, 1), memory(SUM, 0, 0), GONE)
    assert met(knowledge, TODAY, LIBRARY.question) == {TOPICAL.slug: Met(2, Share(4, 2), due=1)}
    assert met(knows(memory(SCHEDULE, 1, 1)), TODAY, LIBRARY.question) == {TOPICAL.slug: Met(1, Share(1, 1), due=0)}
