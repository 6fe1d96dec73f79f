"""Presses whose answer is the next edit of the message they were made on: one request does for both. Knows no card."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from enum import Enum, auto

import discord

from adapters.discord.chats import PLATFORM
from adapters.discord.errors import FAILURES, Meaning, meaning
from adapters.discord.looks import Look
from adapters.discord.patience import EDITING, patience
from adapters.discord.redaction import redact
from bot import metrics
from bot.clock import Alarm
from bot.ports import Clock
from bot.remembering import Remembered

log = logging.getLogger(__name__)

MOST_REMEMBERED = 1000

NOBODY = discord.AllowedMentions.none()
"""Whom a text of ours notifies: it may hold anybody's words."""


class _State(Enum):
    WAITING = auto()  # for an edit
    IN_USE = auto()  # an edit is on its way
    ANSWERED = auto()  # nothing more can be said
    RETURNED = auto()  # whoever held it answers it


class Held:
    """One interaction that waits for an edit of its message."""

    def __init__(self, interaction: discord.Interaction[discord.Client], holds: Holds, clock: Clock) -> None:
        self._interaction = interaction
        self._holds = holds
        self._clock = clock
        self._state = _State.WAITING
        self._alarm = Alarm(clock)

    async def taken(self, until: datetime) -> bool:
        """Whether an edit was the answer, or found that none is wanted any more. False at `until`, and when Discord did
        not take it: the interaction is then no longer held, and its holder's to answer."""
        try:
            while self._state is _State.WAITING and self._clock.now() < until:
                await self._alarm.wait(until)
            while self._state is _State.IN_USE:
                await self._alarm.wait(None)
        finally:
            self.withdraw()
        return self._state is _State.ANSWERED

    def withdraw(self) -> bool:
        """Hold it no longer; whether its holder can answer it. False: an edit has it."""
        if self._state is _State.WAITING:
            self._become(_State.RETURNED)
        return self._state is _State.RETURNED

    def is_in(self, channel: int) -> bool:
        """Whether the press was made in this channel or thread."""
        return self._interaction.channel_id == channel

    def is_older_than(self, message: int) -> bool:
        """Whether a message came after the press. Both numbers tell the time by Discord's clock."""
        return self._interaction.id < message

    async def use(self, look: Look) -> bool:
        """Answer with an edit; whether the message now looks like this."""
        self._become(_State.IN_USE)
        outcome = _State.RETURNED
        try:
            outcome = await self._answer(look)
        except FAILURES as error:
            outcome = self._failed(error)
            return False
        finally:
            self._become(outcome)
        return True

    async def _answer(self, look: Look) -> _State:
        async with asyncio.timeout(patience(self._interaction.created_at, self._clock.now(), EDITING)):
            await self._interaction.response.edit_message(
                view=look.view, attachments=look.attachments, allowed_mentions=NOBODY
            )
        metrics.acknowledged(PLATFORM, self._clock.now() - self._interaction.created_at)
        return _State.ANSWERED

    def _failed(self, error: Exception) -> _State:
        self._holds.heed(error)
        what = f"interaction {self._interaction.id} was not answered by the edit of its message: {redact(repr(error))}"
        over = meaning(error) is not Meaning.OTHER
        log.log(logging.INFO if over else logging.WARNING, what)
        return _State.ANSWERED if over else _State.RETURNED

    def _become(self, state: _State) -> None:
        if self._state is _State.WAITING:
            self._holds.forget(self._interaction, self)
        self._state = state
        self._alarm.ring()


class Holds:
    """The interactions that are held, by the message that they were made on, the oldest first."""

    def __init__(self, clock: Clock, heed: Callable[[Exception], None]) -> None:
        """`heed` hears of every error that an answer met with."""
        self._clock = clock
        self.heed = heed
        self._waiting: dict[int, list[Held]] = {}
        self._newest: Remembered[int, int] = Remembered(MOST_REMEMBERED)
        """The last message that was sent to a channel."""

    def hold(self, interaction: discord.Interaction[discord.Client]) -> Held:
        """Hold it until it is taken or withdrawn, or until a new message shows what came of it. What was not made on a
        message is nobody's but its holder's."""
        held = Held(interaction, self, self._clock)
        if interaction.message is None or held.is_older_than(self._newest.get(interaction.channel_id or 0, 0)):
            held.withdraw()
        else:
            self._waiting.setdefault(interaction.message.id, []).append(held)
        return held

    def sent(self, channel: int, message: int) -> None:
        """A message was sent. Whoever pressed something in that channel before need not wait for an edit as well."""
        self._newest[channel] = message
        for held in [each for waiting in self._waiting.values() for each in waiting]:
            if held.is_in(channel) and held.is_older_than(message):
                held.withdraw()

    def forget(self, interaction: discord.Interaction[discord.Client], held: Held) -> None:
        """It waits no more."""
        message = interaction.message.id if interaction.message else 0
        waiting = [each for each in self._waiting.pop(message, ()) if each is not held]
        if waiting:
            self._waiting[message] = waiting

    def oldest(self, message: int) -> Held | None:
        """The one that has waited longest for an edit of `message`."""
        waiting = self._waiting.get(message)
        return waiting[0] if waiting else None
