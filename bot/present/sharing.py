"""A quiz as it is shown where it is not played: in any chat that somebody shares it in, and in a list to share from."""

from __future__ import annotations

from bot.core.quiz import NEUTRAL, Quiz
from bot.messages import Block, Card, Link, Role
from bot.present.showing import BRIEF, introduction, title_of
from bot.words import Words, shortened, words_of


def shared(quiz: Quiz, language: str, *, alone: str | None, together: str | None) -> Card:
    """An invitation for any chat; `alone` and `together` are addresses at which the quiz is played, where there are."""
    words = words_of(language)
    what = words.gettext("A quiz with an explanation for every answer; play it alone or in a group.")
    blocks = (
        Block(Role.TITLE, title_of(quiz, language)),
        *introduction(quiz, language),
        Block(Role.FACT, _facts(quiz, words)),
        Block(Role.LINE, what),
    )
    named = (words.gettext("Play alone"), alone), (words.gettext("Play in a group"), together)
    links = tuple(Link(label, url) for label, url in named if url)
    return Card(blocks, (links,) if links else ())


def summary(quiz: Quiz, language: str) -> tuple[str, str]:
    """Title and description, a line each."""
    return shortened(title_of(quiz, language), BRIEF), _facts(quiz, words_of(language))


def _facts(quiz: Quiz, words: Words) -> str:
    """How many questions, and in which languages."""
    count = words.ngettext("{count} question", "{count} questions", len(quiz.questions))
    spoken = ", ".join(words.language_name(tag) for tag in quiz.languages if tag != NEUTRAL)
    return " · ".join(filter(None, (count, spoken)))
