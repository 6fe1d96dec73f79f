"""The shape of a quiz file: its keys and what each holds. Knows nothing of places in the file or of the core's quiz."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from bot.content.remarks import Step
from bot.content.values import (
    BY_LANGUAGE,
    MOST_LANGUAGES,
    MOST_QUESTIONS,
    MOST_SOURCES,
    MOST_TOPICS,
    PLAIN,
    Count,
    Language,
    OptionText,
    PlainOption,
    QuestionId,
    Seconds,
    Slug,
    Stem,
    Switch,
    Telling,
    Title,
    WebAddress,
)
from bot.core.quiz import FEWEST_OPTIONS, MOST_OPTIONS

CHOICE, TRUE_FALSE = "<choice>", "<true-false>"
BRANCHES = frozenset({PLAIN, BY_LANGUAGE, CHOICE, TRUE_FALSE})
"""What pydantic puts on the way to a value where the shape has alternatives."""

COUNTS: Mapping[Step, Count] = {
    "languages": Count(1, MOST_LANGUAGES),
    "topics": Count(0, MOST_TOPICS),
    "questions": Count(1, MOST_QUESTIONS),
    "options": Count(FEWEST_OPTIONS, MOST_OPTIONS),
    "sources": Count(0, MOST_SOURCES),
}
"""How many entries the list under each key may have."""

Topics = Annotated[tuple[Slug, ...], COUNTS["topics"]]


def _about(text: str) -> Any:
    return Field(None, description=text)


class Shape(BaseModel):
    """A mapping of the file. A key that is not listed is an error, for it is nearly always a slip of the keyboard."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class SourceShape(Shape):
    """Where the explanation can be checked."""

    url: WebAddress = Field(description="An absolute http(s) address.")
    title: Title | None = _about("What the link is called.")


class ImageShape(Shape):
    """A picture that belongs to the question."""

    path: str = Field(
        description="Relative to this file: .png, .jpg, .jpeg, .gif or .webp.", min_length=1, max_length=300
    )
    alt: OptionText = Field(description="What the picture shows, for those who cannot see it.")


class OptionShape(Shape):
    """One thing to choose."""

    text: OptionText = Field(description="What stands beside the letter.")
    right: Switch = Field(False, description="Whether choosing it is right. At least one option is.")
    note: Telling | None = _about("Why it is wrong, or right; said to those who chose it.")
    pinned: Switch = Field(False, description="Whether it keeps its place when options are shuffled.")


def as_option(written: object) -> object:
    """An option as a mapping, for a text alone is one too."""
    return {"text": written} if isinstance(written, str) else written


AnyOption = Annotated[OptionShape, BeforeValidator(as_option, json_schema_input_type=PlainOption | OptionShape)]


class QuestionShape(Shape):
    """What every question has, whatever its kind."""

    id: QuestionId = Field(description="Unique in the file and never changed: people's progress hangs on it.")
    topics: Topics = Field((), description="Added to the quiz's topics.")
    seconds: Seconds | None = _about("Time to answer when there is a clock; without it the text's length decides.")
    image: ImageShape | None = _about("A picture shown with the stem.")
    explanation: Telling | None = _about("Said to everybody once they have answered.")
    sources: Annotated[tuple[SourceShape, ...], COUNTS["sources"]] = Field(
        (), description="Where the explanation can be checked."
    )


class ChoiceShape(QuestionShape):
    """A stem and its options, one or several of them right."""

    stem: Stem = Field(description="What is asked.")
    options: Annotated[tuple[AnyOption, ...], COUNTS["options"]] = Field(
        description="2 to 10 options; plain texts are wrong ones."
    )


class TrueFalseShape(QuestionShape):
    """A statement that is either true or false."""

    statement: Stem = Field(description="What is claimed.")
    answer: Switch = Field(description="Whether the statement is true.")
    note: Telling | None = _about("Said to those who chose the wrong one.")


def kind(question: object) -> str:
    """Which branch judges a question: the key `statement` decides."""
    return TRUE_FALSE if isinstance(question, dict) and "statement" in question else CHOICE


AnyQuestion = Annotated[
    Annotated[ChoiceShape, Tag(CHOICE)] | Annotated[TrueFalseShape, Tag(TRUE_FALSE)], Discriminator(kind)
]


class HeadShape(Shape):
    """What a quiz is called and which languages it speaks."""

    title: Title = Field(description="What the quiz is called.")
    intro: Telling | None = _about("Said before the first question.")
    languages: Annotated[tuple[Language, ...], COUNTS["languages"]] = Field(
        description="The languages on offer; the first is the source, in which everything is written."
    )
    topics: Topics = Field((), description="For every question of the quiz.")


class QuizShape(HeadShape):
    """A whole quiz file."""

    questions: Annotated[tuple[AnyQuestion, ...], COUNTS["questions"]] = Field(description="1 to 2,000 questions.")
