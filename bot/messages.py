"""What every platform can show: a card of texts with buttons under it. Knows no platform, no wording and no rule."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.core.quiz import Image
from bot.presses import Press


class Role(StrEnum):
    """What a block is there for; a platform decides from it how the block looks."""

    TITLE = "title"
    PROGRESS = "progress"
    LINE = "line"  # an ordinary sentence
    FACT = "fact"  # a small fact: pace, limit, counter
    REMARK = "remark"  # said in passing: a fallback language, a hint
    STEM = "stem"
    OPTION = "option"
    VERDICT = "verdict"
    NOTE = "note"
    EXPLANATION = "explanation"
    SOURCE = "source"
    STANDING = "standing"


class Mark(StrEnum):
    """How an option or a verdict is marked; always shown by symbol and word together."""

    NONE = ""
    RIGHT = "right"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph of plain text. `lead` comes before it, emphasised (a letter, a rank); `tail` after it, subdued;
    `url` makes it a link. Nothing in it is markup: a platform escapes all of it."""

    role: Role
    text: str
    lead: str = ""
    tail: str = ""
    mark: Mark = Mark.NONE
    url: str = ""


class Style(StrEnum):
    """How much a button should stand out."""

    PLAIN = "plain"
    PRIMARY = "primary"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """What can be pressed: a short label (at most 38 characters) and what pressing it says."""

    label: str
    press: Press
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class Link:
    """A button that opens an address; its label as that of a button."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to choose in a form: its label (at most 45 characters), the buttons it is chosen from (at most 25), and
    which of them holds now."""

    label: str
    choices: tuple[Button, ...]
    now: int | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """A text to write into a form, at most `most` characters, or nothing: its label (at most 45 characters)."""

    label: str
    most: int


@dataclass(frozen=True, slots=True)
class Form:
    """What somebody fills in alone and sends at once, where the platform has forms: at most five fields under a title
    of at most 45 characters. `press` says what it is for; what was chosen comes beside it."""

    title: str
    press: Press
    fields: tuple[Field | Writing, ...]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that is made for one person. A picture (`.png`) is shown, and `alt` says in words what it shows.

    Where it cannot go, the card beside it goes alone, or `otherwise` in its place.
    """

    name: str
    data: bytes
    alt: str = ""
    otherwise: Card | None = None

    @property
    def is_picture(self) -> bool:
        """Whether it is to be seen rather than kept."""
        return self.name.endswith(".png")


@dataclass(frozen=True, slots=True)
class Card:
    """One message. `buttons` are rows; `deadline` lets a platform that can show a live countdown."""

    blocks: tuple[Block, ...]
    buttons: tuple[tuple[Button | Link, ...], ...] = ()
    image: Image | None = None
    deadline: datetime | None = None

    @property
    def all_buttons(self) -> tuple[Button, ...]:
        """The buttons of every row that say something when pressed, in order."""
        return tuple(button for row in self.buttons for button in row if isinstance(button, Button))
