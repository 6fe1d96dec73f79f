"""What one person asked the bot by command, button or form, and what they were answered. Knows no route."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from tests.discord.server.components import Kind as Part
from tests.discord.server.components import walk
from tests.discord.server.errors import Json, already_acknowledged, expired_token, unknown_interaction
from tests.discord.server.messages import Message

if TYPE_CHECKING:
    from tests.discord.server.channels import Channel
    from tests.discord.server.people import Person

ANSWERED_WITHIN = timedelta(seconds=3)
"""How long an interaction waits for its answer."""

LIFE = timedelta(minutes=15)
"""How long the token of an answered interaction is good for."""


class Asked(IntEnum):
    """Types of interactions."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    FORM = 5


class Answer(IntEnum):
    """Types of callbacks."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_EDIT = 6
    EDIT = 7
    CHOICES = 8
    FORM = 9


@dataclass(frozen=True, slots=True)
class Form:
    """A modal that somebody sees."""

    title: str
    custom_id: str
    components: Sequence[Json]

    @property
    def labels(self) -> list[str]:
        return [part["label"] for part in walk(self.components) if part.get("label")]

    @property
    def fields(self) -> dict[str, Json]:
        """What can be filled in or chosen from, by its custom_id."""
        asks = (Part.SELECT, Part.INPUT)
        return {part["custom_id"]: part for part in walk(self.components) if part["type"] in asks}


@dataclass(slots=True, eq=False)
class Interaction:
    """One thing asked. `what` is it in words; `message` the one with the button. When it is answered, `kind` says how:
    `answer` is the message that came or was changed, `form` and `choices` what else can come. `at` is when it was
    asked, `answered_at` when that was answered, by the server's clock; `took` are the real seconds between.

    Await it to wait for the answer, 10 s at most."""

    id: str
    token: str
    person: Person
    channel: Channel
    asked: Asked
    what: str
    data: Json
    at: datetime
    message: Message | None = None
    kind: Answer | None = None
    answer: Message | None = None
    form: Form | None = None
    choices: list[tuple[str, str]] | None = None
    answered_at: datetime | None = None
    took: float = 0
    tries: int = 0
    followups: list[Message] = field(default_factory=list)
    sent_at: float = field(default_factory=time.perf_counter)

    def __await__(self) -> Generator[Any, None, Interaction]:
        return self.answered().__await__()

    async def answered(self) -> Interaction:
        """Wait for the bot's answer, 10 s at most."""
        changes = self.channel.world.changes
        await changes.until(
            lambda: self.kind,
            lambda: f"{self.person.name} still waits for an answer: {self.what}\n{self.channel.transcript()}",
        )
        return self

    @property
    def text(self) -> str:
        """What is read in the answer, "" if it is none to read."""
        return self.answer.text if self.answer and self.kind in (Answer.MESSAGE, Answer.EDIT) else ""

    @property
    def ephemeral(self) -> bool:
        """Whether the answer is for this person alone."""
        return self.kind is Answer.MESSAGE and self.answer is not None and self.answer.ephemeral

    @property
    def failed(self) -> bool:
        """Whether the app says that the interaction failed, since no answer came in time."""
        return self.kind is None and self._now() - self.at > ANSWERED_WITHIN

    def acknowledge(self, kind: Answer) -> None:
        """Take an answer of this kind. Raises what the API says to one that is too late or the second."""
        if self.kind is not None:
            raise already_acknowledged()
        if self._now() - self.at > ANSWERED_WITHIN:
            raise unknown_interaction()
        self.kind, self.answered_at = kind, self._now()
        self.took = time.perf_counter() - self.sent_at

    def check_token(self) -> None:
        """Raises what the API says when the token of this interaction can no longer be used."""
        if self._now() - self.at > LIFE:
            raise expired_token()

    def _now(self) -> datetime:
        return self.channel.world.clock.now()
