"""What makes a quiz impossible besides the shape of its parts: errors. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.content.characters import folded
from bot.content.draft import Draft
from bot.content.pictures import picture_fault
from bot.content.problems import quoted
from bot.content.remarks import Loc, Remark
from bot.content.sketch import OptionSketch
from bot.core.quiz import NEUTRAL


def errors(draft: Draft, folder: Path) -> Iterator[Remark]:
    """Everything that keeps the readable parts from being a quiz; pictures are looked for in `folder`."""
    yield from _languages_listed_twice(draft)
    yield from _ids_used_twice(draft)
    yield from _pictures(draft, folder)
    for loc, question in draft.choices:
        if question.options:
            yield from _no_key(loc, question.options)
            yield from _equal_options(loc, question.options)
    if draft.source:
        yield from _not_in_source_language(draft, draft.source)
    if draft.languages and None not in draft.listed:
        yield from _not_on_offer(draft)


def _languages_listed_twice(draft: Draft) -> Iterator[Remark]:
    for index, language in enumerate(draft.listed):
        if language == NEUTRAL:
            advice = "a text that reads the same in every language is written without a language"
            yield Remark(("languages", index), f"'{NEUTRAL}' is no language to read in; remove it: {advice}")
        if language and language in draft.listed[:index]:
            yield Remark(("languages", index), f"{quoted(language)} is listed twice; remove one of the two")


def _ids_used_twice(draft: Draft) -> Iterator[Remark]:
    first: dict[str, int] = {}
    for index, question in draft.asked.items():
        if question.id is not None and first.setdefault(question.id, index) != index:
            number = first[question.id] + 1
            advice = "give this one its own, for people's progress hangs on it"
            yield Remark(
                ("questions", index, "id"),
                f"the id {quoted(question.id)} is already that of question {number}; {advice}",
            )


def _pictures(draft: Draft, folder: Path) -> Iterator[Remark]:
    for index, question in draft.asked.items():
        path = question.image.path if question.image else None
        if path and (fault := picture_fault(folder, path)):
            yield Remark(("questions", index, "image", "path"), fault, misread=True)


def _no_key(loc: Loc, options: tuple[OptionSketch, ...]) -> Iterator[Remark]:
    if all(option.right is False for option in options):
        yield Remark(
            (*loc, "options"), "no option is right; write the right one as 'text: …' with 'right: true'", at_key=True
        )


def _equal_options(loc: Loc, options: tuple[OptionSketch, ...]) -> Iterator[Remark]:
    """Options that a reader cannot tell apart, whether or not their language is on offer."""
    written = {index: option.text for index, option in enumerate(options) if option.text}
    reported: set[int] = set()
    for language in dict.fromkeys(tag for text in written.values() for tag in text.versions):
        first: dict[str, int] = {}
        for index, text in written.items():
            if index in reported or not text.speaks(language):
                continue
            earlier = first.setdefault(folded(text[language]), index)
            if earlier != index:
                reported.add(index)
                where = "" if language == NEUTRAL else f" in '{language}'"
                what = f"reads like option {earlier + 1} of this question{where}; let more than case differ"
                yield Remark((*loc, "options", index, "text", language), what)


def _not_in_source_language(draft: Draft, source: str) -> Iterator[Remark]:
    for loc, text in draft.texts:
        if text.lacks(source):
            yield Remark(
                loc, f"no text in '{source}', the first of 'languages'; everything is written in that one: add it"
            )


def _not_on_offer(draft: Draft) -> Iterator[Remark]:
    offered = {NEUTRAL, *draft.languages}
    keys = ((loc, language) for loc, text in draft.texts for language in text.tags if language not in offered)
    for loc, language in keys:
        listed = ", ".join(draft.languages)
        what = f"a text in {quoted(language)}, which 'languages' ({listed}) does not list; add it there, or remove this"
        yield Remark((*loc, language), what, at_key=True)
