"""As much of a quiz file as has the right shape, so that one slip does not hide the other problems. Knows no places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from bot.content.model import AnyQuestion, ChoiceShape, HeadShape, QuestionShape, QuizShape, Shape, texts
from bot.content.remarks import Loc, Remark
from bot.content.values import MOST_QUESTIONS
from bot.content.wording import remarks
from bot.core.quiz import LocalisedText

Judged = TypeVar("Judged")


class _Questions(Shape):
    questions: tuple[Any, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)


_QUESTION: TypeAdapter[QuestionShape] = TypeAdapter(AnyQuestion)
_LANGUAGES: TypeAdapter[tuple[str, ...]] = TypeAdapter(HeadShape.model_fields["languages"].rebuild_annotation())


@dataclass(frozen=True)
class Draft:
    """The sound parts: `head` if it is whole, questions by their index in the file, `languages` if they can be told."""

    head: HeadShape | None
    languages: tuple[str, ...]
    questions: Mapping[int, QuestionShape]

    @cached_property
    def choices(self) -> tuple[tuple[Loc, ChoiceShape], ...]:
        """The questions with options that the author wrote, and the way to each."""
        asked = self.questions.items()
        return tuple((("questions", index), question) for index, question in asked if isinstance(question, ChoiceShape))

    @cached_property
    def texts(self) -> tuple[tuple[Loc, LocalisedText], ...]:
        """Every text for readers and the way to it."""
        asked = (texts(question, "questions", index) for index, question in self.questions.items())
        return tuple(chain(texts(self.head), *asked))


def read_draft(plain: object) -> tuple[Draft, tuple[Remark, ...]]:
    """The sound parts of a file, given as strings, lists and dicts, and what is wrong with the others."""
    if not isinstance(plain, dict):
        return Draft(None, (), {}), _judged(QuizShape.model_validate, plain)[1]
    rest = {key: value for key, value in plain.items() if key != "questions"}
    listed = {key: value for key, value in plain.items() if key == "questions"}
    head, wrong_head = _judged(HeadShape.model_validate, rest)
    written, wrong_list = _judged(_Questions.model_validate, listed)
    questions, wrong_questions = _read_questions(written.questions if written else ())
    languages = head.languages if head else _languages(plain.get("languages"))
    return Draft(head, languages, questions), (*wrong_head, *wrong_list, *wrong_questions)


def _read_questions(written: tuple[object, ...]) -> tuple[dict[int, QuestionShape], list[Remark]]:
    questions, wrong = dict[int, QuestionShape](), list[Remark]()
    for index, value in enumerate(written):
        question, wrong_here = _judged(_QUESTION.validate_python, value, ("questions", index))
        wrong.extend(wrong_here)
        if question:
            questions[index] = question
    return questions, wrong


def _languages(written: object) -> tuple[str, ...]:
    """The languages of a file whose head has another fault; none when they are at fault themselves."""
    languages, _ = _judged(_LANGUAGES.validate_python, written, ("languages",))
    return languages or ()


def _judged(
    judge: Callable[[object], Judged], value: object, way: Loc = ()
) -> tuple[Judged | None, tuple[Remark, ...]]:
    try:
        return judge(value), ()
    except ValidationError as error:
        return None, tuple(remarks(error.errors(include_url=False), way))
