"""The quizzes that somebody may mean who types a part of a name: to share one into a chat, or to start one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from bot import present
from bot.core.quiz import Quiz
from bot.desk.asking import QUIZ_PAYLOAD, Addresses
from bot.library import Library
from bot.messages import Card

LONGEST_TITLE = 100
"""Characters of a title that is suggested to whoever types."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A quiz as it can be shared into any chat: what a list says of it, and the card."""

    slug: str
    title: str
    description: str
    card: Card


class Sharing:
    """Looks for quizzes by words of their names in any language. Asks no store, for it is asked at every letter."""

    def __init__(self, library: Library, addresses: Addresses) -> None:
        self._library = library
        self._addresses = addresses

    def shared(self, query: str, language: str, most: int) -> list[Shared]:
        """The quizzes to share, at most `most`; all for an empty query."""
        return [self._shared(quiz, language) for quiz in self._matching(query, most)]

    def found(self, query: str, language: str, most: int) -> list[tuple[str, str]]:
        """The same quizzes, each by its slug and its title."""
        return [(quiz.slug, present.titled(quiz, language, LONGEST_TITLE)) for quiz in self._matching(query, most)]

    def _matching(self, query: str, most: int) -> Iterable[Quiz]:
        wanted = query.casefold().split()
        found = (quiz for quiz in self._library.quizzes if all(word in _names(quiz) for word in wanted))
        return islice(found, most)

    def _shared(self, quiz: Quiz, language: str) -> Shared:
        payload = f"{QUIZ_PAYLOAD}{quiz.slug}"
        alone, together = self._addresses.private(payload), self._addresses.group(payload)
        title, description = present.summary(quiz, language)
        return Shared(quiz.slug, title, description, present.shared(quiz, language, alone=alone, together=together))


def _names(quiz: Quiz) -> str:
    return " ".join((quiz.slug, *quiz.title.texts.values())).casefold()
