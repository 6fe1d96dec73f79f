"""What a reader of another language would miss or misread in a quiz: warnings. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.content.draft import Draft
from bot.content.parallel import identifiers, numbers
from bot.content.remarks import Loc, Remark
from bot.core.quiz import LocalisedText

_KINDS: tuple[tuple[str, Callable[[str], frozenset[str]]], ...] = (("identifiers", identifiers), ("numbers", numbers))


def translation_warnings(draft: Draft) -> Iterator[Remark]:
    """Texts that are missing in a language on offer, and translations whose identifiers or numbers are others."""
    for loc, text in draft.texts:
        yield from _missing(draft.languages, loc, text)
        yield from _differing(draft.languages, loc, text)


def _missing(languages: tuple[str, ...], loc: Loc, text: LocalisedText) -> Iterator[Remark]:
    missing = [language for language in languages[1:] if not text.speaks(language)]
    if missing and text.speaks(languages[0]):
        what = f"{_name(loc)} is not translated into {', '.join(missing)}; add the translation"
        yield Remark(loc, f"{what}, or its readers get '{languages[0]}'")


def _differing(languages: tuple[str, ...], loc: Loc, text: LocalisedText) -> Iterator[Remark]:
    source = languages[0]
    if source not in text.texts or len(text.texts) == 1:
        return
    expected = [(kind, find, find(text.texts[source])) for kind, find in _KINDS]
    for language in languages[1:]:
        for kind, find, there in expected:
            here = find(text.texts[language]) if language in text.texts else there
            if here != there:
                yield Remark((*loc, language), _difference(kind, source, language, there - here, here - there))


def _difference(kind: str, source: str, language: str, lacking: frozenset[str], added: frozenset[str]) -> str:
    parts = [
        f"{', '.join(sorted(names))} only in '{where}'"
        for names, where in ((lacking, source), (added, language))
        if names
    ]
    return f"{kind} differ from '{source}': {'; '.join(parts)}; write the same ones in both"


def _name(loc: Loc) -> str:
    name = next(step for step in reversed(loc) if isinstance(step, str))
    return f"'{name}'"
