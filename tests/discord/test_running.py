"""`quizbot run` as a process with a Discord, alone and beside Telegram: what it serves, what it says, how it ends."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.discord.server import TOKEN, Answer, Discord, GuildChannel, Person
from tests.program import Program
from tests.serving import GOOD, check_log, posix, started, with_settings
from tests.telegram.server import BotApi

REFUSED = "1:refused-by-telegram"
SECRETS = (TOKEN.rpartition(".")[2], "interaction-token-")


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    """On the real clock, as the program is."""
    async with Discord() as server:
        yield server


@pytest.fixture
async def telegram() -> AsyncIterator[BotApi]:
    async with BotApi() as server:
        yield server


@pytest.fixture
def quizbot(tmp_path: Path, discord: Discord) -> Program:
    """The program, set up for the bot on this Discord."""
    return with_settings(
        Program(tmp_path, {"QUIZBOT_CONTENT_DIR": GOOD}),
        discord_token=discord.token,
        discord_api_url=discord.api_url,
        discord_gateway_url=discord.gateway_url,
    )


def beside(telegram: BotApi, quizbot: Program) -> Program:
    """The program, set up for a bot on Telegram as well."""
    return with_settings(quizbot, telegram_token=telegram.token, telegram_api_url=telegram.url)


async def commands_of(discord: Discord) -> None:
    """Wait until there are commands to use."""
    await discord.called("PUT", "/commands")
    await discord.gateway.ready()


async def play(ann: Person, channel: GuildChannel) -> str:
    """Start a quiz and answer its first question; what came of that."""
    await ann.slash(channel, "quiz", quiz="rivers")
    card = await channel.shows("Three questions about water.")
    await ann.press(card, "Start")
    question = await channel.shows("Question 1 of 3")
    pressed = await ann.press(question, "A")
    assert pressed.kind is Answer.MESSAGE
    assert pressed.ephemeral
    return pressed.text


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_quiz_is_played_and_the_end_is_in_order(
    number: signal.Signals, discord: Discord, quizbot: Program
) -> None:
    ann = discord.person("Ann")
    channel = discord.guild("Study", ann).channel("quiz")
    async with started(quizbot) as serving:
        assert "Discord: quizbot#0001, in 1 servers" in await serving.until("Discord: quizbot")
        await commands_of(discord)
        said = await play(ann, channel)
        ran = await serving.end(number)
    assert said.startswith(("✓", "✗"))
    assert ran.err.endswith("Stopped")
    assert " WARNING " not in ran.err
    assert (ran.out, ran.code) == ("", 0)
    assert discord.gateway.connected == []
    check_log(ran.err, *SECRETS)


@posix
async def test_no_failure_puts_a_token_into_the_log(discord: Discord, quizbot: Program) -> None:
    ann = discord.person("Ann")
    channel = discord.guild("Study", ann).channel("quiz")
    async with started(quizbot) as serving:
        await serving.until("Discord: quizbot")
        await commands_of(discord)
        for status, code in ((404, 10062), (401, 50027), (400, 50035), (403, 50013)):
            discord.fail("POST", "/callback", status, code)
        discord.garbage("POST", "/callback", status=404)
        discord.drop("POST", "/callback")
        for times in range(1, 7):
            ann.slash(channel, "help")
            await discord.called("POST", "/callback", times)
        discord.fail("POST", "/callback", 503)
        await ann.slash(channel, "help")
        discord.ban("POST", "/callback")
        ann.slash(channel, "help")
        await discord.called("POST", "/callback", 9)
        ran = await serving.end(signal.SIGTERM)
    assert ran.err.count("\n") > 5
    assert ran.code == 0
    for secret in SECRETS:
        assert secret not in ran.err


async def test_a_refused_token_ends_it_with_what_to_do(discord: Discord, quizbot: Program) -> None:
    async with started(with_settings(quizbot, discord_token=f"{TOKEN}x")) as serving:
        ran = await serving.end()
    assert "Reset Token" in ran.err
    assert "QUIZBOT_DISCORD_TOKEN" in ran.err
    assert (ran.out, ran.code) == ("", 1)
    check_log(ran.err, *SECRETS)


@posix
async def test_while_discord_is_away_it_tries_again_and_can_be_stopped(quizbot: Program) -> None:
    async with started(with_settings(quizbot, discord_api_url="http://127.0.0.1:1")) as serving:
        await serving.until("again")
        ran = await serving.end(signal.SIGTERM)
    assert ran.code == 0
    check_log(ran.err, *SECRETS)


# Beside Telegram


async def greeted(telegram: BotApi) -> None:
    """Somebody begins a private chat on Telegram, and is answered."""
    bob = telegram.person("Bob")
    await bob.start_bot()
    await telegram.called("sendMessage")


@posix
async def test_both_platforms_are_served_by_one_process(discord: Discord, telegram: BotApi, quizbot: Program) -> None:
    ann = discord.person("Ann")
    channel = discord.guild("Study", ann).channel("quiz")
    async with started(beside(telegram, quizbot)) as serving:
        await serving.until("Discord: quizbot#0001")
        await commands_of(discord)
        await asyncio.gather(play(ann, channel), greeted(telegram))
        ran = await serving.end(signal.SIGTERM)
    assert "Telegram: @quiz_test_bot" in ran.err
    assert (ran.out, ran.code) == ("", 0)
    check_log(ran.err, *SECRETS, telegram.token.partition(":")[2])


@posix
async def test_telegram_is_served_where_discord_refuses_the_token(telegram: BotApi, quizbot: Program) -> None:
    async with started(with_settings(beside(telegram, quizbot), discord_token=f"{TOKEN}x")) as serving:
        await serving.until("discord is not served any more")
        await greeted(telegram)
        ran = await serving.end(signal.SIGTERM)
    assert ran.code == 0
    check_log(ran.err, *SECRETS, telegram.token.partition(":")[2])


@posix
async def test_telegram_is_served_while_discord_fails_again_and_again(
    discord: Discord, telegram: BotApi, quizbot: Program
) -> None:
    discord.gateway.close_identified(4000, times=50)
    discord.gateway.refuse(times=50)
    async with started(beside(telegram, quizbot)) as serving:
        await discord.until(lambda: len(discord.gateway.refusals) < 50 or None)
        await greeted(telegram)
        ran = await serving.end(signal.SIGTERM)
    assert ran.code == 0
    check_log(ran.err, *SECRETS, telegram.token.partition(":")[2])


@posix
async def test_discord_is_served_where_telegram_refuses_the_token(
    discord: Discord, telegram: BotApi, quizbot: Program
) -> None:
    ann = discord.person("Ann")
    channel = discord.guild("Study", ann).channel("quiz")
    async with started(with_settings(beside(telegram, quizbot), telegram_token=REFUSED)) as serving:
        await serving.until("telegram is not served any more")
        await commands_of(discord)
        await play(ann, channel)
        assert (await serving.end(signal.SIGTERM)).code == 0


@posix
async def test_telegram_is_served_where_the_library_of_discord_is_missing(telegram: BotApi, quizbot: Program) -> None:
    lacking = quizbot.folder / "lacking"
    lacking.mkdir()
    (lacking / "sitecustomize.py").write_text("import sys; sys.modules['discord'] = None\n", encoding="utf-8")
    program = beside(telegram, quizbot)
    path = f"{lacking}:{program.environment['PYTHONPATH']}"
    async with started(Program(program.folder, {**program.variables, "PYTHONPATH": path})) as serving:
        assert "pip install 'quizbot[discord]'" in await serving.until("a platform cannot be served: Discord")
        await greeted(telegram)
        assert (await serving.end(signal.SIGTERM)).code == 0
