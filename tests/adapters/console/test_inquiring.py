"""What one asks at the console that is no quiz: statistics, what is stored, a copy of it, its end."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from adapters.console.inquiring import Copying, Forgetting
from adapters.console.reception import Wishes
from adapters.console.visit import PLATFORM
from bot.storage.sqlite import open_sqlite
from bot.words import languages, words_of
from tests.adapters.console.room import ANN, QUIZZES, Desk, Room, scripted
from tests.program import Program

RIVERS = Wishes("rivers", lang="en", seed=1)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": str(QUIZZES)})


def stored(database: Path | str) -> str:
    """Everything in the database, as text."""
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return "\n".join(str(row) for table in tables for row in connection.execute(f"SELECT * FROM {table}"))  # noqa: S608


# Statistics


async def test_statistics_say_what_was_just_played_and_how_to_practise(room: Room) -> None:
    await room.script("C\nBC\nB\n", RIVERS)
    told = await room.told("stats")
    assert "So far 3 answers, 2 right (67%)." in told
    assert "To be reviewed: 1 today." in told
    assert "\n• Rivers — 2 of 3 right · 67%\n" in told
    assert told.endswith("\nPractise: `quizbot practice`\n")


async def test_nobody_is_offered_at_a_terminal_to_be_told_later(room: Room) -> None:
    await room.script("C\nBC\nB\n", RIVERS)
    told = await room.told("stats") + await room.practice("s\n" * 9)
    assert "tell you" not in told
    assert "Remind" not in told


async def test_what_is_unfinished_is_neither_disturbed_nor_shown(room: Room) -> None:
    await room.script("A\n", RIVERS)
    before = await room.session("rivers")
    assert "Question" not in await room.told("stats")
    assert await room.session("rivers") == before


# What is stored


@pytest.mark.parametrize("language", languages())
async def test_what_is_stored_names_commands_as_they_are_typed(room: Room, language: str) -> None:
    await room.script("", Wishes("rivers", lang=language))
    told = await room.told("privacy")
    assert told.startswith(words_of(language).gettext("What is stored about you"))
    assert "`quizbot export`" in told
    assert "`quizbot forget`" in told
    assert "/export" not in told
    assert "/forget" not in told


async def test_asking_what_is_stored_stores_nothing(room: Room) -> None:
    for name in ("privacy", "stats"):
        await room.told(name)
    assert ANN.name not in stored(room.database)


async def test_a_copy_has_what_was_answered_and_is_not_shown(room: Room) -> None:
    await room.script("C\nAB\nA\n", RIVERS)
    terminal, out = scripted("")
    copying = Copying("export", ANN, terminal, "quizbot")
    await room.ask(copying)
    assert copying.copy
    copy = json.loads(copying.copy.data)
    assert copy["person"] == ANN.id
    assert [response["right"] for response in copy["tables"]["response"]] == [True, False, True]
    assert out.getvalue() == ""


# The end


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "no\n", "maybe\n"])
async def test_without_a_clear_yes_nothing_is_deleted(room: Room, answer: str) -> None:
    await room.script("C\n", RIVERS)
    told = await room.told("forget", answer)
    assert told.endswith("\nNothing was deleted.\n")
    assert "0 answered" not in await room.script("", RIVERS)


@pytest.mark.parametrize("answer", ["y", "YES", " да ", "Da"])
async def test_after_a_yes_nothing_of_the_person_is_left(room: Room, answer: str) -> None:
    await room.script("A\nAB\n", RIVERS)
    await room.practice("A\n", Wishes("rivers"))
    await room.script("A\n", Wishes("numbers"))
    assert ANN.name in stored(room.database)
    assert "Everything about you is deleted." in await room.told("forget", f"{answer}\n")
    assert ANN.name not in stored(room.database)
    assert "not answered a question yet" in await room.told("stats")
    assert (await room.script("", RIVERS)).startswith("Question 1 of 3")


async def test_what_an_earlier_version_kept_for_a_quiz_goes_as_well(room: Room) -> None:
    await room.script("A\n", RIVERS)
    store = await open_sqlite(str(room.database), [PLATFORM])
    try:
        await store.prefer(ANN.chat("rivers"), "language", "bg")
    finally:
        await store.close()
    await room.told("forget", "y\n")
    assert ANN.name not in stored(room.database)


async def test_at_a_terminal_the_question_waits_for_an_answer(room: Room) -> None:
    await room.script("C\n", RIVERS)
    desk = Desk()
    forgetting = Forgetting("forget", ANN, desk, "quizbot")
    asking = asyncio.create_task(room.ask(forgetting))
    await desk.type("y", "Delete everything? [y/N] ")
    await asking
    assert forgetting.done
    assert "This cannot be undone. For a copy, run `quizbot export` first." in desk.screen
    assert "groups" not in desk.screen


# The program


def test_a_copy_goes_to_standard_output_or_into_a_file_for_oneself_alone(quizbot: Program) -> None:
    quizbot.run("play", "rivers", "--seed", "1", typed="C\n")
    printed = quizbot.run("export")
    assert json.loads(printed.out)["person"] == "console:ann"
    assert (printed.err, printed.code) == ("", 0)
    assert json.loads(quizbot.run("export", "-").out)["tables"] == json.loads(printed.out)["tables"]
    written = quizbot.run("export", "mine.json")
    file = quizbot.folder / "mine.json"
    assert written.out.startswith("Here is everything that is stored about you.\n")
    assert json.loads(file.read_bytes())["tables"] == json.loads(printed.out)["tables"]
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600


def test_where_nothing_is_stored_no_file_is_written(quizbot: Program) -> None:
    ran = quizbot.run("export", "mine.json")
    assert (ran.out, ran.err, ran.code) == ("", "Nothing is stored about you.\n", 0)
    assert not (quizbot.folder / "mine.json").exists()


def test_a_file_that_cannot_be_written_is_one_line(quizbot: Program) -> None:
    quizbot.run("play", "rivers", typed="A\n")
    ran = quizbot.run("export", "nowhere/mine.json")
    assert ran.complaints == ["quizbot: nowhere/mine.json: No such file or directory"]
    assert ran.code == 1


def test_a_script_deletes_with_an_option_and_sees_by_the_exit_code_whether_it_did(quizbot: Program) -> None:
    quizbot.run("play", "rivers", typed="A\n")
    kept = quizbot.run("forget")
    assert "Delete everything? [y/N]\n" in kept.out
    assert (kept.out.endswith("\nNothing was deleted.\n"), kept.code) == (True, 1)
    gone = quizbot.run("forget", "--yes")
    assert gone.out == "✓ Everything about you is deleted.\nIf you use me again, we begin anew.\n"
    assert (gone.err, gone.code) == ("", 0)
    assert "ann" not in stored(quizbot.folder / "quizbot.sqlite3").split()


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"LC_ALL": "bg_BG.UTF-8"}, "Какво се пази за теб"),
        ({"LANG": "ro_RO.UTF-8"}, "Ce se păstrează despre tine"),
        ({}, "What is stored about you"),
    ],
)
def test_without_a_choice_the_environment_says_the_language(
    variables: dict[str, str], said: str, quizbot: Program
) -> None:
    ran = Program(quizbot.folder, {**quizbot.variables, **variables}).run("privacy")
    assert ran.out.startswith(said)
    assert (ran.err, ran.code) == ("", 0)
