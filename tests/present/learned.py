"""A learner who has been at it for a while, and a chat that has missed and reported things."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from bot import present
from bot.boards import Served
from bot.core.quiz import Question, Quiz
from bot.learning.days import day_of
from bot.learning.memory import DayCount, Knowledge, Learner, Memory
from bot.library import Library
from bot.progress import Progress, progress
from bot.reports import QuestionReport, Reason
from tests.present.sample import NOON, QUIZ

TODAY = day_of(date(2026, 3, 31))
TOPICS = (("memory",), ("batch-size", "memory"), ("batch-size",), ())
TOPICAL = replace(
    QUIZ,
    questions=tuple(replace(question, topics=topics) for question, topics in zip(QUIZ.questions, TOPICS, strict=True)),
)
LIBRARY = Library([TOPICAL])


def memory(question: Question, answered: int, right: int, due: int | None = None, *, quiz: Quiz = TOPICAL) -> Memory:
    """Due so many days from today."""
    day = None if due is None else TODAY + due
    return Memory("p", quiz.ref(question), quiz.fingerprint(question), answered, right, due=day)


def counted(ago: int, answered: int, right: int) -> DayCount:
    return DayCount("p", TODAY - ago, answered, right)


BATCH, NORMALISATION, SUM, SCHEDULE = TOPICAL.questions
KNOWLEDGE = Knowledge(
    memories=(memory(BATCH, 8, 6, -3), memory(NORMALISATION, 4, 1, 1), memory(SUM, 2, 2, 5), memory(SCHEDULE, 1, 1)),
    learner=Learner("p", 12, TODAY - 1),
    days=(counted(40, 3, 1), counted(15, 4, 4), counted(2, 1, 0), counted(1, 7, 5)),
    faults=(),
)
PROGRESS: Progress = progress(KNOWLEDGE, TODAY, LIBRARY.question)
NOTHING: Progress = progress(Knowledge((), Learner("p"), ()), TODAY, LIBRARY.question)

MISSED_HERE = [
    (Served("test:-1", TOPICAL.ref(NORMALISATION), 9, 2, NOON), TOPICAL, NORMALISATION),
    (Served("test:-1", TOPICAL.ref(BATCH), 9, 7, NOON), TOPICAL, BATCH),
]


def _report(reason: Reason, text: str, question: str) -> QuestionReport:
    return QuestionReport("p", TOPICAL.slug, question, "digest", "s1", reason, text, NOON)


REPORTED = [
    present.Reported(_report(Reason.UNCLEAR, "Which batch?\nThe small one?", "batch"), (TOPICAL, BATCH), NOON.date()),
    present.Reported(_report(Reason.TYPO, "", "gone"), None, NOON.date()),
]
