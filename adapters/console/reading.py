"""A typed line and the card on screen: what was meant. Pure; knows no terminal and no rule."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from bot.messages import Button, Card
from bot.presses import Again, Begin, Choose, Configure, Next, Page, Pick, Practise, Press, Resume, Toggle

ENTER = ""
SIDEWAYS = "s"
AGAIN = "a"
BACK, ONWARD = "<", ">"
SETTINGS = "abcdefghijklmnoprtuvwxyz"
"""No digits, for a setting may be called 5; none of the letters that mean something else on a start card."""

CYRILLIC = str.maketrans("АВСЕНІЈБЦДФГХИЙ", "ABCEHIJBCDFGHIJ")
"""For whoever has that keyboard on: letters that look like those of options, and those that share their keys."""

_SEPARATORS = str.maketrans("", "", " ,;.+&)\t")
_SIDEWAYS = frozenset({SIDEWAYS, "skip"})


class Command(Enum):
    """What can be typed on any card."""

    LEAVE = auto()
    STOP = auto()
    HELP = auto()


COMMANDS: Mapping[str, Command] = {
    "q": Command.LEAVE,
    "quit": Command.LEAVE,
    "stop": Command.STOP,
    "?": Command.HELP,
    "help": Command.HELP,
}


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button."""

    press: Press


@dataclass(frozen=True, slots=True)
class Chosen:
    """Every option of an answer at once, where several may be right."""

    session: str
    question: int
    options: tuple[int, ...]


Meaning = Command | Pressed | Chosen


def understand(line: str, card: Card) -> Meaning | None:
    """What `line` says to `card`; None when it says nothing."""
    word = normal(line)
    if word in COMMANDS:
        return COMMANDS[word]
    there = keys(card)
    key = SIDEWAYS if word in _SIDEWAYS else word
    if key in there and not isinstance(there[key].press, Toggle):
        return Pressed(there[key].press)
    return _chosen(word, there)


def keys(card: Card) -> Mapping[str, Button]:
    """The buttons by what is typed for them: a letter, a number, `s`, `a`, `<`, `>`, or nothing but Enter."""
    return dict(_keys(card))


def _keys(card: Card) -> Iterator[tuple[str, Button]]:
    settings = iter(SETTINGS)
    asking = bool(letters(card))
    once_more = again(card)
    for row in card.buttons:
        buttons = [button for button in row if isinstance(button, Button)]
        starting = any(isinstance(button.press, Begin) for button in buttons)
        for button in buttons:
            match button.press:
                case Choose() | Toggle() | Pick():
                    yield button.label.casefold(), button
                case Practise(slug) if slug:
                    yield button.label.casefold(), button
                case Next() if asking:
                    yield SIDEWAYS, button
                case Configure():
                    yield (SIDEWAYS if starting else next(settings)), button
                case Page():
                    yield (BACK if button.label.startswith("←") else ONWARD), button
                case Again() | Practise() if button is once_more:
                    yield AGAIN, button
                case Begin() | Next() | Resume():
                    yield ENTER, button


def onward(card: Card) -> Pressed | None:
    """The press that leads on from what has only to be read."""
    button = keys(card).get(ENTER)
    return Pressed(button.press) if button and isinstance(button.press, Begin | Next) else None


def is_start(card: Card) -> bool:
    """Whether nothing has begun yet, so that there is nothing to come back to."""
    return any(isinstance(button.press, Begin) for button in card.all_buttons)


def letters(card: Card) -> tuple[str, ...]:
    """The letters of the options, if the card asks."""
    return tuple(button.label for button in card.all_buttons if isinstance(button.press, Choose | Toggle))


def again(card: Card) -> Button | None:
    """The button that plays the quiz of these results once more, or practises on, if there is one."""
    found = [button for button in card.all_buttons if isinstance(button.press, Again) or button.press == Practise()]
    return found[0] if found else None


def asks_for_several(card: Card) -> bool:
    """Whether several options may be chosen."""
    return any(isinstance(button.press, Toggle) for button in card.all_buttons)


def normal(line: str) -> str:
    """Small Latin letters, whichever keyboard they were typed on."""
    return unicodedata.normalize("NFKC", line).strip().upper().translate(CYRILLIC).casefold()


def _chosen(word: str, there: Mapping[str, Button]) -> Meaning | None:
    """Letters one after the other, also with commas between them or a full stop after."""
    typed = word.translate(_SEPARATORS)
    presses = [there[letter].press for letter in dict.fromkeys(typed) if letter in there]
    if not presses or len(presses) < len(typed):
        return None
    toggles = [press for press in presses if isinstance(press, Toggle)]
    if len(toggles) == len(presses):
        return Chosen(toggles[0].session, toggles[0].question, tuple(toggle.option for toggle in toggles))
    return Pressed(presses[0]) if len(presses) == 1 and isinstance(presses[0], Choose) else None
