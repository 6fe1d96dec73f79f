"""The buttons of a card as Discord's rows; options are letters, or a list where they are many. Knows no text above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import discord
from discord import ButtonStyle, SelectOption
from discord.ui import ActionRow, LayoutView

from adapters.arranging import split
from adapters.characters import clean
from adapters.discord.markup import is_address
from adapters.fitting import CUT, shortened
from bot import presses
from bot.content.characters import is_seen
from bot.messages import Button, Card, Link, Role, Style
from bot.presses import Choose, Toggle

SELECT = "1:select:"
"""How the id of a list begins; which of the message it is follows. What is chosen are its values: press data."""

MOST_LABEL = 80
MOST_CHOICE = 100
MOST_CHOICES = 25
IN_A_ROW = 5
LONGEST_LINK = 512

_STYLES = {Style.PLAIN: ButtonStyle.secondary, Style.PRIMARY: ButtonStyle.primary, Style.DANGER: ButtonStyle.danger}

Row = ActionRow[LayoutView]
Buttons = Sequence[Button | Link]
Items = Sequence[discord.ui.Button[LayoutView]] | Sequence[discord.ui.Select[LayoutView]]


def rows(card: Card, room: int) -> list[Row]:
    """The rows of the card in at most `room` components. Of buttons that say the same, the first is there."""
    texts = {block.lead: block.text for block in card.blocks if block.role is Role.OPTION}
    shown: list[Row] = []
    for row in _arranged(_possible(card.buttons), texts):
        items = row[: max(room - 1, 0)]
        room -= 1 + len(items)
        shown += [ActionRow(*items)] if items else []
    return shown


def _possible(rows: Iterable[Buttons]) -> list[Buttons]:
    """The rows without what the platform refuses: an id that was there before, an address that is none."""
    seen: set[str] = set()
    return [[button for button in row if _is_possible(button, seen)] for row in rows]


def _is_possible(button: Button | Link, seen: set[str]) -> bool:
    if isinstance(button, Link):
        return len(button.url) <= LONGEST_LINK and is_address(button.url)
    data = presses.dump(button.press)
    new = data not in seen
    seen.add(data)
    return new


def _arranged(rows: Iterable[Buttons], texts: Mapping[str, str]) -> Iterator[Items]:
    """The rows as there is room beside each other; letters that are chosen from a list, where the first of them was."""
    rows = list(rows)
    listed = _listed([button for row in rows for button in row])
    for row in rows:
        if listed and listed[0] in row:
            yield from _lists(listed, texts)
        yield from split([_button(button) for button in row if button not in listed], IN_A_ROW)


def _listed(buttons: Buttons) -> list[Button]:
    """The options, if they are many or several can be chosen."""
    letters = [each for each in buttons if isinstance(each, Button) and isinstance(each.press, Choose | Toggle)]
    return letters if len(letters) > IN_A_ROW or any(map(_is_one_of_several, letters)) else []


def _is_one_of_several(button: Button) -> bool:
    return isinstance(button.press, Toggle)


def _lists(letters: Sequence[Button], texts: Mapping[str, str]) -> Iterator[Items]:
    parts = split(letters, MOST_CHOICES)
    for number, part in enumerate(parts):
        yield [_list(f"{SELECT}{number}", part, texts)]


def _list(name: str, letters: Sequence[Button], texts: Mapping[str, str]) -> discord.ui.Select[LayoutView]:
    shown = [
        choice(letter, f"{letter.label}. {texts[letter.label]}" if letter.label in texts else None)
        for letter in letters
    ]
    return discord.ui.Select(
        custom_id=name,
        placeholder=label(f"{letters[0].label}–{letters[-1].label}", MOST_LABEL),
        max_values=len(shown) if any(map(_is_one_of_several, letters)) else 1,
        options=shown,
    )


def choice(button: Button, text: str | None = None, *, chosen: bool = False) -> SelectOption:
    """A button as an entry of a list, called as the button is or by `text`; `chosen` before anyone chooses."""
    said = label(button.label if text is None else text, MOST_CHOICE)
    return SelectOption(label=said, value=presses.dump(button.press), default=chosen)


def label(text: str, most: int) -> str:
    """The text on one line of at most `most` UTF-16 units that shows something."""
    line = " ".join(clean(text).split())
    return shortened(line, most) if is_seen(line) else CUT


def _button(button: Button | Link) -> discord.ui.Button[LayoutView]:
    said = label(button.label, MOST_LABEL)
    if isinstance(button, Link):
        return discord.ui.Button(label=said, url=button.url)
    return discord.ui.Button(label=said, custom_id=presses.dump(button.press), style=_STYLES[button.style])
