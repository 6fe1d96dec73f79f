"""Looks for what nobody but its owner may have: tokens, keys, passwords. Never repeats what it finds.

Only shapes that matter here are looked for, so that whatever is found is worth reading. What is made up for a test is
allowed by its value, never by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LARGEST = 4 * 1024 * 1024
"""Bytes; what is larger is no text that somebody wrote."""

SHAPES = {
    "the token of a Telegram bot": re.compile(r"(?<!\d)\d{6,12}:[A-Za-z0-9_-]{30,}"),
    "the token of a Discord bot": re.compile(
        r"(?<![\w.-])[A-Za-z0-9_-]{18,30}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{25,}"
    ),
    "the address of a Discord webhook": re.compile(r"discord(?:app)?\.com/api/webhooks/\d+/[\w-]{30,}"),
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY"),
    "a password in an address": re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@'\"<>{}$]*:(?P<value>[^\s/@'\"<>{}$]+)@"),
    "a key of AWS": re.compile(r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])"),
    "a token of a code host or a package index": re.compile(r"\b(?:gh[pousr]_|github_pat_|glpat-|pypi-AgE)[\w-]{16,}"),
    "a secret that is set": re.compile(
        r"^[ \t]*(?:export |- )?\w*(?:TOKEN|SECRET|PASSWORD)[ \t]*[=:][ \t]*['\"]?"
        r"(?P<value>[A-Za-z0-9_+/=-]{16,})['\"]?[ \t]*$",
        re.MULTILINE,
    ),
}

MADE_UP = {
    "123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOpp": "what a webhook's secret is made of in a test",
    "700000001:opens-the-server-of-the-tests-alone": "what the Bot API server of the tests takes",
    "hunter2": "the oldest joke about passwords",
    "my-secret": "says that it is none",
    "p": "says that it is none",
    "pass": "says that it is none",
    "password": "says that it is none",
    "pw": "says that it is none",
    "secret": "says that it is none",
    "replace-with-a-long-random-password": "says that it is none",
}
"""Values that open nothing, with the reason."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something that has the shape of a secret, in `path`, relative to the root."""

    path: Path
    line: int
    shape: str

    def __str__(self) -> str:
        return (
            f"{self.path.as_posix()}:{self.line}: {self.shape}: take it out and have it replaced where it is valid; "
            "if it is made up, add its value to tests/hygiene/secrets.py"
        )


def secrets(root: Path, files: Iterable[Path]) -> Iterator[Found]:
    """What looks like a secret in these files below `root`. Pictures and the like have no text and are passed over."""
    for path in files:
        text = _text(path)
        for line, shape in secrets_in(text):
            yield Found(path.relative_to(root), line, shape)


def secrets_in(text: str) -> Iterator[tuple[int, str]]:
    """Line and shape of each in a text."""
    for shape, pattern in SHAPES.items():
        for found in pattern.finditer(text):
            if _value(found) not in MADE_UP:
                yield text.count("\n", 0, found.start()) + 1, shape


def _value(found: re.Match[str]) -> str:
    return found.groupdict().get("value") or found[0]


def _text(path: Path) -> str:
    if path.stat().st_size > LARGEST:
        return ""
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8", "replace")
