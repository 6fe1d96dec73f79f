"""A quiz file as far as it can be read, so that one slip does not hide the other problems. Knows no places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from bot.content.counts import counted
from bot.content.model import CHOICE, TRUE_FALSE, AnyQuestion, HeadShape, QuestionShape, QuizShape, Shape, kind
from bot.content.remarks import Loc, Remark
from bot.content.sketch import ChoiceSketch, HeadSketch, QuestionSketch, Text, sketched_question, texts
from bot.content.slips import languages_listed, slips_of_head, slips_of_question
from bot.content.tree import Node
from bot.content.wording import remarks
from bot.core.quiz import NEUTRAL

MOST_REMARKS = 1_000
"""After so many, more would help nobody."""

Judged = TypeVar("Judged")


class _Questions(Shape):
    questions: tuple[Any, ...]


_LISTS = {CHOICE: ("topics", "options", "sources"), TRUE_FALSE: ("topics", "sources")}
"""The keys of each kind of question under which lists are counted."""

_QUESTION: TypeAdapter[QuestionShape] = TypeAdapter(AnyQuestion)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One question: as it is judged, as far as it can be read, and what is wrong with it."""

    whole: QuestionShape | None
    sketch: QuestionSketch | None
    wrong: tuple[Remark, ...]


@dataclass(frozen=True)
class Draft:
    """A quiz in two forms: `head` and `questions` are its sound parts, `heading` and `asked` all that can be read.

    Questions are found by their index in the file; `all_asked` says that every one can be read at least in part.
    """

    head: HeadShape | None = None
    questions: Mapping[int, QuestionShape] = field(default_factory=dict)
    heading: HeadSketch = field(default_factory=HeadSketch)
    asked: Mapping[int, QuestionSketch] = field(default_factory=dict)
    all_asked: bool = False

    @property
    def listed(self) -> tuple[str | None, ...]:
        """The entries of `languages`; None for one that is no language tag."""
        return self.heading.languages or ()

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages on offer that can be read, each once."""
        return tuple(dict.fromkeys(language for language in self.listed if language not in (None, NEUTRAL)))

    @property
    def source(self) -> str | None:
        """The language that everything must be written in; None when it cannot be read."""
        return self.languages[0] if self.languages and self.listed[0] is not None else None

    @cached_property
    def choices(self) -> tuple[tuple[Loc, ChoiceSketch], ...]:
        """The questions with options that the author wrote, and the way to each."""
        asked = self.asked.items()
        return tuple(
            (("questions", index), question) for index, question in asked if isinstance(question, ChoiceSketch)
        )

    @cached_property
    def texts(self) -> tuple[tuple[Loc, Text], ...]:
        """Every text for readers that can be read at least in part, and the way to it."""
        asked = (texts(question, "questions", index) for index, question in self.asked.items())
        return tuple(chain(texts(self.heading), *asked))


def read_draft(tree: Node) -> tuple[Draft, tuple[Remark, ...]]:
    """What can be read of a file, and what is wrong with the shape of the rest. Mends slips of keys in `tree`."""
    if not isinstance(tree.content, dict):
        return Draft(), _judged(QuizShape.model_validate, tree.plain())[1]
    found = [*slips_of_head(tree), *counted(tree, ("languages", "topics", "questions"))]
    rest = {key: node.plain() for key, node in tree.content.items() if key != "questions"}
    head, wrong = _judged(HeadShape.model_validate, rest)
    listed, wrong_list = _listed(tree.content.get("questions"))
    readings = tuple(_readings(listed, languages_listed(tree)))
    draft = Draft(
        head=head,
        heading=HeadSketch.model_validate(rest),
        questions={index: reading.whole for index, reading in enumerate(readings) if reading.whole},
        asked={index: reading.sketch for index, reading in enumerate(readings) if reading.sketch},
        all_asked=len(listed) == sum(reading.sketch is not None for reading in readings),
    )
    return draft, (*found, *wrong, *wrong_list, *chain.from_iterable(reading.wrong for reading in readings))


def _listed(questions: Node | None) -> tuple[list[Node], tuple[Remark, ...]]:
    if questions and isinstance(questions.content, list):
        return questions.content, ()
    return [], _judged(_Questions.model_validate, {"questions": questions.plain()} if questions else {})[1]


def _readings(listed: list[Node], languages: tuple[str, ...]) -> Iterator[_Reading]:
    """The questions one by one, until more faults would help nobody."""
    found = 0
    for index, node in enumerate(listed):
        reading = _read(node, languages, ("questions", index))
        found += len(reading.wrong)
        if found < MOST_REMARKS:
            yield reading
            continue
        enough = Remark(("questions", index), f"{MOST_REMARKS:,} problems up to here; mend these, then check again")
        yield replace(reading, wrong=(*reading.wrong, enough))
        return


def _read(node: Node, languages: tuple[str, ...], way: Loc) -> _Reading:
    found = [*slips_of_question(node, languages, way), *counted(node, _LISTS[kind(node.content)], way)]
    plain = node.plain()
    whole, wrong = _judged(_QUESTION.validate_python, plain, way)
    return _Reading(whole, sketched_question(plain) if isinstance(plain, dict) else None, (*found, *wrong))


def _judged(
    judge: Callable[[object], Judged], value: object, way: Loc = ()
) -> tuple[Judged | None, tuple[Remark, ...]]:
    try:
        return judge(value), ()
    except ValidationError as error:
        return None, tuple(remarks(error.errors(include_url=False), way))
