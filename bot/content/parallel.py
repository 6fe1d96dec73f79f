"""What must read the same in every language of a text: identifiers and numbers. Knows nothing of quizzes."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

PLURALS = frozenset({"s", "es", "ies", "i", "e", "ii", "le", "uri", "ri", "ele"})
"""Endings in brackets, as in "layer(s)" or "strat(uri)", which do not make a call of the word."""

# Only ASCII: identifiers are, and so abbreviations in other scripts ("т.е.") are none.
_IDENTIFIER = re.compile(
    r"""(?<![\w.])(?:
      (?P<call>   \.?[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)* \((?P<inner>[^()\n]{0,40})\) )
    | (?P<assign> [A-Za-z_][A-Za-z0-9_.]*={1,2}[-+]?[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)* )
    | (?P<dotted> \.?[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+ )
    | (?P<member> \.[A-Za-z_][A-Za-z0-9_]+ )
    | (?P<snake>  [A-Za-z0-9]*_[A-Za-z0-9_]* )
    | (?P<camel>  (?=[A-Za-z])[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]* )
    )""",
    re.VERBOSE,
)
_ABBREVIATION_PART = 2
"""The most letters of a part of an abbreviation: "e.g", "a.k.a", "U.S", "Ph.D"."""

_DIGIT = re.compile(r"\d")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_ARABIC_MARKS = str.maketrans("\u066b\u066c", ".,")

_NAME_WITH_DIGITS = re.compile(r"(?<!\w)[^\W\d]\w*(?:(?<=\d)(?:\.\d+)+)?")
"""Words, with digits in them or after them ("fp16", "v2.8", "H2O"): these digits belong to a name."""

_NUMBER = re.compile(
    r"""(?<!\d)(?<!\d[.,])(?:
      (?P<grouped>[1-9]\d{0,2} (?P<mark>[ \u00a0\u2009\u202f.,'’])\d{3} (?:(?P=mark)\d{3})*) (?!\d)
      (?:[.,](?P<rest>\d+))?
    | (?P<plain>\d+) (?:[.,](?P<part>\d+))? (?:[eE](?P<power>[-+]?\d{1,3})(?!\w))?
    )(?![.,]?\d)
    | (?P<single>\d+)""",  # of a date, a version or a list without spaces
    re.VERBOSE,
)


def identifiers(text: str) -> frozenset[str]:
    """Names of code and products in `text`: with `.`, `_`, `()` or `=` inside, or a capital after a small letter."""
    return frozenset(match[0] for match in _IDENTIFIER.finditer(text) if _is_name(match))


def numbers(text: str) -> frozenset[str]:
    """The numbers in `text`, written one way: `0,5` as `0.5`, `1 000` as `1000`. Digits inside names are left out."""
    if not _DIGIT.search(text):
        return frozenset()
    prose = _IDENTIFIER.sub(lambda match: "#" if _is_name(match) else match[0], _in_ascii_digits(text))
    return frozenset(_value(match) for match in _NUMBER.finditer(_NAME_WITH_DIGITS.sub("#", prose)))


def _is_name(match: re.Match[str]) -> bool:
    if match["call"]:
        return match["inner"] not in PLURALS
    if match["dotted"]:
        return any(len(part) > _ABBREVIATION_PART for part in match["dotted"].split("."))
    return not match["snake"] or match["snake"].strip("_") != ""  # a blank to fill in is no name


def _in_ascii_digits(text: str) -> str:
    if not _OTHER_DIGIT.search(text):
        return text
    signs = (str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)
    return "".join(signs).translate(_ARABIC_MARKS)


def _value(match: re.Match[str]) -> str:
    if match["single"]:
        return match["single"].lstrip("0") or "0"
    digits = re.sub(r"\D", "", match["grouped"] or match["plain"]).lstrip("0") or "0"
    part = (match["rest"] or match["part"] or "").rstrip("0")
    value = f"{digits}.{part}" if part else digits
    return f"{Decimal(value).scaleb(int(match['power'])).normalize():f}" if match["power"] else value
