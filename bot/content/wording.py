"""What pydantic found wrong with the shape of a file, in an author's words. Knows nothing of YAML or of places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from pydantic_core import ErrorDetails

from bot.content.keys import OF_A_QUESTION, meant
from bot.content.model import (
    BRANCHES,
    CHOICE,
    TRUE_FALSE,
    ChoiceShape,
    ImageShape,
    OptionShape,
    QuizShape,
    Shape,
    SourceShape,
    TrueFalseShape,
)
from bot.content.problems import quoted
from bot.content.remarks import Loc, Remark, Step
from bot.content.values import (
    LANGUAGE,
    LONGEST_SECONDS,
    OVER_LIMIT,
    QUESTION_ID,
    SHORTEST_SECONDS,
    SLUG,
    WORDED,
    too_long,
)

_SHAPES: Mapping[Step, tuple[str, type[Shape]]] = {
    CHOICE: ("question", ChoiceShape),
    TRUE_FALSE: ("true/false question", TrueFalseShape),
    "options": ("option", OptionShape),
    "image": ("image", ImageShape),
    "sources": ("source", SourceShape),
}
_QUIZ = ("quiz", QuizShape)

_WANTED: Mapping[Step, str] = {
    "questions": "a list of questions, each starting with '- id: …'",
    "options": "a list of 2 to 10 options, each starting with '- '",
    "languages": "a list of language tags such as [en, bg]",
    "topics": "a list of topics such as [pytorch, memory]",
    "sources": "a list of sources, each starting with '- url: …'",
    "image": "a mapping with 'path' and 'alt'",
}
_WANTED_AT_THE_ROOT = "'title:', 'languages:' and 'questions:' at the left margin"
_WANTED_IN_LIST: Mapping[Step, str] = {
    "questions": "a question: 'id', 'stem' and 'options', or 'id', 'statement' and 'answer'",
    "options": "an option: a text, or a mapping with 'text'",
    "sources": "a source: a mapping with 'url'",
}
_NAMES = {
    SLUG: "a topic; use small letters a-z, digits and single hyphens, such as learning-rate",
    QUESTION_ID: "a question id; use up to 64 small letters a-z, digits, '.', '_' and '-', the first no sign",
    LANGUAGE: "a language tag; write one such as en, pt-BR or sr-Latn, and put a text with commas in quotes inside { }",
}
_NOTHING = "nothing is written here; write it, or remove its key"
_KEY = "[key]"
"""What pydantic puts at the end of the way to a key of a mapping."""

_OF_THE_OTHER_KIND = {
    "stem": "with 'statement' it is true/false; keep 'statement' and 'answer', or 'stem' and 'options'",
    "answer": "it is for a 'statement'; with 'options' mark the right ones with 'right: true'",
    "note": "a note belongs to an option; move it there, or call it 'explanation'",
}


def remarks(errors: Iterable[ErrorDetails], way: Loc = ()) -> Iterator[Remark]:
    """One remark for every error, `way` leading to the value that pydantic judged."""
    for error in errors:
        loc: Loc = (*way, *error["loc"])
        if error["type"] in (WORDED, OVER_LIMIT):
            misread = error["type"] == WORDED
            yield from (Remark(_sound(loc), said, misread=misread) for said in error["ctx"]["said"])
        else:
            yield replace(_SAYINGS.get(error["type"], _otherwise)(error, loc), misread=True)


def _sound(loc: Loc) -> Loc:
    """The way as it is in the file, without the branches of the model."""
    return tuple(step for step in loc if step not in BRANCHES)


def _way_to_key(loc: Loc) -> Loc:
    """The same where the last step is a key of the author's own, which may read like anything."""
    return (*_sound(loc[:-1]), loc[-1])


def _shape(loc: Loc) -> tuple[str, type[Shape]]:
    """The mapping that the last step of `loc` is a key of: what to call it, and its model."""
    return next((_SHAPES[step] for step in reversed(loc[:-1]) if step in _SHAPES), _QUIZ)


def _missing(_error: ErrorDetails, loc: Loc) -> Remark:
    key = loc[-1]
    return Remark(_sound(loc[:-1]), f"this {_shape(loc)[0]} has no '{key}'; add '{key}: …'")


def _unknown(_error: ErrorDetails, loc: Loc) -> Remark:
    key, (name, shape) = str(loc[-1]), _shape(loc)
    if name.endswith("question") and key in OF_A_QUESTION:
        advice = _OF_THE_OTHER_KIND["stem" if key == "options" else key]
    elif known := meant(key, shape.model_fields):
        advice = f"did you mean '{known}'?"
    else:
        advice = f"{'an' if name[0] in 'aeio' else 'a'} {name} has {', '.join(shape.model_fields)}"
    return Remark(_way_to_key(loc), f"{quoted(key)} is not a key here; {advice}", at_key=True)


def _wrong_shape(error: ErrorDetails, loc: Loc) -> Remark:
    way = _sound(loc)
    if way and isinstance(way[-1], int):
        wanted = _WANTED_IN_LIST.get(way[-2], "a text")
    else:
        wanted = _WANTED.get(way[-1], "a mapping") if way else _WANTED_AT_THE_ROOT
    found = f"{_written(error['input'])} where something else belongs" if error["input"] else "nothing is written here"
    return Remark(way, f"{found}; write {wanted}")


def _written(value: object) -> str:
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return "a list" if isinstance(value, list) else "a mapping"


def _not_a_text(error: ErrorDetails, loc: Loc) -> Remark:
    what = f"{_written(error['input'])} where a text belongs"
    return Remark(_sound(loc), f"{what}; write a text, in quotes if it has brackets")


def _misnamed(error: ErrorDetails, loc: Loc) -> Remark:
    at_key = loc[-1] == _KEY
    way = _way_to_key(loc[:-1]) if at_key else _sound(loc)
    if not error["input"]:
        return Remark(way, _NOTHING, at_key)
    return Remark(way, f"{quoted(error['input'])} is not {_NAMES[error['ctx']['pattern']]}", at_key)


def _too_long(error: ErrorDetails, loc: Loc) -> Remark:
    return Remark(_sound(loc), too_long(error["input"], error["ctx"]["max_length"]))


def _empty(_error: ErrorDetails, loc: Loc) -> Remark:
    return Remark(_sound(loc), _NOTHING)


def _in_no_language(_error: ErrorDetails, loc: Loc) -> Remark:
    return Remark(_sound(loc), "0 languages; at least 1 must be there: add what is missing")


def _out_of_range(error: ErrorDetails, loc: Loc) -> Remark:
    what = f"{error['input']} seconds; {SHORTEST_SECONDS} to {LONGEST_SECONDS} are possible"
    return Remark(_sound(loc), f"{what}, which is Quizbot's own limit: choose one of these")


def _otherwise(error: ErrorDetails, loc: Loc) -> Remark:
    return Remark(_sound(loc), f"{_written(error['input'])} cannot be used here; docs/content.md says what can")


_SAYINGS: Mapping[str, Callable[[ErrorDetails, Loc], Remark]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "model_type": _wrong_shape,
    "tuple_type": _wrong_shape,
    "string_type": _not_a_text,
    "string_pattern_mismatch": _misnamed,
    "string_too_long": _too_long,
    "string_too_short": _empty,
    "too_short": _in_no_language,
    "greater_than_equal": _out_of_range,
    "less_than_equal": _out_of_range,
}
