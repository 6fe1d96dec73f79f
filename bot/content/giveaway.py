"""Whether the right option can be guessed from its length: warnings. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.content.draft import Draft
from bot.content.remarks import Loc, Remark
from bot.content.sketch import ChoiceSketch, Text

FEWEST_QUESTIONS = 5
"""Below this, the longest option being right a few times is chance."""

_Option = tuple[Text, bool]

LARGEST_SHARE = 0.4
LARGEST_RATIO = 1.5
SHORTEST_TELLING_KEY = 20
"""Characters. Shorter options differ in length by nature: numbers, names, code."""


def giveaway_warnings(draft: Draft) -> Iterator[Remark]:
    """Quizzes in which the right option is too often the longest, and options much longer than the wrong ones."""
    measured = {loc: options for loc, question in draft.choices if (options := _measurable(question))}
    all_measured = draft.all_asked and len(measured) == len(draft.choices)
    if all_measured and len(measured) >= FEWEST_QUESTIONS:
        for language in draft.languages:
            yield from _often_the_longest(language, measured.values())
    for loc, options in measured.items():
        yield from _far_longer(draft.languages, loc, options)


def _measurable(question: ChoiceSketch) -> tuple[_Option, ...]:
    """The text of every option and whether it is right; nothing when one of them cannot be read."""
    options = question.options or ()
    read = [(option.text, option.right) for option in options if option.text and not option.text.unread]
    known = tuple((text, right) for text, right in read if right is not None)
    return known if len(known) == len(options) else ()


def _often_the_longest(language: str, questions: Iterable[tuple[_Option, ...]]) -> Iterator[Remark]:
    compared = [longest for options in questions for longest in _longest(language, options)]
    count = sum(compared)
    if compared and count > LARGEST_SHARE * len(compared):
        what = (
            f"in '{language}' the right option is the longest in {count} of {len(compared)} cases, which gives it away"
        )
        yield Remark(("questions",), f"{what}; shorten right options or write fuller wrong ones", at_key=True)


def _longest(language: str, options: tuple[_Option, ...]) -> Iterator[bool]:
    """For each right option, whether it is longer than every wrong one."""
    keys, distractors = _lengths(language, options)
    if distractors:
        yield from (length > max(distractors) for length in keys.values())


def _far_longer(languages: tuple[str, ...], loc: Loc, options: tuple[_Option, ...]) -> Iterator[Remark]:
    where: dict[int, list[str]] = {}
    for language in languages:
        keys, distractors = _lengths(language, options)
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


def _lengths(language: str, options: tuple[_Option, ...]) -> tuple[dict[int, int], list[int]]:
    """Characters of the right options by index, and of the wrong ones; nothing when one is not translated."""
    if not all(text.speaks(language) for text, _ in options):
        return {}, []
    keys = {index: len(text[language]) for index, (text, right) in enumerate(options) if right}
    return keys, [len(text[language]) for text, right in options if not right]
