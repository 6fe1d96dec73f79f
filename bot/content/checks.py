"""What makes a quiz impossible although each of its parts has the right shape: errors. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bot.content.characters import folded
from bot.content.draft import Draft
from bot.content.model import ChoiceShape
from bot.content.pictures import picture_fault
from bot.content.problems import quoted
from bot.content.remarks import Loc, Remark
from bot.core.quiz import NEUTRAL


def errors(draft: Draft, folder: Path) -> Iterator[Remark]:
    """Everything that keeps the sound parts from being a quiz; pictures are looked for in `folder`."""
    yield from _languages_listed_twice(draft)
    yield from _ids_used_twice(draft)
    yield from _pictures(draft, folder)
    for loc, question in draft.choices:
        yield from _no_key(loc, question)
        yield from _equal_options(draft.languages, loc, question)
    if draft.languages:
        yield from _not_in_source_language(draft)
        yield from _not_on_offer(draft)


def _languages_listed_twice(draft: Draft) -> Iterator[Remark]:
    for index, language in enumerate(draft.languages):
        if language == NEUTRAL:
            advice = "a text that reads the same in every language is written without a language"
            yield Remark(("languages", index), f"'{NEUTRAL}' is no language to read in; remove it: {advice}")
        if language in draft.languages[:index]:
            yield Remark(("languages", index), f"{quoted(language)} is listed twice; remove one of the two")


def _ids_used_twice(draft: Draft) -> Iterator[Remark]:
    first: dict[str, int] = {}
    for index, question in draft.questions.items():
        if first.setdefault(question.id, index) != index:
            number = first[question.id] + 1
            advice = "give this one its own, for people's progress hangs on it"
            yield Remark(
                ("questions", index, "id"),
                f"the id {quoted(question.id)} is already that of question {number}; {advice}",
            )


def _pictures(draft: Draft, folder: Path) -> Iterator[Remark]:
    for index, question in draft.questions.items():
        if question.image and (fault := picture_fault(folder, question.image.path)):
            yield Remark(("questions", index, "image", "path"), fault)


def _no_key(loc: Loc, question: ChoiceShape) -> Iterator[Remark]:
    if not any(option.right for option in question.options):
        yield Remark(
            (*loc, "options"), "no option is right; write the right one as 'text: …' with 'right: true'", at_key=True
        )


def _equal_options(languages: tuple[str, ...], loc: Loc, question: ChoiceShape) -> Iterator[Remark]:
    reported: set[int] = set()
    for language in languages:
        first: dict[str, int] = {}
        for index, option in enumerate(question.options):
            if index in reported or not option.text.speaks(language):
                continue
            earlier = first.setdefault(folded(option.text[language]), index)
            if earlier != index:
                reported.add(index)
                what = f"reads like option {earlier + 1} of this question in '{language}'; let more than case differ"
                yield Remark((*loc, "options", index, "text", language), what)


def _not_in_source_language(draft: Draft) -> Iterator[Remark]:
    source = draft.languages[0]
    for loc, text in draft.texts:
        if not text.speaks(source):
            yield Remark(
                loc, f"no text in '{source}', the first of 'languages'; everything is written in that one: add it"
            )


def _not_on_offer(draft: Draft) -> Iterator[Remark]:
    offered = {NEUTRAL, *draft.languages}
    keys = ((loc, language) for loc, text in draft.texts for language in text.texts if language not in offered)
    for loc, language in keys:
        listed = ", ".join(draft.languages)
        what = f"a text in {quoted(language)}, which 'languages' ({listed}) does not list; add it there, or remove this"
        yield Remark((*loc, language), what, at_key=True)
