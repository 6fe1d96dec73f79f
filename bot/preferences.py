"""What a chat or a person has chosen for good. Values only: what holds where nothing is chosen, others say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.core.session import Feedback, Pace


class Starters(StrEnum):
    """Who may start a quiz in a chat."""

    EVERYONE = "everyone"
    MODERATORS = "moderators"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What was chosen, None where nothing was. `locale` is the language that the platform last said of a person, or of
    whoever brought Quizbot into a chat: it holds as long as no `language` is chosen. Both are tags of
    `bot.words.languages`."""

    language: str | None = None
    locale: str | None = None
    starters: Starters | None = None
    pace: Pace | None = None
    feedback: Feedback | None = None
    speed_bonus: bool | None = None

    @property
    def spoken(self) -> str | None:
        """The language to use."""
        return self.language or self.locale
