"""A PostgreSQL for the tests that ask for one: an empty database each, on one server for the whole run. Until the first
of them asks, nothing is started and nothing loaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

OTHER_SERVER = "QUIZBOT_TEST_POSTGRES_URL"
"""Names a database of another server to use instead; its user has to be allowed to create databases."""


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a database on the run's server, from which others are made."""
    if url := os.environ.get(OTHER_SERVER):
        yield url
        return
    own = tmp_path_factory.getbasetemp()
    with _started(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) as url:
        yield url


@contextmanager
def _started(folder: Path) -> Iterator[str]:
    """The server of all processes that share this folder; without one the test is skipped, and in CI it fails."""
    try:
        from tests.postgres.server import ServerError
        from tests.postgres.sharing import shared
    except ImportError as error:  # Windows has no such locks, and psycopg may be left out
        without(str(error))
    with ExitStack() as stack:
        try:
            url = stack.enter_context(shared(folder))
        except ServerError as error:
            without(str(error))
        yield url


def without(reason: str) -> NoReturn:
    """Skip the test, saying why; where CI is set nothing may be left untested, and it fails."""
    problem = f"no PostgreSQL to test with ({reason}); {OTHER_SERVER} names another"
    if os.environ.get("CI", "").lower() in ("", "0", "false"):
        pytest.skip(problem)
    pytest.fail(problem)


@pytest.fixture
def postgres_databases(postgres_server: str) -> Iterator[Callable[[], str]]:
    """Makes an empty database of this test's own at every call: its address."""
    from tests.postgres.databases import create, drop

    made: list[str] = []

    def another() -> str:
        made.append(create(postgres_server))
        return made[-1]

    yield another
    for url in made:
        drop(postgres_server, url)


@pytest.fixture
def postgres_url(postgres_databases: Callable[[], str]) -> str:
    """The address of an empty database of this test's own."""
    return postgres_databases()
