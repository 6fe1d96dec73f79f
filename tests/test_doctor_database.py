"""`quizbot doctor` about the database, its disk and the clocks."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import psycopg
import pytest
from aiohttp import web
from psycopg import sql

from adapters.telling_time import ahead
from bot.clock import SystemClock
from bot.codec import millis
from bot.diagnosing import MEGABYTE, clock, disk, server
from bot.doctor import Finding
from bot.storage import inspecting
from bot.storage.inspecting import Made, Rights, Room, Server
from bot.storage.migrating import SCHEMA
from tests.program import Program
from tests.storage.installations import Rows, driven, put
from tests.test_doctor import GOOD, about

GB = 1000 * MEGABYTE
NOW = datetime(2026, 12, 2, tzinfo=UTC)
ROOMY = Room(free=50 * GB, total=100 * GB, file=GB, journal=4 * MEGABYTE, network=None)
WELL = Server("18.1", Made(SCHEMA.version), Rights(False, True), 97, 3, (), timedelta(0))


def symbols(findings: object) -> str:
    return "".join(str(finding)[0] for finding in findings)  # type: ignore[attr-defined]  # findings


# The disk


@pytest.mark.parametrize(
    ("room", "symbol"),
    [
        (ROOMY, "✓"),
        (replace(ROOMY, free=99 * MEGABYTE, file=0), "!"),
        (replace(ROOMY, free=101 * MEGABYTE, file=0), "✓"),
        (replace(ROOMY, free=9 * GB, file=2 * GB), "!"),
        (replace(ROOMY, free=11 * GB, file=2 * GB), "✓"),
        (replace(ROOMY, free=9 * GB, total=100 * GB, file=MEGABYTE), "✓"),
        (replace(ROOMY, free=19 * MEGABYTE), "✗"),
        (replace(ROOMY, journal=300 * MEGABYTE), "✓!"),
        (replace(ROOMY, network="nfs4"), "✓!"),
    ],
)
def test_a_disk_on_which_the_database_cannot_grow_is_said(room: Room, symbol: str) -> None:
    assert symbols(disk(room)) == symbol


def test_the_file_and_its_journal_are_measured_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    path.write_bytes(b"x" * 1000)
    path.with_name("quizbot.sqlite3-wal").write_bytes(b"x" * 10)
    found = inspecting.room(path)
    assert (found.file, found.journal) == (1000, 10)
    assert 0 < found.free <= found.total
    assert inspecting.room(tmp_path / "not" / "yet" / "quizbot.sqlite3").total == found.total


@pytest.mark.parametrize(
    ("kind", "found"), [("nfs4", "nfs4"), ("ext4", None), ("cifs", "cifs"), ("fuse.sshfs", "fuse.sshfs")]
)
def test_a_file_system_of_another_machine_is_known_by_its_kind(kind: str, found: str | None, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda1 / ext4 rw 0 0\nserver:/x {str(tmp_path).replace(' ', chr(92) + '040')} {kind} rw 0 0\n"
    )
    assert inspecting.room(tmp_path / "quizbot.sqlite3", mounts).network == found


# The file


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path, {"QUIZBOT_CONTENT_DIR": GOOD})


def on(quizbot: Program, url: str, **variables: str) -> Program:
    return Program(quizbot.folder, {**quizbot.variables, "QUIZBOT_DATABASE_URL": url, **variables})


def fill(url: str, rows: Rows) -> None:
    async def filled() -> None:
        async with driven(url) as driver:
            await put(driver, rows)

    asyncio.run(filled())


def test_a_damaged_file_is_a_problem(quizbot: Program) -> None:
    file = quizbot.folder / "quizbot.sqlite3"
    fill(f"sqlite:///{file}", {"response": [(f"s{number}", 0, "p", "q", 1, 1, 1, 1) for number in range(2000)]})
    with closing(sqlite3.connect(file)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'response'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as stream:
        stream.seek((page - 1) * size)
        stream.write(b"\xff" * size)
    (said,) = about("Database", quizbot.run("doctor").out)
    assert said.startswith("✗ problem")
    assert "is damaged" in said
    assert "restore a backup" in said


def test_an_interrupted_copy_is_a_problem(quizbot: Program) -> None:
    file = quizbot.folder / "quizbot.sqlite3"
    fill(f"sqlite:///{file}", {})
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE copying (name TEXT, reached TEXT)")
    (said,) = about("Database", quizbot.run("doctor").out)
    assert said.startswith("✗ problem")
    assert "it is not whole: a copy into it was interrupted" in said


# The server


@pytest.mark.parametrize(
    ("seen", "connections", "expected"),
    [
        (WELL, 4, "✓✓✓"),
        (replace(WELL, made=Made(0)), 4, "✓✓✓"),
        (replace(WELL, connections=11), 4, "✓!✓"),
        (replace(WELL, connections=12), 4, "✓✓✓"),
        (replace(WELL, workers=0, connections=4), 4, "✓✓✓"),
        (replace(WELL, unheld=("telegram",)), 4, "✓✓!"),
        (replace(WELL, rights=Rights(True, True)), 4, "✗✓✓"),
        (replace(WELL, rights=Rights(False, False)), 4, "✓✓✓"),
        (replace(WELL, rights=Rights(False, False), made=Made(0)), 4, "✗✓✓"),
        (replace(WELL, rights=Rights(False, True, withheld=("score",))), 4, "✗✓✓"),
        (replace(WELL, rights=Rights(False, True, others=("score",))), 4, "✓!✓✓"),
        (replace(WELL, made=Made(999, "it is of a newer Quizbot: update Quizbot")), 4, "✗"),
    ],
)
def test_what_a_server_lacks_is_said(seen: Server, connections: int, expected: str) -> None:
    assert symbols(server("postgresql://host/name", seen, connections)) == expected


def about_server(quizbot: Program) -> list[str]:
    out = quizbot.run("doctor").out
    return [finding for part in ("Database", "Connections", "Processes", "Clock") for finding in about(part, out)]


def test_an_empty_server_is_made_ready_at_the_first_start(quizbot: Program, postgres_url: str) -> None:
    database, connections, processes, clocks = about_server(on(quizbot, postgres_url))
    assert database.startswith("✓ ok       Database: postgresql://127.0.0.1")
    assert database.endswith("; its tables are made at the first start")
    assert "can be written to, by PostgreSQL 1" in database
    assert connections.startswith("✓ ok       Connections: 4 at most, of ")
    assert processes == "✓ ok       Processes: none serves from it now"
    assert clocks == "✓ ok       Clock: as that of the database"


def test_processes_that_serve_and_parts_that_none_does_are_said(quizbot: Program, postgres_url: str) -> None:
    fill(postgres_url, {})
    alive = millis(SystemClock().now()) + 60_000
    with psycopg.connect(postgres_url) as connection:
        for id_, roles, until in (("a", ["telegram"], alive), ("b", ["telegram", "discord"], alive), ("c", ["x"], 1)):
            connection.execute(
                "INSERT INTO worker (id, platforms, roles, alive_until) VALUES (%s, '[]', %s, %s)",
                (id_, json.dumps(roles), until),
            )
        connection.execute("INSERT INTO lease VALUES ('telegram', 'c'), ('discord', 'a')")
    found = about_server(on(quizbot, postgres_url, QUIZBOT_DATABASE_CONNECTIONS="60"))
    assert found[1].startswith("! warning  Connections: 60 for each of 2 are more than the server gives")
    assert found[2].startswith("! warning  Processes: of 2 that serve from it none does the part of telegram\n")


@pytest.fixture
def guest(postgres_url: str) -> str:
    """The address of the same database for somebody who owns nothing there."""
    name = f"guest_{postgres_url.rpartition('_')[2]}"
    with psycopg.connect(postgres_url) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'let-me-in'").format(sql.Identifier(name)))
    before, _, after = postgres_url.partition("@")
    return f"{before.partition('://')[0]}://{name}:let-me-in@{after}"


def test_a_user_without_the_rights_is_told_which(quizbot: Program, postgres_url: str, guest: str) -> None:
    (first, *_) = about_server(on(quizbot, guest))
    assert first.startswith("✗ problem")
    assert "may not make tables" in first
    assert "let-me-in" not in first
    fill(postgres_url, {})
    with psycopg.connect(postgres_url) as connection:
        grant = "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}"
        user = sql.Identifier(guest.partition("://")[2].partition(":")[0])
        connection.execute(sql.SQL(grant).format(user))
        connection.execute(sql.SQL("REVOKE DELETE ON score FROM {}").format(user))
    (first, *_) = about_server(on(quizbot, guest))
    assert "its user may not read and write score" in first
    with psycopg.connect(postgres_url) as connection:
        connection.execute(sql.SQL("DROP OWNED BY {}").format(user))
        connection.execute(sql.SQL("DROP ROLE {}").format(user))


def test_a_server_that_does_not_answer_is_a_problem_with_its_remedy(quizbot: Program) -> None:
    (said, *_) = about_server(on(quizbot, "postgresql://me:my-secret@127.0.0.1:1/name"))
    assert said.startswith("✗ problem  Database: postgresql://127.0.0.1:1/name")
    assert "check that the server runs and that QUIZBOT_DATABASE_URL leads to it" in said
    assert "my-secret" not in said


# Clocks


@pytest.mark.parametrize(
    ("database", "platforms", "said"),
    [
        (None, {}, ["Clock: it may be right"]),
        (1.9, {"Telegram": -4.9, "Discord": 4.9}, ["Clock: as that of the database and Telegram and Discord"]),
        (2.1, {}, ["Clock: 2 s behind that of the database"]),
        (0, {"Telegram": -60.0}, ["Clock: 60 s ahead of that of Telegram"]),
        (-9, {"Discord": 9.0}, ["Clock: 9 s behind that of Discord", "Clock: 9 s ahead of that of the database"]),
    ],
)
def test_clocks_that_are_apart_are_said(database: float | None, platforms: dict[str, float], said: list[str]) -> None:
    of_database = None if database is None else timedelta(seconds=database)
    found = clock(NOW, of_database, {name: timedelta(seconds=ahead) for name, ahead in platforms.items()})
    assert [finding.said for finding in found] == said
    assert all(bool(finding.advice) == ("s ahead" in finding.said or "behind" in finding.said) for finding in found)


def test_a_clock_that_was_never_set_is_a_problem() -> None:
    (found,) = clock(datetime(1970, 1, 2, tzinfo=UTC), None, {})
    assert isinstance(found, Finding)
    assert str(found).startswith("✗ problem  Clock: it says 1970-01-02, which is long ago")


@asynccontextmanager
async def dated(date: Callable[[], str]) -> AsyncIterator[str]:
    """A server that says what time it is, in this way."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=404, headers={"Date": date()})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/some/path"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("seconds", [0, 3600, -90])
async def test_a_server_says_how_far_its_clock_is_ahead(seconds: int) -> None:
    def date() -> str:
        return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)

    async with dated(date) as url:
        found = await ahead(url)
    assert found is not None
    assert abs(found - timedelta(seconds=seconds)) < timedelta(seconds=30)


async def test_a_server_that_does_not_say_the_time_says_nothing_about_the_clock() -> None:
    async with dated(lambda: "soon") as url:
        assert await ahead(url) is None
    assert await ahead("http://127.0.0.1:1") is None


async def test_a_clock_beside_that_of_a_platform_is_in_the_findings(tmp_path: Path) -> None:
    def date() -> str:
        return format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)

    async with dated(date) as url:
        variables = {"QUIZBOT_TELEGRAM_TOKEN": "123456:a", "QUIZBOT_TELEGRAM_API_URL": url, "QUIZBOT_CONTENT_DIR": GOOD}
        ran = await asyncio.to_thread(Program(tmp_path, variables).run, "doctor")
    (said,) = about("Clock", ran.out)
    assert said.startswith("! warning  Clock: 3")
    assert "s behind that of Telegram" in said
