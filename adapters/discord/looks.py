"""How a message is to look, its attachments with it, and whether it does. Sends nothing; knows no chat."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Any

import discord

from adapters import pictures
from adapters.discord.render import alt_text, layout
from adapters.pictures import described
from bot.core.quiz import Image
from bot.messages import Card
from bot.ports import Clock

KEPT: Sequence[discord.File] = discord.utils.MISSING
"""The attachments that a message has already."""

_READ = ("content", "label", "placeholder", "description", "custom_id", "value")
"""What people read in a component, and what it says when it is used; of a picture only its words."""


class Form(Enum):
    """What a message is for as long as it is there, as the letter after its number in a reference."""

    TEXT = ""  # a picture stands in it in words
    PICTURE = "p"


@dataclass(frozen=True, slots=True)
class Look:
    """All that a message shows, and its attachments, of which the view may show one."""

    view: discord.ui.LayoutView
    attachments: Sequence[discord.File] = KEPT


class Looks:
    """The looks of cards now: a countdown stands in them only while time is left."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        """`folder` is where the paths of pictures begin."""
        self._folder = folder
        self._clock = clock

    def of(self, card: Card, form: Form) -> Look:
        """How the card looks in a message of this form, which has its attachment already."""
        now = self._clock.now()
        if form is Form.TEXT:
            return Look(layout(described(card), now=now))
        if card.image is None:
            return Look(layout(card, now=now), ())
        return Look(layout(card, _file_name(card.image), now=now))

    async def pictured(self, card: Card) -> Look | None:
        """How the card looks with its picture, whose file is attached; None where there is no such file."""
        data = await pictures.read(self._folder, card.image) if card.image else None
        if card.image is None or data is None:
            return None
        name = _file_name(card.image)
        file = discord.File(io.BytesIO(data), name, description=alt_text(card.image))
        return Look(layout(card, name, now=self._clock.now()), (file,))


def form_of(message: discord.Message) -> Form:
    """What a message of ours is."""
    return Form.PICTURE if message.attachments else Form.TEXT


def looks_like(message: discord.Message, look: Look) -> bool:
    """Whether the texts, buttons and choices of `message` are those of `look`, in this order."""
    shown = [component.to_dict() for component in message.components]
    wanted = look.view.to_components()  # type: ignore[no-untyped-call]  # the library leaves it open
    return list(_read(shown)) == list(_read(wanted))


def _read(part: Any) -> Iterator[tuple[str, str]]:
    """What is read in a component and in those inside it. Discord takes the blanks around a text away."""
    match part:
        case Mapping():
            yield from ((name, part[name].strip()) for name in _READ if isinstance(part.get(name), str))
            for inner in part.values():
                yield from _read(inner)
        case list() | tuple():
            for inner in part:
                yield from _read(inner)


def _file_name(image: Image) -> str:
    return f"picture{PurePosixPath(image.path).suffix.lower()}"
