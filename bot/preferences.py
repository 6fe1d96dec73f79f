"""What a chat or a person has chosen for good. Values only: what holds where nothing is chosen, others say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.core.session import Feedback, Pace, Settings


class Reminders(StrEnum):
    """When a learner is told of due reviews, once a day."""

    OFF = "off"
    MORNING = "morning"
    EVENING = "evening"


class Starters(StrEnum):
    """Who may start a quiz in a chat."""

    EVERYONE = "everyone"
    MODERATORS = "moderators"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What was chosen, None where nothing was. `locale` is the language that the platform last said of a person, or of
    whoever brought Quizbot into a chat: it holds as long as no `language` is chosen. Both are tags of
    `bot.words.languages`. With `thread` every session gets a thread of its own, where the chat can have threads. `zone`
    is a time zone by its IANA name. Of a person alone: `reminders`, `hidden` (shown on no leaderboard) and `everywhere`
    (on the leaderboard across chats as well)."""

    language: str | None = None
    locale: str | None = None
    starters: Starters | None = None
    pace: Pace | None = None
    feedback: Feedback | None = None
    speed_bonus: bool | None = None
    thread: bool | None = None
    zone: str | None = None
    reminders: Reminders | None = None
    hidden: bool | None = None
    everywhere: bool | None = None

    def settings(self, count: int, *, private: bool) -> Settings:
        """What a session of `count` questions begins with: what was chosen, else what is usual, which is no clock where
        one plays alone and a steady pace among others."""
        usual = Settings(Pace.RELAXED if private else Pace.STEADY, count)
        return Settings(
            pace=self.pace or usual.pace,
            count=count,
            feedback=self.feedback or usual.feedback,
            speed_bonus=usual.speed_bonus if self.speed_bonus is None else self.speed_bonus,
        )

    @property
    def spoken(self) -> str | None:
        """The language to use."""
        return self.language or self.locale
