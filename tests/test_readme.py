"""The README keeps its word: its transcript is what the program says, and its commands and settings exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.settings import FILE_VARIABLE, VARIABLES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"```console\n\$ (.+)\n((?:.*\n)*?)```", README)


def quizbot(line: str, folder: Path) -> str:
    """What a shell line that uses `quizbot` prints, with a data folder and a locale of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUIZBOT_")}
    environment |= {"QUIZBOT_DATABASE_URL": f"sqlite:///{folder}/readme.sqlite3", "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
    line = line.replace("quizbot", f"{sys.executable} -m bot")
    done = subprocess.run(["/bin/sh", "-c", line], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_there_is_a_transcript() -> None:
    assert TRANSCRIPTS


@pytest.mark.parametrize(("line", "said"), TRANSCRIPTS)
def test_a_transcript_is_what_the_program_says(line: str, said: str, tmp_path: Path) -> None:
    printed = [each.rstrip() for each in quizbot(line, tmp_path).strip().splitlines()]
    for part in re.split(r"^\[…\]\n", said, flags=re.MULTILINE):
        shown = [each.rstrip() for each in part.strip().splitlines()]
        assert any(printed[at : at + len(shown)] == shown for at in range(len(printed))), "\n".join(printed)


@pytest.mark.parametrize("command", re.findall(r"^\| `quizbot (\w+)", README, re.MULTILINE))
def test_a_command_of_the_table_exists(command: str, tmp_path: Path) -> None:
    assert command in quizbot(f"quizbot {command} --help", tmp_path)


def test_the_table_lists_every_setting_and_no_other() -> None:
    assert re.findall(r"^\| `(QUIZBOT_\w+)` \|", README, re.MULTILINE) == list(VARIABLES)


def test_every_setting_that_is_named_exists() -> None:
    assert set(re.findall(r"QUIZBOT_\w+", README)) <= {FILE_VARIABLE, *VARIABLES}


def test_the_two_commands_come_first() -> None:
    block = README.split("```sh\n", 1)[1].split("```", 1)[0]
    assert [line.split("#")[0].strip() for line in block.strip().splitlines()] == ["make play", "make test"]
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^play:.*\n", targets, re.MULTILINE)
    assert re.search(r"^test:.*\n", targets, re.MULTILINE)
