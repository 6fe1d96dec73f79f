"""Who sits at the console, and what they came for. Holds it, and does nothing."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from adapters.people import called
from bot.core.session import Actor, Session, Settings

PLATFORM = "console"

PRACTICE = ".practice"
"""Takes the place of a quiz in the chat where one practises; no quiz can be called so."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits there: the name that the operating system knows."""

    name: str

    @property
    def id(self) -> str:
        return f"{PLATFORM}:{self.name}"

    @property
    def actor(self) -> Actor:
        """This person as somebody who does something."""
        return Actor(self.id, called(self.name))

    def chat(self, slug: str) -> str:
        """Where this person plays this quiz, or practises; each can be unfinished by itself."""
        return f"{self.id}/{slug}"

    def slug(self, chat: str) -> str:
        """The quiz of a chat."""
        return chat.removeprefix(f"{self.id}/")


@dataclass(frozen=True, slots=True)
class Visit:
    """What a person came for; `command` is what to type to come back, None where nothing is kept. Of whoever practises,
    `slug` is the one quiz that is wanted, or nothing for all.

    `unfinished` is the live session there, which goes on or gives way to a new one; `line` was typed already. The rest
    is for a new one: how it starts, and its lots when they were asked for."""

    person: Person
    chat: str
    slug: str
    language: str
    program: str
    command: str | None
    unfinished: Session | None = None
    go_on: bool = False
    line: str | None = None
    settings: Settings | None = None
    lots: Random | None = None
    card: bool = False
