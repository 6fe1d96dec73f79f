"""As much of a quiz as can be read, so that a fault hides only what depends on it. Knows no places and no limits.

What is there and cannot be read is None. What is not there has its default; `has` tells the two apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeGuard, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainValidator, ValidationError, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from bot.content.characters import is_seen
from bot.content.model import TRUE_FALSE, as_option, kind
from bot.content.remarks import Loc, Step
from bot.content.values import LANGUAGE, Language, QuestionId, Switch
from bot.core.quiz import NEUTRAL

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Text:
    """The readable `versions` of a text by language; `unread` are the keys whose versions cannot be read."""

    versions: Mapping[str, str]
    unread: frozenset[str] = frozenset()

    @property
    def tags(self) -> tuple[str, ...]:
        """The languages that are written, readable or not."""
        return (*self.versions, *sorted(key for key in self.unread if re.fullmatch(LANGUAGE, key)))

    def __getitem__(self, language: str) -> str:
        """The text in `language`, or the neutral one. Raises KeyError when there is neither."""
        return self.versions[language] if language in self.versions else self.versions[NEUTRAL]

    def speaks(self, language: str) -> bool:
        """Whether the text can be read in `language`."""
        return language in self.versions or NEUTRAL in self.versions

    def lacks(self, language: str) -> bool:
        """Whether nothing is written in `language`; a key that is no language tag may be meant for any."""
        stands = language in self.tags or any(not re.fullmatch(LANGUAGE, key) for key in self.unread)
        return not (self.speaks(language) or stands)


def _text(value: object) -> Text | None:
    if not isinstance(value, dict):
        return Text({NEUTRAL: value}) if _is_words(value) else None
    versions = {key: text for key, text in value.items() if re.fullmatch(LANGUAGE, key) and _is_words(text)}
    return Text(versions, frozenset(value.keys() - versions.keys())) if value else None


def _is_words(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and is_seen(value)


def _if_readable(value: object, judge: ValidatorFunctionWrapHandler) -> Any:
    try:
        return judge(value)
    except ValidationError:
        return None


def _option(value: object) -> object:
    written = as_option(value)
    return written if isinstance(written, dict) else {key: [] for key in OptionSketch.model_fields}


Readable = Annotated[Value | None, WrapValidator(_if_readable)]
SketchedText = Annotated[Text | None, PlainValidator(_text)]


class Sketch(BaseModel):
    """A mapping of the file, whatever else is in it."""

    model_config = ConfigDict(extra="ignore", frozen=True, arbitrary_types_allowed=True)

    def has(self, key: str) -> bool:
        """Whether the author wrote this key, whatever stands under it."""
        return key in self.model_fields_set


class SourceSketch(Sketch):
    """Of a source, what is shown to readers."""

    title: SketchedText = None


class ImageSketch(Sketch):
    """Of a picture, where it is and what is shown instead."""

    path: Readable[str] = None
    alt: SketchedText = None


class OptionSketch(Sketch):
    """Of an option, everything; what is no option at all has four keys that cannot be read."""

    text: SketchedText = None
    right: Readable[Switch] = False
    note: SketchedText = None
    pinned: Readable[Switch] = False


class QuestionSketch(Sketch):
    """Of a question, what is compared with other questions or shown to readers."""

    id: Readable[QuestionId] = None
    image: Readable[ImageSketch] = None
    explanation: SketchedText = None
    sources: Readable[tuple[Readable[SourceSketch], ...]] = ()


class ChoiceSketch(QuestionSketch):
    """A question with options. `options` is None when no list of them can be read."""

    stem: SketchedText = None
    options: Readable[tuple[Annotated[OptionSketch, BeforeValidator(_option)], ...]] = None


class StatementSketch(QuestionSketch):
    """A question whether a statement is true."""

    statement: SketchedText = None
    note: SketchedText = None


class HeadSketch(Sketch):
    """Of a quiz, what stands before its questions. A language that cannot be read is None."""

    title: SketchedText = None
    intro: SketchedText = None
    languages: Readable[tuple[Readable[Language], ...]] = None


def sketched_question(plain: dict[str, object]) -> QuestionSketch:
    """What can be read of a question, given as strings, lists and dicts. Never raises."""
    return (StatementSketch if kind(plain) == TRUE_FALSE else ChoiceSketch).model_validate(plain)


def texts(value: object, *loc: Step) -> Iterator[tuple[Loc, Text]]:
    """Every text for readers within `value`, with the way to it, which starts with `loc`."""
    if isinstance(value, Text):
        yield loc, value
    elif isinstance(value, Sketch):
        for name in type(value).model_fields:
            yield from texts(getattr(value, name), *loc, name)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from texts(item, *loc, index)
