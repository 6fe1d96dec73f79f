"""`quizbot run` as a process: what it says, how it ends, and with which exit code."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot import platforms
from tests.program import PATIENCE, ROOT, Program, Ran
from tests.telegram.server import BotApi

GOOD = (ROOT / "tests" / "adapters" / "console" / "quizzes").as_posix()
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [A-Z]+ +[\w.]+: ")
HIDDEN = "123456:not-for-your-eyes"
DISCORD = "a.b.not-for-your-eyes"
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": GOOD})


def with_settings(quizbot: Program, **variables: str) -> Program:
    given = {f"QUIZBOT_{name.upper()}": value for name, value in variables.items()}
    return Program(quizbot.folder, {**quizbot.variables, **given})


# Before anything is started


def test_without_a_token_it_says_how_to_get_one(quizbot: Program) -> None:
    ran = quizbot.run("run")
    for word in ("@BotFather", "/newbot", "QUIZBOT_TELEGRAM_TOKEN", "--settings FILE", "quizbot play"):
        assert word in ran.err
    assert (ran.out, ran.code) == ("", 2)


def test_discord_alone_is_not_served_yet(quizbot: Program) -> None:
    ran = with_settings(quizbot, discord_token=DISCORD).run("run")
    assert "this version cannot serve Discord yet" in ran.err
    assert "not-for-your-eyes" not in ran.err
    assert (ran.out, ran.code) == ("", 2)


def test_settings_that_cannot_be_used_are_exit_code_2(quizbot: Program) -> None:
    ran = with_settings(quizbot, telegram_token=DISCORD, telegram_webhook_listen="x").run("run")
    assert [complaint.split()[1] for complaint in ran.complaints] == [
        "QUIZBOT_TELEGRAM_TOKEN",
        "QUIZBOT_TELEGRAM_WEBHOOK_LISTEN",
    ]
    assert (ran.out, ran.code) == ("", 2)


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


@pytest.mark.parametrize(("module", "name"), [("telegram", "python-telegram-bot"), ("aiohttp", "aiohttp")])
def test_a_library_that_is_missing_is_named_with_the_command_that_installs_it(
    module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert platforms.missing_for_telegram() is None
    monkeypatch.setitem(sys.modules, module, None)
    said = platforms.missing_for_telegram() or ""
    assert f"{name} is not installed" in said
    assert "pip install 'quizbot[telegram]'" in said


# The real program and a Telegram


@dataclass(slots=True)
class Serving:
    """The program under way; its log is read line by line."""

    process: asyncio.subprocess.Process
    log: list[str] = field(default_factory=list)

    async def until(self, text: str) -> str:
        """The next line with this text."""
        if self.process.stderr is None:
            raise TypeError("its log cannot be read")
        while True:
            line = (await asyncio.wait_for(self.process.stderr.readline(), PATIENCE)).decode().rstrip("\n")
            if not line:
                raise AssertionError(f"{text!r} was never said:\n" + "\n".join(self.log))
            self.log.append(line)
            if text in line:
                return line

    async def end(self, number: signal.Signals | None = None) -> Ran:
        """Send a signal, if any, and wait for the end."""
        if number:
            self.process.send_signal(number)
        out, err = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        self.log += err.decode().splitlines()
        return Ran(out.decode(), "\n".join(self.log), self.process.returncode or 0)


@asynccontextmanager
async def started(program: Program, *arguments: str) -> AsyncIterator[Serving]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *(arguments or ("-m", "bot", "run")),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=program.folder,
        env=program.environment,
    )
    serving = Serving(process)
    try:
        yield serving
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


@pytest.fixture
async def telegram() -> AsyncIterator[BotApi]:
    """On the real clock, as the program is."""
    async with BotApi() as server:
        yield server


def of(server: BotApi, quizbot: Program, **variables: str) -> Program:
    """The program, set up for the bot on this server."""
    return with_settings(quizbot, telegram_token=server.token, telegram_api_url=server.url, **variables)


def check_log(log: str, server: BotApi) -> None:
    assert server.token.partition(":")[2] not in log
    assert [line for line in log.splitlines() if not LINE.match(line)] == []


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
    check_log(ran.err, telegram)


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
    check_log(ran.err, telegram)


async def test_a_refused_token_ends_it_with_what_to_do(telegram: BotApi, quizbot: Program) -> None:
    program = with_settings(quizbot, telegram_token=HIDDEN, telegram_api_url=telegram.url)
    async with started(program) as serving:
        ran = await serving.end()
    assert "@BotFather" in ran.err
    assert "QUIZBOT_TELEGRAM_TOKEN" in ran.err
    assert "not-for-your-eyes" not in ran.err
    assert (ran.out, ran.code) == ("", 1)
    check_log(ran.err, telegram)


@posix
async def test_while_telegram_is_away_it_tries_again_and_can_be_stopped(telegram: BotApi, quizbot: Program) -> None:
    program = with_settings(quizbot, telegram_token=telegram.token, telegram_api_url="http://127.0.0.1:1")
    async with started(program) as serving:
        await serving.until("again")
        ran = await serving.end(signal.SIGTERM)
    assert ran.code == 0
    check_log(ran.err, telegram)


@posix
async def test_a_database_in_use_is_one_clear_line(telegram: BotApi, quizbot: Program) -> None:
    async with started(of(telegram, quizbot)) as serving:
        await serving.until("Database")
        second = await asyncio.to_thread(of(telegram, quizbot).run, "run")
        await serving.end(signal.SIGTERM)
    assert second.complaints[-1].startswith("quizbot: another Quizbot is using")
    assert second.code == 1


@posix
async def test_discord_beside_telegram_is_a_warning(telegram: BotApi, quizbot: Program) -> None:
    async with started(of(telegram, quizbot, discord_token=DISCORD)) as serving:
        assert "WARNING" in await serving.until("cannot serve Discord yet")
        await serving.until("Telegram: @")
        assert (await serving.end(signal.SIGTERM)).code == 0


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
