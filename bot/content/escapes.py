"""Where in its source a character of a text stands, also when written as a code. Knows nothing of what is forbidden."""

from __future__ import annotations

import re

_CODE_OR_SIGN = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|(.)", re.DOTALL)
"""One character of a text in double quotes."""

_LETTERS = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
"""What a letter after a backslash means in double quotes; any other sign means itself."""


def places_of(sign: str, text: str, written: str, style: str | None) -> list[int]:
    """Where `sign` stands in `written`, the source of `text`: a place for each time, or none where that is not sure.

    YAML folds lines, and a comment may stand after | and >: a place is sure when there are as many as in the text.
    """
    if style == '"':
        found = [match.start() for match in _CODE_OR_SIGN.finditer(written) if _meaning(match) == sign]
    else:
        found = [match.start() for match in re.finditer(re.escape(sign), written)]
    return found if len(found) == text.count(sign) else []


def _meaning(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16))
    return match[5] or _LETTERS.get(match[4], match[4])
