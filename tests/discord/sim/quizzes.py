"""Quizzes of every kind that looks in its own way on Discord."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from bot.core.quiz import Image, LocalisedText, Option, Question, Quiz
from bot.offering import offered
from tests.core.building import plain_quiz, question
from tests.present.sample import text

CONTENT = Path(__file__).parents[3] / "content"
FOUNDING = "gradient-checkpointing"


def titled(slug: str, title: LocalisedText | str, *questions: Question, languages: tuple[str, ...] = ("en",)) -> Quiz:
    """A quiz with these questions, or those of the plain one."""
    plain = plain_quiz()
    named = LocalisedText({"en": title}) if isinstance(title, str) else title
    return replace(plain, slug=slug, title=named, questions=questions or plain.questions, languages=languages)


SEVERAL = titled("several", "Several answers", question("s0", right=(0, 2)), question("s1", right=(1, 3)))
WIDE = titled("wide", "Eight options", question("w0", options=8), question("w1", options=8))

PICTURE = "rate.png"
PICTURED = titled(
    "pictured",
    "A picture",
    replace(question("p0"), image=Image(PICTURE, LocalisedText({"en": "A falling curve"}))),
    question("p1"),
)

COLOURS = titled(
    "colours-everywhere",
    text("Colours", "Цветове", "Culori"),
    Question(
        "sky",
        text("Which colour is the sky?", "Какъв цвят е небето?", "Ce culoare are cerul?"),
        (
            Option(text("Blue", "Синьо", "Albastru"), right=True),
            Option(
                text("Green", "Зелено", "Verde"),
                note=text("That is the grass.", "Това е тревата.", "Aceea e iarba."),
            ),
            Option(text("Red", "Червено", "Roșu")),
        ),
        explanation=text(
            "Air scatters blue light.", "Въздухът разсейва синята светлина.", "Aerul împrăștie albastrul."
        ),
    ),
    Question(
        "snow",
        text("Which colour is snow?", "Какъв цвят е снегът?", "Ce culoare are zăpada?"),
        (Option(text("White", "Бял", "Albă"), right=True), Option(text("Black", "Черен", "Neagră"))),
    ),
    languages=("en", "bg", "ro"),
)
"""Whole in three languages."""


@cache
def founding() -> tuple[Quiz, ...]:
    """The two that Quizbot comes with."""
    return tuple(offered(CONTENT).quizzes)


def shelf(count: int) -> tuple[Quiz, ...]:
    """Many quizzes."""
    return tuple(titled(f"quiz-{number:02}", f"Quiz {number:02}") for number in range(1, count + 1))
