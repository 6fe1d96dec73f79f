"""Any quiz that the loader accepts and any name, as strategies: long, hostile, right to left, with pictures or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from bot.content import load_file
from bot.content.values import LONGEST_OPTION, LONGEST_STEM, LONGEST_TELLING, LONGEST_TITLE
from bot.core.quiz import NEUTRAL, Image, LocalisedText, Quiz
from bot.messages import Block, Button, Card, Link, Mark, Role, Style
from bot.presses import Choose, Page, Press, Toggle
from tests.present.sample import NOON

PIECES = (
    "<b>",
    "</b>",
    "<blockquote expandable>",
    "&lt;",
    "&",
    "<",
    ">",
    '"',
    "@everyone",
    "/stop",
    "#tag",
    "https://example.org/?a=<b>&c='d'",
    "t.me/x",
    "{0}",
    "%s",
    "`_*[x](y)~|",
    "<@1> <#2> <t:3:R> </a:4> <:b:5> <id:home>",
    ":smile:",
    "||a|| ```b``` ~~c~~ __d__",
    "\n# e\n- f\n1. g\n> h\n-# i",
    "🎉",
    "👩‍👩‍👧‍👦",
    "🇧🇬",
    "❤️",
    "e\u0301",
    "\u200b",
    "\u2060",
    "\u3164",
    "שלום",
    "العربية",
    "Ж",
    "word",
    " ",
    "\n",
)
PICTURES = {"a.png": b"\x89PNG\r\n\x1a\n and so on", "a.gif": b"GIF89a and so on", "a.jpg": b"\xff\xd8\xff and so on"}
LANGUAGES = ("en", "bg", "he", "de")

names = st.one_of(st.text(max_size=64), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
_bits = st.one_of(
    st.sampled_from(PIECES), st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")), max_size=5)
)


def texts(most: int, *, lines: bool = True) -> st.SearchStrategy[str]:
    """Texts of a quiz of up to `most` characters, often as long as they can be."""
    written = st.tuples(st.lists(_bits, min_size=1, max_size=12).map("".join), st.sampled_from((1, 1, 40, most)))
    return written.map(lambda each: _allowed((each[0] * each[1])[:most], lines=lines))


def _allowed(text: str, *, lines: bool) -> str:
    """Without what the loader refuses, and with something to be seen."""
    kept = "".join(
        sign for sign in text if sign == "\n" or (sign.isprintable() and ord(sign) != 0xFEFF) or sign == "\u200b"
    )
    kept = kept if lines else kept.replace("\n", " ")
    return f"x{kept[1:].rstrip()}"


def _localised(most: int, *, lines: bool = True) -> st.SearchStrategy[str | dict[str, str]]:
    each = texts(most, lines=lines)
    return st.one_of(each, st.fixed_dictionaries({"en": each}, optional={"bg": each, "he": each}))


@st.composite
def _questions(draw: st.DrawFn) -> list[dict[str, Any]]:
    return [draw(_question(f"q{number}")) for number in range(draw(st.integers(1, 2)))]


@st.composite
def _question(draw: st.DrawFn, name: str) -> dict[str, Any]:
    count = draw(st.sampled_from((2, 4, 10)))
    right = draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=count - 1))
    options = [_option(draw, number, right=number in right) for number in range(count)]
    written: dict[str, Any] = {"id": name, "stem": draw(_localised(LONGEST_STEM)), "options": options}
    if draw(st.booleans()):
        written["explanation"] = draw(_localised(LONGEST_TELLING))
    if draw(st.booleans()):
        written["image"] = {
            "path": draw(st.sampled_from(sorted(PICTURES))),
            "alt": draw(_localised(LONGEST_OPTION, lines=False)),
        }
    if draw(st.booleans()):
        written["sources"] = [
            {"url": 'https://example.org/?a=b&c="d"', "title": draw(texts(LONGEST_TITLE, lines=False))}
        ]
    return written


def _option(draw: st.DrawFn, number: int, *, right: bool) -> dict[str, Any]:
    written: dict[str, Any] = {
        "text": f"{number} {draw(texts(LONGEST_OPTION - 2, lines=False))}",
        "right": str(right).lower(),
    }
    if draw(st.booleans()):
        written["note"] = draw(_localised(LONGEST_TELLING))
    return written


@st.composite
def written_quizzes(draw: st.DrawFn) -> dict[str, Any]:
    """What stands in a quiz file."""
    written = {
        "title": draw(_localised(LONGEST_TITLE, lines=False)),
        "languages": list(LANGUAGES),
        "questions": draw(_questions()),
    }
    if draw(st.booleans()):
        written["intro"] = draw(texts(LONGEST_TELLING))
    return written


def loaded(folder: Path, written: dict[str, Any]) -> Quiz | None:
    """The quiz, if the loader accepts it."""
    for name, content in PICTURES.items():
        (folder / name).write_bytes(content)
    path = folder / "any.yaml"
    path.write_text(json.dumps(written, ensure_ascii=False), encoding="utf-8")
    return load_file(path).quiz


# Cards that no code of ours makes

_SIGNS = "<>&\"'@/#.$*_~`|[]():-+\\!\u2067\u2068\u2069\u202e\u200b\u2060\x00\ud800 \n😀👨\u200d👩\u0301🇧🇬שלוםАя"
wild = st.text(st.characters() | st.sampled_from(_SIGNS), max_size=40) | names
_wild_and_long = st.builds(lambda text, times: (text * times)[:10_000], wild, st.sampled_from([1, 1, 1, 9, 1000]))
_addresses = st.sampled_from(
    ["", "https://e.org/?'\"<&", "https://e.org/(a)[b]*_c_\\", "https://e.org/" + "x" * 600, "x"]
)
_presses: st.SearchStrategy[Press] = st.one_of(
    st.builds(Page, st.integers(0, 99)),
    st.builds(Choose, st.just("s1"), st.just(0), st.integers(0, 40)),
    st.builds(Toggle, st.just("s1"), st.just(0), st.integers(0, 40)),
)
wild_buttons = st.builds(Button, wild, _presses, st.sampled_from(Style))
_links = st.builds(Link, wild, _addresses)
_blocks = st.builds(
    Block, st.sampled_from(Role), _wild_and_long, wild, wild, st.sampled_from(Mark), st.one_of(st.just(""), _addresses)
)
wild_cards = st.builds(
    Card,
    st.lists(_blocks, max_size=14).map(tuple),
    st.lists(st.lists(wild_buttons | _links, max_size=20).map(tuple), max_size=12).map(tuple),
    st.none() | wild.filter(str.strip).map(lambda alt: Image("a.png", LocalisedText({NEUTRAL: alt}))),
    st.none() | st.just(NOON),
)
