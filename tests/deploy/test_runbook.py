"""The runbook keeps its word: its commands, settings, files and sections exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from bot.settings import FILE_VARIABLE, VARIABLES
from tests.deploy.reading import DEPLOY, ROOT, assignments, faults

PAGE = (DEPLOY / "RUNBOOK.md").read_text("utf-8")
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(DEPLOY.rglob("*")) if path.is_file()
}
PROGRAM = re.compile(r"(?:^|bin/)quizbot ((?:--|[a-z])(?:(?!\"\$@\")[^#])*)(?:#.*)?$")
"""A call of the program, at the beginning of a line or by its path."""


def commands(text: str) -> set[str]:
    """What is said to `quizbot` in the blocks of code, and alone between backticks."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    spans = re.findall(r"`(quizbot [^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    lines = [line for block in blocks for line in block.splitlines()]
    return {found[1].strip() for line in [*lines, *spans] for found in [PROGRAM.search(line)] if found}


def sections(text: str) -> set[str]:
    """Where links into a page can lead."""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_there_are_commands() -> None:
    assert {"doctor", "backup", "restore", "db"} <= {each.split()[0] for each in commands(PAGE)}


@pytest.mark.parametrize("command", sorted(commands(PAGE)))
def test_a_command_exists_and_takes_what_it_is_given(command: str) -> None:
    assert not list(faults(shlex.split(command)))


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)]+)\)", PAGE))))
def test_a_link_leads_somewhere(link: str) -> None:
    path, _, section = link.partition("#")
    target = DEPLOY / path if path else DEPLOY / "RUNBOOK.md"
    assert target.is_file()
    assert not section or section in sections(target.read_text("utf-8"))


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\bdeploy/[\w./-]*\w", PAGE))))
def test_a_file_that_is_named_exists_or_is_made_from_an_example(path: str) -> None:
    made = {"deploy/backups", "deploy/kubernetes/secret.yaml"}
    assert (ROOT / path).exists() or (ROOT / f"{path}.example").exists() or path in made


@pytest.mark.parametrize("name", TEXTS)
def test_every_setting_that_is_named_exists(name: str) -> None:
    elsewhere = {"QUIZBOT_PORT", "QUIZBOT_"}  # what Kubernetes would set
    assert set(re.findall(r"QUIZBOT_[A-Z_]*", TEXTS[name])) <= {FILE_VARIABLE, *VARIABLES} | elsewhere


@pytest.mark.parametrize("name", TEXTS)
def test_no_file_knows_the_machine_that_it_was_written_on(name: str) -> None:
    assert not re.search(r"/work/|/root/|/home/|/Users/", TEXTS[name])


def test_the_places_that_the_runbook_makes_are_those_of_the_units() -> None:
    unit = TEXTS["deploy/quizbot.service"] + TEXTS["deploy/quizbot-backup.service"]
    for place in ("/etc/quizbot/quizbot.env", "/opt/quizbot", "/var/lib/quizbot", "/var/backups/quizbot"):
        assert place in PAGE
        assert place in unit


def test_examples_of_settings_are_commented_where_they_would_do_harm() -> None:
    for name in ("quizbot.env.example", "litestream.env.example"):
        secret = {key for key in assignments(DEPLOY / name) if re.search("TOKEN|SECRET|KEY", key)}
        assert secret
        assert not [key for key in secret if re.search(rf"^{key}=", TEXTS[f"deploy/{name}"], re.MULTILINE)]


def test_the_readme_leads_to_the_runbook() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    section = readme.split("\n## Operating\n", 1)[1].split("\n## ", 1)[0]
    assert "(deploy/RUNBOOK.md)" in section
    assert all((ROOT / Path(link)).exists() for link in re.findall(r"\]\(([^)#]+)\)", section))
