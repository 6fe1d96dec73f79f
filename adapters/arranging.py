"""How the blocks and buttons of a card stand to each other in a chat, whatever its markup. Adds no word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bot.messages import Block, Role

Item = TypeVar("Item")

_TOGETHER = frozenset(
    {
        (Role.TITLE, Role.REMARK),
        (Role.PROGRESS, Role.REMARK),
        (Role.VERDICT, Role.LINE),
        (Role.VERDICT, Role.NOTE),
        (Role.LINE, Role.NOTE),
    }
)
"""Kinds that follow each other without a blank line."""


def belongs(before: Block, block: Block) -> bool:
    """Whether the two stand together, without a blank line: what is listed, and what follows from each other."""
    if before.role is block.role:
        return bool(before.lead) == bool(block.lead)
    return (before.role, block.role) in _TOGETHER


def punctuated(block: Block) -> str:
    """The lead of a block as it stands before the text: "A.", "B:", "/help", "•"."""
    if not block.lead or block.lead.startswith(("/", "•")):
        return block.lead
    return f"{block.lead}:" if block.role is Role.NOTE else f"{block.lead.rstrip('.')}."


def split(row: Sequence[Item], most: int) -> list[Sequence[Item]]:
    """The row in as few rows of at most `most` as it takes, about equally long."""
    count = max(-(-len(row) // most), 1)
    width = max(-(-len(row) // count), 1)
    return [row[start : start + width] for start in range(0, len(row), width)]
