"""Quiz files for tests: short ways to write one, load it and say what was found. Knows no rule of a quiz."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

from bot.content import Loaded, Severity, load_file

HEAD = "title: T\nlanguages: [en]\nquestions:\n"
"""Three lines; what a test adds starts at 4:1."""

BILINGUAL = "title: T\nlanguages: [en, bg]\nquestions:\n"

GOOD = "- {id: good, stem: S, options: [{text: a, right: true}, {text: b, note: n}], explanation: e}\n"
"""A question without a problem, on one line."""

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)


def load(folder: Path, written: str | bytes, name: str = "quiz.yaml") -> Loaded:
    """What comes of a file with this content."""
    path = folder / name
    path.write_bytes(written.encode() if isinstance(written, str) else written)
    return load_file(path)


def said(loaded: Loaded, severity: Severity | None = None) -> list[str]:
    """The problems as `line:column: message`, of one severity or of both."""
    wanted = [problem for problem in loaded.problems if severity in (None, problem.severity)]
    return [f"{problem.line}:{problem.column}: {problem.message}" for problem in wanted]


def assert_said(loaded: Loaded, severity: Severity, *starts: str) -> None:
    """That these problems were found, each given by its place and the start of its message, and no others."""
    found = said(loaded, severity)
    beginnings = [message[: len(start)] for message, start in zip_longest(found, starts, fillvalue="")]
    assert beginnings == list(starts), "\n".join(found)
