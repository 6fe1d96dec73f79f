"""What a reader of another language would miss or misread in a quiz: warnings. Knows no places and no YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.content.draft import Draft
from bot.content.parallel import identifiers, numbers
from bot.content.remarks import Loc, Remark
from bot.content.sketch import Text

_KINDS: tuple[tuple[str, Callable[[str], frozenset[str]]], ...] = (("identifiers", identifiers), ("numbers", numbers))


def translation_warnings(draft: Draft, source: str) -> Iterator[Remark]:
    """Texts that are missing in a language on offer, and translations whose identifiers or numbers are not those of
    the `source` language."""
    others = tuple(language for language in draft.languages if language != source)
    for loc, text in draft.texts:
        yield from _missing(source, others, loc, text)
        yield from _differing(source, others, loc, text)


def _missing(source: str, others: tuple[str, ...], loc: Loc, text: Text) -> Iterator[Remark]:
    missing = [language for language in others if text.lacks(language)]
    if missing:
        what = f"{_name(loc)} is not translated into {', '.join(missing)}; add the translation"
        yield Remark(loc, f"{what}, or its readers get '{source}'")


def _differing(source: str, others: tuple[str, ...], loc: Loc, text: Text) -> Iterator[Remark]:
    if source not in text.versions or len(text.versions) == 1:
        return
    expected = [(kind, find, find(text.versions[source])) for kind, find in _KINDS]
    for language in others:
        for kind, find, there in expected:
            here = find(text.versions[language]) if language in text.versions else there
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
