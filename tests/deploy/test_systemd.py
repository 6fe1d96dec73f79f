"""The systemd units: they start what exists, agree with the image, and leave the bot what it needs and no more."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.watch.server import FAREWELL
from bot import forms
from bot.running import DRAIN
from bot.serving import UNSET
from bot.settings import VARIABLES
from tests.deploy.dockerfile import Dockerfile
from tests.deploy.reading import DEPLOY, assignments, faults, seconds, unit

SERVICE = unit(DEPLOY / "quizbot.service")
BACKUP = unit(DEPLOY / "quizbot-backup.service")
IMAGE = Dockerfile()
UNITS = ("quizbot.service", "quizbot-backup.service", "quizbot-backup.timer")
NEWER = re.compile(r"Unknown key( name)? '(RestartSteps|RestartMaxDelaySec)' in section")
"""What systemd before 254 says of settings that it passes over."""


def variables(found: dict[str, list[str]]) -> dict[str, str]:
    return dict(each.split("=", 1) for each in found["Environment"])


def test_it_starts_the_bot_without_root() -> None:
    (line,) = SERVICE["ExecStart"]
    program, *arguments = shlex.split(line)
    assert Path(program).name == "quizbot"
    assert not list(faults(arguments))
    assert SERVICE["User"] == ["quizbot"]


def test_every_night_it_makes_a_backup_and_ends_those_that_are_old() -> None:
    (line,) = BACKUP["ExecStart"]
    command = re.search(r'exec (\S+) (.+)"\'$', line)
    assert command
    assert command[1] == shlex.split(SERVICE["ExecStart"][0])[0]
    (file,) = re.findall(r'"(.+)', command[2])
    assert not list(faults([command[2].split()[0], file]))
    folder, name = file.split("/quizbot-")
    assert folder in BACKUP["ReadWritePaths"][0].split()
    (end,) = BACKUP["ExecStartPost"]
    assert f"{folder} -name" in end
    assert Path(f"quizbot-{name}").match(shlex.split(end)[shlex.split(end).index("-name") + 1])


def test_both_work_on_the_same_database_with_the_same_settings() -> None:
    assert SERVICE["EnvironmentFile"] == BACKUP["EnvironmentFile"]
    assert SERVICE["User"] == BACKUP["User"]
    assert variables(SERVICE)["QUIZBOT_DATABASE_URL"] == variables(BACKUP)["QUIZBOT_DATABASE_URL"]


def test_its_settings_exist_and_are_those_of_the_image_and_of_the_example() -> None:
    there = variables(SERVICE)
    assert {name for name in there if name.startswith("QUIZBOT_")} <= VARIABLES.keys()
    assert there["QUIZBOT_DATABASE_URL"] == IMAGE.environment["QUIZBOT_DATABASE_URL"]
    assert there["QUIZBOT_DATABASE_URL"] == assignments(DEPLOY / "quizbot.env.example")["QUIZBOT_DATABASE_URL"]
    assert forms.place(there["QUIZBOT_HEALTH_LISTEN"])[1] in IMAGE.ports
    assert there["MPLCONFIGDIR"] == IMAGE.environment["MPLCONFIGDIR"]


def test_the_database_is_where_it_may_write() -> None:
    (name,) = SERVICE["StateDirectory"]
    assert variables(SERVICE)["QUIZBOT_DATABASE_URL"].startswith(f"sqlite:////var/lib/{name}/")
    assert SERVICE["ProtectSystem"] == ["strict"]
    assert SERVICE["PrivateTmp"] == ["yes"]


def test_it_starts_again_but_not_with_settings_that_cannot_be_used() -> None:
    assert SERVICE["Restart"] == ["on-failure"]
    assert SERVICE["RestartPreventExitStatus"] == [str(UNSET)]
    assert SERVICE["StartLimitIntervalSec"] == ["0"]


def test_it_has_time_to_stop_in_order() -> None:
    assert seconds(SERVICE["TimeoutStopSec"][0]) >= 2 * (DRAIN + FAREWELL)


@pytest.mark.parametrize("name", UNITS)
def test_no_key_stands_twice_unless_it_is_a_list(name: str) -> None:
    lists = {"Environment", "SystemCallFilter"}
    assert {key for key, values in unit(DEPLOY / name).items() if len(values) > 1} <= lists


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_finds_nothing_wrong_with_them(tmp_path: Path) -> None:
    for name in UNITS:
        text = (DEPLOY / name).read_text("utf-8").replace("/opt/quizbot/bin/quizbot", sys.executable)
        # The user is made by whoever installs it.
        (tmp_path / name).write_text(re.sub(r"^(User|Group)=.*\n", "", text, flags=re.MULTILINE), "utf-8")
    command = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in UNITS)]
    done = subprocess.run(command, capture_output=True, check=False)
    said = [line for line in done.stderr.decode().splitlines() if str(tmp_path) in line or "quizbot" in line]
    assert not [line for line in said if not NEWER.search(line)]
