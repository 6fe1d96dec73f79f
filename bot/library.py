"""The quizzes at hand: those on offer, by slug, and those that running sessions have pinned, by digest."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from bot import codec
from bot.core.quiz import Quiz

log = logging.getLogger(__name__)

MOST_PINNED = 256


@dataclass(frozen=True, slots=True)
class Edition:
    """A quiz as it is now: its content, its digest, and the canonical text that a session pins."""

    quiz: Quiz
    digest: str
    text: str


class Library:
    """Quizzes in memory. What is on offer never changes; pinned ones come from the store and may be dropped again."""

    def __init__(self, quizzes: Iterable[Quiz]) -> None:
        self._offered = {quiz.slug: _edition(quiz) for quiz in quizzes}
        self._known = {edition.digest: edition.quiz for edition in self._offered.values()}
        self._pinned: dict[str, Quiz] = {}

    @property
    def quizzes(self) -> tuple[Quiz, ...]:
        """Every quiz on offer, by slug."""
        return tuple(edition.quiz for _, edition in sorted(self._offered.items()))

    def edition(self, slug: str) -> Edition | None:
        """The quiz on offer under `slug`."""
        return self._offered.get(slug)

    def text(self, digest: str) -> str | None:
        """The canonical text of a quiz on offer."""
        return next((edition.text for edition in self._offered.values() if edition.digest == digest), None)

    def quiz(self, digest: str) -> Quiz | None:
        """The quiz with this digest, if it is in memory."""
        return self._known.get(digest) or self._pinned.get(digest)

    async def find(self, digest: str, pinned: Callable[[str], Awaitable[str | None]]) -> Quiz | None:
        """The quiz with this digest: from memory, else from what `pinned`, a store, has for it. None as for `pin`."""
        return self.quiz(digest) or self.pin(digest, await pinned(digest))

    def pin(self, digest: str, text: str | None) -> Quiz | None:
        """Take in what the store has for `digest`. None, and a line in the log, when it cannot be read."""
        try:
            quiz = codec.load_quiz(text or "")
        except codec.UnreadableError as error:
            log.error("the quiz %s that a session runs cannot be read: %s", digest, error)  # noqa: TRY400  # says it all
            return None
        if len(self._pinned) >= MOST_PINNED:
            del self._pinned[next(iter(self._pinned))]
        self._pinned[digest] = quiz
        return quiz


def _edition(quiz: Quiz) -> Edition:
    text = codec.dump_quiz(quiz)
    return Edition(quiz, codec.digest(text), text)
