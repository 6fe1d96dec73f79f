"""Which characters a quiz file and its texts may not hold, and how to say so. Knows nothing of YAML's grammar."""

from __future__ import annotations

import re
import unicodedata

from bot.words import INVISIBLE  # letters and symbols that show nothing

_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff" + _NONCHARACTERS
_DIRECTIONS = r"\u202a-\u202e\u2066-\u2069"

NOT_IN_A_FILE = re.compile(f"[{_CONTROLS}]")
"""What no YAML file may hold as it stands: controls, separators that editors do not count as lines, noncharacters."""

NOT_IN_A_TEXT = re.compile(rf"[\t\r{_CONTROLS}{_DIRECTIONS}]")
"""What no text may hold, however it was written. A line break is judged elsewhere, by the field."""

_ESCAPED = {"\t": "t", "\x07": "a", "\x08": "b", "\x0b": "v", "\x0c": "f", "\r": "r", "\x1b": "e", "\x00": "0"}
_NAMES = {"\t": "a tab", "\r": "a carriage return"}
_DIRECTION = re.compile(f"[{_DIRECTIONS}]")


def named(sign: str) -> str:
    """A forbidden character in words and as its code point."""
    if _DIRECTION.match(sign):
        return f"an invisible control of the writing direction (U+{ord(sign):04X})"
    return f"{_NAMES.get(sign, 'a control character')} (U+{ord(sign):04X})"


def remedy(sign: str, double_quoted: bool) -> str:
    """What the author does about a forbidden character in a text."""
    if double_quoted and sign in _ESCAPED:
        return rf"in double quotes \{_ESCAPED[sign]} means that; write the text in single quotes or after |"
    if double_quoted and not _DIRECTION.match(sign):
        return r"in double quotes a \ starts a code; write the text in single quotes or after |"
    if sign == "\t":
        return "write spaces instead"
    return "delete it; right-to-left text is isolated without it" if _DIRECTION.match(sign) else "delete it"


_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff]")
"""Characters that join, part or turn others and show nothing themselves."""


def is_seen(text: str) -> bool:
    """Whether a reader sees anything of `text`."""
    return any(not (sign.isspace() or sign in INVISIBLE or unicodedata.category(sign) in ("Cf", "Cc")) for sign in text)


def folded(text: str) -> str:
    """`text` as far as a reader tells texts apart: without case, outer and repeated spaces, invisible characters."""
    return " ".join(_UNSEEN.sub("", unicodedata.normalize("NFC", text.casefold())).split())
