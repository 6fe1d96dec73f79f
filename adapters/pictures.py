"""A card's picture: its file, and its words for where it cannot be shown. Knows no platform and no message."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

from bot.content.pictures import picture_fault
from bot.core.quiz import NEUTRAL, Image
from bot.messages import Block, Card, Role

log = logging.getLogger(__name__)


def described(card: Card) -> Card:
    """The card with its picture in words, for where the picture cannot be shown."""
    if card.image is None:
        return card
    at = next((at for at, block in enumerate(card.blocks, 1) if block.role is Role.STEM), 0)
    words = Block(Role.REMARK, f"[{card.image.alt[NEUTRAL]}]")
    return replace(card, blocks=(*card.blocks[:at], words, *card.blocks[at:]), image=None)


async def read(folder: Path, image: Image) -> bytes | None:
    """The picture's file, from the folder that its path begins in; None when it is no longer what was checked when the
    quiz was loaded."""
    return await asyncio.to_thread(_read, folder, image)


def _read(folder: Path, image: Image) -> bytes | None:
    fault = picture_fault(folder, image.path)
    try:
        if fault is None:
            return (folder / image.path).read_bytes()
    except OSError as error:
        fault = str(error)
    log.warning("a picture goes in words: %s", fault)
    return None
