"""What would make a quiz better although it can be played as it is: warnings. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Iterator

from bot.content.draft import Draft
from bot.content.giveaway import giveaway_warnings
from bot.content.phrases import is_sweeping, pointer
from bot.content.problems import quoted
from bot.content.remarks import Loc, Remark
from bot.content.sketch import ChoiceSketch, OptionSketch, Text, texts
from bot.content.translations import translation_warnings
from bot.core.quiz import FEWEST_OPTIONS, NEUTRAL


def warnings(draft: Draft) -> Iterator[Remark]:
    """Everything worth mending in the readable parts of a quiz."""
    if draft.source:
        yield from translation_warnings(draft, draft.source)
    yield from giveaway_warnings(draft)
    for index, asked in draft.asked.items():
        if not asked.has("explanation"):
            yield Remark(("questions", index), "no explanation; add 'explanation: …', for it is what people learn from")
    for loc, question in draft.choices:
        options = question.options or ()
        yield from _all_right(loc, options)
        yield from _without_note(loc, options)
        if any(option.pinned is False for option in options):
            yield from _pointing(draft.languages, loc, question)
            yield from _sweeping(draft.languages, loc, options)


def _all_right(loc: Loc, options: tuple[OptionSketch, ...]) -> Iterator[Remark]:
    if len(options) >= FEWEST_OPTIONS and all(option.right for option in options):
        yield Remark(
            (*loc, "options"), "all options are right; add a wrong one, or remove a 'right: true'", at_key=True
        )


def _without_note(loc: Loc, options: tuple[OptionSketch, ...]) -> Iterator[Remark]:
    for index, option in enumerate(options):
        if option.right is False and not option.has("note"):
            advice = "add 'note: …', said to those who choose it"
            yield Remark((*loc, "options", index), f"nothing says why this option is wrong; {advice}")


def _pointing(languages: tuple[str, ...], loc: Loc, question: ChoiceSketch) -> Iterator[Remark]:
    for way, text in texts(question, *loc):
        if way[-1] in ("alt", "title"):
            continue
        for language, written, place in _versions(languages, way, text):
            if (words := pointer(language, written)) and not is_sweeping(language, written):
                what = f"{quoted(words)} means another option to every player, for options are shuffled"
                yield Remark(place, f"{what}; say what the option says, or pin all options")
                break


def _sweeping(languages: tuple[str, ...], loc: Loc, options: tuple[OptionSketch, ...]) -> Iterator[Remark]:
    for index, option in enumerate(options):
        way = (*loc, "options", index, "text")
        if option.text and option.pinned is False and (place := _sweeping_place(languages, way, option.text)):
            what = "an option about the options above it, which may be shuffled below it"
            yield Remark(place, f"{what}; add 'pinned: true' to it, or say what it means")


def _sweeping_place(languages: tuple[str, ...], way: Loc, text: Text) -> Loc | None:
    versions = _versions(languages, way, text)
    return next((place for language, written, place in versions if is_sweeping(language, written)), None)


def _versions(languages: tuple[str, ...], way: Loc, text: Text) -> Iterator[tuple[str, str, Loc]]:
    """Language, words and place of each version; a text without a language may be in any of the quiz's."""
    for tag, written in text.versions.items():
        for language in languages if tag == NEUTRAL else (tag,):
            yield language, written, (*way, tag)
