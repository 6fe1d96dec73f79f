"""Takes a slip in a key for the key that was meant, so that one slip is one error and what stands under it is judged.

Knows which keys there are, and nothing of what they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from bot.content.keys import OF_A_QUESTION, meant
from bot.content.model import (
    COUNTS,
    ChoiceShape,
    ImageShape,
    OptionShape,
    QuizShape,
    Shape,
    SourceShape,
    TrueFalseShape,
)
from bot.content.problems import quoted
from bot.content.remarks import Loc, Remark
from bot.content.tree import Node
from bot.content.values import LANGUAGE

_INSIDE: Mapping[str, type[Shape]] = {"options": OptionShape, "image": ImageShape, "sources": SourceShape}


def slips_of_head(quiz: Node) -> Iterator[Remark]:
    """Mends the keys at the left margin of `quiz` in place, and says which were mended."""
    yield from _renamed(quiz, QuizShape.model_fields, ())


def slips_of_question(question: Node, languages: Iterable[str], way: Loc) -> Iterator[Remark]:
    """The same of one question, which `way` leads to, in a quiz that lists these `languages`."""
    known = _keys_of(question)
    yield from _renamed(question, known, way, apart=OF_A_QUESTION.difference(known))
    for key, shape in _INSIDE.items():
        for place, part in _parts(question, key, way):
            if shape is OptionShape:
                yield from _gathered(part, languages, place)
            yield from _renamed(part, shape.model_fields, place)


def languages_listed(quiz: Node) -> tuple[str, ...]:
    """The entries of `languages` as they are written, sound or not."""
    listed = quiz.content.get("languages") if isinstance(quiz.content, dict) else None
    entries = listed.content if listed and isinstance(listed.content, list) else ()
    return tuple(entry.content for entry in entries if isinstance(entry.content, str))


def _keys_of(question: Node) -> Iterable[str]:
    """The keys of the kind of question that this one is, or is meant to be."""
    written = question.content if isinstance(question.content, dict) else {}
    claimed = any(meant(key, ["stem", "statement"]) == "statement" for key in written if key not in OF_A_QUESTION)
    judged = "answer" in written and "options" not in written and "stem" not in written
    is_statement = "statement" in written or claimed or judged
    return (TrueFalseShape if is_statement else ChoiceShape).model_fields


def _parts(question: Node, key: str, way: Loc) -> Iterator[tuple[Loc, Node]]:
    """The mappings under `key`, no more than a quiz may have, and the way to each."""
    value = question.content.get(key) if isinstance(question.content, dict) else None
    if value and isinstance(value.content, dict):
        yield (*way, key), value
    elif value and isinstance(value.content, list) and key in COUNTS:
        for index, part in islice(enumerate(value.content), COUNTS[key].most):
            yield (*way, key, index), part


def _renamed(node: Node, known: Iterable[str], way: Loc, apart: Iterable[str] = ()) -> Iterator[Remark]:
    """Gives the keys that are not `known` the names of those that are meant and missing."""
    if not isinstance(node.content, dict):
        return
    left_alone = {*known, *apart}
    for written in [key for key in node.content if key not in left_alone]:
        if key := meant(written, [key for key in known if key not in node.content]):
            node.rename(written, key)
            yield Remark((*way, key), f"{quoted(written)} is not a key here; did you mean '{key}'?", True, misread=True)


def _gathered(option: Node, languages: Iterable[str], way: Loc) -> Iterator[Remark]:
    """Puts the languages of an option without a text under the key `text`."""
    if not isinstance(option.content, dict) or "text" in option.content:
        return
    tags = [key for key in option.content if _is_language(key, languages)]
    if set(tags).intersection(languages):
        option.gather("text", tags)
        what = f"'{tags[0]}' is not a key here; write the languages of an option under 'text'"
        yield Remark((*way, "text"), f"{what}, as in 'text: {{{tags[0]}: …}}'", at_key=True)


def _is_language(key: str, languages: Iterable[str]) -> bool:
    known = OptionShape.model_fields
    return key not in known and bool(re.fullmatch(LANGUAGE, key)) and (key in languages or not meant(key, known))
