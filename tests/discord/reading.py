"""Markdown as Discord's app reads it: what is seen, and whatever the app would make of it. Knows no message.

Stricter than the app where that is not sure: any `:name:` counts as an emoji, any `<…:/…>` as an address, and a line
begins after what shows nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple


class Mark(NamedTuple):
    """Something that is more than text: its kind, and what stands in it, or where it leads."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """What is seen, and what the app made of it, in order of their beginnings; what is in another is after it."""

    text: str
    marks: tuple[Mark, ...] = ()

    @property
    def kinds(self) -> list[str]:
        return [mark.kind for mark in self.marks]

    def of(self, kind: str) -> list[str]:
        return [mark.text for mark in self.marks if mark.kind == kind]


_BLANK = "[ \u200b-\u200f\u2060-\u2069\ufeff]*"
_QUOTE = re.compile(rf"{_BLANK}>>> ([\s\S]*)|({_BLANK}> [^\n]*(?:\n *> [^\n]*)*\n?)")
_AT_A_LINE = {
    "heading": re.compile(rf"{_BLANK}#{{1,3}}\s+([^\n]+?)#*\s*(?:\n|\Z)"),
    "small": re.compile(rf"{_BLANK}-# +([^\n]+?)\s*(?:\n|\Z)"),
    "list": re.compile(rf"{_BLANK}(?:[-*+]|\d+\.) +([^\n]+)(?:\n|\Z)"),
}
_LINK = re.compile(
    r"\[((?:\[[^\]]*\]|[^\[\]]|\](?=[^\[]*\]))*)\]"
    r"\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['\"]([\s\S]*?)['\"])?\s*\)"
)
_WHOLE = {
    "escape": re.compile(r"\\([^0-9A-Za-z\s])"),
    "code block": re.compile(r"```([\s\S]+?)```"),
    "code": re.compile(r"(?P<ticks>`+)[\s\S]*?[^`](?P=ticks)(?!`)"),
    "mention": re.compile(r"<(?:@[!&]?|#)\d+>|@everyone|@here"),
    "time": re.compile(r"<t:-?\d+(?::[A-Za-z])?>"),
    "command": re.compile(r"</[^<>\n]+:\d+>"),
    "place": re.compile(r"<id:\w+>"),
    "emoji": re.compile(r"<a?:\w+:\d+>|:[^\s:]+?(?:::skin-tone-\d)?:"),
    "address": re.compile(r"<([^: >]+:/[^ >]+)>|<(?:\+\d+|[^\s<>@]+@[^\s<>]+)>"),
    "bare address": re.compile(r"(?:https?|steam|discord)://[^\s<]+[^<.,:;\"'\]\s]"),
}
_AROUND = {
    "bold": re.compile(r"\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)"),
    "underlined": re.compile(r"__((?:\\[\s\S]|[^\\])+?)__(?!_)"),
    "italic": re.compile(
        r"\b_((?:__|\\[\s\S]|[^\\_])+?)_\b"
        r"|\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)"
    ),
    "struck": re.compile(r"~~([\s\S]+?)~~(?!_)"),
    "spoiler": re.compile(r"\|\|([\s\S]+?)\|\|"),
}


_PLAIN = re.compile(r"[^\\*_~`|\[<:@\nhsd]+")
"""Where nothing can begin, but at the beginning of a line."""


@lru_cache(maxsize=64)
def read(markdown: str) -> Read:
    """The markdown of one text, as it is shown."""
    reader = _Reader(markdown)
    reader.run()
    return Read("".join(reader.seen), tuple(reader.marks))


class _Reader:
    def __init__(self, source: str, *, quoted: bool = False) -> None:
        self._source, self._quoted = source, quoted
        self._at = 0
        self.seen: list[str] = []
        self.marks: list[Mark] = []

    def run(self) -> None:
        while self._at < len(self._source):
            begins = self._at == 0 or self._source[self._at - 1] == "\n"
            if not (begins and (self._quote() or self._line())) and not self._inline():
                self._plain()

    def _plain(self) -> None:
        found = _PLAIN.match(self._source, self._at)
        end = found.end() if found else self._at + 1
        self.seen.append(self._source[self._at : end])
        self._at = end

    def _quote(self) -> bool:
        found = None if self._quoted else _QUOTE.match(self._source, self._at)
        if not found:
            return False
        inside = found[1] if found[1] is not None else re.sub(rf"(?m)^{_BLANK}> ", "", found[2])
        self._take("quote", found, inside)
        return True

    def _line(self) -> bool:
        for kind, pattern in _AT_A_LINE.items():
            if found := pattern.match(self._source, self._at):
                self._take(kind, found, found[1])
                self.seen += ["\n"] if found[0].endswith("\n") else []
                return True
        return False

    def _inline(self) -> bool:
        return any(
            take(kind, found)
            for patterns, take in ((_WHOLE, self._whole), ({"link": _LINK}, self._link), (_AROUND, self._around))
            for kind, pattern in patterns.items()
            if (found := pattern.match(self._source, self._at))
        )

    def _whole(self, kind: str, found: re.Match[str]) -> bool:
        """What is not looked into."""
        inside = found[1] if kind in ("escape", "address") and found[1] else found[0]
        self.seen.append(inside)
        self.marks += [] if kind == "escape" else [Mark(kind, inside)]
        self._at = found.end()
        return True

    def _link(self, kind: str, found: re.Match[str]) -> bool:
        self._take(kind, found, found[1], found[2])
        return True

    def _around(self, kind: str, found: re.Match[str]) -> bool:
        self._take(kind, found, next(group for group in found.groups() if group is not None))
        return True

    def _take(self, kind: str, found: re.Match[str], inside: str, called: str | None = None) -> None:
        reader = _Reader(inside, quoted=self._quoted or kind == "quote")
        reader.run()
        text = "".join(reader.seen)
        self.marks += [Mark(kind, text if called is None else called), *reader.marks]
        self.seen.append(text)
        self._at = found.end()
