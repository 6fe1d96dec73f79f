"""Practising in the console, beyond what the golden texts show."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Sequence
from datetime import UTC, datetime
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from click import ClickException, UsageError

from adapters.console.acquaintance import Acquaintance
from adapters.console.reception import Wishes
from adapters.console.terminal import Lines, PlainTerminal
from adapters.console.visit import PLATFORM
from bot.core.quiz import Image
from bot.core.session import Ending
from bot.learning.days import date_of
from bot.messages import Block
from bot.storage.sqlite import open_sqlite
from bot.words import languages, words_of
from tests.adapters.console.room import ANN, QUIZZES, Desk, Room
from tests.adapters.console.scenes import KEEP_ON
from tests.clock import VirtualClock
from tests.program import Program

ENGLISH = Wishes(lang="en")
RIVERS = Wishes("rivers", lang="en", seed=1)
WRONG = "A\nAB\nB\n"
"""Misses every question of the rivers, when drawn with that seed."""


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A folder of one's own with the quizzes, which may go away."""
    folder = tmp_path / "content"
    folder.mkdir()
    for quiz in QUIZZES.iterdir():
        (folder / quiz.name).write_bytes(quiz.read_bytes())
    return folder


def stems(printed: str) -> list[str]:
    """The questions that were printed, in order."""
    return re.findall(r"^Question \d+ of \d+\n(.+)$", printed, re.MULTILINE)


# What is practised


@pytest.mark.parametrize("answer", ["A\n", "B\n", "s\n", "A\nB\nBC\n"], ids=["A", "B", "skip", "mixed"])
async def test_a_script_that_answers_without_end_comes_to_an_end(room: Room, answer: str) -> None:
    await room.script("A\n" * 9, RIVERS)
    printed = await room.practice(answer * 500)
    assert "Results — Practice\n" in printed
    session = await room.session()
    assert session
    assert session.ending is Ending.COMPLETED


async def test_a_missed_question_comes_back_after_three_others_and_is_not_printed_anew_for_getting_longer(
    room: Room,
) -> None:
    await room.script(WRONG, RIVERS)
    await room.script("A\nA\n", Wishes("numbers"))
    printed = await room.practice("s\n" * 40, Wishes(seed=1))
    asked = stems(printed)
    assert len(asked) > len(set(asked)) == 5
    places = [at for at, stem in enumerate(asked) if stem == asked[0]]
    assert min(later - before for before, later in pairwise(places)) > 3
    assert printed.count("Question 1 of 5") == 1
    assert "Question 1 of 6" not in printed
    assert re.search(r"^Question 2 of 6$", printed, re.MULTILINE)


async def test_reviews_come_before_questions_that_are_new(room: Room) -> None:
    await room.script("C\ns\ns\n", RIVERS)
    missed = stems(await room.script("", Wishes("rivers", seed=1)))  # left unfinished: it teaches nothing
    printed = await room.practice("s\n" * 9)
    assert printed.startswith("Practice: 2 reviews, 1 new question.")
    assert stems(printed)[2] == missed[0] == "Which river flows through Vienna?"


async def test_with_a_quiz_only_its_questions_are_asked(room: Room) -> None:
    await room.script("s\n" * 3, RIVERS)
    printed = await room.practice("s\n" * 9, Wishes("numbers"))
    assert printed.startswith("Practice: 2 new questions.")
    assert "Results — Practice: Numbers" in printed


@pytest.mark.parametrize("name", ["rivers", "Rivers", "РЕКИ", "râuri"])
async def test_a_quiz_is_found_by_its_slug_and_by_its_title_in_any_language(room: Room, name: str) -> None:
    assert (await room.practice("", Wishes(name, lang="en"))).startswith("Practice: 3 new questions.")


@pytest.mark.parametrize("name", ["riverz", "../rivers", "{0.__class__}", "*"])
async def test_a_name_that_no_quiz_has_is_refused(room: Room, name: str) -> None:
    with pytest.raises(UsageError, match="there is no quiz "):
        await room.practice("", Wishes(name))
    assert await room.session() is None


async def test_without_any_quiz_that_can_be_used_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    with pytest.raises(ClickException, match=r"no quiz in .* can be played"):
        await Room(tmp_path, tmp_path / "content").practice("")


@pytest.mark.parametrize("language", languages())
async def test_whoever_has_met_nothing_yet_is_told_how_to_begin(room: Room, language: str) -> None:
    printed = await room.practice("1\nA\n", Wishes(lang=language))
    assert words_of(language).gettext("Choose a quiz to begin with:") in printed
    assert printed.endswith("\n1. `quizbot practice numbers`\n2. `quizbot practice rivers`\n")
    assert await room.session() is None


async def test_the_same_seed_draws_the_same_options(tmp_path: Path) -> None:
    printed = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        printed.append(await Room(tmp_path / name).practice("s\n" * 9, RIVERS))
    assert printed[0] == printed[1]


async def test_what_was_missed_is_due_until_it_is_right_however_often_the_program_is_started(room: Room) -> None:
    assert "You got 0 of 3 right." in await room.script(WRONG, RIVERS)
    assert (await room.practice("s\n" * 9)).startswith("Practice: 3 reviews.")
    assert (await room.practice("A\n" * 9)).startswith("Practice: 3 reviews.")
    right = len([memory for memory in (await room.knowledge()).memories if not memory.missed])
    assert 0 < right < 3
    assert (await room.practice("")).startswith(f"Practice: {3 - right} review")


async def test_whoever_keeps_practising_after_one_quiz_practises_everything(room: Room) -> None:
    await room.script(WRONG, RIVERS)
    desk = Desk()
    practising = asyncio.create_task(room.practise(desk, Wishes("numbers", seed=1)))
    await desk.type("B", "Your answer: ")
    await desk.type("", "Enter: Next › ")
    await desk.type("B", "Your answer: ")
    await desk.type("", "Enter: Show the results › ")
    await desk.type("a", KEEP_ON)
    await desk.until("Practice: 3 reviews.")
    await desk.type("q", "Your answer")
    await practising


# Going on


async def test_another_quiz_takes_the_place_of_an_unfinished_practice(room: Room) -> None:
    await room.practice("s\n", RIVERS)
    printed = await room.practice("", Wishes("numbers"))
    assert printed.startswith(
        "The unfinished practice is stopped; what was left waits for you.\nPractice: 2 new questions."
    )
    assert "Results" not in printed


@pytest.mark.parametrize("wanted", ["rivers", None])
async def test_an_unfinished_practice_of_a_quiz_goes_on_when_that_or_anything_is_wanted(
    room: Room, wanted: str | None
) -> None:
    await room.practice("s\n", RIVERS)
    before = await room.session()
    printed = await room.practice("", Wishes(wanted))
    assert printed.startswith("Your unfinished practice goes on.\n\nQuestion 2 of 3")
    after = await room.session()
    assert before
    assert after
    assert before.id == after.id


async def test_what_is_practised_goes_on_though_its_quiz_is_no_longer_there(tmp_path: Path, content: Path) -> None:
    room = Room(tmp_path, content)
    await room.practice("s\n", RIVERS)
    (content / "rivers.yaml").unlink()
    assert stems(await room.practice("s\n" * 9)) == [
        "Which of these rise in Bulgaria?",
        "The Danube flows into the Black Sea.",
    ]
    assert "rivers" not in await room.practice("")


async def test_a_quiz_and_practice_can_be_unfinished_side_by_side(room: Room) -> None:
    await room.script("s\n", RIVERS)
    await room.practice("", Wishes("rivers"))
    assert "question 2 of 3" in await room.script("", Wishes("rivers"))
    assert "goes on" in await room.practice("")


async def test_a_quiz_may_be_called_practice(tmp_path: Path, content: Path) -> None:
    (content / "rivers.yaml").rename(content / "practice.yaml")
    room = Room(tmp_path, content)
    await room.practice("s\n", Wishes("practice", lang="en"))
    printed = await room.script("", Wishes("practice"))
    assert printed.startswith("Question 1 of 3")
    assert "goes on" in await room.practice("")


async def test_leaving_says_how_to_come_back_and_in_memory_that_nothing_is_kept(room: Room) -> None:
    assert (await room.practice("q\n", RIVERS)).endswith("Your progress is kept: run `quizbot practice` to go on.\n")
    assert (await room.practice("", kept=False)).endswith("Nothing is kept of it: the database is in memory only.\n")


@pytest.mark.parametrize("met", [False, True])
async def test_an_interruption_while_choosing_promises_nothing(room: Room, met: bool) -> None:
    if met:
        await room.practice("B\nB\n", Wishes("numbers", lang="en", seed=1))
    desk = Desk()
    practising = asyncio.create_task(room.practise(desk, ENGLISH))
    await desk.until("Number or name: ")
    practising.cancel()
    with pytest.raises(asyncio.CancelledError):
        await practising
    assert "progress" not in desk.screen


@pytest.mark.parametrize("line", ["q", "stop", "", None])
async def test_choosing_nothing_is_the_end(room: Room, line: str | None) -> None:
    desk = Desk()
    practising = asyncio.create_task(room.practise(desk, ENGLISH))
    await desk.type(line, "Number or name: ")
    await practising
    assert await room.session() is None


class Torn(PlainTerminal):
    """A pipe that breaks when a card is printed."""

    def show(self, blocks: Sequence[Block], image: Image | None) -> None:
        raise BrokenPipeError


async def test_a_pipe_that_breaks_at_the_question_that_goes_on_is_what_has_happened(room: Room) -> None:
    await room.practice("", RIVERS)
    with pytest.raises(BaseExceptionGroup) as raised:
        await room.practise(Torn(Lines(StringIO()), StringIO(), echo=True))
    assert raised.value.split(BrokenPipeError)[1] is None


# Where and when


async def test_the_day_of_the_machines_time_zone_counts(tmp_path: Path) -> None:
    room = Room(tmp_path, zone="Europe/Sofia")
    room.clock = VirtualClock(datetime(2025, 3, 4, 1, 30, tzinfo=UTC))  # 03:30 in Sofia, where it is still the 3rd
    await room.practice("s\n", RIVERS)
    room.clock.advance(3600)
    await room.practice("s\n")
    known = await room.knowledge()
    assert known.zone == "Europe/Sofia"
    assert [date_of(memory.reviewed or 0).day for memory in known.memories] == [4, 3]


async def test_whoever_travels_takes_the_time_zone_of_where_they_are(tmp_path: Path) -> None:
    room = Room(tmp_path, zone="Europe/Sofia")
    await room.script("A\n", RIVERS)
    room.zone = "Europe/Lisbon"
    await room.practice("", RIVERS)
    assert (await room.knowledge()).zone == "Europe/Lisbon"
    room.zone = None  # a machine that does not say
    await room.practice("", RIVERS)
    assert (await room.knowledge()).zone == "Europe/Lisbon"


async def test_a_language_once_chosen_holds_for_playing_and_practising(room: Room) -> None:
    await room.practice("", Wishes("rivers", lang="ro"))
    assert "Întrebarea 1 din 3" in await room.script("", Wishes("rivers"))
    await room.script("y\n", Wishes("rivers", lang="bg"))
    assert "Въпрос 1 от 3" in await room.practice("")


async def test_a_language_that_an_earlier_version_kept_for_a_quiz_alone_holds_no_longer(room: Room) -> None:
    store = await open_sqlite(str(room.database), [PLATFORM])
    chat = ANN.chat("rivers")
    try:
        await store.prefer(chat, "language", "bg")
        await Acquaintance(store, ANN, wished="ro").keep(chat)
        assert (await store.preferences([chat]))[chat].language is None
        assert (await store.preferences([ANN.id]))[ANN.id].language == "ro"
    finally:
        await store.close()


# At the end of a quiz


@pytest.mark.parametrize(
    ("answers", "kept", "said"), [("A\nBC\nA\n", True, True), ("C\nBC\nA\n", True, False), ("A\nBC\nA\n", False, False)]
)
async def test_only_after_mistakes_that_are_kept_practice_is_recommended(
    room: Room, answers: str, kept: bool, said: bool
) -> None:
    printed = await room.script(answers, RIVERS, kept=kept)
    assert printed.endswith("`quizbot practice` brings back what you missed.\n") is said


@pytest.mark.parametrize("count", [1, 2])
async def test_a_quiz_asks_first_what_has_not_been_asked(room: Room, count: int) -> None:
    wishes = Wishes("rivers", lang="en", questions=count, order="shuffled")
    asked = [stems(await room.script("s\n" * count, wishes)) for _ in range(3 // count)]
    if count == 2:
        asked.append(stems(await room.script("s\n", Wishes("rivers", questions=1))))
    assert len({stem for each in asked for stem in each}) == 3


# The program


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": str(QUIZZES)})


def test_killed_in_the_middle_practice_goes_on_where_it_was(quizbot: Program) -> None:
    with quizbot.running("practice", "rivers", "--seed", "1") as practising:
        practising.until("Question 1 of 3")
        practising.type("s\n")
        practising.until("Question 2 of 3")
        practising.signal(signal.SIGKILL)
    ran = quizbot.run("practice", typed="s\ns\n")
    assert ran.out.startswith("Your unfinished practice goes on.\n\nQuestion 2 of 3")
    assert "You got 0 of 3 right the first time." in ran.out
    assert (ran.err, ran.code) == ("", 0)


def test_a_reader_who_leaves_before_what_goes_on_is_shown_is_no_error(quizbot: Program) -> None:
    quizbot.run("practice", "rivers")
    quizbot.run("play", "rivers")
    for command in ("practice", "play"):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            ran = quizbot.run(command, "rivers", typed="y\n", out=writing)
        finally:
            os.close(writing)
        assert (ran.err, ran.code) == ("", 1)
