"""The real program in a terminal and in a pipe: played through, left, killed, refused."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.adapters.console.room import QUIZZES
from tests.program import Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of another kind")

COLOURS = re.compile(r"\x1b\[(?:\d+;)*3[0-7][;m]")
STYLES = re.compile(r"\x1b\[[0-9;?]*[a-z]")
FAREWELL = "Your progress is kept: run `quizbot play rivers` to go on."


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": str(QUIZZES)})


@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        ("en", "Question 1 of 8", "Results — "),
        ("bg", "Въпрос 1 от 8", "Резултати – "),
        ("ro", "Întrebarea 1 din 8", "Rezultate – "),
    ],
)
def test_a_script_plays_the_shipped_quiz_through(language: str, first: str, last: str, tmp_path: Path) -> None:
    quizbot = Program(tmp_path)
    typed = "A\nB\nC\nD\nA\nB\nC\nD\n"
    ran = quizbot.run("play", "gradient-checkpointing", "--lang", language, "--seed", "1", typed=typed)
    assert ran.out.startswith(first)
    assert any(line.startswith(last) for line in ran.out.splitlines()[-12:])
    assert (ran.err, ran.code) == ("", 0)
    assert not set("│╭╰\x1b") & set(ran.out)


def test_the_same_seed_plays_the_same_quiz(quizbot: Program, tmp_path: Path) -> None:
    arguments = ("play", "rivers", "--seed", "7", "--order", "shuffled")
    first = quizbot.run(*arguments, typed="s\ns\ns\n")
    second = quizbot.run(*arguments, typed="s\ns\ns\n")
    assert first.out == second.out
    assert "Results" in first.out


def test_killed_in_the_middle_it_goes_on_where_it_was(quizbot: Program) -> None:
    with quizbot.running("play", "rivers", "--seed", "1") as playing:
        playing.until("Question 1 of 3")
        playing.type("C\n")
        playing.until("Question 2 of 3")
        killed = playing.signal(signal.SIGKILL)
    assert killed.code == -signal.SIGKILL
    resumed = quizbot.run("play", "rivers", typed="BC\nA\n")
    assert "question 2 of 3, 1 answered" in resumed.out
    assert "Question 1 of 3" not in resumed.out
    assert resumed.out.count("Question 2 of 3") == 1
    assert "You got 3 of 3 right." in resumed.out
    assert (resumed.err, resumed.code) == ("", 0)


def test_killed_right_after_an_answer_the_answer_counts(quizbot: Program) -> None:
    with quizbot.running("play", "rivers", "--seed", "1") as playing:
        playing.until("C. The Danube")
        playing.type("C\n")
        playing.until("✓ Right.")
        playing.signal(signal.SIGKILL)
    assert "You got 3 of 3 right." in quizbot.run("play", "rivers", typed="y\nBC\nA\n").out


def test_the_end_of_input_in_the_middle_keeps_the_progress(quizbot: Program) -> None:
    ran = quizbot.run("play", "rivers", typed="A\n")
    assert ran.out.endswith(f"{FAREWELL}\n")
    assert (ran.err, ran.code) == ("", 0)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_is_answered_kindly(number: signal.Signals, code: int, quizbot: Program) -> None:
    with quizbot.running("play", "rivers") as playing:
        playing.until("C. ")
        ran = playing.signal(number)
    assert ran.out.endswith(f"{FAREWELL}\n")
    assert (ran.err, ran.code) == ("", code)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_while_choosing_says_nothing(number: signal.Signals, code: int, quizbot: Program) -> None:
    with quizbot.running("play") as choosing:
        choosing.until("Rivers")
        ran = choosing.signal(number)
    assert (ran.err, ran.code) == ("", code)


@pytest.mark.parametrize(("arguments", "prompt"), [(("play",), "name: "), (("play", "rivers"), "Settings › ")])
def test_an_interruption_leaves_the_shell_a_line_of_its_own(
    arguments: tuple[str, ...], prompt: str, quizbot: Program
) -> None:
    plain = Program(quizbot.folder, {**quizbot.variables, "TERM": "dumb"})
    with plain.running(*arguments, at_a_terminal=True) as waiting:
        waiting.until(prompt)
        waiting.type("\x03")
        ran = waiting.end()
    assert ran.out.endswith("\r\n")
    assert not ran.out.endswith("\r\n\r\n")
    assert ran.code == 130


def test_an_interruption_after_the_results_leaves_the_shell_a_line_of_its_own(quizbot: Program) -> None:
    plain = Program(quizbot.folder, {**quizbot.variables, "TERM": "dumb"})
    with plain.running("play", "rivers", "--questions", "1", "--seed", "5", at_a_terminal=True) as playing:
        for prompt, line in (("Your answer: ", "A\n"), ("Show the results › ", "\n"), ("a: Again › ", "\x03")):
            playing.until(prompt)
            playing.type(line)
        ran = playing.end()
    assert ran.out.endswith("^C\r\n")
    assert ran.out.count("Results — Rivers") == 1
    assert ran.code == 130


def test_a_database_in_memory_promises_nothing(quizbot: Program) -> None:
    forgetful = Program(quizbot.folder, {**quizbot.variables, "QUIZBOT_DATABASE_URL": "sqlite://:memory:"})
    ran = forgetful.run("play", "rivers", typed="A\n")
    assert ran.out.endswith("\nNothing is kept of it: the database is in memory only.\n")
    assert (ran.err, ran.code) == ("", 0)


@pytest.mark.parametrize(("language", "name"), [("bg", "Bulgarian"), ("ro", "Romanian")])
def test_an_output_that_lacks_the_letters_of_the_language_is_said_in_a_line(
    language: str, name: str, quizbot: Program
) -> None:
    poor = Program(quizbot.folder, {**quizbot.variables, "PYTHONIOENCODING": "ascii"})
    for quiz in ("rivers", "numbers"):
        ran = poor.run("play", quiz, "--lang", language)
        (complaint,) = ran.complaints
        assert complaint == (
            f"quizbot: the output is ascii, which lacks letters of {name}; use a UTF-8 locale, such as LC_ALL=C.UTF-8"
        )
        assert ran.code == 0
    assert len(poor.run("play", typed="rivers\nn\n").complaints) == 1
    assert poor.run("play", "rivers", "--lang", "en").err == ""


def test_a_second_program_on_the_same_database_is_refused(quizbot: Program) -> None:
    with quizbot.running("play", "rivers") as first:
        first.until("C. ")
        second = quizbot.run("play", "numbers", typed="A\n")
        (complaint,) = second.complaints
        assert "another Quizbot is using" in complaint
        assert (second.out, second.code) == ("", 1)


def test_a_database_that_fails_in_the_middle_is_one_line(quizbot: Program) -> None:
    with quizbot.running("play", "rivers") as playing:
        playing.until("C. ")
        with closing(sqlite3.connect(quizbot.folder / "quizbot.sqlite3")) as database, database:
            database.execute("DROP TABLE response")
        playing.type("A\n")
        ran = playing.end()
    (complaint,) = ran.complaints
    assert "no such table: response" in complaint
    assert ran.code == 1


def test_a_reader_who_leaves_early_is_no_error(quizbot: Program) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = quizbot.run("play", "rivers", typed="A\nA\n", out=writing)
    finally:
        os.close(writing)
    assert (ran.err, ran.code) == ("", 1)
    assert "Go on?" in quizbot.run("play", "rivers").out


def test_hostile_input_is_answered_and_changes_nothing(quizbot: Program) -> None:
    typed = b"\xff\xfe\x00\n" + b"A" * 100_000 + b"\n\x1b[2J\n{0.__class__}\n%s\n"
    ran = quizbot.run("play", "rivers", typed=typed)
    assert ran.out.endswith(f"{FAREWELL}\n")
    assert not set("\x1b\x00") & set(ran.out)
    assert max(map(len, ran.out.splitlines())) < 200
    assert (ran.err, ran.code) == ("", 0)
    assert "0 answered" in quizbot.run("play", "rivers").out


def test_somebody_at_a_terminal_sees_cards_that_fit(quizbot: Program) -> None:
    narrow = Program(quizbot.folder, {**quizbot.variables, "COLUMNS": "40", "TERM": "xterm-256color"})
    with narrow.running("play", "rivers", at_a_terminal=True) as playing:
        playing.until("Settings ›")
        playing.type("\n")
        playing.until("Your answer")
        playing.type("\x03")
        ran = playing.end()
    shown = STYLES.sub("", ran.out)
    assert COLOURS.search(ran.out)
    assert "╭─ Question 1 of 3 ─" in shown
    assert max(map(len, shown.splitlines())) <= 40
    assert FAREWELL in " ".join(shown.split())
    assert ran.code == 130


def test_no_color_is_respected(quizbot: Program) -> None:
    pale = Program(quizbot.folder, {**quizbot.variables, "NO_COLOR": "1", "TERM": "xterm-256color"})
    with pale.running("play", "rivers", at_a_terminal=True) as playing:
        playing.until("Settings ›")
        playing.type("q\n")
        ran = playing.end()
    assert "Rivers" in ran.out
    assert not COLOURS.search(ran.out)
    assert ran.code == 0
