"""Who sits at the console, and what they came for. Holds it, and does nothing."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bot.core.session import Session, Settings

PLATFORM = "console"


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits there: the name that the operating system knows."""

    name: str

    @property
    def id(self) -> str:
        return f"{PLATFORM}:{self.name}"

    def chat(self, slug: str) -> str:
        """Where this person plays this quiz; each quiz can be unfinished by itself."""
        return f"{self.id}/{slug}"

    def slug(self, chat: str) -> str:
        """The quiz of a chat."""
        return chat.removeprefix(f"{self.id}/")


@dataclass(frozen=True, slots=True)
class Visit:
    """What a person came for; `program` is what to type to come back, None where nothing is kept.

    `unfinished` is the live session of the quiz, which goes on or gives way to a new one; `line` was typed already. The
    rest is for a new one: how it starts, and its lots when they were asked for."""

    person: Person
    slug: str
    language: str
    program: str | None
    unfinished: Session | None = None
    go_on: bool = False
    line: str | None = None
    settings: Settings | None = None
    lots: Random | None = None
    card: bool = False
