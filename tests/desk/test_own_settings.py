"""What a person chooses for themselves, from anywhere and for nobody else: reminders, hiding, joining, a time zone."""

from __future__ import annotations

import pytest

from bot import present
from bot.desk import Show
from bot.preferences import Preferences, Reminders
from bot.presses import Personal, Prefer, Speak
from bot.words import languages
from tests.clock import NOON
from tests.desk.lobby import ANN, ANONYMOUS, BOB, GROUP, MIA, OTHER, TOPIC, Lobby, aside, presses, said
from tests.present.plain import plain

LONGEST_ASIDE = 200
"""Characters that the smallest place for an answer to a button has."""

EVERY_CHOICE = [
    ("reminders", "morning", Preferences(reminders=Reminders.MORNING)),
    ("reminders", "evening", Preferences(reminders=Reminders.EVENING)),
    ("reminders", "off", Preferences(reminders=Reminders.OFF)),
    ("hidden", "1", Preferences(hidden=True)),
    ("hidden", "0", Preferences(hidden=False)),
    ("everywhere", "1", Preferences(everywhere=True)),
    ("everywhere", "0", Preferences(everywhere=False)),
    ("zone", "Asia/Kolkata", Preferences(zone="Asia/Kolkata")),
]
FORGED = [
    ("reminders", "noon"),
    ("reminders", ""),
    ("hidden", "2"),
    ("hidden", ""),
    ("everywhere", "yes"),
    ("zone", ""),
    ("zone", "Europe/Atlantis"),
    ("language", "bg"),
    ("locale", "bg"),
    ("pace", "brisk"),
    ("starters", "moderators"),
    ("thread", "1"),
    ("id", "1"),
    ("__init__", "1"),
]


@pytest.mark.parametrize("chat", [GROUP, TOPIC, OTHER, ANN.person])
@pytest.mark.parametrize(("name", "value", "chosen"), EVERY_CHOICE)
async def test_a_choice_is_kept_for_whoever_pressed_and_said_to_them_alone(
    lobby: Lobby, name: str, value: str, chosen: Preferences, chat: str
) -> None:
    answer = await lobby.press(ANN, Personal(name, value), chat)
    assert aside(answer)
    assert await lobby.chosen(ANN.person) == chosen
    for other in (GROUP, OTHER, BOB.person, MIA.person):
        assert await lobby.chosen(other) == Preferences()
    assert lobby.lookups == []


@pytest.mark.parametrize(("name", "value", "chosen"), EVERY_CHOICE)
async def test_in_private_it_stands_among_the_settings_which_show_it_at_once(
    lobby: Lobby, name: str, value: str, chosen: Preferences
) -> None:
    answer = await lobby.press(ANN, Prefer(name, value), ANN.person)
    assert answer.show is Show.INSTEAD
    assert answer.card == present.settings(chosen, "en", now=NOON, private=True, zone=chosen.zone)
    assert await lobby.chosen(ANN.person) == chosen
    # Confirmed in the same words as anywhere else.
    assert answer.note == (await lobby.press(ANN, Personal(name, value))).card


@pytest.mark.parametrize(("name", "value"), FORGED)
@pytest.mark.parametrize("chat", [GROUP, ANN.person])
async def test_what_nobody_offers_changes_nothing(lobby: Lobby, name: str, value: str, chat: str) -> None:
    before = await lobby.everything()
    answer = await lobby.press(ANN, Personal(name, value), chat)
    assert answer.card == present.unreadable("en")
    assert await lobby.everything() == before


@pytest.mark.parametrize("name", ["reminders", "hidden", "everywhere"])
async def test_a_group_has_none_of_it_whoever_presses(lobby: Lobby, name: str) -> None:
    value = "morning" if name == "reminders" else "1"
    before = await lobby.everything()
    for answer in (
        await lobby.press(MIA, Prefer(name, value)),
        await lobby.press(ANONYMOUS, Personal(name, value)),
        await lobby.press(ANONYMOUS, Personal(name, value), TOPIC),
    ):
        assert answer.card in (present.unreadable("en"), present.as_oneself("en"))
    assert await lobby.everything() == before


async def test_alone_every_button_of_the_settings_works_and_each_is_marked_afterwards(lobby: Lobby) -> None:
    offered = [
        press for press in presses(await lobby.command(ANN, "/settings", ANN.person)) if isinstance(press, Prefer)
    ]
    assert {press.name for press in offered} >= {"reminders", "hidden", "everywhere", "language", "pace"}
    for press in offered:
        answer = await lobby.press(ANN, press, ANN.person)
        assert answer.card is not None
        marked = [button.press for button in answer.card.all_buttons if button.label.startswith("✓ ")]
        assert press in marked


async def test_who_wants_reminders_is_told_when_in_which_time_and_how_to_stop_them(lobby: Lobby) -> None:
    await lobby.press(ANN, Personal("zone", "Europe/Sofia"))
    answer = await lobby.press(ANN, Personal("reminders", "morning"))
    assert aside(answer).strip() == (
        "When reviews are due, I write to you in the morning (Sofia), once a day at most. "
        "A button under each reminder stops them."
    )
    assert "in the evening (UTC)" in aside(await lobby.press(BOB, Personal("reminders", "evening")))
    assert "No more reminders." in aside(await lobby.press(ANN, Personal("reminders", "off")))
    assert [(await lobby.chosen(by.person)).reminders for by in (ANN, BOB)] == [Reminders.OFF, Reminders.EVENING]


async def test_two_people_in_one_group_choose_and_are_told_each_for_themselves(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "bg"}
    await lobby.press(BOB, Speak("ro"))
    await lobby.press(MIA, Prefer("language", "en"))
    told = {by.name: (await lobby.press(by, Personal("hidden", "1"))).card for by in (ANN, BOB, MIA)}
    assert told == {
        "Ann": present.hidden_from_now("bg", hidden=True),
        "Bob": present.hidden_from_now("ro", hidden=True),
        "Mia": present.hidden_from_now("en", hidden=True),
    }
    await lobby.press(BOB, Speak("en"))
    assert (await lobby.press(ANN, Personal("hidden", "0"))).card == present.hidden_from_now("bg", hidden=False)
    assert [(await lobby.chosen(by.person)).hidden for by in (ANN, BOB, MIA)] == [False, True, True]


async def test_choosing_twice_is_choosing_once(lobby: Lobby) -> None:
    for name, value, _ in EVERY_CHOICE:
        first = await lobby.press(ANN, Personal(name, value))
        before = await lobby.everything()
        assert said(await lobby.press(ANN, Personal(name, value))) == said(first)
        assert await lobby.everything() == before


@pytest.mark.parametrize("language", languages())
def test_every_confirmation_fits_where_an_answer_to_a_button_goes(language: str) -> None:
    longest = "America/Argentina/Ushuaia"
    for card in (
        present.hidden_from_now(language, hidden=True),
        present.hidden_from_now(language, hidden=False),
        present.joined_from_now(language, joined=True, hidden=True),
        present.joined_from_now(language, joined=True, hidden=False),
        present.joined_from_now(language, joined=False, hidden=False),
        *(present.reminded_from_now(language, when, longest) for when in Reminders),
        present.zone_from_now(language, longest, NOON),
        present.you_are_hidden(language),
        present.changed(language),
    ):
        assert len(card.blocks[0].text) <= LONGEST_ASIDE, plain(card)
