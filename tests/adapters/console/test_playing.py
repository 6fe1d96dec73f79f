"""One person and the console, beyond what the golden texts show."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click import ClickException, UsageError

from adapters.console.reception import Wishes
from bot.core.session import Ending, Feedback, Order, Pace, Phase, Settings
from bot.words import languages, words_of
from tests.adapters.console.room import PATIENCE, QUIZZES, Desk, Room
from tests.adapters.console.scenes import FINISH

RIVERS = Wishes("rivers", lang="en", seed=1)


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def rivers(tmp_path: Path) -> tuple[Room, Path]:
    """A room with one quiz, and the file of that, which may go away."""
    content = tmp_path / "content"
    content.mkdir()
    file = content / "rivers.yaml"
    file.write_bytes((QUIZZES / "rivers.yaml").read_bytes())
    return Room(tmp_path, content), file


def _options(printed: str) -> list[str]:
    return re.findall(r"^[A-D]\. .*$", printed, re.MULTILINE)


async def test_going_on_shows_the_same_question_with_the_same_order_of_options(room: Room) -> None:
    first = await room.script("", RIVERS)
    assert _options(await room.script("y\n", Wishes("rivers"))) == _options(first)


async def test_another_seed_does_not_touch_what_is_unfinished(room: Room) -> None:
    first = await room.script("", RIVERS)
    second = await room.script("y\n", replace(RIVERS, seed=2))
    assert _options(second) == _options(first)
    assert "--seed" in second


async def test_nothing_typed_in_a_script_means_nothing(room: Room) -> None:
    await room.script("\n\n", RIVERS)
    session = await room.session("rivers")
    assert session
    assert (session.at, session.answered) == (0, 0)


async def test_no_question_is_printed_twice_in_one_run(room: Room) -> None:
    printed = await room.script("s\ns\ns\n", RIVERS)
    assert [printed.count(f"Question {number} of 3") for number in (1, 2, 3)] == [1, 1, 1]


async def test_the_language_is_kept_for_the_quiz_and_for_the_person(room: Room) -> None:
    await room.script("", Wishes("rivers", lang="bg"))
    assert "Имаш незавършен тест" in await room.script("", Wishes("rivers"))
    assert "Question" not in await room.script("", Wishes("numbers"))


async def test_another_language_can_be_chosen_half_way(room: Room) -> None:
    await room.script("", Wishes("rivers", lang="bg"))
    assert "Ce râu trece prin Viena?" in await room.script("y\n", Wishes("rivers", lang="ro"))


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"LC_ALL": "ro_RO.UTF-8", "LANG": "bg_BG"}, "Întrebarea 1"),
        ({"LC_MESSAGES": "bg_BG.UTF-8", "LANG": "en_GB.UTF-8"}, "Въпрос 1"),
        ({"LANG": "bg"}, "Въпрос 1"),
        ({"LANG": "ro_RO.UTF-8@euro"}, "Întrebarea 1"),
        ({"LANG": "pt_BR.UTF-8"}, "Question 1"),
        ({"LC_ALL": "C"}, "Question 1"),
        ({}, "Question 1"),
    ],
)
async def test_the_locale_of_the_environment_is_the_language_until_one_is_chosen(
    room: Room, environment: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert said in await room.script("", Wishes("rivers"))


async def test_unfinished_quizzes_stay_side_by_side_and_are_marked_in_the_list(room: Room) -> None:
    await room.script("A\n", RIVERS)
    await room.script("", Wishes("numbers", lang="en"))
    listed = await room.script("", Wishes())
    assert re.search(r"Rivers.*1 of 3 done", listed)
    assert re.search(r"Numbers.*0 of 2 done", listed)


async def test_a_clock_does_not_run_while_the_offer_is_read(room: Room) -> None:
    await room.script("", replace(RIVERS, pace="brisk"))
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers")))
    await desk.until("Go on? [Y/n]")
    room.clock.advance(3600)
    await desk.type("y", "")
    await desk.type("q", "Your answer: ")
    await playing
    session = await room.session("rivers")
    assert session
    assert (session.at, session.phase, session.silent) == (0, Phase.OPEN, 0)


async def test_leaving_at_the_offer_changes_nothing(room: Room) -> None:
    await room.script("A\n", RIVERS)
    before = await room.session("rivers")
    assert "Your progress is kept" in await room.script("q\n", RIVERS)
    assert await room.session("rivers") == before


async def test_the_scores_of_a_quiz_that_gives_way_are_kept(room: Room) -> None:
    await room.script("C\n", RIVERS)
    before = await room.session("rivers")
    printed = await room.script("", replace(RIVERS, new=True))
    after = await room.session("rivers")
    assert before
    assert after
    assert before.id != after.id
    assert "Results" not in printed
    (player,) = await room.players("rivers", before.id)
    assert (player.name, player.right, player.answered) == ("ann", 1, 1)


async def test_a_start_card_that_was_left_is_simply_replaced(room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers", lang="en")))
    await desk.type("q", "Settings › ")
    await playing
    assert "progress" not in desk.screen
    printed = await room.script("", RIVERS)
    assert printed.startswith("Question 1 of 3")


async def test_stopping_at_the_start_card_ends_there(room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers", lang="en")))
    await desk.type("stop", "Settings › ")
    await desk.type("yes", "[y/N] ")
    await playing
    session = await room.session("rivers")
    assert session
    assert session.ending is Ending.STOPPED
    assert desk.screen.endswith("Stopped before the first question.\n")


async def test_options_of_the_command_line_are_the_settings(room: Room) -> None:
    wishes = Wishes("rivers", questions=2, pace="steady", feedback="at-close", order="shuffled")
    await room.script("", wishes)
    session = await room.session("rivers")
    assert session
    assert (session.settings.pace, session.settings.count, len(session.draw)) == (Pace.STEADY, 2, 2)
    assert (session.settings.feedback.value, session.settings.order.value) == ("at-close", "shuffled")


async def test_more_questions_than_there_are_is_said_with_the_number_there_is(room: Room) -> None:
    with pytest.raises(UsageError, match="write 1 to 3"):
        await room.script("", replace(RIVERS, questions=4))
    assert await room.session("rivers") is None


async def test_an_unknown_quiz_is_answered_with_the_nearest(room: Room) -> None:
    with pytest.raises(UsageError, match="did you mean rivers"):
        await room.script("", Wishes("river"))
    with pytest.raises(UsageError, match="there are: numbers, rivers"):
        await room.script("", Wishes("../../etc/passwd"))


async def test_a_quiz_whose_file_has_gone_can_be_finished_but_not_begun(rivers: tuple[Room, Path]) -> None:
    room, file = rivers
    await room.script("A\n", RIVERS)
    file.unlink()
    assert "Results — Rivers" in await room.script("AB\nA\n", Wishes("rivers"))
    with pytest.raises(UsageError, match="no quiz 'rivers'"):
        await room.script("", Wishes("rivers"))


async def test_a_quiz_that_can_no_longer_be_read_at_all_ends_with_a_word(
    rivers: tuple[Room, Path], tmp_path: Path
) -> None:
    room, file = rivers
    await room.script("A\n", RIVERS)
    file.unlink()
    with closing(sqlite3.connect(tmp_path / "console.sqlite3")) as database, database:
        database.execute("UPDATE quiz SET body = 'torn'")
    assert (await room.script("y\n", Wishes("rivers"))).endswith(
        "The quiz can no longer be read, so it has ended. Scores so far are kept.\n"
    )
    session = await room.session("rivers")
    assert session
    assert session.ending is Ending.BROKEN


async def test_a_broken_quiz_file_is_named_with_its_problems(tmp_path: Path) -> None:
    (tmp_path / "torn.yaml").write_text("title: Torn\n", encoding="utf-8")
    room = Room(tmp_path, tmp_path)
    with pytest.raises(ClickException, match=r"torn\.yaml:1:1: error"):
        await room.script("", Wishes("torn"))


async def test_what_is_only_a_warning_does_not_stand_between_the_reasons_why_a_quiz_cannot_be_used(
    tmp_path: Path,
) -> None:
    text = (QUIZZES / "rivers.yaml").read_text("utf-8").replace("Коя река", "Коя от 2 реки").replace("sea", "vienna")
    (tmp_path / "twice.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ClickException, match="the id 'vienna' is already") as caught:
        await Room(tmp_path, tmp_path).script("", Wishes("twice"))
    assert ": warning: " not in caught.value.message


async def test_whoever_leaves_is_told_to_come_back_the_way_they_came(room: Room) -> None:
    printed = await room.script("", replace(RIVERS, program=".venv/bin/quizbot"))
    assert "run `.venv/bin/quizbot play rivers` to go on" in printed


async def test_cancelled_in_the_middle_it_says_how_to_come_back(room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, RIVERS))
    await desk.until("Your answer: ")
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert desk.screen.endswith("Your progress is kept: run `quizbot play rivers` to go on.\n")


async def test_a_start_card_that_nobody_touches_for_a_day_is_over(room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers", lang="en")))
    await desk.until("Settings › ")
    room.clock.advance(25 * 3600)
    await playing
    assert "Nobody started it for a day" in desk.screen


async def test_at_a_terminal_no_letter_answers_a_question_that_is_not_shown_yet(room: Room) -> None:
    await room.script("", RIVERS)
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers")))
    await desk.type("A", "Go on? [Y/n] ")
    await desk.type("quit", "Go on? [Y/n] ")
    await playing
    session = await room.session("rivers")
    assert session
    assert session.answered == 0


async def test_the_list_of_quizzes_has_pages(tmp_path: Path) -> None:
    for number in range(1, 10):
        text = (QUIZZES / "rivers.yaml").read_text(encoding="utf-8").replace("Rivers", f"Rivers {number}")
        (tmp_path / f"r{number}.yaml").write_text(text, encoding="utf-8")
    desk = Desk()
    playing = asyncio.create_task(Room(tmp_path, tmp_path).play(desk, Wishes(lang="en")))
    await desk.until("[>] Next page →")
    await desk.type(">", "Number or name: ")
    await desk.until("Rivers 9")
    await desk.type("<", "Number or name: ")
    await desk.until("Rivers 1")
    await desk.type("10", "Number or name: ")
    await desk.type("9", "Number or name: ")
    await desk.type("q", "Settings › ")
    await playing
    assert "Rivers 9\nThree questions" in desk.screen


@pytest.mark.parametrize(("quiz", "error"), [(None, ClickException), ("rivers", UsageError)])
async def test_a_folder_without_quizzes_is_named(quiz: str | None, error: type[ClickException], tmp_path: Path) -> None:
    with pytest.raises(error, match=f"no quiz in {re.escape(str(tmp_path))} can be played: set QUIZBOT_CONTENT_DIR"):
        await Room(tmp_path, tmp_path).script("1\n", Wishes(quiz))


async def test_an_impatient_second_enter_does_not_skip_a_question(room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, RIVERS))
    await desk.type("A", "Your answer: ")
    await desk.type("", "Enter: Next › ")
    await desk.type("", "Your answers, such as AC: ")
    await desk.type("q", "Your answers, such as AC: ")
    await playing
    session = await room.session("rivers")
    assert session
    assert (session.at, session.phase) == (1, Phase.OPEN)


async def test_a_paused_quiz_goes_on_with_the_next_line_of_a_script(room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, replace(RIVERS, pace="brisk")))
    for prompt in ("Your answer: ", "Enter: Next › ", "Your answers, such as AC: "):
        await desk.until(prompt)
        room.clock.advance(60)
    await desk.type("q", "Enter: Resume › ")
    await playing
    printed = await room.script("y\nA\n", Wishes("rivers"))
    assert "Question 3 of 3" in printed
    assert "You got" in printed


async def _play_through(desk: Desk) -> None:
    """Skip every question of the rivers."""
    for _ in range(3):
        await desk.type("s", "Your answer")
        await desk.type("", "Enter: ")


async def test_again_plays_the_same_quiz_as_it_was_set_but_drawn_anew(room: Room) -> None:
    desk = Desk()
    wishes = replace(RIVERS, feedback="at-close", order="shuffled", pace="brisk")
    playing = asyncio.create_task(room.play(desk, wishes))
    await _play_through(desk)
    await desk.type("a", FINISH)
    first = desk.screen
    await _play_through(desk)
    await desk.type("", FINISH)
    await playing
    session = await room.session("rivers")
    assert session
    assert session.settings == Settings(Pace.BRISK, 3, Feedback.AT_CLOSE, Order.SHUFFLED)
    second = desk.screen.removeprefix(first)
    assert {line[3:] for line in _options(first)} == {line[3:] for line in _options(second)}
    assert _options(first) != _options(second)


async def test_again_keeps_what_was_set_on_the_start_card_and_shows_no_card(room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("numbers", lang="en")))
    await desk.type("s", "Settings › ")
    await desk.type("g", "Hide settings › ")
    await desk.type("", "Hide settings › ")
    for _ in range(2):
        for _ in range(2):
            await desk.type("A", "Your answer: ")
            await desk.type("", "Enter: ")
        await desk.type("a", FINISH)
    await desk.type("q", "Your answer: ")
    await playing
    session = await room.session("numbers")
    assert session
    assert session.settings == Settings(Pace.RELAXED, 2, Feedback.AT_END)
    assert desk.screen.count("Enter: Start") == 3


async def test_again_after_another_quiz_gave_way_stops_nothing(room: Room) -> None:
    await room.script("C\n", RIVERS)
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, replace(RIVERS, new=True)))
    await _play_through(desk)
    await desk.type("a", FINISH)
    await desk.type("A", "Your answer: ")
    await desk.type("stop", "Enter: Next › ")
    await desk.type("y", "[y/N] ")
    await desk.type("", FINISH)
    await playing
    assert desk.screen.count("The unfinished quiz is stopped") == 1
    assert desk.screen.count("Results — Rivers") == 2


@pytest.mark.parametrize("line", ["", "q", "stop", None])
async def test_after_the_results_whoever_wants_no_more_is_let_go(line: str | None, room: Room) -> None:
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, RIVERS))
    await _play_through(desk)
    await desk.type("B", FINISH)
    await desk.type(line, FINISH)
    await playing
    assert desk.screen.count("Press Enter to finish; a plays the quiz again.") == 1
    assert desk.screen.count("Results") == 1
    assert "progress" not in desk.screen


async def test_a_quiz_whose_file_has_gone_is_not_offered_again(rivers: tuple[Room, Path]) -> None:
    room, file = rivers
    await room.script("A\nA\n", RIVERS)
    file.unlink()
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, Wishes("rivers")))
    await desk.type("", "Go on? [Y/n] ")
    await desk.type("A", "Your answer: ")
    await desk.type("", "Enter: Show the results › ")
    async with asyncio.timeout(PATIENCE):
        await playing
    assert "Results — Rivers" in desk.screen
    assert "Again" not in desk.screen


async def test_a_script_ends_with_the_results(room: Room) -> None:
    printed = await room.script("s\ns\ns\na\nA\n", RIVERS)
    assert printed.count("Question 1 of 3") == 1
    assert "Again" not in printed


@pytest.mark.parametrize("language", languages())
async def test_again_is_offered_in_the_language_of_the_player(language: str, room: Room) -> None:
    words = words_of(language)
    desk = Desk()
    playing = asyncio.create_task(room.play(desk, replace(RIVERS, lang=language, questions=1)))
    await desk.type("s", " ")
    await desk.type("", "Enter: ")
    await desk.type(None, f"Enter: {words.gettext('Finish')} · a: {words.gettext('Again')} › ")
    await playing


async def test_what_is_in_memory_only_is_not_called_kept(room: Room) -> None:
    printed = await room.script("A\n", RIVERS, kept=False)
    assert printed.endswith("Nothing is kept of it: the database is in memory only.\n")
    assert "progress" not in printed
