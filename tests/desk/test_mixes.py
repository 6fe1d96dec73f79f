"""Mixes that are named at once, and how any mix is played: to its end, again, whatever becomes of its quizzes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot import present
from bot.core.effects import Asked, Closed, Ended
from bot.core.events import Change
from bot.core.quiz import LocalisedText, Question
from bot.core.session import Pace
from bot.desk import Lacking, Show
from bot.presses import Again, Browse, Configure, Pick, Prefer, Report
from tests.core.building import question
from tests.desk.lobby import (
    ANN,
    BOB,
    COLOURS,
    GROUP,
    MIA,
    SEVERAL,
    Lobby,
    Threads,
    aside,
    card_of,
    links,
    open_lobby,
    presses,
    said,
    silent,
    titled,
)
from tests.desk.mixture import QUIZZES, TOPICAL, choice, playing, questions, recipe
from tests.present.plain import plain
from tests.present.sample import BATCH, QUIZ


@pytest.fixture
async def lobby() -> AsyncIterator[Lobby]:
    async with open_lobby(quizzes=QUIZZES) as made:
        yield made


# Named at once


@pytest.mark.parametrize(
    ("wanted", "recipe_"),
    [
        ("colours several", ("colours", "several")),
        ("several colours", ("several", "colours")),
        ("colours, several", ("colours", "several")),
        ("colours,several;topical", ("colours", "several", "topical")),
        ("Colours + Several answers", ("colours", "several")),
        ("COLOURS several_answers", ("colours", "several")),
        ("Няколко отговора colours", ("several", "colours")),
        ("colours several colours", ("colours", "several")),
        ("rivers, lakes + seas colours", None),
        ("rivers-and-lakes colours", ("rivers-and-lakes", "colours")),
        ("#c #all", ("#c", "#all")),
        ("#learning-rate colours", ("#learning-rate", "colours")),
        ("#learning rate, #C", ("#learning-rate", "#c")),
        ("topic:c topic:3d", ("#c", "#3d")),
        ("Topic: learning rate; colours", ("#learning-rate", "colours")),
        ("тема:c colours", ("#c", "colours")),
        ("temă: c colours", ("#c", "colours")),
        ("# c colours", ("#c", "colours")),
        ("#c", ("#c",)),
        ("c", ("#c",)),
        ("learning rate", ("#learning-rate",)),
        ("learning rate, colours", ("#learning-rate", "colours")),
        (", colours ,, several ,", ("colours", "several")),
    ],
)
async def test_several_names_start_a_mix(lobby: Lobby, wanted: str, recipe_: tuple[str, ...] | None) -> None:
    answer = await lobby.command(ANN, f"/quiz {wanted}")
    if recipe_ is None:
        assert aside(answer)
        assert not await lobby.running()
        return
    assert silent(answer)
    assert await recipe(lobby) == recipe_


@pytest.mark.parametrize(
    ("wanted", "slug"),
    [
        ("Rivers, lakes + seas", "rivers-and-lakes"),
        ("rivers,  lakes  +  SEAS", "rivers-and-lakes"),
        ("several answers", "several"),
        ("colours colours", "colours"),
        ("colours,", "colours"),
    ],
)
async def test_a_name_of_several_words_is_one_quiz(lobby: Lobby, wanted: str, slug: str) -> None:
    assert silent(await lobby.command(ANN, f"/quiz {wanted}"))
    assert (await lobby.session()).quiz == lobby.digest(slug)


async def test_of_names_that_begin_alike_the_longest_is_meant() -> None:
    async with open_lobby(
        quizzes=[titled("red", "Red"), titled("wine", "Wine"), titled("red-wine", "Red wine")]
    ) as lobby:
        for wanted, meant in (("red wine red", ("red-wine", "red")), ("wine red", ("wine", "red"))):
            await lobby.command(ANN, f"/quiz {wanted}")
            assert await recipe(lobby) == meant


async def test_a_quiz_goes_before_a_topic_that_is_called_the_same() -> None:
    both = replace(COLOURS, questions=tuple(replace(asked, topics=("several", "x")) for asked in COLOURS.questions))
    async with open_lobby(quizzes=[both, SEVERAL]) as lobby:
        await lobby.command(ANN, "/quiz several")
        assert (await lobby.session()).quiz == lobby.digest("several")
        await lobby.command(ANN, "/quiz #several")
        assert await recipe(lobby) == ("#several",)


@pytest.mark.parametrize(
    ("wanted", "named", "near"),
    [
        ("colours severl", "severl", ["several"]),
        ("severl answers, colours", "severl answers", ["several"]),
        ("colours nothing like that", "nothing like that", []),
        ("nothing like that, colours", "nothing like that", []),
        ("severl answers", "severl answers", ["several"]),
        ("severl colours zzz", "severl", ["several"]),
        ("topical stuff", "stuff", ["topical"]),
        ("colour, severl", "colour, severl", ["colours", "several"]),
    ],
)
async def test_what_nothing_is_called_is_named_with_what_is_called_much_like_it(
    lobby: Lobby, wanted: str, named: str, near: list[str]
) -> None:
    answer = await lobby.command(ANN, f"/quiz {wanted}")
    assert f"There is no quiz “{named}”." in aside(answer)
    offered = [press.slug for press in presses(answer) if isinstance(press, Pick)]
    assert offered[: len(near)] == near
    assert offered or presses(answer) == [Browse()]
    assert not await lobby.running()


async def test_a_topic_that_there_is_not_is_met_with_those_that_are_called_much_like_it(lobby: Lobby) -> None:
    answer = await lobby.command(ANN, "/quiz #lerning-rate colours")
    assert "There is no topic “lerning-rate”." in aside(answer)
    (near,) = presses(answer)
    assert near == choice(lobby, "#learning-rate", ready=True)
    assert silent(await lobby.press(ANN, near))
    assert await recipe(lobby) == ("#learning-rate",)
    assert presses(await lobby.command(ANN, "/quiz #zzz")) == [Browse()]


@pytest.mark.parametrize(
    "wanted", [",", " , ; ", "+ +", "#", "topic:", "a " * 2000, "#" * 300, "\u202e", "{0}", "%s,%s"]
)
async def test_whatever_is_written_is_answered_and_starts_nothing(lobby: Lobby, wanted: str) -> None:
    assert said(await lobby.command(ANN, f"/quiz {wanted}"))
    assert not await lobby.running()


# Playing


async def test_a_mix_is_played_to_its_end_and_its_questions_fare_in_their_own_quizzes(lobby: Lobby) -> None:
    await lobby.command(ANN, "/quiz colours #c", ANN.person)
    await lobby.begin(ANN, ANN.person)
    asked = set()
    while await lobby.running(ANN.person):
        post = lobby.posts(ANN.person)[-1]
        assert isinstance(post, Asked | Closed)
        asked.add(post.at)
        await lobby.command(ANN, "/next", ANN.person)
        await lobby.world.settle()
    assert len(asked) == 4
    assert isinstance(lobby.posts(ANN.person)[-1], Ended)
    served = await lobby.world.store.served(ANN.person, ["colours", "topical", "mix"])
    assert [f"{each.ref.slug}/{each.ref.question}" for each in served] == [
        *("colours/q0", "colours/q1", "colours/q2", "topical/t3")
    ]


async def test_a_mix_goes_on_when_its_quizzes_have_changed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with open_lobby(path, quizzes=QUIZZES) as lobby:
        await lobby.command(ANN, "/quiz colours topical")
        await lobby.begin()
        before = await playing(lobby)
    changed = titled("colours", "Colours, but other ones")
    async with open_lobby(path, quizzes=[replace(changed, questions=(question("new"),))], updates=100) as lobby:
        session = await lobby.session()
        answer = await lobby.command(BOB, "/next")
        assert aside(answer)  # only the host may
        await lobby.command(ANN, "/next")
        await lobby.world.settle()
        quiz = await lobby.service.library.find(session.quiz, lobby.world.store.quiz)
        assert quiz == before
        shown = lobby.posts()[-1]
        assert isinstance(shown, Closed)
        assert plain(present.post(shown, before, "en"))


async def test_a_question_of_a_mix_is_reported_as_one_of_its_own_quiz(lobby: Lobby) -> None:
    await lobby.command(ANN, "/quiz #c #3d")
    await lobby.begin()
    session = await lobby.session()
    assert aside(await lobby.press(BOB, Report(session.id, 0, "typo")))
    (report,) = await lobby.world.store.reports()
    ref = (await playing(lobby)).questions[session.draw[0].question].origin
    assert ref is not None
    assert (report.slug, report.question_id, report.quiz) == ("topical", ref.ref.question, session.quiz)


async def test_what_a_channel_does_not_allow_is_said_with_the_way_to_the_list_in_private(lobby: Lobby) -> None:
    lobby.lacking = (Lacking.MEMBERSHIP,)
    answer = await lobby.command(ANN, "/quiz colours several")
    assert links(card_of(answer)) == ["private:quiz_"]
    assert (await lobby.command(ANN, "/start quiz_", ANN.person)).card == lobby.picker("en")


async def test_a_mix_gets_a_thread_of_its_name_where_sessions_get_one(lobby: Lobby) -> None:
    lobby.threads = Threads()
    await lobby.press(MIA, Prefer("thread", "1"))
    await lobby.command(ANN, "/quiz colours several")
    assert lobby.threads.names == ["Mix: Colours + Several answers"]
    assert await recipe(lobby, f"{GROUP}/1") == ("colours", "several")
    answer = await lobby.press(ANN, choice(lobby, "colours", "topical", ready=True))
    assert answer.show is Show.INSTEAD  # the list says where the quiz waits
    assert "Mix: Colours + Topical" in said(answer)


# Again


async def test_again_makes_the_mix_anew_as_it_was_played(lobby: Lobby) -> None:
    await lobby.command(ANN, "/quiz #all several")
    before = await lobby.session()
    await lobby.press(ANN, Configure(before.id, Change(count=2, pace=Pace.BRISK), True))
    await lobby.begin()
    await lobby.command(ANN, "/stop")
    assert silent(await lobby.press(BOB, Again(before.id)))
    session = await lobby.session()
    assert (session.quiz, session.settings.count, session.settings.pace) == (before.quiz, 2, Pace.BRISK)
    assert session.host == BOB.person


async def test_again_mixes_what_is_offered_now_and_asks_all_where_it_asked_all(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with open_lobby(path, quizzes=QUIZZES) as lobby:
        await lobby.command(ANN, "/quiz colours several #c")
        await lobby.command(ANN, "/stop")
        old = await lobby.session()
        assert old.settings.count == 6
    grown = replace(COLOURS, questions=(*COLOURS.questions, replace(question("new"), topics=("c", "d"))))
    async with open_lobby(path, quizzes=[grown, TOPICAL], updates=100) as lobby:
        assert silent(await lobby.press(BOB, Again(old.id)))
        assert await recipe(lobby) == ("colours", "#c")
        assert await questions(lobby) == {"colours/q0", "colours/q1", "colours/q2", "colours/new", "topical/t3"}
        assert (await lobby.session()).settings.count == 5
        assert (await playing(lobby)).title["en"] == "Mix: Colours + c"


async def test_again_of_a_mix_of_which_one_quiz_is_left_is_that_quiz_and_of_nothing_the_way_to_others(
    tmp_path: Path,
) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with open_lobby(path, quizzes=QUIZZES) as lobby:
        await lobby.command(ANN, "/quiz colours several")
        await lobby.command(ANN, "/stop")
        old = await lobby.session()
    async with open_lobby(path, quizzes=[TOPICAL], updates=100) as lobby:
        assert presses(await lobby.press(BOB, Again(old.id))) == [Browse()]
    async with open_lobby(path, quizzes=[COLOURS], updates=200) as lobby:
        assert silent(await lobby.press(BOB, Again(old.id)))
        assert (await lobby.session()).quiz == lobby.digest("colours")


# Languages


async def test_the_start_card_of_a_mix_says_nothing_of_languages_and_each_question_says_it_itself() -> None:
    german = replace(COLOURS, title=LocalisedText({"de": "Deutsch"}), languages=("de",), questions=(_german("q0"),))
    async with open_lobby(quizzes=[german, replace(QUIZ, slug="batches", questions=(BATCH,))]) as lobby:
        await lobby.world.store.prefer(GROUP, "language", "bg")
        card = await lobby.card(quiz="colours batches")
        quiz = await playing(lobby)
        shown = plain(present.post(card, quiz, "bg"))
        assert "Микс: Deutsch + Натрупване на градиенти" in shown
        assert "немски" not in shown
        await lobby.begin()
        seen = {}
        while await lobby.running():
            post = lobby.posts()[-1]
            if isinstance(post, Asked):
                seen[quiz.questions[post.drawn.question].id] = plain(present.post(post, quiz, "bg"))
            await lobby.command(ANN, "/next")
            await lobby.world.settle()
    assert "Още няма превод; показано на немски." in seen["colours/q0"]
    assert "Was ist q0?" in seen["colours/q0"]
    assert "Микропартиди по 4" in seen["batches/batch"]
    assert "Още няма превод" not in seen["batches/batch"]


def _german(name: str) -> Question:
    asked = question(name)
    options = tuple(replace(option, text=LocalisedText({"de": option.text["en"]})) for option in asked.options)
    return replace(asked, stem=LocalisedText({"de": f"Was ist {name}?"}), options=options)
