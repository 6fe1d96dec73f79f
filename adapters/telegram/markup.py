"""Texts as Telegram's HTML: everything escaped, and nothing in them taken for a mention, a command or a link.

Knows no card and no limit but that of how many formatted pieces the platform honours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from html import escape

from telegram.constants import MessageLimit

from adapters.characters import JOINER
from bot.commands import known

MOST_FORMATTED = int(MessageLimit.MESSAGE_ENTITIES)

_ADDRESS = r"https?://\S+"
_BEGINNING = r"(?<!\w)[@/#$](?=\w)"
_WORD = re.compile(r"\w+")
_CALLED = re.compile(f"{_ADDRESS}|{_BEGINNING}")
_NAMED = re.compile(rf"{_BEGINNING}|(?<=\w)\.(?=\w)|:(?=//)")


class Look(IntEnum):
    """How a piece of text looks; of too many, the lowest lose theirs first."""

    PLAIN = 0
    SUBDUED = 1
    STRONG = 2
    QUOTE = 3
    LINK = 4


_TAGS = {Look.SUBDUED: "i", Look.STRONG: "b"}


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text with one look; `url` is where a link leads."""

    text: str
    look: Look = Look.PLAIN
    url: str = ""


def inert(text: str, *, names: bool) -> str:
    """Looks the same, and calls nobody: no mention, command or tag. With `names` no link either; else addresses that
    are written out are links, and commands of ours can be tapped."""
    if names:
        return _NAMED.sub(_parted, text)
    return _CALLED.sub(lambda found: found[0] if _is_ours(found) else _parted(found), text)


def _parted(found: re.Match[str]) -> str:
    return found[0] + JOINER


def _is_ours(found: re.Match[str]) -> bool:
    """Whether it is an address, or the beginning of a command that we answer."""
    if len(found[0]) > 1:
        return True
    word = _WORD.match(found.string, found.end())
    return found[0] == "/" and word is not None and known(word[0])


def html(spans: Sequence[Span]) -> str:
    """The spans as one text in the platform's HTML."""
    looks = [span.look for span in spans if span.look is not Look.PLAIN and span.text]
    while len(looks) > MOST_FORMATTED and (lowest := min(looks)) < max(looks):
        looks = [look for look in looks if look > lowest]
    least = min(looks, default=Look.PLAIN)
    return "".join(_tagged(span) if span.look >= least else _escaped(span) for span in spans)


def plain(spans: Sequence[Span]) -> str:
    """The spans as they are read."""
    return "".join(span.text for span in spans)


def _escaped(span: Span) -> str:
    return escape(span.text, quote=False)


def _tagged(span: Span) -> str:
    text = _escaped(span)
    match span.look:
        case Look.PLAIN:
            return text
        case Look.QUOTE:
            return f"<blockquote expandable>{text}</blockquote>"
        case Look.LINK:
            return f'<a href="{escape(span.url)}">{text}</a>'
        case _:
            return f"<{_TAGS[span.look]}>{text}</{_TAGS[span.look]}>"
