"""Blocks as plain text. Knows no terminal and no wording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.core.quiz import NEUTRAL, Image
from bot.messages import Block, Role

APART = frozenset({Role.TITLE, Role.PROGRESS})
"""A blank line comes before these."""


def paragraphs(blocks: Sequence[Block], image: Image | None) -> Iterator[str]:
    """The lines of these blocks, a picture in words after the stem."""
    for block in blocks:
        if block.role in APART:
            yield ""
        yield text(block)
        if image and block.role is Role.STEM:
            yield picture(image)


def text(block: Block) -> str:
    """The block with what comes before and after it."""
    return f"{lead(block)}{body(block)}{tail(block)}"


def lead(block: Block) -> str:
    """What comes before the text: "A. ", "1. ", with a note "A: ", "• ", or nothing."""
    if not block.lead:
        return ""
    if not block.lead.rstrip(".")[-1:].isalnum():
        return f"{block.lead} "
    return f"{block.lead}: " if block.role is Role.NOTE else f"{block.lead.rstrip('.')}. "


def body(block: Block) -> str:
    """The text, with its address unless it is the address."""
    if not block.url or block.text == block.url:
        return block.text
    bare = block.url.partition("://")[2]
    return block.url if block.text == bare else f"{block.text}: {block.url}"


def tail(block: Block) -> str:
    """What comes after the text."""
    return f" — {block.tail}" if block.tail else ""


def picture(image: Image) -> str:
    """A picture as text: what it shows, and its file."""
    return f"[{image.alt[NEUTRAL]} ({image.path})]"
