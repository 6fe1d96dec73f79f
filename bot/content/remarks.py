"""What a check says of a value, by the way to that value. Knows nothing of files, lines and columns."""

from __future__ import annotations

from dataclasses import dataclass

Step = str | int
Loc = tuple[Step, ...]
"""The way to a value from the root of the file: keys and list indexes."""


@dataclass(frozen=True, slots=True)
class Remark:
    """`message` is about the value at `loc`, or with `at_key` about the key that leads to it.

    `misread` means that it is not of the kind that belongs there, which goes without saying where YAML has spoilt it.
    """

    loc: Loc
    message: str
    at_key: bool = False
    misread: bool = False
