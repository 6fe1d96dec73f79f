"""What is wrong in a quiz file, where, and what to do about it. Knows nothing of YAML or of quizzes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

LONGEST_QUOTE = 40
"""Characters of an author's text that a message repeats; the place leads to the rest."""


class Severity(Enum):
    """An error keeps the quiz from being loaded; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend. `line` and `column` count from 1, the column in characters."""

    path: Path
    line: int
    column: int
    severity: Severity
    message: str

    def __str__(self) -> str:
        """As compilers write it, so that editors can jump to the place."""
        return f"{self.path}:{self.line}:{self.column}: {self.severity.value}: {self.message}"


def quoted(text: str) -> str:
    """`text` as a message may repeat it: on one line, not too long, nothing invisible in it."""
    head = text[:LONGEST_QUOTE]
    shown = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in head)
    return f"'{shown}…'" if len(text) > LONGEST_QUOTE else f"'{shown}'"
