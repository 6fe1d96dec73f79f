"""The kinds of value in a quiz file: texts, names, switches, addresses, with their limits. Knows nothing of its keys.

Each kind says both how a value is judged and what editors are told, so that the two cannot disagree. The limits are
Quizbot's own: beyond them a quiz cannot be shown well on any platform.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, WithJsonSchema
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

WORDED, OVER_LIMIT = "worded", "over limit"
"""The types of errors whose messages, `said` in their context, are already in an author's words: of a value that is not
of its kind, and of a text that is one but too much of it."""

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
        plain = core_schema.no_info_after_validator_function(self._checked, core_schema.str_schema())
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
            raise _worded("the text is empty; write it, or remove its key")
        if excess := tuple(self._excess(text)):
            raise PydanticCustomError(OVER_LIMIT, "see said", {"said": excess})
        return text

    def _excess(self, text: str) -> Iterator[str]:
        if len(text) > self.limit:
            yield too_long(text, self.limit)
        if not self.lines and "\n" in text:
            yield "a line break, which cannot be shown here; write one line, or use >-"


@dataclass(frozen=True, slots=True)
class Count:
    """How many entries a list may have, told to editors. Judged apart from the entries, so neither hides the other."""

    fewest: int
    most: int

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The list with its limits."""
        fewest = {"minItems": self.fewest} if self.fewest else {}
        return {**handler(schema), **fewest, "maxItems": self.most}


def too_long(text: str, limit: int) -> str:
    """What is said of a text of more than `limit` characters."""
    return f"{len(text):,} characters; at most {limit:,} fit here, which is Quizbot's own limit: shorten it"


def _worded(*said: str) -> PydanticCustomError:
    return PydanticCustomError(WORDED, "see said", {"said": said})


def _branch(value: object) -> str:
    return BY_LANGUAGE if isinstance(value, dict) else PLAIN


def _localised(value: str | dict[str, str]) -> LocalisedText:
    return LocalisedText(value if isinstance(value, dict) else {NEUTRAL: value})


def _switch(written: object) -> bool:
    if written not in ("true", "false"):
        raise _worded("neither true nor false; write one of the two")
    return written == "true"


def _whole_number(written: object) -> int:
    if not (isinstance(written, str) and re.fullmatch("[0-9]{1,9}", written)):
        raise _worded("not a whole number; write one such as 30, without a unit")
    return int(written)


def _address(written: str) -> str:
    faults = [too_long(written, LONGEST_URL)] if len(written) > LONGEST_URL else []
    if not _is_address(written):
        faults.append("not a web address; write it whole, with https:// and without spaces")
    if faults:
        raise _worded(*faults)
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
    AfterValidator(_address),
    WithJsonSchema({"type": "string", "pattern": r"^https?://[^\s]+$", "maxLength": LONGEST_URL}),
]
Title = Annotated[LocalisedText, Words(LONGEST_TITLE)]
PlainOption = Annotated[str, WithJsonSchema({"type": _AS_WRITTEN, "minLength": 1, "maxLength": LONGEST_OPTION})]
OptionText = Annotated[LocalisedText, Words(LONGEST_OPTION)]
Stem = Annotated[LocalisedText, Words(LONGEST_STEM, lines=True)]
Telling = Annotated[LocalisedText, Words(LONGEST_TELLING, lines=True)]
"""What is told rather than asked: an explanation, a note, an introduction."""
