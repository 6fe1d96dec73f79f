"""The way from the console to the desk, which answers here as it does in a private chat. Knows no terminal."""

from __future__ import annotations

from adapters.console.visit import Person
from bot.desk import Desk, Request
from bot.ports import Clock
from bot.running import Service


class Nowhere:
    """A terminal cannot be pointed to anything."""

    def message(self, chat: str, reference: str) -> str | None:  # noqa: ARG002
        return None

    def chat(self, chat: str) -> str | None:  # noqa: ARG002
        return None

    def private(self, payload: str) -> str | None:  # noqa: ARG002
        return None

    def group(self, payload: str) -> str | None:  # noqa: ARG002
        return None


def desk_of(service: Service) -> Desk:
    """The desk for one person at a terminal."""
    return Desk(service, Nowhere())


def request_of(person: Person, chat: str, key: str, clock: Clock, locale: str | None) -> Request:
    """What this person asks for now. `key` is its own each time."""
    return Request(
        chat=chat,
        by=person.actor,
        key=key,
        at=clock.now(),
        private=True,
        locale=locale,
        is_moderator=_nobody,
        terminal=True,
    )


async def _nobody() -> bool:
    return False
