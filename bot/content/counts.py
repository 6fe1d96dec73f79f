"""Whether the lists of a quiz have as many entries as they may, sound or not. Knows nothing of what entries hold."""

from __future__ import annotations

from collections.abc import Iterator

from bot.content.model import COUNTS
from bot.content.remarks import Loc, Remark
from bot.content.tree import Node

MOST_READ = 100
"""Of a list that is too long: enough for whoever wrote a few too many, and little work with a hostile file."""

_ONE = {
    "questions": "question",
    "options": "option",
    "languages": "language",
    "topics": "topic",
    "sources": "source",
}


def counted(node: Node, keys: tuple[str, ...], way: Loc = ()) -> Iterator[Remark]:
    """Which lists under these `keys` of a mapping are too short or too long; what is far too long is cut."""
    for key in keys:
        value = node.content.get(key) if isinstance(node.content, dict) else None
        if value and isinstance(value.content, list):
            yield from _count((*way, key), key, len(value.content))
            del value.content[max(COUNTS[key].most, MOST_READ) :]


def _count(loc: Loc, key: str, count: int) -> Iterator[Remark]:
    found = f"{count:,} {_ONE[key] if count == 1 else key}"
    if count < COUNTS[key].fewest:
        yield Remark(loc, f"{found}; at least {COUNTS[key].fewest} must be there: add what is missing")
    if count > COUNTS[key].most:
        limit = f"at most {COUNTS[key].most:,} are possible, which is Quizbot's own limit"
        yield Remark(loc, f"{found}; {limit}: remove or split")
