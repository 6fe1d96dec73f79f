"""Cards as Telegram shows them: a text with its looks, buttons, a pop-up. Adds no word; knows no chat and no rule.

How it reads: the heading, the options and what is said of them stand apart; what can be pressed is a letter in bold,
what came of an option follows it in italics, and a long explanation is folded until somebody wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import (
    CallbackQueryLimit,
    InlineKeyboardMarkupLimit,
    KeyboardButtonStyle,
    MessageLimit,
)

from adapters.arranging import belongs, punctuated, split
from adapters.characters import clean
from adapters.fitting import CUT, fitted, shortened, units
from adapters.telegram.markup import Look, Span, html, inert, plain
from bot import presses
from bot.content.characters import is_seen
from bot.core.quiz import NEUTRAL
from bot.messages import Block, Button, Card, Link, Mark, Role, Style

MOST_TEXT = int(MessageLimit.MAX_TEXT_LENGTH)
MOST_CAPTION = int(MessageLimit.CAPTION_LENGTH)
MOST_POPUP = int(CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH)
MOST_BUTTONS = int(InlineKeyboardMarkupLimit.TOTAL_BUTTON_NUMBER)
BUTTONS_IN_A_ROW = int(InlineKeyboardMarkupLimit.BUTTONS_PER_ROW)

ROOM_FOR_THE_ANSWER = 250
"""Units that a caption has left when a question is asked: what is said when it closes becomes the same caption."""

QUICK_TO_READ = 120
"""Units that can be read in the few seconds that a pop-up without a button stays."""

_LOOKS: dict[Role, Look] = {
    Role.TITLE: Look.STRONG,
    Role.PROGRESS: Look.SUBDUED,
    Role.REMARK: Look.SUBDUED,
    Role.STEM: Look.STRONG,
    Role.VERDICT: Look.STRONG,
    Role.EXPLANATION: Look.QUOTE,
}
_WITHOUT_LINKS = frozenset({Role.STANDING, Role.FACT})
"""What names of people stand in."""

_STYLES: dict[Style, str] = {Style.PRIMARY: KeyboardButtonStyle.PRIMARY, Style.DANGER: KeyboardButtonStyle.DANGER}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A message: `text` in the platform's HTML, `plain` the same without looks, and its buttons."""

    text: str
    plain: str
    keyboard: InlineKeyboardMarkup | None


@dataclass(frozen=True, slots=True)
class Popup:
    """What only the presser sees; with `alert` a window to close, else it goes by itself. Without text, nothing."""

    text: str = ""
    alert: bool = False


def rendered(card: Card, most: int = MOST_TEXT) -> Rendered:
    """The card as a message of at most `most` UTF-16 units after parsing."""
    spans = _spans(fitted(_prepared(card), most, _length))
    if not is_seen(plain(spans)):
        spans = [Span(CUT)]
    return Rendered(html(spans), plain(spans), _keyboard(card))


def caption(card: Card) -> Rendered:
    """The card as the words under a picture."""
    return rendered(card, MOST_CAPTION)


def fits_caption(card: Card) -> bool:
    """Whether all of the card, and later the answer, can stand under its picture."""
    return _length(_prepared(card)) <= MOST_CAPTION - ROOM_FOR_THE_ANSWER


def fits_under_a_file(card: Card) -> bool:
    """Whether all of the card can stand under a file that goes with it."""
    return _length(_prepared(card)) <= MOST_CAPTION


def alt(card: Card) -> Rendered:
    """The words of the card's picture alone, to go under it."""
    words = card.image.alt[NEUTRAL] if card.image else ""
    return caption(Card((Block(Role.REMARK, words),)))


def popup(card: Card | None, *, private: bool) -> Popup:
    """The reply to a press. In a `private` chat the message shows the reasons, and the pop-up is a glance."""
    blocks = [_with_texts(block, clean) for block in card.blocks] if card else []
    text = shortened(plain(_spans(blocks[:1] if private else blocks)).strip(), MOST_POPUP)
    explains = any(block.role in (Role.NOTE, Role.EXPLANATION) for block in blocks)
    return Popup(text, not private and bool(text) and (explains or units(text) > QUICK_TO_READ))


def _prepared(card: Card) -> Sequence[Block]:
    """The blocks with texts that the platform takes as they are."""
    return [_inert(_with_texts(block, clean)) for block in card.blocks]


def _inert(block: Block) -> Block:
    return _with_texts(block, partial(inert, names=block.role in _WITHOUT_LINKS))


def _with_texts(block: Block, change: Callable[[str], str]) -> Block:
    return replace(block, lead=change(block.lead), text=change(block.text), tail=change(block.tail))


def _length(blocks: Iterable[Block]) -> int:
    return units(plain(_spans(blocks)))


def _spans(blocks: Iterable[Block]) -> list[Span]:
    spans: list[Span] = []
    before: Block | None = None
    for block in blocks:
        if before:
            spans.append(Span("\n" if belongs(before, block) else "\n\n"))
        spans += [*_lead(block), *_body(block), *_tail(block)]
        before = block
    return spans


def _lead(block: Block) -> Iterator[Span]:
    if block.lead:
        yield Span(punctuated(block), Look.STRONG)
        yield Span(" ")


def _body(block: Block) -> Iterator[Span]:
    right = block.role is Role.OPTION and block.mark is Mark.RIGHT
    look = Look.STRONG if right else _LOOKS.get(block.role, Look.PLAIN)
    yield Span(block.text, Look.LINK, block.url) if block.url else Span(block.text, look)


def _tail(block: Block) -> Iterator[Span]:
    if block.tail:
        yield Span(" " if block.role is Role.VERDICT else " · ")
        yield Span(block.tail, Look.PLAIN if block.role is Role.VERDICT else Look.SUBDUED)


def _keyboard(card: Card) -> InlineKeyboardMarkup | None:
    rows: list[list[InlineKeyboardButton]] = []
    left = MOST_BUTTONS
    for row in card.buttons:
        shown = row[:left]
        left -= len(shown)
        rows += map(list, split([_button(button) for button in shown], BUTTONS_IN_A_ROW))
    return InlineKeyboardMarkup(rows) if rows else None


def _button(button: Button | Link) -> InlineKeyboardButton:
    label = " ".join(clean(button.label).split())
    label = label if is_seen(label) else CUT
    if isinstance(button, Link):
        return InlineKeyboardButton(label, url=button.url)
    return InlineKeyboardButton(label, callback_data=presses.dump(button.press), style=_STYLES.get(button.style))
