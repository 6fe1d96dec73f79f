"""The pages keep their word: the diagram is what the rules do, and every file and command they name exists."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from bot.core.events import Press, Signal, Started, Steering
from bot.core.session import Ending, Phase

ROOT = Path(__file__).parents[1]
DESIGN = (ROOT / "docs" / "design.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGES = pytest.mark.parametrize("page", [DESIGN, CONTRIBUTING], ids=["design", "contributing"])
EVENTS = (Started, *get_args(Steering), *get_args(Press), *get_args(Signal))


@cache
def drawn() -> str:
    script = ROOT / "docs" / "state_diagram.py"
    return subprocess.run([sys.executable, script], cwd=ROOT, capture_output=True, check=True).stdout.decode()


def test_the_state_diagram_is_what_the_rules_do() -> None:
    assert drawn() in DESIGN, "run: python docs/state_diagram.py --write"


@pytest.mark.parametrize("name", [*Phase, *(f"({ending})" for ending in Ending), *(event.__name__ for event in EVENTS)])
def test_the_state_diagram_leaves_out_no_phase_no_ending_and_no_event(name: str) -> None:
    assert name in re.split(r"[ :,\n]+", drawn())


@PAGES
def test_every_file_that_a_page_names_exists(page: str) -> None:
    named = re.findall(r"\b(?:bot|adapters|content|deploy|docs|tests)/[\w./-]*\w", page)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_file_in_the_table_of_the_rules_exists() -> None:
    row = next(line for line in DESIGN.splitlines() if "`bot/core/`:" in line)
    assert [name for name in re.findall(r"`(\w+\.py)`", row) if not (ROOT / "bot" / "core" / name).exists()] == []


@PAGES
def test_every_make_target_that_a_page_names_exists(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", page, re.MULTILINE)) <= targets
