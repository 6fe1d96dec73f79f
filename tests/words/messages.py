"""What the source says, found by Babel's extractor and by the syntax tree, and what the catalogues make of it.

`python -m tests.words.messages` brings every catalogue up to date: new messages come in empty, and those that nobody
says any more go. A new language begins as a file with nothing but its header.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.words import languages

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "adapters")
KEYWORDS = {"gettext": None, "pgettext": ((1, "c"), 2), "ngettext": (1, 2), "msgid": None}

HEADER = """msgid ""
msgstr ""
"Project-Id-Version: quizbot\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""
"""No dates and no names of tools, so that a catalogue changes only when its words do."""

Key = tuple[str | None, str]
"""Context and English form (of one) of a message."""


def template() -> Catalog:
    """Every message of the source with the files that say it, in the order of the files."""
    found = Catalog()
    for package in PACKAGES:
        for file, _, message, _, context in sorted(
            extract_from_dir(ROOT / package, [("**.py", "python")], keywords=KEYWORDS),
            key=lambda extracted: extracted[:2],
        ):
            found.add(message, locations=[(f"{package}/{file}", 0)], context=context)
    return found


def extracted() -> frozenset[Key]:
    return frozenset((message.context, forms(message.id)[0]) for message in template() if message.id)


def written() -> frozenset[Key]:
    """The same, by the syntax tree: what the extractor overlooks is missing there and present here."""
    trees = (ast.parse(path.read_text("utf-8")) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(key for call in calls for key in _key(call))


def _key(call: ast.Call) -> Iterable[Key]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    literals = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if name in KEYWORDS and literals:
        yield (literals[0], literals[1]) if name == "pgettext" else (None, literals[0])


def catalogue(language: str) -> Catalog:
    with _path(language).open("rb") as file:
        return read_po(file, locale=language.replace("-", "_"), abort_invalid=True)


def updated(language: str) -> str:
    """The text of a catalogue with exactly the messages of the source."""
    messages = catalogue(language)
    messages.update(template(), no_fuzzy_matching=True)
    body = BytesIO()
    write_po(body, messages, width=120, omit_header=True, ignore_obsolete=True, include_lineno=False)
    return (
        HEADER.format(language=language, plural_forms=messages.plural_forms) + body.getvalue().decode().strip() + "\n"
    )


def _path(language: str) -> Path:
    return ROOT / "bot" / "locale" / f"{language}.po"


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def places(template: str) -> frozenset[str]:
    """The names between braces."""
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)


if __name__ == "__main__":
    for language in languages():
        _path(language).write_text(updated(language), encoding="utf-8")
