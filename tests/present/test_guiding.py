"""What Quizbot says of itself: complete, on one screen, and nothing of what somebody typed changes it."""

from __future__ import annotations

import re

import pytest

from bot import present
from bot.commands import COMMANDS, menu
from bot.messages import Card
from bot.preferences import Preferences
from bot.presses import Browse
from bot.words import languages
from tests.present.plain import plain, texts

PHONE = 40
"""Letters that a phone shows beside each other."""

every_language = pytest.mark.parametrize("language", languages())


def _listed(card: Card) -> list[str]:
    return [block.lead for block in card.blocks if block.lead.startswith("/")]


@pytest.mark.parametrize("private", [True, False])
def test_help_lists_the_commands_of_the_place_in_the_order_of_the_menu(private: bool) -> None:
    commands = menu(private=private, moderator=True)
    assert _listed(present.help("en", private=private)) == [f"/{command.name}" for command in commands]


@every_language
@pytest.mark.parametrize("private", [True, False])
def test_help_fits_one_screen_of_a_phone(language: str, private: bool) -> None:
    lines = [
        -(-len(f"{block.lead} {block.text} {block.tail}") // PHONE)
        for block in present.help(language, private=private).blocks
    ]
    assert sum(lines) <= 30


def test_help_says_who_may_change_settings_only_where_there_are_others() -> None:
    assert "moderators only" in plain(present.help("en", private=False))
    assert "moderators" not in plain(present.help("en", private=True))


@every_language
def test_every_command_that_a_card_names_exists(language: str) -> None:
    cards = (
        *(present.help(language, private=private) for private in (True, False)),
        *(present.welcome(language), present.greeting(language), present.privacy(language)),
        *(present.practise_in_private(language, None), present.unreadable(language), present.unknown(language, "help")),
        present.languages(Preferences(), None, language),
    )
    named = {name for card in cards for said in texts(card) for name in re.findall(r"/([a-z]+)", said)}
    assert named
    assert named <= {command.name for command in COMMANDS}


@every_language
def test_whoever_meets_the_bot_can_choose_a_quiz_at_once(language: str) -> None:
    for card in (present.welcome(language), present.greeting(language), present.no_longer_offered(language)):
        assert [button.press for button in card.all_buttons] == [Browse()]


def test_a_welcome_names_every_language_in_itself_whatever_language_it_is_in() -> None:
    for language in languages():
        assert "English · български · română" in plain(present.welcome(language))


def test_a_command_is_named_with_its_slash_however_it_comes() -> None:
    assert present.unknown("en", "dance") == present.unknown("en", "/dance")
    assert plain(present.unknown("en", "dance")).count("/dance") == 1


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("{0.__class__}", "/{0.__class__}"),
        ("<b>", "/<b>"),
        ("a\nb", "/a b"),
        ("x\u202ey", "/xy"),
        ("דנה", "\u2068/דנה\u2069"),
        ("a" * 4000, f"/{'a' * 30}…"),
    ],
)
def test_what_was_typed_as_a_command_is_shown_as_it_is_and_briefly(typed: str, shown: str) -> None:
    (block,) = present.unknown("en", typed).blocks
    assert block.text == f"I do not know {shown}; /help shows what I can do."
