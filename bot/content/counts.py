"""Whether the lists of a quiz have as many entries as they may, sound or not. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Iterator, Sized

from bot.content.draft import Draft
from bot.content.model import COUNTS
from bot.content.remarks import Loc, Remark
from bot.content.sketch import ChoiceSketch

_ONE = {
    "questions": "question",
    "options": "option",
    "languages": "language",
    "topics": "topic",
    "sources": "source",
}


def count_errors(draft: Draft) -> Iterator[Remark]:
    """The lists that are too short or too long."""
    if draft.count is not None:
        yield from _count(("questions",), draft.count)
    yield from _length(("languages",), draft.heading.languages)
    yield from _length(("topics",), draft.heading.topics)
    for index, question in draft.asked.items():
        yield from _length(("questions", index, "topics"), question.topics)
        yield from _length(("questions", index, "sources"), question.sources)
        if isinstance(question, ChoiceSketch):
            yield from _length(("questions", index, "options"), question.options)


def _length(loc: Loc, listed: Sized | None) -> Iterator[Remark]:
    if listed is not None:
        yield from _count(loc, len(listed))


def _count(loc: Loc, count: int) -> Iterator[Remark]:
    key = str(loc[-1])
    found = f"{count:,} {_ONE[key] if count == 1 else key}"
    if count < COUNTS[key].fewest:
        yield Remark(loc, f"{found}; at least {COUNTS[key].fewest} must be there: add what is missing")
    if count > COUNTS[key].most:
        limit = f"at most {COUNTS[key].most:,} are possible, which is Quizbot's own limit"
        yield Remark(loc, f"{found}; {limit}: remove or split")
