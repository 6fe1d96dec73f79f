"""Shortens cards to what a message may hold, what matters least first. Knows the unit, no markup and no words.

Texts are counted in UTF-16 code units, as Telegram does; platforms that count characters never count more. A text is
cut at a word where one is near, never inside a character as it is seen (an emoji of several code points is one), and
what was cut ends in "…".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from bot.messages import Block, Role
from bot.words import END_OF_ISOLATE, ISOLATE

CUT = "…"

Blocks = Sequence[Block]
Measure = Callable[[Blocks], int]

_WIDE = frozenset("\u200d\ufe0f\ufe0e\u20e3")
_JOINER = "\u200d"
_LAST_WORD = re.compile(r"\s+\S*\Z")
_TRAILING = " \n,;:.–—-"


def units(text: str) -> int:
    """How long a text is, in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shortened(text: str, most: int) -> str:
    """The text in at most `most` units, the mark and the end of an open isolate included; but at least the mark."""
    if units(text) <= most:
        return text
    room = most - units(CUT) - (1 if ISOLATE in text else 0)
    head = _head(text, room)
    rest = None if text[len(head)].isspace() else _LAST_WORD.search(head)
    if rest and 2 * units(rest[0]) < room:
        head = head[: rest.start()]
    head = head.rstrip(_TRAILING)
    return f"{head}{CUT}{END_OF_ISOLATE if _is_open(head) else ''}" if head.strip(ISOLATE) else CUT


def _head(text: str, most: int) -> str:
    """The longest beginning in at most `most` units that ends between two characters as they are seen."""
    head = text.encode("utf-16-le", "surrogatepass")[: 2 * max(most, 0)].decode("utf-16-le", "ignore")
    end = len(head)
    while end and not _is_boundary(text, end):
        end -= 1
    return text[:end]


def _is_boundary(text: str, at: int) -> bool:
    """Whether `text` may be cut before the code point at `at`."""
    before, after = text[at - 1], text[at]
    if before == _JOINER or after in _WIDE or unicodedata.category(after).startswith("M"):
        return False
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return False
    return not (_is_half_flag(after) and _halves_before(text, at) % 2)


def _is_half_flag(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def _halves_before(text: str, at: int) -> int:
    start = at
    while start and _is_half_flag(text[start - 1]):
        start -= 1
    return at - start


def _is_open(head: str) -> bool:
    line = head.rpartition("\n")[2]
    return line.count(ISOLATE) > line.count(END_OF_ISOLATE)


def fitted(blocks: Blocks, most: int, measure: Measure) -> Blocks:
    """The blocks as they are, or so much of them that `measure` gives at most `most`."""
    for step in _STEPS:
        if measure(blocks) <= most:
            return blocks
        blocks = step(blocks, lambda tried: measure(tried) <= most)
    return blocks


Fits = Callable[[Blocks], bool]
Step = Callable[[Blocks, Fits], Blocks]


def _largest(least: int, most: int, fits: Callable[[int], bool]) -> int:
    """The largest number between the two that fits, or `least`."""
    while least < most:
        middle = (least + most + 1) // 2
        if fits(middle):
            least = middle
        else:
            most = middle - 1
    return least


def _level(role: Role | None, least: int, blocks: Blocks, fits: Fits) -> Blocks:
    """Cut all texts of a role (None: everything) to one length, not below `least`: the longest give most."""
    longest = max((_length(block) for block in blocks if role in (None, block.role)), default=0)
    if longest <= least:
        return blocks
    length = _largest(least, longest, lambda tried: fits(_cut(blocks, role, tried)))
    return _cut(blocks, role, length)


def _length(block: Block) -> int:
    return max(map(units, (block.lead, block.text, block.tail)))


def _cut(blocks: Blocks, role: Role | None, most: int) -> Blocks:
    return [_cut_block(block, most, whole=role is None) if role in (None, block.role) else block for block in blocks]


def _cut_block(block: Block, most: int, *, whole: bool) -> Block:
    """A letter, a rank or a number stays, but where everything gives way."""
    lead = shortened(block.lead, most) if whole else block.lead
    return replace(block, lead=lead, text=shortened(block.text, most), tail=shortened(block.tail, most))


def _fewer(role: Role | None, mark: bool, blocks: Blocks, fits: Fits) -> Blocks:
    """Leave out blocks of a role (None: any) from the last, one at least stays; `mark` says where some are missing."""
    places = [at for at, block in enumerate(blocks) if role in (None, block.role)]
    kept = _largest(0, len(places) - 1, lambda tried: fits(_without(blocks, places[tried:], mark)))
    return _without(blocks, places[max(kept, 1 if mark else 0) :], mark)


def _without(blocks: Blocks, places: Sequence[int], mark: bool) -> Blocks:
    if not places:
        return blocks
    missing = frozenset(places)
    left = [Block(block.role, CUT) if mark and at == places[0] else block for at, block in enumerate(blocks)]
    return [block for at, block in enumerate(left) if at not in missing or (mark and at == places[0])]


_STEPS: tuple[Step, ...] = (
    # What a reader can still do without: each keeps so much that it says something.
    partial(_level, Role.EXPLANATION, 80),
    partial(_level, Role.NOTE, 80),
    partial(_level, Role.LINE, 80),
    partial(_level, Role.REMARK, 40),
    partial(_fewer, Role.SOURCE, False),
    partial(_level, Role.STEM, 300),
    partial(_fewer, Role.STANDING, True),
    # Then everything but the options, down to the mark.
    *(partial(_level, role, 1) for role in (Role.EXPLANATION, Role.NOTE, Role.LINE, Role.REMARK)),
    *(partial(_level, role, 40) for role in (Role.STEM, Role.TITLE, Role.FACT, Role.VERDICT, Role.PROGRESS)),
    *(partial(_level, role, 1) for role in (Role.STEM, Role.STANDING, Role.OPTION)),
    # No card of ours comes this far.
    partial(_fewer, None, True),
    partial(_level, None, 1),
)
