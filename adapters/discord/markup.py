"""Texts as Discord's markdown: everything in them shown as it is, nothing in them a mark, a mention or an emoji.

Knows no card and no limit. Beside the marks of the markdown, the app reads more than that: mentions, times, commands
and places of a server (`<…>`), emoji by their name (`:smile:`), `@everyone`, and addresses that are written out.
"""

from __future__ import annotations

import re

from adapters.characters import JOINER

LONGEST_ADDRESS = 1000
"""Characters of an address that is still worth its place in a message."""

_UNSEEN = "\u00ad\u061c\u200b-\u200f\u2060-\u2069\ufeff"
_WITHIN = rf"[^\s<>()\\*`\"…{_UNSEEN}]"
_ADDRESS = rf"https?://(?:{_WITHIN}|\({_WITHIN}*\))*(?:(?![.,:;!?'\]]){_WITHIN}|\({_WITHIN}*\))"
_ESCAPED = r"(?P<mark>[\\*_~`|\[]|<(?! )|:(?=//|:|[^\s:]+:))|(?P<call>@(?=everyone|here))"
_NO_ADDRESS = re.compile(_ESCAPED)
_OR_ADDRESS = re.compile(rf"(?P<address>{_ADDRESS})|{_ESCAPED}")
_CUT = "…"

_BEGINNING = re.compile(rf"^((?:[^\S\n]|[{_UNSEEN}])*)(?:([-+>#])|(\d+)(\.)(?=[^\S\n]))", re.MULTILINE)

_SAID = re.compile(r"[^\s\ufeff](?:.*[^\s\ufeff])?")
"""What stands in a line between the blanks at its ends: at a blank no mark begins or ends."""

_LINE = re.compile(rf"^(?:[^\S\n]|\ufeff)*({_SAID.pattern})(?:[^\S\n]|\ufeff)*$", re.MULTILINE)
_END_OF_HEADING = re.compile(r"#(?=\s*$)", re.MULTILINE)
"""Counts as part of the mark of a heading, even escaped."""

_SAFE_ADDRESS = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
_IN_AN_ADDRESS = re.compile(r"[()\\*`\"]")
_BRACKETS = str.maketrans("[]", "()")


def escaped(text: str, *, links: bool = False) -> str:
    """The text as it is; with `links` addresses that are written out lead where they say, without a preview."""
    return _BEGINNING.sub(_begun, (_OR_ADDRESS if links else _NO_ADDRESS).sub(_shown, text))


def _shown(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "address" if found.string.startswith(_CUT, found.end()):
            return escaped(found[0])  # it has been cut, and leads elsewhere
        case "address":
            return f"<{found[0]}>"
        case "call":
            # A backslash is not enough: these words are also looked for in the text as it is sent.
            return found[0] + JOINER
        case _:
            return f"\\{found[0]}"


def _begun(found: re.Match[str]) -> str:
    """What would make a heading, a list or a quote of its line."""
    blank, sign, number, point = found.groups()
    return f"{blank}\\{sign}" if sign else f"{blank}{number}\\{point}"


def is_address(url: str) -> bool:
    """Whether a text can lead there."""
    return len(url) <= LONGEST_ADDRESS and _SAFE_ADDRESS.fullmatch(url) is not None


def link(text: str, url: str) -> str:
    """The text, on one line, as a link without a preview; brackets in it are round, and an address is none."""
    label = " ".join(text.translate(_BRACKETS).split()).replace("://", f":{JOINER}//")
    return f"[{escaped(label)}](<{_IN_AN_ADDRESS.sub(_encoded, url)}>)"


def _encoded(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"


def strong(markdown: str) -> str:
    """Each line in bold."""
    return _SAID.sub(r"**\g<0>**", markdown)


def emphasised(markdown: str) -> str:
    """Each line in italics."""
    return _SAID.sub(r"*\g<0>*", markdown)


def heading(markdown: str) -> str:
    """Each line as a heading of the smallest kind."""
    return _LINE.sub(r"### \1", _END_OF_HEADING.sub(rf"\g<0>{JOINER}", markdown))


def subdued(markdown: str) -> str:
    """Each line small and grey."""
    return _LINE.sub(r"-# \1", markdown)


def quoted(markdown: str) -> str:
    """All lines as one quote."""
    return "\n".join(f"> {line}" for line in markdown.split("\n"))
