"""`quizbot doctor` before any platform: what is wrong with settings, database and quizzes, and what to do about it."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from bot.doctor import Severity, database, ok, problem, warning
from bot.ports import StoreError
from tests.discord.server import Discord
from tests.program import ROOT, Program
from tests.telegram.server import BotApi

GOOD = (ROOT / "tests" / "adapters" / "console" / "quizzes").as_posix()
NOTHING_TO_DO = "✓ ok "


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": GOOD})


def with_settings(quizbot: Program, variables: Mapping[str, str]) -> Program:
    return Program(quizbot.folder, {**quizbot.variables, **variables})


def about(part: str, printed: str) -> list[str]:
    """The findings about one part, each with its advice."""
    findings = re.split(r"\n(?=\S)", printed.strip())
    return [finding for finding in findings if finding[11:].startswith(part)]


def test_a_finding_is_a_line_with_symbol_and_word_and_its_advice_below() -> None:
    assert str(ok("It works")) == "✓ ok       It works"
    assert str(warning("It limps", "Rest.")) == "! warning  It limps\n           → Rest."
    assert str(problem("It fell", "Lift it.")) == "✗ problem  It fell\n           → Lift it."


def test_without_a_token_everything_else_is_looked_at(quizbot: Program) -> None:
    ran = quizbot.run("doctor")
    assert about("Settings", ran.out) == ["✓ ok       Settings: can be read"]
    assert about("Content", ran.out) == ["✓ ok       Content: 2 quizzes with 5 questions, in bg, en, ro"]
    assert about("Database", ran.out)[0].startswith(NOTHING_TO_DO)
    (token,) = about("Telegram", ran.out)
    for word in ("✗ problem", "@BotFather", "/newbot", "QUIZBOT_TELEGRAM_TOKEN"):
        assert word in token
    (token,) = about("Discord", ran.out)
    for word in ("✗ problem", "discord.com/developers", "Reset Token", "QUIZBOT_DISCORD_TOKEN"):
        assert word in token
    assert (ran.err, ran.code) == ("2 problems, 0 warnings\n", 1)


def test_settings_that_cannot_be_read_are_all_named_and_nothing_is_guessed(quizbot: Program) -> None:
    variables = {"QUIZBOT_TELEGRAM_TOKEN": "my-secret", "QUIZBOT_TELEGRAM_API_URL": "my-secret"}
    ran = with_settings(quizbot, variables).run("doctor")
    assert [line.partition(" (")[0] for line in ran.out.splitlines()] == [
        "✗ problem  Settings: QUIZBOT_TELEGRAM_TOKEN",
        "✗ problem  Settings: QUIZBOT_TELEGRAM_API_URL",
    ]
    assert "my-secret" not in ran.out + ran.err
    assert ran.code == 1


def test_a_misspelt_setting_is_a_warning(quizbot: Program) -> None:
    ran = with_settings(quizbot, {"QUIZBOT_TELEGRAM_TOKN": "x"}).run("doctor")
    assert "! warning  Settings: QUIZBOT_TELEGRAM_TOKN" in ran.out
    assert "did you mean QUIZBOT_TELEGRAM_TOKEN?" in ran.out


def test_the_settings_file_is_read(quizbot: Program) -> None:
    (quizbot.folder / "my.env").write_text("QUIZBOT_TELEGRAM_TOKEN=no\n", encoding="utf-8")
    ran = quizbot.run("--settings", "my.env", "doctor")
    assert ran.out.startswith("✗ problem  Settings: QUIZBOT_TELEGRAM_TOKEN (my.env, line 1)")


def test_broken_quizzes_are_named(quizbot: Program) -> None:
    content = quizbot.folder / "content"
    content.mkdir()
    (content / "torn.yaml").write_text("title: [", encoding="utf-8")
    torn, none = about("Content", with_settings(quizbot, {"QUIZBOT_CONTENT_DIR": str(content)}).run("doctor").out)
    assert torn == (
        "✗ problem  Content: torn.yaml cannot be used and is left out\n"
        f"           → See: quizbot check {content / 'torn.yaml'}"
    )
    assert f"no quiz in {content} can be played" in none


def test_the_database_is_left_as_it_is(quizbot: Program) -> None:
    file = quizbot.folder / "quizbot.sqlite3"
    quizbot.run("doctor")
    assert not file.exists()
    quizbot.run("play", "rivers", typed="A\n")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM schema_version WHERE version > 1")
        connection.commit()
        ran = quizbot.run("doctor")
        versions = connection.execute("SELECT version FROM schema_version").fetchall()
    assert about("Database", ran.out) == [
        f"✓ ok       Database: {file} can be written to; its tables are brought up to date at the next start"
    ]
    assert versions == [(1,)]


def test_a_database_of_a_newer_quizbot_is_a_problem(quizbot: Program) -> None:
    file = quizbot.folder / "quizbot.sqlite3"
    quizbot.run("play", "rivers", typed="A\n")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO schema_version (version) VALUES (999)")
        connection.commit()
    (said,) = about("Database", quizbot.run("doctor").out)
    assert said.startswith("✗ problem")
    assert "newer Quizbot, with schema 999\n           → update Quizbot" in said


def test_what_is_no_database_is_a_problem(quizbot: Program) -> None:
    (quizbot.folder / "quizbot.sqlite3").write_bytes(b"this is no database, only some text that is long enough" * 20)
    (said,) = about("Database", quizbot.run("doctor").out)
    assert said.startswith("✗ problem")
    assert "not an SQLite file: move it away" in said


@pytest.mark.skipif(os.name == "nt", reason="terminals of another kind")
def test_a_database_in_use_is_right_while_the_bot_runs(quizbot: Program) -> None:
    with quizbot.running("play", "rivers") as playing:
        playing.until("Question 1")
        ran = quizbot.run("doctor")
    (said,) = about("Database", ran.out)
    assert said.startswith("! warning")
    assert "another Quizbot is using" in said
    assert "That is right while your bot runs." in said


async def test_a_database_that_will_be_made_needs_a_folder_that_can_be_written(tmp_path: Path) -> None:
    async def never(path: str) -> None:
        raise AssertionError(path)

    made = await database(str(tmp_path / "new" / "folder" / "quiz.sqlite3"), never)
    assert made.severity is Severity.OK
    assert "will be made" in made.said
    (tmp_path / "file").touch()
    refused = await database(str(tmp_path / "file" / "quiz.sqlite3"), never)
    assert refused.severity is Severity.PROBLEM
    assert str(tmp_path / "file") in refused.said
    memory = await database(":memory:", never)
    assert memory.severity is Severity.WARNING


async def test_what_the_store_says_is_parted_into_finding_and_advice(tmp_path: Path) -> None:
    path = tmp_path / "quiz.sqlite3"
    path.touch()

    async def full(name: str) -> None:
        raise StoreError(f"database {name}: the disk is full: free some space")

    said = await database(str(path), full)
    assert (said.said, said.advice) == (f"Database: {path}: the disk is full", "free some space.")


NOWHERE = "http://127.0.0.1:1"
GIVEN = {
    "TELEGRAM": {"QUIZBOT_TELEGRAM_TOKEN": "123456:not-for-your-eyes", "QUIZBOT_TELEGRAM_API_URL": NOWHERE},
    "DISCORD": {"QUIZBOT_DISCORD_TOKEN": "a.b.not-for-your-eyes", "QUIZBOT_DISCORD_API_URL": NOWHERE},
}


@pytest.mark.parametrize(("asked_for", "other"), [("TELEGRAM", "DISCORD"), ("DISCORD", "TELEGRAM")])
def test_a_platform_that_nobody_asked_for_is_no_problem(asked_for: str, other: str, quizbot: Program) -> None:
    ran = with_settings(quizbot, GIVEN[asked_for]).run("doctor")
    assert about(other.title(), ran.out) == [
        f"✓ ok       {other.title()}: not served, for QUIZBOT_{other}_TOKEN is not set"
    ]
    (finding,) = about(asked_for.title(), ran.out)
    assert "no answer from 127.0.0.1:1" in finding
    assert ran.err == "1 problem, 0 warnings\n"


def test_one_platform_that_fails_does_not_keep_the_other_from_being_looked_at(quizbot: Program) -> None:
    ran = with_settings(quizbot, {**GIVEN["TELEGRAM"], **GIVEN["DISCORD"]}).run("doctor")
    for title in ("Telegram", "Discord"):
        assert [finding[:9] for finding in about(title, ran.out)] == ["✗ problem"]
    assert "not-for-your-eyes" not in ran.out + ran.err


async def test_the_sample_in_the_readme_is_what_is_printed(tmp_path: Path) -> None:
    async with BotApi() as telegram, Discord(name="My Quiz Bot") as discord:
        telegram.world.bot["username"] = "my_quiz_bot"
        telegram.world.inline_enabled = False
        program = Program(
            tmp_path,
            {
                "QUIZBOT_TELEGRAM_TOKEN": telegram.token,
                "QUIZBOT_TELEGRAM_API_URL": telegram.url,
                "QUIZBOT_DISCORD_TOKEN": discord.token,
                "QUIZBOT_DISCORD_API_URL": discord.api_url,
            },
        )
        ran = await asyncio.to_thread(program.run, "doctor")
    said = ran.out.replace(f"{tmp_path.as_posix()}/", "/var/lib/quizbot/")
    said = said.replace(telegram.url.removeprefix("http://"), "api.telegram.org")
    said = said.replace(f"websocket from {discord.api_url.split('/')[2]}", "websocket from gateway.discord.gg")
    said = said.replace(discord.api_url.split("/")[2], "discord.com").replace(discord.bot["id"], "1234567890123456789")
    (sample,) = re.findall(r"```text\n(✓ ok .*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert sample == said
    assert (ran.err, ran.code) == ("0 problems, 2 warnings\n", 0)
