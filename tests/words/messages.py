"""What the source says, found twice: by Babel's extractor, as `make words` runs it, and by the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "adapters")
KEYWORDS = {"gettext": None, "pgettext": ((1, "c"), 2), "ngettext": (1, 2), "msgid": None}

Key = tuple[str | None, str]
"""Context and English form (of one) of a message."""


def extracted() -> frozenset[Key]:
    found: set[Key] = set()
    for package in PACKAGES:
        for _, _, message, _, context in extract_from_dir(ROOT / package, [("**.py", "python")], keywords=KEYWORDS):
            found.add((context, message if isinstance(message, str) else message[0]))
    return frozenset(found)


def written() -> frozenset[Key]:
    trees = (ast.parse(path.read_text("utf-8")) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    return frozenset(key for call in calls for key in _key(call))


def _key(call: ast.Call) -> Iterable[Key]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    literals = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if name in KEYWORDS and literals:
        yield (literals[0], literals[1]) if name == "pgettext" else (None, literals[0])


def catalogue(language: str) -> Catalog:
    with (ROOT / "bot" / "locale" / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def places(template: str) -> frozenset[str]:
    """The names between braces."""
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name is not None)
