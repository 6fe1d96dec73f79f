"""`quizbot backup` while a bot plays, and `quizbot restore`: whole or not at all, and the quiz goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.codec import millis
from bot.core.session import Phase
from bot.ports import StoreError
from bot.restoring import into_file, into_server
from bot.storage import sqlite_copy
from bot.storage.schema import MIGRATIONS
from bot.storage.sqlite import DIALECT
from tests.clock import VirtualClock
from tests.engine.screen import Screen
from tests.engine.world import BOB, CHAT, PLATFORM, opened
from tests.program import Program, Ran
from tests.storage.installations import UNTOLD, Rows, driven, everything, put

PLAYED: Rows = {
    "response": [("s1", 0, f"test:{number}", "q0", 1, 1, 100, 1000) for number in range(300)],
    "player": [("s1", "test:1", "Зорница 🎉", 100, 1, 1, 2**40, 0, 1, None)],
    "heartbeat": [("test", millis(SystemClock().now()))],
    "memory": [("test:1", "rivers", "q0", "f", 1, 1, 0, 0.1 + 0.2, 5e-324, None, 3)],
}
OTHERS: Rows = {"report": [("test:5", "rivers", "q0", "d", "s1", "typo", "", 1)]}

KILLED = """
import os, signal, sys
from bot.cli import main
from bot.storage import sqlite_copy

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(sqlite_copy, sys.argv.pop(1), killed)
main()
"""


@pytest.fixture
def quizbot(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "backup.sqlite3"


def on(quizbot: Program, url: str) -> Program:
    """The program with this database."""
    return Program(quizbot.folder, {**quizbot.variables, "QUIZBOT_DATABASE_URL": url})


def address(path: Path) -> str:
    return f"sqlite:///{path.as_posix()}"


def database(quizbot: Program) -> Path:
    return quizbot.folder / "quizbot.sqlite3"


def fill(url: str, rows: Rows) -> None:
    async def filled() -> None:
        async with driven(url) as driver:
            await put(driver, rows)

    asyncio.run(filled())


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    async def read() -> dict[str, list[tuple[object, ...]]]:
        async with driven(url) as driver:
            return await everything(driver)

    return asyncio.run(read())


def backed_up(quizbot: Program, file: Path) -> None:
    ran = quizbot.run("backup", str(file))
    assert (ran.out, ran.code) == ("", 0), ran.err
    assert f"{file} is a whole backup" in ran.complaints[-1]


def restored(quizbot: Program, file: Path, *options: str) -> Ran:
    ran = quizbot.run("restore", str(file), *options)
    assert (ran.out, ran.code) == ("", 0), ran.err
    assert ran.complaints[-1].startswith("restored and checked 303 rows")
    return ran


def refused(quizbot: Program, *arguments: str) -> str:
    ran = quizbot.run(*arguments)
    assert (ran.out, ran.code) == ("", 1), ran.err
    return ran.complaints[-1]


@pytest.fixture(params=["file", "server"])
def url(request: pytest.FixtureRequest, quizbot: Program) -> str:
    """The database of the bot, with nothing in it."""
    return address(database(quizbot)) if request.param == "file" else request.getfixturevalue("postgres_url")


def files(quizbot: Program) -> set[str]:
    """The files there are, but for those that say who holds the database."""
    return {path.name for path in quizbot.folder.iterdir() if path.suffix not in (".lock", ".pid")}


# A whole backup, or none


def test_a_backup_has_everything_alone_in_a_file_that_only_its_owner_can_read(
    quizbot: Program, url: str, file: Path
) -> None:
    fill(url, PLAYED)
    backed_up(on(quizbot, url), file)
    assert stat.S_IMODE(file.stat().st_mode) == (0o600 if os.name == "posix" else 0o666)
    assert file.name in files(quizbot) <= {file.name, database(quizbot).name}
    assert rows(address(file)) == rows(url)


def test_one_kind_of_file_goes_back_into_either_database(
    quizbot: Program, postgres_url: str, file: Path, tmp_path: Path
) -> None:
    fill(address(database(quizbot)), PLAYED)
    backed_up(quizbot, file)
    restored(on(quizbot, postgres_url), file)
    assert rows(postgres_url) == rows(address(database(quizbot)))
    again = tmp_path / "again.sqlite3"
    backed_up(on(quizbot, postgres_url), again)
    restored(on(quizbot, address(tmp_path / "new" / "folder" / "third.sqlite3")), again)
    assert rows(address(tmp_path / "new" / "folder" / "third.sqlite3")) == rows(postgres_url)


@contextmanager
def writing(path: Path) -> Iterator[threading.Event]:
    """Somebody adds rows to two tables without end, both in one transaction; the event is set at each."""
    written, enough = threading.Event(), threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            number = 0
            while not enough.is_set():
                number += 1
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT INTO outage VALUES ('test', 1, ?)", (number,))
                connection.execute("INSERT INTO quiz VALUES (?, ?)", (str(number), "x" * 20_000))
                connection.execute("INSERT INTO downtime VALUES ('test', 1, ?)", (number,))
                connection.execute("COMMIT")
                written.set()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield written
    finally:
        enough.set()
        thread.join()


class Interrupting:
    """Whoever is told how far it is waits for others to write each time."""

    def __init__(self, written: threading.Event) -> None:
        self._written = written
        self.steps = 0
        self.rows = 0

    def begin(self, doing: str, done: int, total: int) -> None: ...

    def advance(self, rows: int) -> None:
        self.steps += 1
        self.rows += rows
        self._written.clear()
        assert self._written.wait(60)


def test_what_is_written_meanwhile_neither_disturbs_the_backup_nor_is_held_up(quizbot: Program, file: Path) -> None:
    path = database(quizbot)
    fill(address(path), {"quiz": [(f"big{number}", "x" * 20_000) for number in range(300)]})
    with writing(path) as written:
        written.wait(60)
        interrupting = Interrupting(written)
        with sqlite_copy.unfinished(file, ".partial") as partial:
            found = sqlite_copy.copied(path, partial, interrupting)
            settled = sqlite_copy.settled(partial)
    assert interrupting.steps > 3
    assert settled == found
    assert found.rows["outage"] == found.rows["downtime"] == found.rows["quiz"] - 300
    assert sqlite_copy.contents(path).rows["outage"] >= found.rows["outage"] + interrupting.steps


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
@pytest.mark.parametrize("at", ["settled", "put_in_place"])
def test_a_backup_that_is_killed_is_not_there_and_the_next_one_is(at: str, quizbot: Program, file: Path) -> None:
    fill(address(database(quizbot)), PLAYED)
    command = [sys.executable, "-c", KILLED, at, "backup", str(file)]
    killed = subprocess.run(command, cwd=quizbot.folder, env=quizbot.environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not file.exists()
    backed_up(quizbot, file)
    assert files(quizbot) == {file.name, database(quizbot).name}


def test_two_backups_into_one_file_do_not_mix(quizbot: Program, file: Path) -> None:
    fill(address(database(quizbot)), PLAYED)
    with sqlite_copy.unfinished(file, ".partial"):
        assert "another process is writing" in refused(quizbot, "backup", str(file))
    backed_up(quizbot, file)


def test_a_file_that_is_there_stays_unless_it_may_go(quizbot: Program, file: Path) -> None:
    fill(address(database(quizbot)), PLAYED)
    file.write_text("of yesterday")
    assert "is there already: name another file, or add --force" in refused(quizbot, "backup", str(file))
    assert file.read_text() == "of yesterday"
    assert quizbot.run("backup", str(file), "--force").code == 0
    assert rows(address(file)) == rows(address(database(quizbot)))
    assert "is the database itself" in refused(quizbot, "backup", str(database(quizbot)), "--force")


def test_without_a_database_there_is_nothing_to_back_up(quizbot: Program, file: Path, postgres_url: str) -> None:
    assert "to back up: set QUIZBOT_DATABASE_URL" in refused(quizbot, "backup", str(file))
    database(quizbot).touch()
    assert "is no database of Quizbot" in refused(quizbot, "backup", str(file))
    assert "is no database of Quizbot" in refused(on(quizbot, postgres_url), "backup", str(file))
    assert "in memory" in refused(on(quizbot, "sqlite://:memory:"), "backup", str(file))
    assert not file.exists()


# Restored, or as it was


def test_what_is_there_goes_only_if_it_may(quizbot: Program, url: str, file: Path, tmp_path: Path) -> None:
    fill(address(tmp_path / "other.sqlite3"), PLAYED)
    backed_up(on(quizbot, address(tmp_path / "other.sqlite3")), file)
    fill(url, OTHERS)
    before = rows(url)
    said = refused(on(quizbot, url), "restore", str(file))
    assert "holds an installation already (report)" in said
    assert "add --replace" in said
    assert rows(url) == before
    restored(on(quizbot, url), file, "--replace")
    assert rows(url) == rows(address(file))


def damaged(file: Path) -> None:
    """Spoil a page in the middle."""
    with file.open("r+b") as stream:
        stream.seek(4096 * 3)
        stream.write(b"\xff" * 4096 * 4)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (damaged, "it is damaged"),
        (lambda file: file.write_text("Dear diary, " * 1000), "not an SQLite file"),
        (lambda file: file.write_bytes(b""), "is no backup of Quizbot"),
        (lambda file: run_sql(file, "INSERT INTO schema_version (version) VALUES (999)"), "has schema 999"),
        (lambda file: run_sql(file, "CREATE TABLE copying (name TEXT)"), "is not whole"),
    ],
    ids=["damaged", "no database", "empty", "newer", "half a copy"],
)
def test_a_file_that_is_no_good_leaves_everything_as_it_was(
    spoil: object, said: str, quizbot: Program, url: str, file: Path
) -> None:
    fill(address(file), PLAYED)
    fill(url, OTHERS)
    before = rows(url)
    spoil(file)  # type: ignore[operator]  # of the table above
    assert said in refused(on(quizbot, url), "restore", str(file), "--replace")
    assert rows(url) == before
    assert not [name for name in files(quizbot) if "restoring" in name]


def run_sql(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
@pytest.mark.parametrize("at", ["settled", "put_in_place"])
def test_a_restore_that_is_killed_leaves_everything_as_it_was(at: str, quizbot: Program, file: Path) -> None:
    fill(address(file), PLAYED)
    fill(address(database(quizbot)), OTHERS)
    before = rows(address(database(quizbot)))
    command = [sys.executable, "-c", KILLED, at, "restore", str(file), "--replace"]
    killed = subprocess.run(command, cwd=quizbot.folder, env=quizbot.environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert rows(address(database(quizbot))) == before
    restored(quizbot, file, "--replace")
    assert rows(address(database(quizbot))) == rows(address(file))


def test_a_journal_of_the_old_file_is_not_played_into_the_new_one(quizbot: Program, file: Path) -> None:
    """As a bot leaves it that was killed."""
    path = database(quizbot)
    fill(address(file), PLAYED)
    fill(address(path), OTHERS)
    kept = {}
    with closing(sqlite3.connect(path)) as bot:
        bot.execute("UPDATE report SET text = 'only in the journal'")
        bot.commit()
        kept = {suffix: path.with_name(path.name + suffix).read_bytes() for suffix in ("-wal", "-shm")}
        before = path.read_bytes()
    path.write_bytes(before)
    for suffix, content in kept.items():
        path.with_name(path.name + suffix).write_bytes(content)
    assert kept["-wal"]
    restored(quizbot, file, "--replace")
    assert not [name for name in files(quizbot) if name.startswith(path.name + "-")]
    assert rows(address(path)) == rows(address(file))


def test_a_damaged_database_can_be_replaced(quizbot: Program, file: Path) -> None:
    fill(address(file), PLAYED)
    database(quizbot).write_text("Dear diary, " * 1000)
    assert "add --replace, and it is gone" in refused(quizbot, "restore", str(file))
    restored(quizbot, file, "--replace")
    assert rows(address(database(quizbot))) == rows(address(file))


@pytest.mark.skipif(os.name == "nt", reason="files have no mode there")
def test_the_new_file_can_be_read_by_whom_the_old_one_could(quizbot: Program, file: Path) -> None:
    fill(address(file), PLAYED)
    fill(address(database(quizbot)), {})
    database(quizbot).chmod(0o640)
    restored(quizbot, file)
    assert stat.S_IMODE(database(quizbot).stat().st_mode) == 0o640


def test_a_backup_of_an_older_version_is_brought_up_to_date(quizbot: Program, url: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as old, old:
        old.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)")
        for number, statements in enumerate(MIGRATIONS[:1], 1):
            for statement in statements:
                old.execute(DIALECT.spell(statement))
            old.execute("INSERT INTO schema_version VALUES (?)", (number,))
        old.execute("INSERT INTO chat VALUES ('test:1', NULL, 'bg')")
        old.execute("INSERT INTO heartbeat VALUES ('test', 1000)")
    ran = on(quizbot, url).run("restore", str(file))
    assert ran.code == 0, ran.err
    found = rows(url)
    assert [row for row in found["preference"] if "bg" in row]
    assert found["chat"] == []
    assert on(quizbot, url).run("reports").err == "0 reports about 0 questions\n"


@pytest.mark.skipif(os.name == "nt", reason="terminals of another kind")
def test_while_a_bot_uses_the_file_it_can_be_backed_up_and_not_replaced(quizbot: Program, file: Path) -> None:
    with quizbot.running("play", "gradient-accumulation") as playing:
        playing.until("Question 1")
        backed_up(quizbot, file)
        assert "another Quizbot is using" in refused(quizbot, "restore", str(file), "--replace")
        playing.type("A\n")
        playing.until("Question 2")
    assert len(rows(address(database(quizbot)))["response"]) == 1


def test_a_server_from_which_a_bot_serves_is_not_replaced(quizbot: Program, postgres_url: str, file: Path) -> None:
    fill(address(file), PLAYED)
    fill(postgres_url, {})
    alive = millis(SystemClock().now()) + 60_000

    async def sign_in() -> None:
        async with driven(postgres_url) as driver, driver.transaction() as connection:
            statement = "INSERT INTO worker (id, platforms, roles, alive_until) VALUES ('w1', '[]', '[]', $1)"
            await connection.write(statement, [(alive,)])

    asyncio.run(sign_in())
    server = on(quizbot, postgres_url)
    assert "a bot is using the database" in refused(server, "restore", str(file), "--replace")
    backed_up(server, quizbot.folder / "online.sqlite3")


# And the quiz goes on


async def test_a_restored_session_gets_its_time_back_and_what_was_under_way_is_free(
    tmp_path: Path, postgres_databases: object
) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    path, backup = tmp_path / "quizbot.sqlite3", tmp_path / "backup.sqlite3"
    async with opened(path, clock=clock, screen=screen) as world:
        await world.start()
        await world.wait(8)
        await world.store.sign_in(clock.now(), ["test"])
        await world.answer(BOB)
        clock.advance(6)
        assert await world.store.claim(PLATFORM, clock.now(), clock.now().replace(year=2030), 9)
        await world.beat()
        with sqlite_copy.unfinished(backup, ".partial") as partial:
            sqlite_copy.copied(path, partial, UNTOLD)
            assert sqlite_copy.settled(partial).served == clock.now()
            sqlite_copy.put_in_place(partial, backup)
        await world.stop()
    clock.advance(3600)
    url: str = postgres_databases()  # type: ignore[operator]  # the fixture's
    await into_server(url, backup, UNTOLD, replace=False)
    await asyncio.to_thread(into_file, path, backup, UNTOLD, replace=True)
    for place in (str(path), url):
        later = VirtualClock(clock.now())
        async with opened(place, clock=later, screen=Screen(later), updates=1000) as world:
            assert await world.rows("SELECT id FROM worker") in ([("alone",)], [])
            assert await world.rows("SELECT role FROM lease") == []
            assert await world.rows("SELECT id FROM outbox WHERE claimed_until > 0") == []
            await world.wait(5.999)
            assert await world.stage(CHAT) == (0, Phase.OPEN)
            await world.wait(0.001)
            assert await world.stage(CHAT) == (0, Phase.CLOSED)
            assert [person for _, person, _ in await world.responses()] == [BOB.person]


def test_a_disk_that_is_full_leaves_no_half_backup(quizbot: Program, file: Path) -> None:
    resource = pytest.importorskip("resource", reason="a limit that only some systems have")
    fill(address(database(quizbot)), {"quiz": [("big", "x" * 4_000_000)]})
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000)); from bot.cli import main; main()"
    )
    command = [sys.executable, "-c", limit, "backup", str(file)]
    ran = subprocess.run(command, cwd=quizbot.folder, env=quizbot.environment, capture_output=True, check=False)
    assert resource
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert files(quizbot) == {database(quizbot).name}


async def test_a_driver_that_finds_damage_says_so(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.sqlite3"
    path.write_text("Dear diary, " * 1000)
    with pytest.raises(StoreError, match="not an SQLite file"):
        sqlite_copy.contents(path)
