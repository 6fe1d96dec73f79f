"""What one person asked by pressing or typing, and what the bot said to them alone. Knows no method of the API."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tests.telegram.server.errors import Json
from tests.telegram.server.keyboards import Rows
from tests.telegram.server.markup import Formatted
from tests.telegram.server.messages import Message

if TYPE_CHECKING:
    from tests.telegram.server.people import Person

FRESH = timedelta(seconds=15)
"""How long a press or an inline query can be answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a pop-up says. An empty text only takes the spinner away; `alert` has to be closed by hand."""

    text: str
    alert: bool
    url: str


@dataclass(slots=True, eq=False)
class Press:
    """A button pressed; `answer` comes from the bot."""

    id: str
    person: Person
    message: Message
    data: str
    at: datetime
    answer: Answer | None = None

    async def answered(self) -> Answer:
        """Wait for the bot's answer, 10 s at most."""
        changes = self.person.world.changes
        return await changes.until(
            lambda: self.answer, lambda: f"{self.person.name} still waits for an answer to {self.data!r}"
        )


@dataclass(frozen=True, slots=True)
class InlineResult:
    """What the bot offers for an inline query, ready to be sent."""

    id: str
    title: str
    description: str
    said: Formatted
    rows: Rows

    @property
    def text(self) -> str:
        return self.said.text

    @property
    def keyboard(self) -> list[list[str]]:
        return [[button["text"] for button in row] for row in self.rows]


@dataclass(slots=True, eq=False)
class InlineAsk:
    """An inline query; `results` come from the bot, with the button above them if there is one."""

    id: str
    at: datetime
    results: list[InlineResult] | None = None
    button: Json = field(default_factory=dict)
