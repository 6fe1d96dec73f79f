"""Buttons that are old, foreign, damaged or made up: a kind line, and nothing changes."""

from __future__ import annotations

from random import Random

import pytest

from bot import present
from bot.core.effects import Reason, Told
from bot.core.events import Change
from bot.core.session import Feedback, Order, Pace
from bot.desk import Answer, Show
from bot.presses import (
    Again,
    Begin,
    Browse,
    Choose,
    Configure,
    Next,
    Page,
    Pick,
    Prefer,
    Press,
    Resume,
    Send,
    Speak,
    Stop,
    Toggle,
    dump,
)
from tests.desk.lobby import ANN, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, said

ODD = Change(Pace.BRISK, 999_999, Feedback.AT_END, Order.SHUFFLED, speed_bonus=True)

UNREADABLE = [
    "",
    " ",
    "1",
    "1:",
    "1:a",
    "1:a:",
    ":" * 64,
    "a:1:99999:-1",
    "1:a:s:0:-1",
    "1:a:s:0:0:0",
    "1:a:s:0:0 ",
    "1:a:s:0:00",
    "1:a:s:٠:0",
    "1:a:s:0:1000000",
    "0:b:s",
    "2:b:s",
    "11:b:s",
    "1:B:s",
    "1:z:s",
    "1:b:" + "s" * 61,
    "1:b:" + "s" * 25,
    "1:b:а",  # a Cyrillic letter
    "1:q:Colours",
    "1:q:../colours",
    "1:k:бг",
    "1:o:starters",
    "1:c:s:x1ow0:1",
    "🎉" * 16,
    "\x00",
    "\ud800",
    "1:b:s\n",
    "{0.__class__}",
    "%s",
    "true",
    "null",
    "x" * 10_000,
]


@pytest.mark.parametrize("data", UNREADABLE)
async def test_what_this_version_did_not_write_is_met_with_a_kind_line(lobby: Lobby, data: str) -> None:
    for place in (GROUP, TOPIC, ANN.person):
        await lobby.asked(place)
    lobby.locales = {ANN.person: "bg", BOB.person: "bg", MIA.person: "bg"}
    before = await lobby.everything()
    for by, chat in ((BOB, GROUP), (MIA, TOPIC), (ANN, ANN.person), (ANN, OTHER)):
        answer = await lobby.press(by, data, chat)
        assert answer.card == present.unreadable("bg")
        assert aside(answer)
    assert await lobby.everything() == before
    assert lobby.lookups == []


def foreign(session: str) -> list[Press]:
    """Well-formed presses that can mean nothing for this session at its first question."""
    return [
        Choose(session, 0, 4),
        Choose(session, 0, 99),
        Choose(session, 1, 0),
        Choose(session, 999_999, 0),
        Toggle(session, 0, 0),
        Toggle(session, 1, 0),
        Send(session, 0),
        Send(session, 7),
        Next(session, 1),
        Next(session, 999_999),
        Begin(session),
        Configure(session, ODD, True),
        Resume(session),
        *[kind("gone") for kind in (Begin, Resume, Stop, Again)],
        Choose("gone", 0, 0),
        Next("gone", 0),
        Pick("vanished"),
        Prefer("language", "xx"),
        Speak("xx"),
    ]


@pytest.mark.parametrize("number", range(len(foreign(""))))
async def test_a_press_that_can_mean_nothing_here_is_answered_aside_and_changes_nothing(
    lobby: Lobby, number: int
) -> None:
    question = await lobby.asked()
    press = foreign(question.session)[number]
    for by in (ANN, BOB, MIA):
        before = await lobby.everything()
        assert aside(await lobby.press(by, press))
        assert await lobby.everything() == before
    assert len(lobby.lookups) <= 2


async def test_presses_where_nothing_has_ever_happened_are_answered_aside(lobby: Lobby) -> None:
    before = await lobby.everything()
    for press in foreign("gone"):
        assert aside(await lobby.press(BOB, press, OTHER))
    assert await lobby.everything() == before


@pytest.mark.parametrize("number", [1, 7, 999_999])
async def test_a_page_that_there_is_not_is_the_nearest_there_is(lobby: Lobby, number: int) -> None:
    answer = await lobby.press(BOB, Page(number))
    assert answer.show is Show.INSTEAD
    assert answer.card == lobby.picker("en")


async def test_whatever_is_pressed_is_answered_and_hurts_nobody(lobby: Lobby) -> None:
    """Damaged data of every kind of button: some of it means something, none of it is a fault."""
    lots = Random("damage")
    question = await lobby.asked()
    await lobby.press(BOB, Choose(question.session, 0, 0))
    scores = await lobby.world.scores()
    good = [dump(press) for press in (*foreign(question.session), Browse(), Page(0), Pick("colours"), Speak("en"))]
    for _ in range(500):
        data = damaged(lots.choice(good), lots)
        answer = await lobby.press(MIA, data, OTHER)
        assert answered(answer) or await lobby.running(OTHER), data
    assert await lobby.world.scores() == scores
    assert await lobby.running()


def damaged(data: str, lots: Random) -> str:
    at = lots.randrange(len(data))
    return (
        data[:at] + lots.choice(["", ":", "0", "1", "a", "g", "x", "-", "é", "🎉"]) + data[at + lots.choice([0, 1]) :]
    )


def answered(answer: Answer) -> bool:
    """Whether the presser sees something come of it: words, or a message that others see."""
    return answer.served or bool(answer.card and said(answer))


async def test_a_button_that_shows_what_it_does_is_answered_without_words(lobby: Lobby) -> None:
    card = await lobby.card()
    answer = await lobby.press(ANN, Begin(card.session))
    assert answer == Answer(receipt=present.reply(Told(Reason.BEGUN), None, "en"))


async def test_whoever_is_late_is_told_so_kindly(lobby: Lobby) -> None:
    question = await lobby.asked()
    await lobby.command(ANN, "/next")
    answer = await lobby.press(BOB, Choose(question.session, 0, 0))
    assert answer.card == present.reply(Told(Reason.LATE), None, "en")
    assert await lobby.world.responses() == []
