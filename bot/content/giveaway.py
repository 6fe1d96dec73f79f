"""Whether the right option can be guessed from its length: warnings. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Iterator

from bot.content.draft import Draft
from bot.content.model import ChoiceShape
from bot.content.remarks import Loc, Remark

FEWEST_QUESTIONS = 5
"""Below this, the longest option being right a few times is chance."""

LARGEST_SHARE = 0.4
LARGEST_RATIO = 1.5
SHORTEST_TELLING_KEY = 20
"""Characters. Shorter options differ in length by nature: numbers, names, code."""


def giveaway_warnings(draft: Draft) -> Iterator[Remark]:
    """Quizzes in which the right option is too often the longest, and options much longer than the wrong ones."""
    questions = [question for _, question in draft.choices]
    if len(questions) >= FEWEST_QUESTIONS:
        for language in draft.languages:
            yield from _often_the_longest(language, questions)
    for loc, question in draft.choices:
        yield from _far_longer(draft.languages, loc, question)


def _often_the_longest(language: str, questions: list[ChoiceShape]) -> Iterator[Remark]:
    compared = [longest for question in questions for longest in _longest(language, question)]
    count = sum(compared)
    if compared and count > LARGEST_SHARE * len(compared):
        what = (
            f"in '{language}' the right option is the longest in {count} of {len(compared)} cases, which gives it away"
        )
        yield Remark(("questions",), f"{what}; shorten right options or write fuller wrong ones", at_key=True)


def _longest(language: str, question: ChoiceShape) -> Iterator[bool]:
    """For each right option, whether it is longer than every wrong one."""
    keys, distractors = _lengths(language, question)
    if distractors:
        yield from (length > max(distractors) for length in keys.values())


def _far_longer(languages: tuple[str, ...], loc: Loc, question: ChoiceShape) -> Iterator[Remark]:
    where: dict[int, list[str]] = {}
    for language in languages:
        keys, distractors = _lengths(language, question)
        for index, length in keys.items():
            if (
                distractors
                and length >= SHORTEST_TELLING_KEY
                and length * len(distractors) > LARGEST_RATIO * sum(distractors)
            ):
                where.setdefault(index, []).append(language)
    for index, found in where.items():
        what = f"this right option has more than {LARGEST_RATIO} times the mean length of the wrong ones"
        where_to = f"in {', '.join(map(repr, found))}, which gives it away; shorten it or write fuller wrong ones"
        yield Remark((*loc, "options", index), f"{what} {where_to}")


def _lengths(language: str, question: ChoiceShape) -> tuple[dict[int, int], list[int]]:
    """Characters of the right options by index, and of the wrong ones; nothing when one is not translated."""
    if not all(option.text.speaks(language) for option in question.options):
        return {}, []
    lengths = [len(option.text[language]) for option in question.options]
    keys = {index: lengths[index] for index, option in enumerate(question.options) if option.right}
    return keys, [length for index, length in enumerate(lengths) if index not in keys]
