"""What Telegram is told of the bot: the menus of each kind of chat, in each language, and only what has changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from telegram import (
    Bot,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeDefault,
)

from adapters.telegram.registration import SCOPES, languages_of, register
from adapters.telegram.request import AiohttpRequest
from bot import commands, words
from tests.clock import VirtualClock
from tests.engine.running import until
from tests.telegram.server import BotApi

SAID = [(scope.type, code) for code in ("", "bg", "ro") for scope, _ in SCOPES]
WRITING = ("setMyCommands", "setMyDescription", "setMyShortDescription")


@pytest.fixture
async def bot(server: BotApi) -> AsyncIterator[Bot]:
    request = AiohttpRequest()
    await request.initialize()
    yield Bot(server.token, base_url=f"{server.url}/bot", request=request, get_updates_request=AiohttpRequest())
    await request.shutdown()


async def menu(bot: Bot, scope: BotCommandScope, code: str = "") -> list[str]:
    return [command.command for command in await bot.get_my_commands(scope, code)]


def written(server: BotApi) -> list[str]:
    return [call.method for call in server.calls() if call.method in WRITING]


async def test_each_kind_of_chat_has_its_menu(server: BotApi, bot: Bot, clock: VirtualClock) -> None:
    await register(bot, clock)
    private = await menu(bot, BotCommandScopeAllPrivateChats())
    group = await menu(bot, BotCommandScopeAllGroupChats())
    moderators = await menu(bot, BotCommandScopeAllChatAdministrators())
    alone = {"practice", "export", "forget"}
    assert {*alone, "settings"} <= set(private)
    assert group == [name for name in private if name not in {*alone, "settings"}]
    assert [name for name in moderators if name != "settings"] == group
    assert "settings" in moderators
    assert await menu(bot, BotCommandScopeDefault()) == group


@pytest.mark.parametrize(("code", "language"), [("", "en"), ("bg", "bg"), ("ro", "ro")])
async def test_menus_and_descriptions_speak_the_language_of_the_reader(
    code: str, language: str, server: BotApi, bot: Bot, clock: VirtualClock
) -> None:
    await register(bot, clock)
    for scope, listed in SCOPES:
        assert [(command.command, command.description) for command in await bot.get_my_commands(scope, code)] == [
            (command.name, commands.description(command, language)) for command in listed
        ]
    assert (await bot.get_my_description(code)).description == commands.about(language)
    assert (await bot.get_my_short_description(code)).short_description == commands.tagline(language)


async def test_a_second_start_asks_and_writes_nothing(server: BotApi, bot: Bot, clock: VirtualClock) -> None:
    await register(bot, clock)
    before = len(written(server))
    await register(bot, clock)
    assert before == len(SAID) + 6
    assert len(written(server)) == before


async def test_only_what_differs_is_written(server: BotApi, bot: Bot, clock: VirtualClock) -> None:
    await register(bot, clock)
    before = len(written(server))
    await bot.set_my_commands([("old", "from another time")], BotCommandScopeAllGroupChats(), "ro")
    await bot.set_my_short_description("from another time", "bg")
    await register(bot, clock)
    assert written(server)[before:] == [
        *("setMyCommands", "setMyShortDescription"),
        *("setMyShortDescription", "setMyCommands"),
    ]
    assert await menu(bot, BotCommandScopeAllGroupChats(), "ro") == await menu(bot, BotCommandScopeAllGroupChats())
    assert (await bot.get_my_short_description("bg")).short_description == commands.tagline("bg")


async def test_a_flood_wait_is_kept_and_the_rest_follows(server: BotApi, bot: Bot, clock: VirtualClock) -> None:
    server.fail("setMyCommands", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7})
    registering = asyncio.create_task(register(bot, clock))
    await until(lambda: bool(clock.alarms))
    assert clock.alarms == [clock.now() + timedelta(seconds=7)]
    clock.advance(7)
    await registering
    assert len(written(server)) == len(SAID) + 6 + 1


@pytest.mark.parametrize("endless", ["setMyCommands", "getMyDescription"])
async def test_floods_without_end_are_given_up_with_a_line(
    endless: str, server: BotApi, bot: Bot, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail(endless, 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7}, times=99)
    registering = asyncio.create_task(register(bot, clock))
    await until(lambda: bool(clock.alarms))
    clock.advance(7)
    await registering
    assert len(caplog.records) == 1
    assert "the next start tries again" in caplog.text
    assert len(server.calls(endless)) == 2


async def test_what_telegram_does_not_accept_is_named_and_the_rest_follows(
    server: BotApi, bot: Bot, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail("setMyCommands", 400, "Bad Request: BOT_COMMAND_INVALID")
    await register(bot, clock)
    assert caplog.messages == ["Telegram does not accept the commands for default in en: Bot_command_invalid"]
    assert len(written(server)) == len(SAID) + 6


@pytest.mark.parametrize(("code", "said"), [(401, "Unauthorized"), (403, "Forbidden"), (502, "Bad Gateway")])
async def test_a_failure_is_one_line_and_stops_nobody(
    code: int, said: str, server: BotApi, bot: Bot, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail("getMyCommands", code, said)
    with caplog.at_level(logging.INFO):
        await register(bot, clock)
    (line,) = caplog.messages
    assert "the next start tries again" in line
    assert server.token not in line
    assert written(server) == []


async def test_no_connection_is_one_line_without_the_token(
    server: BotApi, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    request = AiohttpRequest()
    await request.initialize()
    nowhere = Bot(server.token, base_url="http://127.0.0.1:1/bot", request=request)
    await register(nowhere, clock)
    await request.shutdown()
    assert len(caplog.messages) == 1
    assert server.token.partition(":")[2] not in caplog.text


def test_only_languages_that_telegram_can_tell_apart_have_menus() -> None:
    assert list(languages_of(["en", "bg", "pt-BR", "fil", "zh-Hans"])) == [("en", ""), ("bg", "bg")]


def test_everything_fits_what_telegram_allows() -> None:
    for language in words.languages():
        assert 0 < len(commands.about(language)) <= 512
        assert 0 < len(commands.tagline(language)) <= 120
        for command in commands.COMMANDS:
            assert 0 < len(commands.description(command, language)) <= 256
