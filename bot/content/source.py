"""A quiz file's bytes as text, with the line and column of every character. Knows nothing of YAML."""

from __future__ import annotations

import codecs
import re
import stat
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bot.content.characters import NOT_IN_A_FILE, named
from bot.content.problems import Problem, Severity

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes of one quiz file. The limit is ours: a file of this size already loads for seconds."""

_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Fault:
    """What keeps a file from being read. `index` counts characters of the text from 0; `spoilt` is where the text
    starts that cannot be relied on because of it, if there is one."""

    index: int
    message: str
    spoilt: int | None = None


@dataclass(frozen=True)
class Source:
    """The text of the file at `path`, without a byte order mark."""

    path: Path
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]

    def place(self, index: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character with this index."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def problem(self, index: int, severity: Severity, message: str) -> Problem:
        """A problem at the character with this index."""
        return Problem(self.path, *self.place(index), severity, message)


def read_source(path: Path) -> tuple[Source, tuple[Fault, ...]]:
    """The file's text, or as much of it as leads to the faults. Never raises for a file that cannot be read."""
    try:
        data = _read(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Source(path, ""), (Fault(0, f"the file cannot be read ({reason}); check its name and its permissions"),)
    if isinstance(data, Fault):
        return Source(path, ""), (data,)
    return _decoded(path, data.removeprefix(codecs.BOM_UTF8))


def _read(path: Path) -> bytes | Fault:
    # Asked before opening: opening a named pipe would wait for ever.
    if not stat.S_ISREG(path.stat().st_mode):
        return Fault(0, "this is not a regular file; a quiz is one text file")
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        return Fault(
            0, "the file is larger than 4 MiB, which is Quizbot's own limit; split the quiz into several files"
        )
    return data


def _decoded(path: Path, data: bytes) -> tuple[Source, tuple[Fault, ...]]:
    try:
        source = Source(path, data.decode())
    except UnicodeDecodeError as error:
        source = Source(path, data[: error.start].decode())
        what = f"the byte 0x{data[error.start]:02X} is not UTF-8; save the file in the encoding UTF-8"
        return source, (Fault(len(source.text), what),)
    controls = NOT_IN_A_FILE.finditer(source.text)
    return source, tuple(Fault(found.start(), f"{named(found[0])} in the file; delete it") for found in controls)
