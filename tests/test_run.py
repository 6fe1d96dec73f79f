"""`quizbot run` as a process: what it says, how it ends, and with which exit code."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot import opening, platforms
from bot.platforms import Platform
from tests.program import ROOT, Program
from tests.serving import GOOD, check_log, posix, started, with_settings
from tests.telegram.server import BotApi

HIDDEN = "123456:not-for-your-eyes"
DISCORD = "a.b.not-for-your-eyes"


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": GOOD})


# Before anything is started


def test_without_a_token_it_says_how_to_get_one(quizbot: Program) -> None:
    ran = quizbot.run("run")
    for word in ("@BotFather", "/newbot", "QUIZBOT_TELEGRAM_TOKEN", "--settings FILE", "quizbot play"):
        assert word in ran.err
    for word in ("discord.com/developers", "New Application", "Reset Token", "QUIZBOT_DISCORD_TOKEN"):
        assert word in ran.err
    assert (ran.out, ran.code) == ("", 2)


def test_settings_that_cannot_be_used_are_exit_code_2(quizbot: Program) -> None:
    ran = with_settings(quizbot, telegram_token=DISCORD, telegram_webhook_listen="x").run("run")
    assert [complaint.split()[1] for complaint in ran.complaints] == [
        "QUIZBOT_TELEGRAM_TOKEN",
        "QUIZBOT_TELEGRAM_WEBHOOK_LISTEN",
    ]
    assert (ran.out, ran.code) == ("", 2)


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("1187450238420148285", "the id of the application"),
        ("not-for-your-eyes_8fK2mN4pQ6rS8t", "the client secret"),
        ("0123456789abcdef" * 4, "the public key of the application"),
        (HIDDEN, "the token of a Telegram bot"),
    ],
)
def test_what_is_not_the_token_of_a_discord_bot_is_named(token: str, said: str, quizbot: Program) -> None:
    ran = with_settings(quizbot, discord_token=token).run("run")
    assert f"QUIZBOT_DISCORD_TOKEN (environment): not a token of a Discord bot: it looks like {said};" in ran.err
    assert "page Bot, Reset Token" in ran.err
    assert token not in ran.err
    assert ran.code == 2


def test_without_a_quiz_there_is_nothing_to_serve(quizbot: Program) -> None:
    empty = quizbot.folder / "empty"
    empty.mkdir()
    (empty / "torn.yaml").write_text("title: [", encoding="utf-8")
    ran = with_settings(quizbot, telegram_token=HIDDEN, content_dir=str(empty)).run("run")
    left_out, complaint = ran.complaints
    assert "left out, because it cannot be used: torn.yaml; see: quizbot check" in left_out
    assert (
        complaint == f"quizbot: no quiz in {empty} can be played: set QUIZBOT_CONTENT_DIR to a folder with quiz files"
    )
    assert ran.code == 1


LIBRARIES = [
    (platforms.TELEGRAM, "telegram", "python-telegram-bot"),
    (platforms.TELEGRAM, "aiohttp", "aiohttp"),
    (platforms.DISCORD, "discord", "discord.py"),
    (platforms.DISCORD, "aiohttp", "aiohttp"),
]


@pytest.mark.parametrize(("platform", "module", "name"), LIBRARIES)
def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it(
    platform: Platform, module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert opening.hindrance(platform) is None
    monkeypatch.setitem(sys.modules, module, None)
    said = opening.hindrance(platform) or ""
    assert f"{name} is not installed" in said
    assert f"pip install 'quizbot[{platform.name}]'" in said


def test_a_library_that_is_broken_is_a_hindrance_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adapters.discord.adapter", None)
    said = opening.hindrance(platforms.DISCORD) or ""
    assert "cannot be loaded" in said
    assert "'quizbot[discord]'" in said


@pytest.mark.parametrize("module", ["discord", "telegram"])
def test_without_the_library_of_the_only_platform_nothing_is_started(
    module: str, quizbot: Program, tmp_path: Path
) -> None:
    program = with_settings(
        without(module, quizbot), **{f"{module}_token": {"discord": DISCORD, "telegram": HIDDEN}[module]}
    )
    ran = program.run("run")
    (complaint,) = ran.complaints
    assert complaint.startswith(f"quizbot: {module.title()} cannot be served: ")
    assert f"pip install 'quizbot[{module}]'" in complaint
    assert (ran.out, ran.code) == ("", 1)
    assert not (tmp_path / "quizbot.sqlite3").exists()


def without(module: str, quizbot: Program) -> Program:
    """The program where this library is none: a folder without a module stands before it."""
    (quizbot.folder / "sitecustomize.py").write_text(f"import sys; sys.modules[{module!r}] = None\n", encoding="utf-8")
    path = f"{quizbot.folder}{os.pathsep}{ROOT}"
    return Program(quizbot.folder, {**quizbot.variables, "PYTHONPATH": path})


# The real program and a Telegram


@pytest.fixture
async def telegram() -> AsyncIterator[BotApi]:
    """On the real clock, as the program is."""
    async with BotApi() as server:
        yield server


def of(server: BotApi, quizbot: Program, **variables: str) -> Program:
    """The program, set up for the bot on this server."""
    return with_settings(quizbot, telegram_token=server.token, telegram_api_url=server.url, **variables)


def check(log: str, server: BotApi) -> None:
    check_log(log, server.token.partition(":")[2])


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_says_what_it_serves_and_ends_in_order(
    number: signal.Signals, telegram: BotApi, quizbot: Program
) -> None:
    async with started(of(telegram, quizbot)) as serving:
        assert f"Content: 2 quizzes with 5 questions, in bg, en, ro, from {GOOD}" in await serving.until("Content")
        assert str(quizbot.folder / "quizbot.sqlite3") in await serving.until("Database")
        assert "by polling" in await serving.until("Telegram: @quiz_test_bot")
        await telegram.called("setMyShortDescription", 3)
        ran = await serving.end(number)
    assert "Stopping" in ran.err
    assert ran.err.endswith("Stopped")
    assert (ran.out, ran.code) == ("", 0)
    check(ran.err, telegram)


@posix
async def test_people_are_answered(telegram: BotApi, quizbot: Program) -> None:
    ann = telegram.person("Ann")
    async with started(of(telegram, quizbot)) as serving:
        await ann.start_bot()
        await telegram.called("sendMessage")
        assert (await serving.end(signal.SIGTERM)).code == 0
    assert len(ann.private.messages) >= 2


@posix
async def test_by_webhook_it_listens_and_registers_its_address(telegram: BotApi, quizbot: Program) -> None:
    url = "http://localhost/telegram-3f9a"
    program = of(telegram, quizbot, telegram_webhook_url=url, telegram_webhook_listen="127.0.0.1:0")
    async with started(program) as serving:
        assert "by webhook" in await serving.until("Telegram: @quiz_test_bot")
        (call,) = await telegram.called("setWebhook")
        assert call.params["url"] == url
        assert len(call.params["secret_token"]) > 20
        ran = await serving.end(signal.SIGTERM)
    assert call.params["secret_token"] not in ran.err
    assert ran.code == 0
    check(ran.err, telegram)


async def test_a_refused_token_ends_it_with_what_to_do(telegram: BotApi, quizbot: Program) -> None:
    program = with_settings(quizbot, telegram_token=HIDDEN, telegram_api_url=telegram.url)
    async with started(program) as serving:
        ran = await serving.end()
    assert "@BotFather" in ran.err
    assert "QUIZBOT_TELEGRAM_TOKEN" in ran.err
    assert "not-for-your-eyes" not in ran.err
    assert (ran.out, ran.code) == ("", 1)
    check(ran.err, telegram)


@posix
async def test_while_telegram_is_away_it_tries_again_and_can_be_stopped(telegram: BotApi, quizbot: Program) -> None:
    program = with_settings(quizbot, telegram_token=telegram.token, telegram_api_url="http://127.0.0.1:1")
    async with started(program) as serving:
        await serving.until("again")
        ran = await serving.end(signal.SIGTERM)
    assert ran.code == 0
    check(ran.err, telegram)


@posix
async def test_a_database_in_use_is_one_clear_line(telegram: BotApi, quizbot: Program) -> None:
    async with started(of(telegram, quizbot)) as serving:
        await serving.until("Database")
        second = await asyncio.to_thread(of(telegram, quizbot).run, "run")
        await serving.end(signal.SIGTERM)
    assert second.complaints[-1].startswith("quizbot: another Quizbot is using")
    assert second.code == 1


STUBBORN = """
import asyncio, sys
from bot import logs
from bot.serving import Stop

async def serve():
    Stop().obey_signals()
    while True:
        try:
            print("here", file=sys.stderr, flush=True)
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

logs.to_stderr()
asyncio.run(serve())
"""


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_second_signal_ends_what_does_not_end(number: signal.Signals, quizbot: Program) -> None:
    async with started(quizbot, "-c", STUBBORN) as serving:
        await serving.until("here")
        serving.process.send_signal(number)
        await serving.until("Stopping; once more ends it at once")
        await serving.until("here")
        await serving.end(number)
        assert serving.process.returncode == -number
