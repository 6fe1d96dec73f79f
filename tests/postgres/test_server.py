"""The server that the tests bring: a database each, killed and started at will, and gone with whoever used it."""

from __future__ import annotations

import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from tests.postgres.databases import at, drop
from tests.postgres.fixtures import without
from tests.postgres.server import Server, ServerError, begin, server
from tests.postgres.sharing import shared

PROGRAM = """
import sys
from tests.postgres.server import begin
made = begin()
print(made.url(), flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def running(postgres_server: str) -> Iterator[Server]:
    """A server of these tests' own; where the run can have none, there is none here either."""
    made = begin()
    yield made
    made.close()


def asked(url: str, statement: LiteralString) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row else None


def ends(connection: psycopg.Connection) -> bool:
    """Whether the server closes the connection in good time."""
    return bool(select.select([connection.fileno()], [], [], 30)[0])


def test_every_database_is_empty_and_nobody_else_s(postgres_databases: Callable[[], str]) -> None:
    first, second = postgres_databases(), postgres_databases()
    asked(first, "CREATE TABLE mine (id INTEGER)")
    assert asked(first, "SELECT COUNT(*) FROM mine") == 0
    assert asked(second, "SELECT to_regclass('mine')") is None


def test_a_database_goes_though_somebody_is_in_the_middle_of_something(
    postgres_server: str, postgres_databases: Callable[[], str]
) -> None:
    url = postgres_databases()
    with psycopg.connect(url) as left:
        left.execute("CREATE TABLE mine (id INTEGER)")
        drop(postgres_server, url)
        assert ends(left)
        left.close()
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        asked(url, "SELECT 1")


def test_what_was_committed_is_there_after_a_kill_at_the_same_address(running: Server) -> None:
    url = running.url()
    asked(url, "CREATE TABLE kept AS SELECT 1 AS id")
    with psycopg.connect(url) as connection:
        connection.execute("DELETE FROM kept")
        running.kill()
        assert ends(connection)
        connection.close()
    with pytest.raises(psycopg.OperationalError):
        asked(url, "SELECT 1")
    running.start()
    assert asked(url, "SELECT COUNT(*) FROM kept") == 1


def test_a_restart_closes_every_connection(running: Server) -> None:
    with psycopg.connect(running.url()) as connection:
        running.restart()
        assert ends(connection)
        connection.close()
    assert asked(running.url(), "SELECT 1") == 1


def test_a_server_that_does_not_start_says_why(running: Server) -> None:
    running.stop()
    settings = running.home / "data" / "postgresql.conf"
    before = settings.read_text()
    settings.write_text(f"{before}\nnonsense = on\n")
    with pytest.raises(ServerError, match="nonsense"):
        running.start()
    settings.write_text(before)
    running.start()
    assert asked(running.url(), "SELECT 1") == 1


async def test_after_its_block_a_server_has_gone_with_its_data(running: Server) -> None:
    async with server() as made:
        assert asked(made.url(), "SHOW fsync") == "off"
        assert asked(made.url(), "SELECT current_user") == "quizbot"
    assert not made.home.exists()
    with pytest.raises(psycopg.OperationalError):
        asked(made.url(), "SELECT 1")


async def test_a_durable_server_waits_for_the_disk(running: Server) -> None:
    async with server(durable=True) as made:
        assert asked(made.url(), "SHOW fsync") == "on"
        assert asked(made.url(), "SHOW synchronous_commit") == "on"


def test_nobody_gets_in_without_the_password(running: Server) -> None:
    with pytest.raises(psycopg.OperationalError, match="password"):
        asked(running.url().replace(running.password, "guess"), "SELECT 1")


def test_all_who_share_a_folder_share_a_server_and_it_ends_with_the_last(running: Server, tmp_path: Path) -> None:
    with shared(tmp_path) as first:
        with shared(tmp_path) as second:
            assert second == first
        assert asked(first, "SELECT 1") == 1
    with pytest.raises(psycopg.OperationalError):
        asked(first, "SELECT 1")
    with shared(tmp_path) as another:
        assert another != first
        assert asked(another, "SELECT 1") == 1


def test_a_server_does_not_outlive_a_program_that_was_killed(running: Server) -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout
        url = program.stdout.readline().decode().strip()
        with psycopg.connect(url) as connection:
            program.send_signal(signal.SIGKILL)
            assert ends(connection)
            connection.close()


def test_without_a_server_a_test_is_skipped_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no PostgreSQL to test with \(it is Tuesday\)"):
        without("it is Tuesday")


def test_without_a_server_a_test_fails_where_everything_has_to_be_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"it is Tuesday.*QUIZBOT_TEST_POSTGRES_URL"):
        without("it is Tuesday")


def test_the_address_of_another_database_differs_in_its_name_alone() -> None:
    assert at("postgresql://u:p@h:1/one?a=b", "two") == "postgresql://u:p@h:1/two?a=b"
