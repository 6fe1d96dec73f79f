"""The quizzes of a folder that can be played, those that cannot, and how many there are in words. Opens no database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.content import Loaded, load_folder
from bot.core.quiz import Quiz


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to play, and the files that cannot be used."""

    quizzes: tuple[Quiz, ...]
    broken: tuple[Path, ...] = ()

    @property
    def summary(self) -> str:
        """How many quizzes and questions, in which languages: `2 quizzes with 16 questions, in bg, en, ro`."""
        languages = sorted({language for quiz in self.quizzes for language in quiz.languages})
        questions = sum(len(quiz.questions) for quiz in self.quizzes)
        named = f", in {', '.join(languages)}" if languages else ""
        return f"{counted(len(self.quizzes), 'quiz', 'quizzes')} with {counted(questions, 'question')}{named}"


def offered(folder: Path) -> Offer:
    """The quizzes in `folder`, by slug."""
    return _offer(load_folder(folder))


def _offer(loaded: Iterable[Loaded]) -> Offer:
    found = tuple(loaded)
    return Offer(
        tuple(each.quiz for each in found if each.quiz),
        tuple(each.path for each in found if each.quiz is None),
    )


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 quiz`, `2 quizzes`."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"
