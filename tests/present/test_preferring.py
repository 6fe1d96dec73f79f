"""Settings of a chat and the language of a person: what holds is marked, and every button is a choice that exists."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from bot import present
from bot.core.session import Feedback, Pace
from bot.messages import Card, Role
from bot.preferences import Preferences, Reminders, Starters
from bot.presses import Prefer, Press, ShowZones, Speak, dump, load
from bot.starting import usual_settings
from bot.words import languages
from tests.present.plain import buttons, labels, plain
from tests.present.sample import NOON, QUIZ

NOTHING = Preferences()
CHOSEN = Preferences(
    language="ro", starters=Starters.MODERATORS, pace=Pace.BRISK, feedback=Feedback.AT_CLOSE, speed_bonus=True
)


PERSONAL_USUALLY = [Prefer("reminders", "off"), Prefer("hidden", "0"), Prefer("everywhere", "0")]


def _marked(card: Card) -> list[Press]:
    return [button.press for button in card.all_buttons if button.label.startswith("✓ ")]


def test_what_was_chosen_is_marked_in_each_row() -> None:
    assert _marked(present.settings(CHOSEN, "en", now=NOON, private=False)) == [
        Prefer("language", "ro"),
        Prefer("pace", "brisk"),
        Prefer("feedback", "at-close"),
        Prefer("speed_bonus", "1"),
        Prefer("starters", "moderators"),
    ]


@pytest.mark.parametrize("private", [True, False])
def test_where_nothing_was_chosen_what_is_usual_is_marked(private: bool) -> None:
    usual = usual_settings(QUIZ, private=private)
    assert _marked(present.settings(NOTHING, "bg", now=NOON, private=private)) == [
        Prefer("language", "en"),
        Prefer("pace", usual.pace.value),
        Prefer("feedback", usual.feedback.value),
        Prefer("speed_bonus", str(int(usual.speed_bonus))),
        *(PERSONAL_USUALLY if private else [Prefer("starters", "everyone")]),
    ]


def test_a_bonus_that_was_turned_off_is_off() -> None:
    assert Prefer("speed_bonus", "0") in _marked(
        present.settings(Preferences(speed_bonus=False), "en", now=NOON, private=False)
    )


def test_what_is_marked_is_also_said() -> None:
    said = [
        block.text
        for block in present.settings(CHOSEN, "en", now=NOON, private=False).blocks
        if block.role is Role.FACT
    ]
    assert said == [
        "Language: Romanian",
        "Pace: brisk. The time is short.",
        "Feedback: after each question.",
        "Speed bonus: up to half a point.",
        "Who may start a quiz: moderators only.",
        "Time zone: UTC (now 12:00)",
    ]


@pytest.mark.parametrize(
    ("chosen", "tag"),
    [
        (Preferences(locale="bg"), "bg"),
        (Preferences(language="ro", locale="bg"), "ro"),
        (Preferences(locale="de"), "en"),
        (NOTHING, "en"),
    ],
)
def test_the_language_of_a_chat_is_the_chosen_one_else_that_of_the_platform_else_english(
    chosen: Preferences, tag: str
) -> None:
    assert Prefer("language", tag) in _marked(present.settings(chosen, "en", now=NOON, private=False))


def test_alone_nobody_is_asked_who_may_start() -> None:
    card = present.settings(CHOSEN, "en", now=NOON, private=True)
    assert "start a quiz" not in plain(card)
    assert not [press for row in buttons(card) for press in row if "starters" in str(press)]


def test_alone_one_is_asked_what_holds_for_oneself_and_what_was_chosen_is_marked_and_said() -> None:
    chosen = Preferences(reminders=Reminders.EVENING, everywhere=True)
    card = present.settings(chosen, "en", now=NOON, private=True, zone="Europe/Sofia")
    assert _marked(card)[-3:] == [Prefer("reminders", "evening"), Prefer("hidden", "0"), Prefer("everywhere", "1")]
    assert [block.text for block in card.blocks if block.role is Role.FACT][-4:] == [
        "Reminders of reviews: in the evening.",
        "Leaderboards of your groups: you are on them.",
        "Leaderboard across chats: your answers count there.",
        "Time zone: Sofia (UTC+2, now 14:00)",
    ]


def test_it_is_not_said_where_somebody_counts_whom_no_leaderboard_shows() -> None:
    card = present.settings(Preferences(hidden=True, everywhere=True), "en", now=NOON, private=True)
    assert _marked(card)[-2:] == [Prefer("hidden", "1"), Prefer("everywhere", "1")]
    assert "Leaderboards: none shows you." in plain(card)
    assert "across chats:" not in plain(card)


def test_in_a_group_nothing_is_asked_or_said_of_a_single_person() -> None:
    everything = Preferences(reminders=Reminders.EVENING, hidden=True, everywhere=True)
    card = present.settings(everything, "en", now=NOON, private=False, threads=True)
    assert card == present.settings(NOTHING, "en", now=NOON, private=False, threads=True)


@pytest.mark.parametrize(("chosen", "thread"), [(NOTHING, "0"), (Preferences(thread=True), "1")])
def test_where_there_can_be_threads_one_more_row_asks_for_them(chosen: Preferences, thread: str) -> None:
    without, card = (
        present.settings(chosen, "en", now=NOON, private=False, threads=threads) for threads in (False, True)
    )
    assert (*card.buttons[:-2], card.buttons[-1]) == without.buttons
    assert [button.press for button in buttons(card)[-2]] == [Prefer("thread", "0"), Prefer("thread", "1")]
    assert _marked(card)[-1] == Prefer("thread", thread)
    said = "in a thread of its own." if chosen.thread else "in this channel."
    assert f"Where a quiz runs: {said}" in plain(card)
    assert "Where a quiz runs" not in plain(without)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("private", [True, False])
def test_every_setting_is_one_row_that_every_platform_has_room_for(language: str, private: bool) -> None:
    card = present.settings(CHOSEN, language, now=NOON, private=private, threads=not private)
    *rows, zones = buttons(card)
    assert [button.press for button in zones] == [ShowZones(0)]
    for row in rows:
        assert 1 < len(row) <= 5
        assert len({press.name for button in row if isinstance(press := button.press, Prefer)}) == 1


def test_every_button_names_a_preference_and_is_read_as_it_was_written() -> None:
    names = {field.name for field in fields(Preferences)}
    for private in (True, False):
        *offered, zones = present.settings(CHOSEN, "en", now=NOON, private=private, threads=True).all_buttons
        assert zones.press == ShowZones(0)
        for button in offered:
            assert isinstance(button.press, Prefer)
            assert button.press.name in names
            assert load(dump(button.press)) == button.press


def test_the_settings_have_room_for_every_language_there_is() -> None:
    """With a sixth one the card needs another way to choose a language, for a row has five buttons at most."""
    offered = [button.press for button in buttons(present.settings(NOTHING, "en", now=NOON, private=False))[0]]
    assert offered == [Prefer("language", tag) for tag in languages()]


@pytest.mark.parametrize(
    ("chosen", "locale", "marked"),
    [
        (NOTHING, "bg-BG", Speak("")),
        (NOTHING, None, Speak("")),
        (NOTHING, "xx", Speak("")),
        (Preferences(language="ro"), "bg", Speak("ro")),
        (Preferences(language="bg"), "bg", Speak("bg")),
        (Preferences(locale="ro"), "bg", Speak("")),
        (Preferences(language="xx"), "bg", Speak("")),
    ],
)
def test_one_language_is_marked_the_own_choice_or_that_of_the_app(
    chosen: Preferences, locale: str | None, marked: Speak
) -> None:
    assert _marked(present.languages(chosen, locale, "en")) == [marked]


@pytest.mark.parametrize(
    ("locale", "label"),
    [
        ("bg_BG", "As in my app (Bulgarian)"),
        ("EN-us", "As in my app (English)"),
        ("de", "As in the chat"),
        (None, "As in the chat"),
    ],
)
def test_without_a_choice_it_is_said_which_language_that_means(locale: str | None, label: str) -> None:
    assert labels(present.languages(Preferences(language="ro"), locale, "en"))[-1] == (label,)


def test_a_language_is_named_in_itself_whatever_language_the_card_is_in() -> None:
    for language in languages():
        named = labels(present.languages(NOTHING, None, language))[0]
        assert named == ("English", "български", "română")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "From now on I answer you in English."),
        ("bg", "Вече ще ти отговарям на български."),
        ("ro", "De acum îți răspund în română."),
        ("xx", "From now on I answer you in English."),
    ],
)
def test_a_new_language_is_confirmed_in_itself(language: str, said: str) -> None:
    assert [block.text for block in present.spoken_from_now(language).blocks] == [said]


def test_settings_look_the_same_to_any_reader_but_for_the_words() -> None:
    chosen = replace(CHOSEN, language=None)
    presses = [
        [button.press for button in present.settings(chosen, language, now=NOON, private=False).all_buttons]
        for language in languages()
    ]
    assert presses[0] == presses[1] == presses[2]
