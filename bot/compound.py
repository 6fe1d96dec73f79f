"""What a mix is made of, as text for the store and back: which questions of which editions, not the questions again.

So a session of ten questions pins a few lines, beside editions that other sessions have pinned as well. Knows no
quizzes: the library puts them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from bot.codec import UnreadableError

_BEGINNING = '{"mix":'

Part = tuple[str, tuple[str, ...]]
"""The digest of an edition, and the ids of some of its questions, in order."""


@dataclass(frozen=True, slots=True)
class Compound:
    """A mix: its title by language, what it was made of (`Quiz.recipe`), and its parts in the order of its questions.
    An edition may come up in several of them."""

    title: Mapping[str, str]
    recipe: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Marked:
    mix: Compound


_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(_Marked)


def dump(compound: Compound) -> str:
    """The mix as JSON in one canonical form: equal ones give equal text."""
    return _encoder.encode(_Marked(compound)).decode()


def load(text: str) -> Compound | None:
    """The mix that `dump` wrote; None for a text that is something else. Raises UnreadableError for a damaged one."""
    if not text.startswith(_BEGINNING):
        return None
    try:
        return _decoder.decode(text).mix
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnreadableError(f"a mix that this version cannot read: {error}") from error
