"""What can be wrong before anything is served, as findings: settings, database, quizzes. Knows no platform and no
driver; a platform adds findings of its own, in the same form."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from bot.offering import offered
from bot.ports import StoreError

IN_MEMORY = ":memory:"
ANOTHER = "another Quizbot is using"
"""How a store says that its database is held by a process; that of a bot which runs is."""


class Severity(Enum):
    """What a finding means: its symbol and its word."""

    OK = ("✓", "ok")
    WARNING = ("!", "warning")
    PROBLEM = ("✗", "problem")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `said`: how it is, in a line; `advice`: what to do about it, unless it is fine."""

    severity: Severity
    said: str
    advice: str = ""

    def __str__(self) -> str:
        symbol, word = self.severity.value
        head = f"{symbol} {word:<7}  "
        return f"{head}{self.said}" + (f"\n{' ' * len(head)}→ {self.advice}" if self.advice else "")


def ok(said: str) -> Finding:
    """It is as it should be."""
    return Finding(Severity.OK, said)


def warning(said: str, advice: str) -> Finding:
    """It may be meant so."""
    return Finding(Severity.WARNING, said, advice)


def problem(said: str, advice: str = "") -> Finding:
    """It does not work so; `advice` may be absent only where `said` has it."""
    return Finding(Severity.PROBLEM, said, advice)


def settings_refused(problems: Iterable[str]) -> Iterable[Finding]:
    """Settings that cannot be used, as `bot.settings` says it, each with its remedy."""
    return [problem(f"Settings: {each}") for each in problems]


def settings_used(suspicions: Sequence[str]) -> Iterable[Finding]:
    """The settings can be read; `suspicions` are variables that look like a setting that was meant."""
    yield ok("Settings: can be read")
    for suspicion in suspicions:
        yield warning(f"Settings: {suspicion}", "Write its name as it is meant, or remove it.")


def content(folder: Path) -> Iterable[Finding]:
    """What can be played, and what is left out."""
    offer = offered(folder)
    if offer.quizzes:
        yield ok(f"Content: {offer.summary}")
    for path in offer.broken:
        yield problem(f"Content: {path.name} cannot be used and is left out", f"See: quizbot check {path}")
    if not offer.quizzes:
        yield problem(
            f"Content: no quiz in {folder} can be played", "Set QUIZBOT_CONTENT_DIR to a folder with quiz files."
        )


async def database(path: str, attempt: Callable[[str], Awaitable[None]]) -> Finding:
    """Whether the file can be used. `attempt` opens one that exists, as serving would, and changes nothing in it; it
    raises StoreError."""
    absent = _not_there(path)
    if absent:
        return absent
    try:
        await attempt(path)
    except StoreError as error:
        return refused(path, str(error))
    return ok(f"Database: {path} can be written to")


def refused(path: str, said: str) -> Finding:
    """What a store said of the database that it could not open."""
    if said.startswith(ANOTHER):
        in_use, _, remedy = said.partition(": ")
        return warning(f"Database: {in_use}", f"That is right while your bot runs. Else {remedy}.")
    what, _, remedy = said.removeprefix(f"database {path}: ").partition(": ")
    return problem(f"Database: {path}: {what}", f"{remedy or 'mend it, or set QUIZBOT_DATABASE_URL to another'}.")


def _not_there(path: str) -> Finding | None:
    if path == IN_MEMORY:
        return warning("Database: in memory, so nothing is kept", "Set QUIZBOT_DATABASE_URL to a file.")
    return None if Path(path).exists() else _to_be_made(Path(path))


def _to_be_made(path: Path) -> Finding:
    """The nearest folder that exists decides; nothing is made yet."""
    folder = next(each for each in path.resolve().parents if each.exists())
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return ok(f"Database: {path} will be made at the first start")
    return problem(
        f"Database: {path} cannot be made, because {folder} cannot be written to",
        "Make that folder writable, or set QUIZBOT_DATABASE_URL to a file elsewhere.",
    )
