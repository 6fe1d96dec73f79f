"""What Discord is told of the commands: all of them, in every language, and only when something has changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable

import discord
import pytest

from adapters.discord.commands import Tree, build_tree
from adapters.discord.registration import in_sync, register
from bot import commands
from bot.commands import COMMANDS, Command
from tests.discord.server import Discord
from tests.discord.server.commands import Command as Listed
from tests.discord.server.errors import Json
from tests.discord.server.plain import addressed, logged_in
from tests.discord.test_commands import Clerk, new_client

PATH = "/applications/[0-9]+/commands$"
TOLD = "Discord: commands brought up to date"
AGAIN = "; the next start tries again"


@pytest.fixture
async def client(server: Discord) -> AsyncIterator[discord.Client]:
    async with logged_in(server, new_client()) as client:
        yield client


@pytest.fixture
async def tree(client: discord.Client) -> Tree:
    return build_tree(client, Clerk())


def writings(server: Discord) -> int:
    return len(server.calls("PUT"))


def change(server: Discord, name: str, changed: Callable[[Json], Json]) -> None:
    """Discord's list has another form of one command."""
    server.world.commands = [
        Listed(changed(dict(each.json))) if each.name == name else each for each in server.commands
    ]


async def test_the_first_start_registers_everything(
    server: Discord, tree: Tree, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "adapters"):
        assert await register(tree)
    assert [command.name for command in server.commands] == [
        *(command.name for command in COMMANDS),
        *("Quiz score", "Report question"),
    ]
    assert caplog.messages == [TOLD]


@pytest.mark.parametrize("locale", ["bg", "ro"])
async def test_people_find_commands_by_the_words_of_their_language(server: Discord, tree: Tree, locale: str) -> None:
    await register(tree)
    for command in COMMANDS:
        (listed,) = [each for each in server.commands if each.name == command.name]
        assert commands.word(command, locale) in listed.names
        assert listed.json["description_localizations"][locale] == commands.description(command, locale)


async def test_a_second_start_asks_and_writes_nothing(
    server: Discord, tree: Tree, caplog: pytest.LogCaptureFixture
) -> None:
    await register(tree)
    async with logged_in(server, new_client()) as client:
        with caplog.at_level(logging.INFO, "adapters"):
            assert not await register(build_tree(client, Clerk()))
    assert [call.method for call in server.calls(path=PATH)] == ["GET", "PUT", "GET"]
    assert caplog.messages == []


def told_by_discord(command: Listed) -> Listed:
    """A command as Discord has been seen to tell it: with more fields, with other forms of the same values."""
    told = dict(command.json) | {"name_localized": "?", "handler": 1, "a_field_of_next_year": {"on": True}}
    permissions = told["default_member_permissions"]
    told["default_member_permissions"] = None if permissions is None else str(permissions)
    for several in ("contexts", "integration_types"):
        told[several] = list(reversed(told[several]))
    for maybe in ("name_localizations", "description_localizations"):
        told[maybe] = told[maybe] or None
    options = [{key: value for key, value in option.items() if key != "required"} for option in told.pop("options", [])]
    return Listed(told | ({"options": options} if options else {}))


async def test_it_does_not_matter_how_discord_words_what_it_was_told(server: Discord, tree: Tree) -> None:
    await register(tree)
    server.world.commands = [told_by_discord(command) for command in reversed(server.commands)]
    assert await in_sync(tree)
    assert not await register(tree)
    assert writings(server) == 1


CHANGES: dict[str, Callable[[Json], Json]] = {
    "a description": lambda told: told | {"description": "from another time"},
    "a translation": lambda told: told | {"description_localizations": told["description_localizations"] | {"bg": "."}},
    "a translation less": lambda told: told | {"name_localizations": {"ro": told["name_localizations"]["ro"]}},
    "a translation more": lambda told: told | {"name_localizations": told["name_localizations"] | {"th": "x"}},
    "who may": lambda told: told | {"default_member_permissions": "0"},
    "where": lambda told: told | {"contexts": [0]},
    "for whom": lambda told: told | {"integration_types": [0]},
    "for adults": lambda told: told | {"nsfw": True},
    "no option": lambda told: told | {"options": []},
    "an option that has to be": lambda told: told | {"options": [told["options"][0] | {"required": True}]},
    "an option without suggestions": lambda told: told | {"options": [told["options"][0] | {"autocomplete": False}]},
    "an option in other words": lambda told: told | {"options": [told["options"][0] | {"name_localizations": None}]},
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
async def test_whatever_differs_is_put_right(server: Discord, tree: Tree, changed: Callable[[Json], Json]) -> None:
    await register(tree)
    before = [command.json for command in server.commands]
    change(server, "quiz", changed)
    assert not await in_sync(tree)
    assert await register(tree)
    assert await in_sync(tree)
    assert [{**command.json, "version": ""} for command in server.commands] == [
        {**each, "version": ""} for each in before
    ]


async def test_a_command_too_many_or_too_few_is_put_right(server: Discord, tree: Tree) -> None:
    await register(tree)
    whole = list(server.commands)
    for listed in ([*whole, Listed(whole[0].json | {"name": "old"})], whole[1:], []):
        server.world.commands = listed
        assert await register(tree)
        assert [command.name for command in server.commands] == [command.name for command in whole]


ENTRY_POINT: Json = {"id": "77", "type": 4, "name": "launch", "description": "", "handler": 2, "version": "1"}
"""What an app has whose activities are switched on. Discord takes no list that leaves it out."""


async def test_the_command_that_opens_an_activity_is_passed_on_and_nobodys_difference(
    server: Discord, tree: Tree
) -> None:
    server.world.commands = [Listed(ENTRY_POINT)]
    assert await register(tree)
    (told,) = [command for command in server.calls("PUT")[0].body if command.get("type") == 4]
    assert told == {"id": "77", "type": 4, "name": "launch", "description": "", "handler": 2}
    assert "launch" in [command.name for command in server.commands]
    assert await in_sync(tree)
    assert not await register(tree)


async def test_one_new_translation_of_ours_is_told(
    server: Discord, tree: Tree, client: discord.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    await register(tree)
    usual = commands.description

    def changed(command: Command, language: str) -> str:
        return "Спри!" if (command.name, language) == ("stop", "bg") else usual(command, language)

    monkeypatch.setattr(commands, "description", changed)
    async with logged_in(server, new_client()) as fresh:
        assert await register(build_tree(fresh, Clerk()))
    assert writings(server) == 2


@pytest.mark.parametrize("method", ["GET", "PUT"])
@pytest.mark.parametrize(("status", "code"), [(400, 50035), (401, 0), (403, 50001), (404, 10002), (503, 0)])
async def test_a_refusal_is_one_line_and_stops_nobody(
    method: str, status: int, code: int, server: Discord, tree: Tree, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail(method, PATH, status, code, "made to fail")
    assert not await register(tree)
    (line,) = caplog.messages
    assert line.endswith(AGAIN)
    assert "made to fail" in line
    assert server.token not in line
    assert await register(tree), "the next start tries again"


@pytest.mark.parametrize("body", ["<html>down</html>", {"message": "?"}, [{"name": "quiz"}], [1], None])
async def test_an_answer_that_is_none_is_one_line_or_a_list_to_put_right(
    body: object, server: Discord, tree: Tree, caplog: pytest.LogCaptureFixture
) -> None:
    server.garbage("GET", PATH, status=200, body=body)
    told = await register(tree)
    assert told or [line for line in caplog.messages if line.endswith(AGAIN)]


async def test_a_connection_that_breaks_is_one_line(
    server: Discord, tree: Tree, caplog: pytest.LogCaptureFixture
) -> None:
    server.drop("GET", PATH, times=9)  # what is only asked for is asked for again, once
    assert not await register(tree)
    (line,) = caplog.messages
    assert line.endswith(AGAIN)


async def test_a_client_that_is_not_logged_in_is_one_line(server: Discord, caplog: pytest.LogCaptureFixture) -> None:
    with addressed(server):
        assert not await register(build_tree(new_client(), Clerk()))
    (line,) = caplog.messages
    assert line.endswith(AGAIN)
    assert server.calls() == []


async def test_whoever_stops_does_not_wait_for_it(server: Discord, tree: Tree) -> None:
    hold = server.hold("GET", PATH)
    registering = asyncio.create_task(register(tree))
    await server.until(lambda: hold.waiting)
    registering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await registering
    hold.release()


async def test_whether_all_is_in_sync_is_asked_and_nothing_told(server: Discord, tree: Tree) -> None:
    assert not await in_sync(tree)
    assert writings(server) == 0
    await register(tree)
    assert await in_sync(tree)


async def test_whoever_asks_hears_of_a_refusal(server: Discord, tree: Tree) -> None:
    server.fail("GET", PATH, 403, 50001, "Missing Access")
    with pytest.raises(discord.Forbidden):
        await in_sync(tree)
