"""Choosing a quiz: from the picker, by its name in any spelling and language, by a link."""

from __future__ import annotations

import pytest

from bot.core.effects import StartCard
from bot.core.session import Pace, Phase
from bot.desk import Show
from bot.presses import Browse, Page, Pick
from tests.desk.lobby import (
    ANN,
    BOB,
    GROUP,
    MIA,
    QUIZZES,
    TOPIC,
    Lobby,
    aside,
    open_lobby,
    presses,
    said,
    silent,
    titled,
)
from tests.present.sample import QUIZ

PLACES = [GROUP, TOPIC, ANN.person]


# The picker


@pytest.mark.parametrize("command", ["/quiz", "/quizzes"])
@pytest.mark.parametrize("chat", PLACES)
async def test_without_a_name_whoever_asks_is_shown_the_quizzes_there_are(
    lobby: Lobby, command: str, chat: str
) -> None:
    answer = await lobby.command(ANN, command, chat)
    assert aside(answer)
    assert [press for press in presses(answer) if isinstance(press, Pick)] == [
        *(Pick("colours"), Pick("gradient-accumulation"), Pick("several"))
    ]
    assert not await lobby.running(chat)


async def test_another_page_takes_the_place_of_the_one_whose_button_was_pressed() -> None:
    many = [titled(f"quiz-{number:02}", f"Quiz {number}") for number in range(20)]
    async with open_lobby(quizzes=many) as lobby:
        first = await lobby.command(ANN, "/quiz")
        assert Page(1) in presses(first)
        second = await lobby.press(BOB, Page(1))
        assert second.show is Show.INSTEAD
        assert [press for press in presses(second) if isinstance(press, Pick)] == [
            Pick(f"quiz-{number:02}") for number in range(8, 16)
        ]
        last = await lobby.press(BOB, Page(999_999))
        assert Pick("quiz-19") in presses(last)


async def test_another_quiz_brings_a_picker_of_its_own_and_leaves_the_message_with_its_button(lobby: Lobby) -> None:
    answer = await lobby.press(BOB, Browse())
    assert (answer.show, answer.served) == (Show.HERE, False)
    assert Pick("colours") in presses(answer)


async def test_a_picker_has_done_its_work_when_the_quiz_waits(lobby: Lobby) -> None:
    answer = await lobby.press(ANN, Pick("several"))
    assert silent(answer)
    assert answer.served
    await lobby.world.settle()
    (card,) = lobby.posts()
    assert isinstance(card, StartCard)
    assert (card.host_name, (await lobby.session()).quiz) == ("Ann", lobby.digest("several"))


async def test_a_picker_stays_when_the_quiz_could_not_be_started(lobby: Lobby) -> None:
    await lobby.card()
    assert aside(await lobby.press(BOB, Pick("several")))
    assert aside(await lobby.press(BOB, Pick("vanished")))
    await lobby.command(ANN, "/stop")
    await lobby.press(MIA, "1:o:starters:moderators")
    assert aside(await lobby.press(BOB, Pick("several")))
    assert not await lobby.running()


async def test_where_there_is_no_quiz_that_is_said() -> None:
    async with open_lobby(quizzes=()) as lobby:
        assert presses(await lobby.command(ANN, "/quiz")) == []
        assert "colours" in said(await lobby.command(ANN, "/quiz colours"))


# By name


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("colours", "colours"),
        ("COLOURS", "colours"),
        ("gradient-accumulation", "gradient-accumulation"),
        ("gradient_accumulation", "gradient-accumulation"),
        ("  Gradient   Accumulation ", "gradient-accumulation"),
        ("Натрупване на градиенти", "gradient-accumulation"),
        ("натрупване  НА градиенти", "gradient-accumulation"),
        ("Acumularea gradienților", "gradient-accumulation"),
        ("mai multe ra\u0306spunsuri", "several"),  # written with a breve of its own
    ],
)
@pytest.mark.parametrize("chat", PLACES)
async def test_a_quiz_is_found_by_its_slug_in_any_spelling_and_by_its_title_in_any_language(
    lobby: Lobby, name: str, slug: str, chat: str
) -> None:
    assert silent(await lobby.command(ANN, f"/quiz {name}", chat))
    session = await lobby.session(chat)
    assert (session.phase, session.quiz, session.host) == (Phase.CARD, lobby.digest(slug), ANN.person)
    assert session.private == (chat == ANN.person)


@pytest.mark.parametrize(
    "near", ["gradient-acumulation", "gradient", "Натрупване градиенти", "acumularea gradientilor"]
)
async def test_a_name_that_is_nearly_right_is_met_with_the_quizzes_that_may_be_meant(lobby: Lobby, near: str) -> None:
    answer = await lobby.command(ANN, f"/quiz {near}")
    assert presses(answer) == [Pick("gradient-accumulation")]
    assert near in aside(answer)
    assert not await lobby.running()


@pytest.mark.parametrize("far", ["zzz", "🎉" * 1000, "..", "__proto__", "{0.__class__}", "%s", "\u202e", "x" * 4000])
async def test_a_name_that_means_nothing_is_met_with_the_way_to_all_quizzes(lobby: Lobby, far: str) -> None:
    answer = await lobby.command(ANN, f"/quiz {far}")
    assert aside(answer)
    assert presses(answer) == [Browse()]
    assert not await lobby.running()


async def test_no_more_than_three_quizzes_are_near() -> None:
    async with open_lobby(quizzes=[titled(f"quiz-{number}", f"Quiz {number}") for number in range(9)]) as lobby:
        near = presses(await lobby.command(ANN, "/quiz quiz-x"))
        assert len(near) == len(set(near)) == 3


# Links


@pytest.mark.parametrize("chat", PLACES)
async def test_a_link_to_a_quiz_starts_it_where_it_leads(lobby: Lobby, chat: str) -> None:
    assert silent(await lobby.command(ANN, "/start quiz_gradient-accumulation", chat))
    session = await lobby.session(chat)
    assert session.quiz == lobby.digest(QUIZ.slug)
    assert session.settings.pace is (Pace.RELAXED if chat == ANN.person else Pace.STEADY)


async def test_a_link_to_no_quiz_in_particular_leads_to_all_of_them(lobby: Lobby) -> None:
    answer = await lobby.command(ANN, "/start quiz_", ANN.person)
    assert (answer.card, answer.show) == (lobby.picker("en"), Show.ASIDE)
    assert not await lobby.running(ANN.person)


@pytest.mark.parametrize("slug", ["nothing", "_", "-" * 59])
async def test_a_link_to_a_quiz_that_is_not_there_says_so(lobby: Lobby, slug: str) -> None:
    assert Browse() in presses(await lobby.command(ANN, f"/start quiz_{slug}", ANN.person))
    assert not await lobby.running(ANN.person)


async def test_every_quiz_there_is_can_be_started_by_the_link_that_is_shared(lobby: Lobby) -> None:
    for quiz in QUIZZES:
        chat = f"test:-5{quiz.slug}"
        assert silent(await lobby.command(ANN, f"/start quiz_{quiz.slug}", chat))
        assert await lobby.running(chat)
