"""A small quiz that is easy to follow in a transcript, in three languages."""

from __future__ import annotations

from bot.core.quiz import LocalisedText, Option, Question, Quiz
from tests.present.sample import text

SOFIA, BUCHAREST = text("Sofia", "София", "Sofia"), text("Bucharest", "Букурещ", "București")
ATHENS, BELGRADE = text("Athens", "Атина", "Atena"), text("Belgrade", "Белград", "Belgrad")
CHISINAU = text("Chișinău", "Кишинев", "Chișinău")


def _question(name: str, stem: LocalisedText, key: LocalisedText, *others: LocalisedText) -> Question:
    return Question(name, stem, (Option(key, right=True), *(Option(other) for other in others)))


CAPITALS = Quiz(
    "capitals",
    text("Capitals", "Столици", "Capitale"),
    ("en", "bg", "ro"),
    (
        _question("bg", text("Capital of Bulgaria?", "Столицата на България?", "Capitala Bulgariei?"), SOFIA, ATHENS),
        _question("ro", text("Capital of Romania?", "Столицата на Румъния?", "Capitala României?"), BUCHAREST, SOFIA),
        _question("md", text("Capital of Moldova?", "Столицата на Молдова?", "Capitala Moldovei?"), CHISINAU, ATHENS),
        _question("rs", text("Capital of Serbia?", "Столицата на Сърбия?", "Capitala Serbiei?"), BELGRADE, SOFIA),
        _question("gr", text("Capital of Greece?", "Столицата на Гърция?", "Capitala Greciei?"), ATHENS, BELGRADE),
    ),
)
