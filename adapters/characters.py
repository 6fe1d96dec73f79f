"""Which characters of a text no chat platform should be given. Knows no markup, no card and no limit."""

from __future__ import annotations

import re

from bot.words import END_OF_ISOLATE, ISOLATE

JOINER = "\u2060"
"""Shows nothing, and parts what a platform would read as one."""

_UNSENT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")
_ISOLATED = re.compile(f"{ISOLATE}[^\u2066-\u2069\n]*{END_OF_ISOLATE}")
_DIRECTIONS = re.compile("[\u2066-\u2069]")


def clean(text: str) -> str:
    """Without what platforms do not take or drop, so that what is measured is what arrives; no direction that a line
    sets outlasts it."""
    lines = _UNSENT.sub("", text.replace("\t", " ")).split("\n")
    return "\n".join(line if _is_closed(line) else _DIRECTIONS.sub("", line) for line in lines)


def _is_closed(line: str) -> bool:
    return not _DIRECTIONS.search(_ISOLATED.sub("", line))
