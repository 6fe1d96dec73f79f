"""Mixes: put together from a list of quizzes and topics by whoever presses, up to the start card."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot import present
from bot.core.effects import StartCard
from bot.core.events import Change
from bot.core.quiz import Quiz
from bot.desk import Answer, Show
from bot.desk.mixing import MOST_OFFERED, Mixing
from bot.library import Library
from bot.messages import Button, Style
from bot.presses import MOST_BYTES, Blend, Configure, Page, dump, load
from bot.words import languages
from tests.core.building import question
from tests.desk.lobby import (
    ANN,
    BOB,
    COLOURS,
    GROUP,
    MIA,
    SEVERAL,
    TOPIC,
    Lobby,
    aside,
    card_of,
    open_lobby,
    presses,
    said,
    silent,
    titled,
)
from tests.desk.mixture import LIST, QUIZZES, choice, playing, questions, recipe, stamp


@pytest.fixture
async def lobby() -> AsyncIterator[Lobby]:
    async with open_lobby(quizzes=QUIZZES) as made:
        yield made


def labels(answer: Answer) -> dict[str, Button]:
    return {button.label: button for button in card_of(answer).all_buttons}


# The way to the list


@pytest.mark.parametrize("chat", [GROUP, TOPIC, ANN.person])
async def test_the_picker_leads_to_the_list_of_what_can_be_mixed_which_takes_its_place(lobby: Lobby, chat: str) -> None:
    picker = await lobby.command(ANN, "/quiz", chat)
    mix = labels(picker)["Mix"].press
    assert mix == choice(lobby)
    answer = await lobby.press(BOB, mix, chat)
    assert answer.show is Show.INSTEAD
    assert not await lobby.running(chat)


@pytest.mark.parametrize(
    ("quizzes", "offered"),
    [
        ((COLOURS,), False),
        ((COLOURS, SEVERAL), True),
        ((replace(COLOURS, questions=(replace(question("q"), topics=("a",)),)),), False),
        ((replace(COLOURS, questions=(replace(question("q"), topics=("a", "b")),)),), True),
    ],
)
async def test_where_there_is_nothing_to_mix_the_picker_leads_to_no_mix(
    quizzes: tuple[Quiz, ...], offered: bool
) -> None:
    async with open_lobby(quizzes=quizzes) as lobby:
        answer = await lobby.command(ANN, "/quiz")
        assert any(isinstance(press, Blend) for press in presses(answer)) is offered


async def test_every_page_of_the_picker_leads_to_the_mix() -> None:
    async with open_lobby(quizzes=[titled(f"quiz-{number:02}", f"Quiz {number}") for number in range(20)]) as lobby:
        for page in range(3):
            answer = await lobby.press(ANN, Page(page))
            assert labels(answer)["Mix"].press == Blend(stamp(lobby), 0, 0, ready=False)


# The list


async def test_the_list_has_the_quizzes_and_then_the_topics_with_how_many_questions_each(lobby: Lobby) -> None:
    first = await lobby.press(ANN, choice(lobby))
    listed = [(block.lead, block.text, block.tail) for block in card_of(first).blocks if block.lead]
    assert listed == [
        ("1.", "Colours", "3 questions"),
        ("2.", "Rivers, lakes + seas", "3 questions"),
        ("3.", "Several answers", "2 questions"),
        ("4.", "Topical", "4 questions"),
        ("5.", "3d", "topic · 1 question"),
        ("6.", "all", "topic · 4 questions"),
        ("7.", "c", "topic · 1 question"),
        ("8.", "constructor", "topic · 1 question"),
    ]
    second = await lobby.press(ANN, labels(first)["Next page →"].press)
    (entry,) = [block for block in card_of(second).blocks if block.lead]
    assert (entry.lead, entry.text, entry.tail) == ("9.", "learning rate", "topic · 1 question")
    assert labels(second)["← Previous page"].press == choice(lobby)


async def test_a_number_puts_something_in_and_takes_it_out_again(lobby: Lobby) -> None:
    empty = await lobby.press(ANN, choice(lobby))
    one = await lobby.press(ANN, labels(empty)["1"].press)
    assert "✓ 1." in said(one)
    both = await lobby.press(BOB, labels(one)["6"].press)
    assert labels(both)["✓ 1"].press == choice(lobby, "#all")
    assert labels(both)["✓ 6"].press == choice(lobby, "colours")
    assert labels(both)["2"].press == choice(lobby, "colours", "#all", "rivers-and-lakes")
    again = await lobby.press(ANN, labels(both)["✓ 6"].press)
    assert again.card == one.card


async def test_the_way_on_says_how_many_questions_there_are_each_counted_once(lobby: Lobby) -> None:
    counted = {
        (): "Continue",
        ("colours",): "Continue: 3 questions",
        ("topical", "#all", "#c"): "Continue: 4 questions",
        ("#c",): "Continue: 1 question",
        ("colours", "#3d"): "Continue: 4 questions",
    }
    for names, label in counted.items():
        button = labels(await lobby.press(ANN, choice(lobby, *names)))[label]
        assert button.press == choice(lobby, *names, ready=True)
        assert (button.style is Style.PRIMARY) is bool(names)


async def test_turning_the_page_keeps_what_was_chosen(lobby: Lobby) -> None:
    first = await lobby.press(ANN, choice(lobby, "several"))
    second = await lobby.press(ANN, labels(first)["Next page →"].press)
    last = await lobby.press(ANN, labels(second)["9"].press)
    assert labels(last)["Continue: 3 questions"].press == choice(lobby, "several", "#learning-rate", page=1, ready=True)


@pytest.mark.parametrize("page", [1, 2, 999_999])
async def test_a_page_that_there_is_not_is_the_last_there_is(lobby: Lobby, page: int) -> None:
    answer = await lobby.press(ANN, choice(lobby, page=page))
    assert "9." in said(answer)
    assert labels(answer)["9"].press == choice(lobby, "#learning-rate", page=1)


async def test_the_list_of_a_group_is_in_the_language_of_the_group_and_alone_in_ones_own(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "ro", BOB.person: "bg"}
    await lobby.world.store.prefer(GROUP, "language", "bg")
    for chat, title in ((GROUP, "Избери какво да влезе в микса"), (ANN.person, "Alege ce intră în mix")):
        assert title in said(await lobby.press(ANN, choice(lobby), chat))


async def test_a_list_that_has_changed_is_shown_afresh_with_a_word_about_it(lobby: Lobby) -> None:
    old = "0000" if stamp(lobby) != "0000" else "1111"
    for ready in (False, True):
        answer = await lobby.press(ANN, Blend(old, 0b11, 3, ready))
        assert "The list has changed" in said(answer)
        assert answer.show is Show.INSTEAD
        assert labels(answer)["1"].press == choice(lobby, "colours")
    assert not await lobby.running()


def test_another_list_has_another_stamp_and_the_same_list_the_same() -> None:
    stamps = {Mixing(Library(quizzes)).stamp for quizzes in ((COLOURS,), (COLOURS, SEVERAL), (SEVERAL,), QUIZZES)}
    assert len(stamps) == 4
    assert Mixing(Library(QUIZZES)).stamp == Mixing(Library(QUIZZES[::-1])).stamp


async def test_bits_beyond_the_list_choose_nothing(lobby: Lobby) -> None:
    forged = Blend(stamp(lobby), 1 << 159, 0, ready=True)
    assert aside(await lobby.press(ANN, forged))
    assert not await lobby.running()


async def test_where_there_is_no_quiz_any_more_an_old_list_says_so() -> None:
    async with open_lobby(quizzes=()) as lobby:
        for ready in (False, True):
            assert "no quiz" in said(await lobby.press(ANN, Blend("abcd", 1, 0, ready)))


async def test_every_button_of_the_longest_list_fits_into_its_data() -> None:
    many = [
        replace(titled(f"quiz-{number:03}", f"Quiz {number}"), questions=COLOURS.questions[:1]) for number in range(170)
    ]
    async with open_lobby(quizzes=many) as lobby:
        answer = await lobby.press(ANN, Blend(stamp(lobby), (1 << MOST_OFFERED) - 1, 999_999, ready=False))
        assert "160." in said(answer)
        assert "161." not in said(answer)
        for press in presses(answer):
            assert len(dump(press)) <= MOST_BYTES
            assert load(dump(press)) == press
        assert "Continue: 160 questions" in labels(answer)


# From the list to the start card


async def test_what_was_chosen_is_started_like_any_quiz_and_the_list_has_done_its_work(lobby: Lobby) -> None:
    answer = await lobby.press(ANN, choice(lobby, "colours", "#c", ready=True))
    assert silent(answer)
    assert answer.served
    await lobby.world.settle()
    (card,) = lobby.posts()
    assert isinstance(card, StartCard)
    assert (card.host_name, card.available) == ("Ann", 4)
    assert await recipe(lobby) == ("colours", "#c")
    assert await questions(lobby) == {"colours/q0", "colours/q1", "colours/q2", "topical/t3"}


async def test_one_quiz_alone_is_that_quiz_and_one_topic_alone_a_mix_of_its_name(lobby: Lobby) -> None:
    await lobby.press(ANN, choice(lobby, "colours", ready=True))
    assert (await lobby.session()).quiz == lobby.digest("colours")
    await lobby.press(ANN, choice(lobby, "#learning-rate", ready=True))
    assert (await playing(lobby)).title["en"] == "Topic: learning rate"


async def test_whoever_has_chosen_nothing_is_told_so_alone_and_the_list_stays(lobby: Lobby) -> None:
    answer = await lobby.press(ANN, choice(lobby, ready=True))
    assert "The mix is still empty" in aside(answer)
    assert not await lobby.running()


async def test_the_list_stays_where_the_mix_could_not_be_started(lobby: Lobby) -> None:
    await lobby.card()
    assert aside(await lobby.press(BOB, choice(lobby, "colours", "several", ready=True)))
    await lobby.command(ANN, "/stop")
    await lobby.press(MIA, "1:o:starters:moderators")
    for answer in (
        await lobby.press(BOB, choice(lobby, "colours", "several", ready=True)),
        await lobby.command(BOB, "/quiz colours several"),
    ):
        assert answer.card == present.may_not_start("en")
        assert aside(answer)
    assert not await lobby.running()


async def test_a_mix_asks_ten_questions_unless_its_host_wants_it_otherwise() -> None:
    many = [replace(titled(slug, slug), questions=tuple(question(f"q{at}") for at in range(8))) for slug in ("a", "b")]
    async with open_lobby(quizzes=many) as lobby:
        card = await lobby.card(quiz="a b")
        assert (card.settings.count, card.available) == (10, 16)
        await lobby.press(ANN, Configure(card.session, Change(count=16), True))
        await lobby.begin()
        assert len((await lobby.session()).draw) == 16


@pytest.mark.parametrize(
    ("names", "title"),
    [
        (("colours", "several"), "Mix: Colours + Several answers"),
        (("several", "topical", "#c"), "Mix: Several answers + Topical + 1 more"),
        (tuple(LIST), "Mix: Colours + Rivers, lakes + seas + 7 more"),
        (("#learning-rate", "#c"), "Mix: c + learning rate"),
    ],
)
async def test_a_mix_is_called_by_what_is_in_it(lobby: Lobby, names: tuple[str, ...], title: str) -> None:
    await lobby.press(ANN, choice(lobby, *names, ready=True))
    assert (await playing(lobby)).title["en"] == title


async def test_a_mix_has_its_title_in_every_language_with_the_titles_that_its_quizzes_have_there(lobby: Lobby) -> None:
    await lobby.press(ANN, choice(lobby, "colours", "several", "#c", ready=True))
    title = (await playing(lobby)).title
    assert title["bg"] == "Микс: Colours + Няколко отговора + още 1"
    assert title["ro"] == "Mix: Colours + Mai multe răspunsuri + încă 1"
    assert set(title.texts) == set(languages())


async def test_long_titles_leave_room_for_each_other() -> None:
    async with open_lobby(quizzes=[titled(slug, f"{slug} " * 100) for slug in ("first", "second")]) as lobby:
        await lobby.command(ANN, "/quiz first second")
        title = (await playing(lobby)).title["en"]
        assert len(title) < 90
        assert "second" in title
