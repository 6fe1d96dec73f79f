"""Which key an author meant who wrote one that is not in the format. Knows no file and no place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from bot.content.model import ChoiceShape, TrueFalseShape

OF_A_QUESTION = frozenset(ChoiceShape.model_fields) | frozenset(TrueFalseShape.model_fields)
"""The keys of both kinds of question: in the wrong kind they are no slips of the keyboard."""

_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "question": ("stem", "statement"),
    "text": ("stem", "statement"),
    "answers": ("options",),
    "choices": ("options",),
    "correct": ("right", "answer"),
    "key": ("right",),
    "explain": ("explanation",),
    "hint": ("note",),
    "feedback": ("note",),
    "time": ("seconds",),
    "tags": ("topics",),
    "language": ("languages",),
    "name": ("title",),
    "description": ("intro",),
    "link": ("url",),
    "file": ("path",),
}


def meant(written: str, possible: Iterable[str]) -> str | None:
    """The one of the `possible` keys that `written` looks like, or is another word for; None when there is none."""
    known = list(possible)
    similar = get_close_matches(written, known, n=1)
    synonyms = (word for word in _SYNONYMS.get(written, ()) if word in known)
    return next(iter((*similar, *synonyms)), None)
