"""As much of a quiz file as has the right shape, so that one slip does not hide the other problems. Knows no places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from bot.content.model import (
    AnyQuestion,
    ChoiceShape,
    HeadShape,
    Languages,
    QuestionShape,
    QuizShape,
    Shape,
    Topics,
    texts,
)
from bot.content.remarks import Loc, Remark
from bot.content.values import MOST_QUESTIONS, Telling, Title
from bot.content.wording import remarks
from bot.core.quiz import LocalisedText

MOST_REMARKS = 1_000
"""After so many, more would help nobody."""

Judged = TypeVar("Judged")


class Heading(Shape):
    """What is sound of a quiz's head."""

    title: Title | None = None
    intro: Telling | None = None
    languages: Languages = ()
    topics: Topics = ()


class _Questions(Shape):
    questions: tuple[Any, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)


_QUESTION: TypeAdapter[QuestionShape] = TypeAdapter(AnyQuestion)


@dataclass(frozen=True)
class Draft:
    """The sound parts: `head` if it is whole, `heading` in any case, questions by their index in the file."""

    head: HeadShape | None
    heading: Heading
    questions: Mapping[int, QuestionShape]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages on offer; none when their list is at fault."""
        return self.heading.languages

    @cached_property
    def choices(self) -> tuple[tuple[Loc, ChoiceShape], ...]:
        """The questions with options that the author wrote, and the way to each."""
        asked = self.questions.items()
        return tuple((("questions", index), question) for index, question in asked if isinstance(question, ChoiceShape))

    @cached_property
    def texts(self) -> tuple[tuple[Loc, LocalisedText], ...]:
        """Every text for readers and the way to it."""
        asked = (texts(question, "questions", index) for index, question in self.questions.items())
        return tuple(chain(texts(self.heading), *asked))


def read_draft(plain: object) -> tuple[Draft, tuple[Remark, ...]]:
    """The sound parts of a file, given as strings, lists and dicts, and what is wrong with the others."""
    if not isinstance(plain, dict):
        return Draft(None, Heading(), {}), _judged(QuizShape.model_validate, plain)[1]
    rest = {key: value for key, value in plain.items() if key != "questions"}
    listed = {key: value for key, value in plain.items() if key == "questions"}
    head, wrong_head = _judged(HeadShape.model_validate, rest)
    at_fault = {remark.loc[0] for remark in wrong_head if remark.loc}
    heading = Heading.model_validate({key: rest[key] for key in Heading.model_fields if key in rest.keys() - at_fault})
    written, wrong_list = _judged(_Questions.model_validate, listed)
    questions, wrong_questions = _read_questions(written.questions if written else ())
    return Draft(head, heading, questions), (*wrong_head, *wrong_list, *wrong_questions)


def _read_questions(written: tuple[object, ...]) -> tuple[dict[int, QuestionShape], list[Remark]]:
    questions, wrong = dict[int, QuestionShape](), list[Remark]()
    for index, value in enumerate(written):
        question, wrong_here = _judged(_QUESTION.validate_python, value, ("questions", index))
        wrong.extend(wrong_here)
        if len(wrong) >= MOST_REMARKS:
            enough = f"{MOST_REMARKS:,} problems up to here; mend these, then check again"
            wrong.append(Remark(("questions", index), enough))
            break
        if question:
            questions[index] = question
    return questions, wrong


def _judged(
    judge: Callable[[object], Judged], value: object, way: Loc = ()
) -> tuple[Judged | None, tuple[Remark, ...]]:
    try:
        return judge(value), ()
    except ValidationError as error:
        return None, tuple(remarks(error.errors(include_url=False), way))
