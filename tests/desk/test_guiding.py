"""Commands that only say something: a welcome, help, practice, and those that there are not."""

from __future__ import annotations

import pytest

from bot import present, words
from bot.commands import COMMANDS
from bot.desk import Show
from bot.desk.desk import GREETING_HOLDS
from bot.ports import StoreError
from bot.presses import Browse
from tests.desk.lobby import ANN, GROUP, OTHER, TOPIC, Lobby, aside, presses, said, silent

PLACES = [GROUP, TOPIC, ANN.person]


@pytest.mark.parametrize("chat", PLACES)
@pytest.mark.parametrize("language", words.languages())
async def test_every_command_answers_in_every_language(lobby: Lobby, chat: str, language: str) -> None:
    lobby.locales = {ANN.person: language}
    lobby.moderators = {ANN.person}
    for command in (*(command.name for command in COMMANDS), "start"):
        assert said(await lobby.command(ANN, f"/{command}", chat)), command


@pytest.mark.parametrize("chat", PLACES)
async def test_help_is_for_the_kind_of_chat_and_for_whoever_asked(lobby: Lobby, chat: str) -> None:
    lobby.locales = {ANN.person: "ro"}
    answer = await lobby.command(ANN, "/help", chat)
    assert answer.card == present.help("ro", private=chat == ANN.person)
    assert aside(answer)


@pytest.mark.parametrize("command", ["play", "QUIZ", "x" * 64, "__init__", "{0}", "%s"])
async def test_a_command_that_there_is_not_says_so_and_points_to_help(lobby: Lobby, command: str) -> None:
    before = await lobby.everything()
    for chat in PLACES:
        answer = await lobby.command(ANN, f"/{command}", chat)
        assert answer.card == present.unknown("en", command)
        assert "/help" in aside(answer)
    assert await lobby.everything() == before


@pytest.mark.parametrize("language", words.languages())
async def test_whoever_only_talks_is_told_in_a_line_what_is_understood(lobby: Lobby, language: str) -> None:
    lobby.locales = {ANN.person: language}
    answer = await lobby.command(ANN, "", ANN.person)
    assert answer.card == present.hint(language)
    assert "/quiz" in aside(answer)


# The first words


@pytest.mark.parametrize("payload", ["", "new", "nonsense", "QUIZ_colours", "quizcolours", "-", "_" * 64, "practice2"])
async def test_a_start_that_means_nothing_more_is_a_hello(lobby: Lobby, payload: str) -> None:
    private = await lobby.command(ANN, f"/start {payload}", ANN.person)
    assert (private.card, private.show) == (present.welcome("en"), Show.HERE)
    group = await lobby.command(ANN, f"/start {payload}")
    assert (group.card, group.show) == (present.greeting("en"), Show.HERE)
    for answer in (private, group):
        assert Browse() in presses(answer)
    assert not await lobby.running()
    assert not await lobby.running(ANN.person)


async def test_from_a_hello_it_is_two_presses_to_a_quiz(lobby: Lobby) -> None:
    for chat in (GROUP, ANN.person):
        hello = await lobby.command(ANN, "/start", chat)
        picker = await lobby.press(ANN, presses(hello)[0], chat)
        assert silent(await lobby.press(ANN, presses(picker)[0], chat))
        assert await lobby.running(chat)


async def test_to_be_greeted_again_changes_nothing_more(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "bg"}
    first = await lobby.desk.joined(lobby.request(ANN, GROUP))
    before = await lobby.everything()
    lobby.world.clock.advance(GREETING_HOLDS.total_seconds())
    assert await lobby.desk.joined(lobby.request(ANN, GROUP)) == first
    assert await lobby.everything() == before
    assert await lobby.chosen(OTHER) != await lobby.chosen(GROUP)


async def test_a_group_is_not_greeted_twice_when_the_one_who_brings_us_says_start_at_once(lobby: Lobby) -> None:
    assert (await lobby.desk.joined(lobby.request(ANN, GROUP))).card
    assert silent(await lobby.command(ANN, "/start new"))
    assert silent(await lobby.command(ANN, "/start", TOPIC))
    assert (await lobby.command(ANN, "/start", OTHER)).card, "another group has not been greeted"
    await lobby.desk.lost(TOPIC)
    assert silent(await lobby.command(ANN, "/start")), "a topic that has gone makes nobody forget the group"
    await lobby.desk.lost(GROUP)
    assert (await lobby.desk.joined(lobby.request(ANN, GROUP))).card, "back after having gone"


async def test_a_greeting_that_failed_is_said_when_the_update_comes_again(lobby: Lobby) -> None:
    lobby.locales = {ANN.person: "bg"}
    lobby.world.driver.broken = True
    with pytest.raises(StoreError):
        await lobby.desk.joined(lobby.request(ANN, GROUP))
    lobby.world.driver.broken = False
    assert (await lobby.desk.joined(lobby.request(ANN, GROUP))).card == present.greeting("bg")


async def test_a_group_that_has_become_another_knows_us_already(lobby: Lobby) -> None:
    await lobby.desk.moved(GROUP, OTHER)
    assert silent(await lobby.desk.joined(lobby.request(ANN, OTHER)))


async def test_what_is_said_when_something_failed_is_in_the_language_of_the_app(lobby: Lobby) -> None:
    for locale, language in (("bg-BG", "bg"), ("fr", "en"), (None, "en")):
        assert lobby.desk.sorry(locale) == present.sorry(language)
