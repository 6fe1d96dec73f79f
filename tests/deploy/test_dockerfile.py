"""The image: it has what the program needs, nothing that is secret, and runs without root."""

from __future__ import annotations

import json
import re
import sys
from asyncio import create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.watch.server import watched
from bot import forms
from bot.settings import VARIABLES, Settings
from bot.vitals import STUCK, Vitals
from tests.deploy.dockerfile import Dockerfile, let_in
from tests.deploy.reading import PROJECT, ROOT, faults

IMAGE = Dockerfile()
PACKAGES = ("bot", "adapters", "content")
SECRETS = [
    "deploy/quizbot.env",
    "quizbot.env",
    "bot/quizbot.env",
    ".env",
    "bot/.env",
    "bot/.secret",
    "quizbot.sqlite3",
    "content/quizbot.sqlite3-wal",
    ".git/config",
    "bot/__pycache__/cli.cpython-311.pyc",
    "tests/deploy/reading.py",
    ".venv/bin/python",
]


def shipped() -> list[Path]:
    """Every file that belongs to the packages."""
    found = (path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file())
    return [path.relative_to(ROOT) for path in found if let_in(path.relative_to(ROOT).as_posix())]


@pytest.mark.parametrize("source", IMAGE.sources)
def test_what_is_copied_into_the_image_is_there_and_let_in(source: str) -> None:
    path = ROOT / source
    assert path.exists()
    assert let_in(source)
    assert path.is_file() or any(path.relative_to(ROOT) in each.parents for each in shipped())


@pytest.mark.parametrize("path", SECRETS)
def test_what_is_secret_or_useless_stays_out_of_the_image(path: str) -> None:
    assert not let_in(path)


def test_the_build_has_everything_that_the_project_names() -> None:
    named = {PROJECT["project"]["readme"], *PROJECT["project"]["license-files"], "pyproject.toml", *PACKAGES}
    assert named <= set(IMAGE.sources)
    assert {each.rstrip("*") for each in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]} == set(PACKAGES)


def test_every_file_of_the_packages_is_installed() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    left_out = [
        path.as_posix()
        for path in shipped()
        if path.suffix != ".py"
        and not any(path.match(f"{package.replace('.', '/')}/{each}") for package in data for each in data[package])
    ]
    assert not left_out


def test_what_is_installed_is_in_the_lock() -> None:
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"]]
    wanted += [each for extra in PROJECT["project"]["optional-dependencies"].values() for each in extra]
    locked = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE))
    named = {re.split(r"[\[<>=~! ]", each)[0].lower().replace(".", "-") for each in wanted}
    assert named <= locked


def test_all_that_is_installed_is_held_against_a_hash() -> None:
    installs = [each for each in IMAGE.all("RUN") if '"install"' in each and "pip" in each]
    assert all(
        "--require-hashes" in each or ("--no-deps" in each and "--no-build-isolation" in each) for each in installs
    )
    assert len(installs) == 2


def test_both_stages_are_the_same_python_one_that_the_program_runs_on() -> None:
    assert {each.removesuffix(" AS build") for each in IMAGE.all("FROM")} == {"python:${PYTHON}"}
    tag = re.fullmatch(r"PYTHON=(\d+)\.(\d+)-slim-\w+", IMAGE.last("ARG"))
    assert tag, "name the version and the distribution: another one is another system"
    least = PROJECT["project"]["requires-python"].removeprefix(">=").split(".")
    assert (int(tag[1]), int(tag[2])) >= (int(least[0]), int(least[1]))


def test_it_runs_without_root_as_a_user_whose_number_never_changes() -> None:
    assert IMAGE.user > 0
    (made,) = (each for each in IMAGE.all("RUN") if "useradd" in each)
    assert f"--uid {IMAGE.user} " in made
    assert f"--gid {IMAGE.user} " in made


def test_it_writes_to_its_own_folder_and_to_tmp_alone() -> None:
    home = IMAGE.last("WORKDIR")
    (made,) = (each for each in IMAGE.all("RUN") if "useradd" in each)
    assert re.search(rf"install --directory --owner=quizbot --group=quizbot --mode=0700 {home}$", made)
    assert IMAGE.environment["QUIZBOT_DATABASE_URL"].startswith(f"sqlite:///{home}/")
    assert IMAGE.environment["MPLCONFIGDIR"].startswith("/tmp/")  # noqa: S108  # of the container
    assert IMAGE.environment["PYTHONDONTWRITEBYTECODE"] == "1"


def test_its_settings_exist_and_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {name: value for name, value in IMAGE.environment.items() if name.startswith("QUIZBOT_")}
    assert named.keys() <= VARIABLES.keys()
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    assert Settings().health_listen == IMAGE.environment["QUIZBOT_HEALTH_LISTEN"]


def test_it_starts_the_bot_and_hears_when_it_has_to_stop() -> None:
    begin, *rest = json.loads(IMAGE.last("ENTRYPOINT"))
    assert begin == "quizbot"
    assert not list(faults([*rest, *json.loads(IMAGE.last("CMD"))]))
    assert IMAGE.last("STOPSIGNAL") == "SIGTERM"


def test_the_ports_are_those_that_are_listened_at() -> None:
    assert forms.place(IMAGE.environment["QUIZBOT_HEALTH_LISTEN"])[1] in IMAGE.ports
    assert f", {forms.place(IMAGE.environment['QUIZBOT_HEALTH_LISTEN'])[1]}, " in IMAGE.health[-1]


@asynccontextmanager
async def health_of(vitals: Vitals) -> AsyncIterator[list[str]]:
    """The command of the health check, asking a process with these vitals."""

    async def nothing() -> None:
        """No figures are looked at."""

    async with watched("127.0.0.1:0", vitals, nothing) as watch:
        _, option, script = IMAGE.health
        yield [option, script.replace(", 8090, ", f", {watch.port}, ")]


@pytest.mark.parametrize(("silence", "code"), [(0.0, 0), (STUCK + 1, 1)], ids=["well", "stuck"])
async def test_the_health_check_says_whether_the_process_is_well(silence: float, code: int) -> None:
    time = iter((0.0,))
    async with health_of(Vitals(lambda: next(time, silence))) as arguments:
        process = await create_subprocess_exec(sys.executable, *arguments)
        assert await process.wait() == code
