"""The commands: their words, who is shown which, and the lengths that platforms have room for."""

from __future__ import annotations

import re

import pytest

from bot.commands import COMMANDS, START, about, description, known, menu, tagline
from bot.words import languages

EVERYONE = ["quiz", "leaderboard", "stats", "quizzes", "stop", "next", "resume", "language", "privacy", "help"]

every_language = pytest.mark.parametrize("language", languages())


def test_in_private_every_command_is_listed() -> None:
    assert [command.name for command in menu(private=True)] == [command.name for command in COMMANDS]


def test_in_a_group_moderators_are_shown_the_settings_and_nobody_how_to_practise() -> None:
    assert [command.name for command in menu(private=False)] == EVERYONE
    assert {command.name for command in menu(private=False, moderator=True)} == {*EVERYONE, "settings"}


def test_every_command_is_a_word_that_platforms_take_and_stands_once() -> None:
    names = [*(command.name for command in COMMANDS), START]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]{1,32}", name) for name in names)


@pytest.mark.parametrize("name", ["quiz", "practice", "start", "leaderboard", "forget"])
def test_what_is_a_command_is_known(name: str) -> None:
    assert known(name)


@pytest.mark.parametrize("name", ["", "/quiz", "Quiz", "quiz ", "poll", "__class__"])
def test_nothing_else_is_known(name: str) -> None:
    assert not known(name)


@every_language
def test_descriptions_are_short_enough_for_a_menu_and_all_different(language: str) -> None:
    said = [description(command, language) for command in COMMANDS]
    assert all(0 < len(each) <= 60 for each in said)
    assert len(set(said)) == len(said)


@every_language
def test_what_is_said_of_the_bot_fits_where_a_platform_shows_it(language: str) -> None:
    assert 0 < len(tagline(language)) <= 120
    assert 0 < len(about(language)) <= 512
    assert "/quiz" in about(language)
