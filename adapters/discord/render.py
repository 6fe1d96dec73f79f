"""Cards as Discord shows them: a framed message of texts, picture and buttons. Adds no word; knows no chat and no rule.

How it reads: heading, options, outcome and reasons stand apart; a letter or a rank is bold, what came of an option
follows it in italics, and an explanation is a quote. The frame has a colour for what the card is, beside its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import IntEnum
from functools import lru_cache
from math import ceil

from discord import MediaGalleryItem
from discord.ui import Container, File, Item, LayoutView, MediaGallery, Separator, TextDisplay

from adapters.arranging import belongs, punctuated
from adapters.characters import clean
from adapters.discord.buttons import SELECT, label, rows
from adapters.discord.forms import TEXT, modal
from adapters.discord.markup import emphasised, escaped, heading, is_address, link, quoted, strong, subdued
from adapters.fitting import CUT, fitted, units
from bot.content.characters import is_seen
from bot.core.quiz import NEUTRAL, Image
from bot.messages import Attachment, Block, Card, Mark, Role
from bot.presses import Again, Choose, Toggle

__all__ = ["SELECT", "TEXT", "alt_text", "layout", "modal"]

MOST_TEXT = 4000
"""Characters of all texts of a message, as they are sent."""

MOST_COMPONENTS = 40
"""Parts of a message, with those in others."""

MOST_ALT = 1024

MOST_REMEMBERED = 256
"""Texts that are kept as they were last said: whoever chose the same is told the same, often hundreds at once."""

WITHOUT_LINKS = frozenset({Role.STANDING, Role.FACT})
"""What names of people stand in."""


_LOOKS: Mapping[Role, Callable[[str], str]] = {Role.STEM: strong, Role.VERDICT: strong, Role.REMARK: emphasised}
_LINES: Mapping[Role, Callable[[str], str]] = {
    Role.TITLE: heading,
    Role.PROGRESS: subdued,
    Role.REMARK: subdued,
    Role.EXPLANATION: quoted,
}
_BESIDE_A_QUESTION = {**_LINES, Role.FACT: subdued}
"""How a text looks, and how its lines do. Beside a question, a fact is small as well."""


class Section(IntEnum):
    """What stands apart, in this order."""

    HEADING = 0
    OPTIONS = 1
    OUTCOME = 2
    REASONS = 3


_SECTIONS = {
    Role.TITLE: Section.HEADING,
    Role.PROGRESS: Section.HEADING,
    Role.STEM: Section.HEADING,
    Role.OPTION: Section.OPTIONS,
    Role.STANDING: Section.OPTIONS,
    Role.LINE: Section.OUTCOME,
    Role.VERDICT: Section.OUTCOME,
    Role.NOTE: Section.OUTCOME,
    Role.EXPLANATION: Section.REASONS,
    Role.SOURCE: Section.REASONS,
}
"""A remark, and a fact about options, stay with what they are about."""

_CLOSE = frozenset(
    {
        (Role.PROGRESS, Role.STEM),
        (Role.REMARK, Role.STEM),
        (Role.EXPLANATION, Role.SOURCE),
    }
)
"""Kinds that differ so much in their looks that no blank line has to part them."""


class Colour(IntEnum):
    """Calm, and seen on light and dark: at least 3 to 1 on either."""

    QUESTION = 0x5A84B8
    RIGHT = 0x4C9467
    WRONG = 0xC0655A
    RESULTS = 0xA9812F
    NEUTRAL = 0x85898F


_JUDGED = {Mark.RIGHT: Colour.RIGHT, Mark.WRONG: Colour.WRONG}

Texts = Mapping[Section, str]


def layout(
    card: Card, picture: str | None = None, *, now: datetime | None = None, attachment: Attachment | None = None
) -> LayoutView:
    """The card as a message; `picture` is the file name of the attachment to show in it, or an `attachment` goes with
    it that was made for whoever reads it.

    A deadline counts down by itself, unless it has passed at `now`.
    """
    parts = [*_parts(card, picture, now), *(_attached(attachment) if attachment else ())]
    view = LayoutView(timeout=None)
    view.add_item(Container(*parts, *rows(card, MOST_COMPONENTS - 1 - len(parts)), accent_colour=_colour(card).value))
    view.stop()  # or the library keeps it, and answers presses by itself
    return view


def alt_text(image: Image) -> str:
    """The words of a picture, for who cannot see it."""
    return label(image.alt[NEUTRAL], MOST_ALT)


def _attached(attachment: Attachment) -> Iterator[Item[LayoutView]]:
    """A picture is shown, any other file is there to be taken."""
    address = f"attachment://{attachment.name}"
    if attachment.is_picture:
        yield MediaGallery(MediaGalleryItem(address, description=label(attachment.alt, MOST_ALT) or None))
    else:
        yield File(address)


def _parts(card: Card, picture: str | None, now: datetime | None) -> Iterator[Item[LayoutView]]:
    """The texts with a line between each two, and the picture after the first."""
    for number, text in enumerate(_texts(card.blocks, _countdown(card, now)).values()):
        if number:
            yield Separator()
        yield TextDisplay(text)
        if picture and not number:
            description = alt_text(card.image) if card.image else None
            yield MediaGallery(MediaGalleryItem(f"attachment://{picture}", description=description))


@lru_cache(MOST_REMEMBERED)
def _texts(given: tuple[Block, ...], countdown: str) -> Texts:
    blocks = [_cleaned(block) for block in given]
    if countdown and not any(block.role is Role.FACT for block in blocks):
        blocks.append(Block(Role.FACT, ""))
    shown = _said(fitted(blocks, MOST_TEXT, lambda tried: _length(_said(tried, countdown))), countdown)
    return {section: text for section, text in shown.items() if is_seen(text)} or {Section.HEADING: CUT}


def _countdown(card: Card, now: datetime | None) -> str:
    if card.deadline is None or (now and card.deadline <= now):
        return ""
    return f"⏳ <t:{ceil(card.deadline.timestamp())}:R>"


def _cleaned(block: Block) -> Block:
    """With texts that the platform takes as they are."""
    url = block.url if is_address(block.url) else ""
    text = clean(block.text)
    shown = text if is_seen(text) or not url else CUT
    return replace(block, lead=clean(block.lead), text=shown, tail=clean(block.tail), url=url)


def _length(texts: Texts) -> int:
    return sum(map(units, texts.values()))


def _said(blocks: Sequence[Block], countdown: str) -> Texts:
    """The blocks as markdown; the countdown stands with the first fact, which is the time to answer."""
    said: dict[Section, str] = {}
    section, before = Section.HEADING, None
    lines = _BESIDE_A_QUESTION if any(block.role is Role.STEM for block in blocks) else _LINES
    for block in blocks:
        section = _section(block, section)
        timed = block.role is Role.FACT and countdown
        text = lines.get(block.role, str)(_markdown(block, countdown if timed else ""))
        countdown = "" if timed else countdown
        said[section] = f"{said[section]}{_gap(before, block)}{text}" if section in said else text
        before = block
    return {section: text.strip() for section, text in said.items()}


def _section(block: Block, before: Section) -> Section:
    """Where a block stands that comes after one of section `before`: never further up."""
    if block.role is Role.FACT and before is Section.HEADING:
        return Section.OUTCOME
    return max(before, _SECTIONS.get(block.role, before))


def _gap(before: Block | None, block: Block) -> str:
    close = before and (belongs(before, block) or (before.role, block.role) in _CLOSE)
    return "\n" if close else "\n\n"


def _markdown(block: Block, countdown: str) -> str:
    lead = f"{strong(escaped(punctuated(block)))} " if block.lead else ""
    text = link(block.text, block.url) if block.url else escaped(block.text, links=block.role not in WITHOUT_LINKS)
    return " · ".join(filter(None, (f"{lead}{_look(block)(text)}{_tail(block)}", countdown)))


def _look(block: Block) -> Callable[[str], str]:
    right = block.role is Role.OPTION and block.mark is Mark.RIGHT
    return strong if right else _LOOKS.get(block.role, str)


def _tail(block: Block) -> str:
    if not block.tail:
        return ""
    tail = escaped(block.tail)
    return f" {tail}" if block.role is Role.VERDICT else f" · {emphasised(tail)}"


def _colour(card: Card) -> Colour:
    verdict = next((block.mark for block in card.blocks if block.role is Role.VERDICT), Mark.NONE)
    presses = [button.press for button in card.all_buttons]
    if verdict in _JUDGED:
        return _JUDGED[verdict]
    if any(isinstance(press, Again) for press in presses):
        return Colour.RESULTS
    return Colour.QUESTION if any(isinstance(press, Choose | Toggle) for press in presses) else Colour.NEUTRAL
