"""The kinds of value in a quiz file: texts, names, switches, addresses, with their limits. Knows nothing of its keys.

Each kind says both how a value is judged and what editors are told, so that the two cannot disagree. The limits are
Quizbot's own: beyond them a quiz cannot be shown well on any platform.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from bot.content.characters import is_seen
from bot.core.quiz import NEUTRAL, LocalisedText
from bot.core.timing import LONGEST_CLOCK

MOST_QUESTIONS = 2_000
MOST_LANGUAGES = 50
MOST_TOPICS = 20
MOST_SOURCES = 20
LONGEST_TITLE = 300
LONGEST_OPTION = 1_000
LONGEST_STEM = 4_000
LONGEST_TELLING = 8_000
LONGEST_URL = 2_000
LONGEST_SLUG = 40
SHORTEST_SECONDS = 5
LONGEST_SECONDS = LONGEST_CLOCK // timedelta(seconds=1)

SLUG = "^[a-z0-9]+(-[a-z0-9]+)*$"
QUESTION_ID = "^[a-z0-9][a-z0-9._-]{0,63}$"
LANGUAGE = "^[a-z]{2,3}(-([A-Z]{2}|[A-Z][a-z]{3}))?$"
"""BCP 47 tags as quizzes need them: a language, with a country or a script."""

WORDED = "worded"
"""The type of an error whose message is already in an author's words."""

PLAIN, BY_LANGUAGE = "<plain>", "<by language>"
"""The branches of a text, as pydantic names them on the way to a value."""

# Editors read YAML 1.2 and see a number in `012`; the loader takes every text as it is written.
_AS_WRITTEN = ["string", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Words:
    """Marks a text for readers: plain, or by language; at most `limit` characters, on one line unless `lines`."""

    limit: int
    lines: bool = False

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Takes a string or a mapping language -> string and gives a `LocalisedText`."""
        bounded = core_schema.str_schema(max_length=self.limit)
        plain = core_schema.no_info_after_validator_function(self._checked, bounded)
        by_language = core_schema.dict_schema(core_schema.str_schema(pattern=LANGUAGE), plain, min_length=1)
        either = core_schema.tagged_union_schema({PLAIN: plain, BY_LANGUAGE: by_language}, _branch)
        return core_schema.no_info_after_validator_function(_localised, either)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The same for editors."""
        text = {"type": _AS_WRITTEN, "minLength": 1, "maxLength": self.limit}
        names = {"pattern": LANGUAGE}
        by_language = {"type": "object", "propertyNames": names, "additionalProperties": text, "minProperties": 1}
        return {"anyOf": [text, by_language]}

    def _checked(self, text: str) -> str:
        if not is_seen(text):
            raise PydanticCustomError(WORDED, "the text is empty; write it, or remove its key")
        if not self.lines and "\n" in text:
            raise PydanticCustomError(WORDED, "a line break, which cannot be shown here; write one line, or use >-")
        return text


def _branch(value: object) -> str:
    return BY_LANGUAGE if isinstance(value, dict) else PLAIN


def _localised(value: str | dict[str, str]) -> LocalisedText:
    return LocalisedText(value if isinstance(value, dict) else {NEUTRAL: value})


def _switch(written: object) -> bool:
    if written not in ("true", "false"):
        raise PydanticCustomError(WORDED, "neither true nor false; write one of the two")
    return written == "true"


def _whole_number(written: object) -> int:
    if not (isinstance(written, str) and re.fullmatch("[0-9]{1,9}", written)):
        raise PydanticCustomError(WORDED, "not a whole number; write one such as 30, without a unit")
    return int(written)


def _address(written: object) -> object:
    if isinstance(written, str) and not _is_address(written):
        raise PydanticCustomError(WORDED, "not a web address; write it whole, with https:// and without spaces")
    return written


def _is_address(text: str) -> bool:
    if not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def _written_as(pattern: str, longest: int) -> WithJsonSchema:
    return WithJsonSchema({"type": _AS_WRITTEN, "pattern": pattern, "maxLength": longest})


Switch = Annotated[bool, BeforeValidator(_switch)]
Slug = Annotated[str, Field(pattern=SLUG, max_length=LONGEST_SLUG), _written_as(SLUG, LONGEST_SLUG)]
QuestionId = Annotated[str, Field(pattern=QUESTION_ID), _written_as(QUESTION_ID, 64)]
Language = Annotated[str, Field(pattern=LANGUAGE), _written_as(LANGUAGE, 8)]
Seconds = Annotated[int, Field(ge=SHORTEST_SECONDS, le=LONGEST_SECONDS), BeforeValidator(_whole_number)]
WebAddress = Annotated[
    str,
    Field(max_length=LONGEST_URL),
    BeforeValidator(_address),
    WithJsonSchema({"type": "string", "pattern": r"^https?://[^\s]+$", "maxLength": LONGEST_URL}),
]
Title = Annotated[LocalisedText, Words(LONGEST_TITLE)]
PlainOption = Annotated[str, WithJsonSchema({"type": _AS_WRITTEN, "minLength": 1, "maxLength": LONGEST_OPTION})]
OptionText = Annotated[LocalisedText, Words(LONGEST_OPTION)]
Stem = Annotated[LocalisedText, Words(LONGEST_STEM, lines=True)]
Telling = Annotated[LocalisedText, Words(LONGEST_TELLING, lines=True)]
"""What is told rather than asked: an explanation, a note, an introduction."""
