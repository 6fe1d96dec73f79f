"""`quizbot db copy` as a process: what it moves, what it refuses, and what it says about it."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.clock import SystemClock
from bot.codec import millis
from bot.storage.schema import MIGRATIONS
from tests.program import ROOT, Program
from tests.storage.installations import Rows, driven, everything, put

ANSWERS = 300
PLAYED: Rows = {
    "response": [("s1", 0, f"test:{number}", "q0", 1, 1, 100, 1000) for number in range(ANSWERS)],
    "player": [("s1", "test:1", "Зорница 🎉", 100, 1, 1, 2**40, 0, 1, None)],
    "heartbeat": [("test", 1000)],
}

WRITES = str(len(MIGRATIONS) + 8)
"""Made when the first part of the responses is there, and the second is not yet."""

KILLED = """
import os, signal, sys
from bot.cli import main
from bot.storage.sqlite import SqliteConnection

left, write = int(sys.argv.pop(1)), SqliteConnection.write

async def until_killed(self, sql, rows):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    await write(self, sql, rows)

SqliteConnection.write = until_killed
main()
"""


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path)


def file(quizbot: Program, name: str) -> str:
    return f"sqlite:///{quizbot.folder.as_posix()}/{name}.sqlite3"


@pytest.fixture
def source(quizbot: Program) -> str:
    """The address of a file in which something was played."""
    url = file(quizbot, "source")
    asyncio.run(_filled(url, PLAYED))
    return url


async def _filled(url: str, rows: Rows) -> None:
    async with driven(url) as driver:
        await put(driver, rows)


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    async def read() -> dict[str, list[tuple[object, ...]]]:
        async with driven(url) as driver:
            return await everything(driver)

    return asyncio.run(read())


def run_sql(url: str, statement: str, *values: object) -> None:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
            connection.execute(statement, values)
    else:
        with psycopg.connect(url) as server:
            server.execute(statement, values)


def refused(quizbot: Program, *arguments: str, code: int = 1) -> str:
    """The one line with which a copy is refused."""
    ran = quizbot.run("db", "copy", *arguments)
    assert (ran.out, ran.code) == ("", code), ran.err
    (line,) = ran.complaints
    return line


# What it moves


def test_everything_goes_to_a_server_and_back_and_progress_is_said(
    quizbot: Program, source: str, postgres_url: str
) -> None:
    there = quizbot.run("db", "copy", source, postgres_url)
    assert (there.out, there.code) == ("", 0)
    assert f"copying response: {ANSWERS}" in there.complaints
    assert f"comparing response: {ANSWERS}" in there.complaints
    assert there.complaints[-1].startswith("copied and compared 302 rows in ")
    assert there.complaints[-1].endswith(" a second")
    back = quizbot.run("db", "copy", postgres_url, file(quizbot, "again"))
    assert back.code == 0
    assert rows(file(quizbot, "again")) == rows(postgres_url) == rows(source)


def test_the_source_stays_as_it_is(quizbot: Program, source: str) -> None:
    before = rows(source)
    assert quizbot.run("db", "copy", source, file(quizbot, "target")).code == 0
    assert rows(source) == before


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_copy_that_was_killed_goes_on_when_it_is_called_again(quizbot: Program, source: str) -> None:
    command = [sys.executable, "-c", KILLED, WRITES, "db", "copy", source, file(quizbot, "target")]
    killed = subprocess.run(command, cwd=quizbot.folder, env=quizbot.environment, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    ran = quizbot.run("db", "copy", source, file(quizbot, "target"))
    assert ran.code == 0
    assert ran.complaints[0] == "a copy had been interrupted here, and goes on"
    assert f"copying response: 50 of {ANSWERS} are there" in ran.complaints
    assert "of them were there from a copy that had been interrupted" in ran.complaints[-1]
    assert rows(file(quizbot, "target")) == rows(source)


def test_a_copy_from_elsewhere_does_not_go_on_but_can_be_begun_anew(quizbot: Program, source: str) -> None:
    target = file(quizbot, "target")
    asyncio.run(_filled(target, {}))
    run_sql(target, "CREATE TABLE copying (name TEXT PRIMARY KEY, reached TEXT NOT NULL, copied BIGINT NOT NULL)")
    run_sql(target, "INSERT INTO copying VALUES ('', '/elsewhere.sqlite3', 0)")
    assert "a copy from /elsewhere.sqlite3 was begun" in refused(quizbot, source, target)
    assert quizbot.run("db", "copy", source, target, "--replace").code == 0
    assert rows(target) == rows(source)


def test_a_copy_that_differs_in_the_end_is_exit_code_1(quizbot: Program, source: str) -> None:
    target = file(quizbot, "target")
    command = [sys.executable, "-c", KILLED, WRITES, "db", "copy", source, target]
    subprocess.run(command, cwd=quizbot.folder, env=quizbot.environment, capture_output=True, check=False)
    run_sql(target, "UPDATE response SET points = 1 WHERE person = 'test:0'")
    ran = quizbot.run("db", "copy", source, target)
    assert ran.code == 1
    assert ran.complaints[-2] == "response (session s1, question 0, person test:0): differs in points"
    assert ran.complaints[-1].startswith("1 of 302 rows differ: the target is not to be used")


# What it refuses


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("mysql://host/name", "sqlite:///x.sqlite3"), "SOURCE: not a database; write sqlite:///relative"),
        (("sqlite:///x.sqlite3", "postgresql://host"), "TARGET: not a database; write postgresql://user"),
        (("sqlite://:memory:", "sqlite:///x.sqlite3"), "SOURCE: what is in memory cannot be copied"),
    ],
)
def test_an_address_that_is_none_is_exit_code_2(quizbot: Program, wrong: tuple[str, str], said: str) -> None:
    assert said in refused(quizbot, *wrong, code=2)


def test_a_source_that_is_not_there_is_said_and_not_made(quizbot: Program) -> None:
    assert "there is no" in refused(quizbot, file(quizbot, "nothing"), file(quizbot, "target"))
    assert list(quizbot.folder.iterdir()) == []


def test_the_same_database_twice_is_refused_by_whatever_name(quizbot: Program, source: str, postgres_url: str) -> None:
    (quizbot.folder / "link.sqlite3").symlink_to(quizbot.folder / "source.sqlite3")
    before = rows(source)
    for other in (source, file(quizbot, "link"), "sqlite:///source.sqlite3"):
        assert "are the same database" in refused(quizbot, source, other, "--replace", code=2)
    assert rows(source) == before
    asyncio.run(_filled(postgres_url, PLAYED))
    other = postgres_url.replace("127.0.0.1", "localhost")
    assert "are the same database" in refused(quizbot, postgres_url, other, "--replace")
    assert rows(postgres_url) == before


def test_a_target_that_holds_something_is_refused_unless_it_may_go(
    quizbot: Program, source: str, postgres_url: str
) -> None:
    others: Rows = {"report": [("test:5", "rivers", "q0", "d", "s1", "typo", "", 1)]}
    for target in (file(quizbot, "target"), postgres_url):
        asyncio.run(_filled(target, others))
        before = rows(target)
        said = refused(quizbot, source, target)
        assert "holds an installation already (report): name an empty database, or add --replace" in said
        assert rows(target) == before
        assert quizbot.run("db", "copy", source, target, "--replace").code == 0
        assert rows(target) == rows(source)


@pytest.mark.skipif(os.name == "nt", reason="terminals of another kind")
def test_a_file_in_use_is_refused_as_source_and_as_target(quizbot: Program, source: str) -> None:
    used = file(quizbot, "quizbot")
    with quizbot.running("play", "gradient-accumulation") as playing:
        playing.until("Question 1")
        for route in ((used, file(quizbot, "target")), (source, used)):
            assert "another Quizbot is using" in refused(quizbot, *route)


@pytest.mark.parametrize("used", ["source", "target"])
def test_a_server_from_which_a_bot_serves_is_refused(
    used: str, quizbot: Program, source: str, postgres_url: str
) -> None:
    asyncio.run(_filled(postgres_url, {}))
    alive = millis(SystemClock().now()) + 60_000
    run_sql(postgres_url, "INSERT INTO worker (id, platforms, roles, alive_until) VALUES ('w1', '[]', '[]', %s)", alive)
    route = (postgres_url, source) if used == "source" else (source, postgres_url)
    said = refused(quizbot, *route, "--replace")
    assert f"a bot is using the {used} (1 of its processes are alive): stop it first" in said
    run_sql(postgres_url, "UPDATE worker SET alive_until = 1")
    assert quizbot.run("db", "copy", *route, "--replace").code == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM schema_version WHERE version > 3", "schema 3, this version of Quizbot"),
        ("INSERT INTO schema_version (version) VALUES (999)", "schema 999, this version of Quizbot knows"),
        ("DELETE FROM schema_version", "it is no database of Quizbot"),
    ],
    ids=["older", "newer", "none"],
)
def test_a_source_of_another_version_is_left_as_it_is(quizbot: Program, source: str, change: str, said: str) -> None:
    run_sql(source, change)
    before = rows(source)
    assert said in refused(quizbot, source, file(quizbot, "target"))
    assert rows(source) == before


def test_without_the_library_for_servers_it_says_how_to_get_it(quizbot: Program, source: str) -> None:
    hidden = quizbot.folder / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['psycopg'] = None\n")
    without = Program(quizbot.folder, {"PYTHONPATH": os.pathsep.join((str(hidden), str(ROOT)))})
    assert "pip install 'quizbot[postgres]'" in refused(without, source, "postgresql://me:my-secret@host/name")


def test_a_server_that_does_not_answer_is_said_without_its_password(quizbot: Program, source: str) -> None:
    said = refused(quizbot, source, "postgresql://me:my-secret@127.0.0.1:1/name")
    assert "postgresql://127.0.0.1:1/name" in said
    assert "my-secret" not in said
