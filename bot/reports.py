"""What can be wrong with a question, and what people say of it. Values only; knows neither words nor chats."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

MOST_WRITTEN = 500
"""Characters that somebody can write about a question."""


class Reason(StrEnum):
    """What is wrong, in a word that fits into button data."""

    WRONG_KEY = "wrong-key"  # what counts as right is not
    UNCLEAR = "unclear"
    TRANSLATION = "translation"
    TYPO = "typo"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """What one person says is wrong with a question of the quiz `slug`; `quiz` is the digest of the edition that the
    session ran. `text` is what they wrote, perhaps nothing; `at` is the platform's time of it (aware UTC)."""

    person: str
    slug: str
    question_id: str
    quiz: str
    session: str
    reason: Reason
    text: str
    at: datetime


def reason_of(word: str) -> Reason | None:
    """The reason that this word stands for, None when it stands for none."""
    return next((reason for reason in Reason if reason == word), None)
