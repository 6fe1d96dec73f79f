"""`quizbot reports` as its operator meets it: what was reported, while the bot runs or not, and never by whom."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot import codec
from bot.core.quiz import LocalisedText, Question, Quiz
from bot.library import Library
from bot.ports import Changes
from bot.reports import QuestionReport, Reason
from bot.storage.sqlite import open_sqlite
from tests.core.building import plain_quiz
from tests.present.sample import QUIZ
from tests.program import Program

COLOURS = plain_quiz()
CHANGED = replace(
    COLOURS,
    questions=(replace(COLOURS.questions[0], stem=LocalisedText({"en": "q0, mended?"})), *COLOURS.questions[1:]),
)


def at(day: int) -> datetime:
    return datetime(2026, 11, day, 12, tzinfo=UTC)


def report(person: str, day: int, reason: Reason, text: str = "", *, question: str = "q0") -> QuestionReport:
    return QuestionReport(f"telegram:{person}", "colours", question, _digest(COLOURS), "s1", reason, text, at(day))


def _digest(quiz: Quiz) -> str:
    return codec.digest(codec.dump_quiz(quiz))


async def _keep(path: Path, reports: Sequence[QuestionReport], texts: Mapping[str, str]) -> None:
    store = await open_sqlite(str(path), ["telegram"])
    try:
        async with store.turns({}) as turns:
            await turns.write(Changes(quizzes=dict(texts)))
        for each in reports:
            await store.report(each)
    finally:
        await store.close()


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path)


def keep(
    quizbot: Program,
    *reports: QuestionReport,
    quizzes: Sequence[Quiz] = (COLOURS,),
    texts: Mapping[str, str] | None = None,
) -> None:
    pinned = {_digest(quiz): codec.dump_quiz(quiz) for quiz in quizzes} if texts is None else texts
    asyncio.run(_keep(quizbot.folder / "quizbot.sqlite3", reports, pinned))


def test_the_questions_are_listed_with_the_newest_report_first(quizbot: Program) -> None:
    keep(
        quizbot,
        report("1", 1, Reason.WRONG_KEY, "It is B."),
        report("2", 5, Reason.WRONG_KEY, "Two lines\nof it."),
        report("3", 3, Reason.TYPO),
        report("1", 4, Reason.UNCLEAR, question="q1"),
    )
    ran = quizbot.run("reports")
    assert ran.out.splitlines() == [
        "colours, question q0: q0?",
        "  3 reports: 2 wrong-key, 1 typo",
        "  2026-11-05 wrong-key: Two lines of it.",
        "  2026-11-01 wrong-key: It is B.",
        "",
        "colours, question q1: q1?",
        "  1 report: 1 unclear",
    ]
    assert (ran.err, ran.code) == ("4 reports about 2 questions\n", 0)


def test_nobody_who_reported_is_named(quizbot: Program) -> None:
    keep(quizbot, report("12345", 1, Reason.WRONG_KEY, "It is B."))
    ran = quizbot.run("reports")
    assert "12345" not in ran.out + ran.err


def test_a_question_reads_as_it_did_when_it_was_reported_last(quizbot: Program) -> None:
    later = replace(report("2", 5, Reason.TYPO), quiz=_digest(CHANGED))
    keep(quizbot, report("1", 1, Reason.TYPO), later, quizzes=(COLOURS, CHANGED))
    assert quizbot.run("reports").out.splitlines()[:2] == [
        "colours, question q0: q0, mended?",
        "  2 reports: 2 typo",
    ]


def test_a_question_is_in_the_first_language_of_its_quiz(quizbot: Program) -> None:
    about = replace(report("1", 1, Reason.TYPO), slug=QUIZ.slug, question_id="sum", quiz=_digest(QUIZ))
    keep(quizbot, about, quizzes=(QUIZ,))
    assert "question sum: Gradients of several backward passes add up." in quizbot.run("reports").out


@pytest.mark.parametrize("readable", [True, False])
def test_a_question_that_was_asked_in_a_mix_is_one_of_its_own_quiz(quizbot: Program, readable: bool) -> None:
    german = replace(COLOURS, languages=("de",), questions=(in_german(COLOURS.questions[0]),))
    library = Library([QUIZ, german])
    mix = library.mix(QUIZ.title, library.blend([QUIZ.slug, "colours"]))
    assert mix is not None
    texts = {digest: text for digest, text in library.texts(mix.digest).items() if readable or digest == mix.digest}
    keep(quizbot, replace(report("1", 1, Reason.TYPO), quiz=mix.digest), texts=texts)
    ran = quizbot.run("reports")
    stem = "Frage" if readable else "(what it said can no longer be read)"
    assert (ran.out.splitlines()[0], ran.err) == (f"colours, question q0: {stem}", "1 report about 1 question\n")


def in_german(asked: Question) -> Question:
    options = tuple(replace(option, text=LocalisedText({"de": option.text["en"]})) for option in asked.options)
    return replace(asked, stem=LocalisedText({"de": "Frage"}), options=options)


@pytest.mark.parametrize("quizzes", [(), (CHANGED,)])
def test_a_question_that_can_no_longer_be_read_is_still_listed(quizbot: Program, quizzes: Sequence[Quiz]) -> None:
    gone = replace(report("1", 1, Reason.TYPO, question="gone"), quiz=_digest(CHANGED))
    keep(quizbot, gone, quizzes=quizzes)
    ran = quizbot.run("reports")
    assert ran.out.startswith("colours, question gone: (what it said can no longer be read)\n")
    assert ran.code == 0


def test_what_was_written_cannot_do_anything_to_the_terminal(quizbot: Program) -> None:
    keep(quizbot, report("1", 1, Reason.OTHER, "\x1b[2J\x07 {0} %s \u202eevil"))
    assert "other: [2J {0} %s evil\n" in quizbot.run("reports").out


def test_reports_can_be_read_while_the_bot_runs(quizbot: Program) -> None:
    async def beside_the_bot() -> str:
        bot = await open_sqlite(str(quizbot.folder / "quizbot.sqlite3"), ["telegram"])
        try:
            await bot.report(report("1", 1, Reason.TYPO))
            return (await asyncio.to_thread(quizbot.run, "reports")).out
        finally:
            await bot.close()

    assert "1 report: 1 typo" in asyncio.run(beside_the_bot())


def test_without_reports_that_is_said(quizbot: Program) -> None:
    keep(quizbot)
    ran = quizbot.run("reports")
    assert (ran.out, ran.err, ran.code) == ("", "0 reports about 0 questions\n", 0)


def test_without_a_database_that_is_said_and_none_is_made(quizbot: Program) -> None:
    ran = quizbot.run("reports")
    assert ran.err == f"no reports: there is no database yet at {quizbot.folder.as_posix()}/quizbot.sqlite3\n"
    assert (ran.out, ran.code) == ("", 0)
    assert list(quizbot.folder.iterdir()) == []


def test_a_database_that_cannot_be_used_is_named_with_what_to_do(quizbot: Program) -> None:
    (quizbot.folder / "quizbot.sqlite3").write_text("Dear diary, " * 1000)
    ran = quizbot.run("reports")
    (complaint,) = ran.complaints
    assert complaint.startswith("quizbot: database ")
    assert "not an SQLite file: move it away or set QUIZBOT_DATABASE_URL" in complaint
    assert (ran.out, ran.code) == ("", 1)


def test_a_database_in_memory_has_nothing_to_read(quizbot: Program) -> None:
    ran = Program(quizbot.folder, {"QUIZBOT_DATABASE_URL": "sqlite://:memory:"}).run("reports")
    (complaint,) = ran.complaints
    assert "in memory" in complaint
    assert "QUIZBOT_DATABASE_URL" in complaint
    assert ran.code == 1
