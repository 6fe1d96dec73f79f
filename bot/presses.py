"""What a button says when it is pressed, as at most 64 bytes of text, and the event that it means.

The text is versioned and names session, question and option, never which option is right: whatever comes back from a
platform, however old or made up, is either one of these or `UnreadableError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from bot.core import events
from bot.core.events import Advanced, Answered, Begun, Change, Chosen, Configured, Resumed, Sent, Stopped, Toggled
from bot.core.session import Actor, Feedback, Order, Pace
from bot.learning.days import Period

VERSION = "1"
MOST_BYTES = 64


class UnreadableError(ValueError):
    """Button data that this version did not write: forged, damaged, or from another version."""


@dataclass(frozen=True, slots=True)
class Choose:
    """An option of a question with one right option."""

    session: str
    question: int
    option: int


@dataclass(frozen=True, slots=True)
class Toggle:
    """An option of a question with several right options."""

    session: str
    question: int
    option: int


@dataclass(frozen=True, slots=True)
class Select:
    """All options, and no others, that are to be selected of a question with several right options."""

    session: str
    question: int
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Send:
    """The selection is complete."""

    session: str
    question: int


@dataclass(frozen=True, slots=True)
class Next:
    """Close the open question or go on from a closed one; `step` says from where."""

    session: str
    step: int


@dataclass(frozen=True, slots=True)
class Begin:
    """Start, on the start card."""

    session: str


@dataclass(frozen=True, slots=True)
class Configure:
    """What to change about the settings, if anything, and whether their buttons stay unfolded."""

    session: str
    change: Change
    configuring: bool


@dataclass(frozen=True, slots=True)
class Resume:
    """A paused session goes on."""

    session: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The session ends."""

    session: str


@dataclass(frozen=True, slots=True)
class Again:
    """The quiz of this session once more."""

    session: str


@dataclass(frozen=True, slots=True)
class Pick:
    """A quiz from the picker."""

    slug: str


@dataclass(frozen=True, slots=True)
class Page:
    """Another page of the picker, from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Browse:
    """The picker, as a message of its own."""


@dataclass(frozen=True, slots=True)
class Prefer:
    """A setting of this chat: a name of `Preferences`, and its value as text."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Speak:
    """The language that I want to be answered in; without one, that of my app."""

    language: str


@dataclass(frozen=True, slots=True)
class Personal:
    """A setting of my own: a name of `Preferences`, and its value as text."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Practise:
    """I want to practise: what is due and new, or, with a slug, one quiz."""

    slug: str = ""


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """A page (from 0) of a leaderboard: of this chat, or with `everywhere` that across chats; of one quiz or of all."""

    period: Period
    everywhere: bool
    slug: str
    page: int


@dataclass(frozen=True, slots=True)
class ShowStats:
    """My statistics, or those of this chat."""


@dataclass(frozen=True, slots=True)
class ShowReports:
    """What was reported about questions in this chat: a page, from 0."""

    page: int


@dataclass(frozen=True, slots=True)
class ShowZones:
    """The time zones to choose from: a page, from 0."""

    page: int


@dataclass(frozen=True, slots=True)
class Blend:
    """What goes into a mix so far: bits over the list of quizzes and topics, which `stamp` tells from another; the page
    of the list, from 0; and whether that is all."""

    stamp: str
    chosen: int
    page: int
    ready: bool


@dataclass(frozen=True, slots=True)
class Forget:
    """Everything about me is to be deleted; `sure` only when I was asked once more. `key` names the asking."""

    key: str
    sure: bool


@dataclass(frozen=True, slots=True)
class Report:
    """Something is wrong with a question: `reason` is what, a word of `bot.reports`; without one it is still asked."""

    session: str
    question: int
    reason: str = ""


SessionPress = Choose | Toggle | Select | Send | Next | Begin | Configure | Resume | Stop
Press = (
    SessionPress
    | Again
    | Pick
    | Page
    | Browse
    | Prefer
    | Speak
    | Personal
    | Practise
    | ShowBoard
    | ShowStats
    | ShowReports
    | ShowZones
    | Blend
    | Forget
    | Report
)

_PACES = {pace.value[0]: pace for pace in Pace}
_FEEDBACKS = {"o": Feedback.AT_ONCE, "c": Feedback.AT_CLOSE, "e": Feedback.AT_END}
_FEEDBACK_LETTERS = {feedback: letter for letter, feedback in _FEEDBACKS.items()}
_ORDERS = {order.value[0]: order for order in Order}


@dataclass(frozen=True, slots=True)
class _Field:
    """How one field of a press is written: what it looks like, and the way there and back."""

    pattern: str
    dump: Callable[[Any], str]
    load: Callable[[str], Any]


_SESSION = _Field(r"[A-Za-z0-9_-]{1,24}", str, str)
_SLUG = _Field(r"[a-z0-9-]{1,40}", str, str)
_NUMBER = _Field(r"0|[1-9]\d{0,5}", str, int)
_NAME = _Field(r"[a-z_]{1,20}", str, str)
_VALUE = _Field(r"[A-Za-z0-9_/+-]{0,32}", str, str)
_WORD = _Field(r"[a-z-]{0,20}", str, str)
_SLUG_OR_NONE = _Field(r"[a-z0-9-]{0,40}", str, str)
_STAMP = _Field(r"[0-9a-f]{4}", str, str)
_BITS = _Field(r"0|[1-9a-f][0-9a-f]{0,39}", "{:x}".format, lambda text: int(text, 16))
_PERIOD = _Field(r"[twma]", lambda period: period.value[0], {period.value[0]: period for period in Period}.__getitem__)
_NUMBERS = _Field(
    r"(?:(?:0|[1-9]\d?)(?:\.(?:0|[1-9]\d?)){0,9})?",
    lambda numbers: ".".join(map(str, numbers)),
    lambda text: tuple(map(int, text.split("."))) if text else (),
)
_FLAG = _Field(r"[01]", lambda flag: str(int(flag)), lambda text: text == "1")

_CHANGES: dict[str, tuple[str, _Field]] = {
    "p": ("pace", _Field(r"[rsb]", lambda pace: pace.value[0], _PACES.__getitem__)),
    "c": ("count", _NUMBER),
    "f": ("feedback", _Field(r"[oce]", _FEEDBACK_LETTERS.__getitem__, _FEEDBACKS.__getitem__)),
    "o": ("order", _Field(r"[ws]", lambda order: order.value[0], _ORDERS.__getitem__)),
    "s": ("speed_bonus", _FLAG),
}
"""The fields of a change, in this order: each a letter and its new value, or nothing where it stays as it is."""

_LETTER_AND_VALUE = re.compile(r"([a-z])(\d+|[a-z])", re.ASCII)


def _dump_change(change: Change) -> str:
    values = ((letter, field, getattr(change, name)) for letter, (name, field) in _CHANGES.items())
    return "".join(letter + field.dump(value) for letter, field, value in values if value is not None)


def _load_change(packed: str) -> Change:
    fields = ((*_CHANGES[letter], value) for letter, value in _LETTER_AND_VALUE.findall(packed))
    return Change(**{name: field.load(value) for name, field, value in fields})


_CHANGE = _Field(
    "".join(f"(?:{letter}(?:{field.pattern}))?" for letter, (_, field) in _CHANGES.items()), _dump_change, _load_change
)

_FORMS: dict[str, tuple[type[Press], tuple[_Field, ...]]] = {
    "a": (Choose, (_SESSION, _NUMBER, _NUMBER)),
    "t": (Toggle, (_SESSION, _NUMBER, _NUMBER)),
    "m": (Select, (_SESSION, _NUMBER, _NUMBERS)),
    "s": (Send, (_SESSION, _NUMBER)),
    "n": (Next, (_SESSION, _NUMBER)),
    "b": (Begin, (_SESSION,)),
    "c": (Configure, (_SESSION, _CHANGE, _FLAG)),
    "r": (Resume, (_SESSION,)),
    "x": (Stop, (_SESSION,)),
    "g": (Again, (_SESSION,)),
    "q": (Pick, (_SLUG,)),
    "p": (Page, (_NUMBER,)),
    "l": (Browse, ()),
    "o": (Prefer, (_NAME, _VALUE)),
    "k": (Speak, (_VALUE,)),
    "w": (Report, (_SESSION, _NUMBER, _WORD)),
    "i": (Personal, (_NAME, _VALUE)),
    "d": (Practise, (_SLUG_OR_NONE,)),
    "e": (ShowBoard, (_PERIOD, _FLAG, _SLUG_OR_NONE, _NUMBER)),
    "u": (ShowStats, ()),
    "h": (ShowReports, (_NUMBER,)),
    "z": (ShowZones, (_NUMBER,)),
    "j": (Blend, (_STAMP, _BITS, _NUMBER, _FLAG)),
    "f": (Forget, (_SESSION, _FLAG)),
}
_LETTERS = {kind: letter for letter, (kind, _) in _FORMS.items()}
_SHAPES = {
    letter: re.compile(":".join((VERSION, letter, *(f"({field.pattern})" for field in form))), re.ASCII)
    for letter, (_, form) in _FORMS.items()
}


def dump(press: Press) -> str:
    """The press as button data: ASCII, at most 64 bytes."""
    letter = _LETTERS[type(press)]
    kind, form = _FORMS[letter]
    values = (getattr(press, name) for name in kind.__match_args__)
    return ":".join((VERSION, letter, *(field.dump(value) for field, value in zip(form, values, strict=True))))


def load(data: str) -> Press:
    """The press that `data` stands for. Raises UnreadableError for anything that `dump` does not write."""
    letter = data[2:3]
    found = _SHAPES[letter].fullmatch(data) if letter in _SHAPES else None
    if found is None:
        raise UnreadableError(f"not button data of version {VERSION}: {data[:MOST_BYTES]!r}")
    kind, form = _FORMS[letter]
    return kind(*(field.load(text) for field, text in zip(form, found.groups(), strict=True)))


def event_of(press: SessionPress, by: Actor, key: str, at: datetime) -> events.Steering | events.Press:
    """What `by` said by pressing. `key` names the platform's update; `at` is the platform's time of the press (UTC)."""
    match press:
        case Choose(session, question, option):
            return Answered(by, session, question, (option,), at)
        case Toggle(session, question, option):
            return Toggled(key, by, session, question, option, at)
        case Select(session, question, options):
            return Chosen(key, by, session, question, options, at)
        case Send(session, question):
            return Sent(by, session, question, at)
        case Next(session, step):
            return Advanced(key, by, session, step)
        case Begin(session):
            return Begun(key, by, session)
        case Configure(session, change, configuring):
            return Configured(key, by, session, change, configuring)
        case Resume(session):
            return Resumed(key, by, session)
        case Stop(session):
            return Stopped(key, by, session)
        case _:
            assert_never(press)
