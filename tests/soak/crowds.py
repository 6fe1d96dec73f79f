"""Groups that play without end, with the pauses that people make, the same on each platform. Knows no process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from bot.presses import Again, Begin, Choose, Press, Resume, UnreadableError, load
from tests.discord.server import Channel, Interaction, components
from tests.discord.server import Message as DiscordMessage
from tests.discord.server import Person as DiscordPerson
from tests.telegram.server import Group, Message, Person
from tests.telegram.server import Press as TelegramPress

QUIZ = "soak"
EAGER = 0.8
"""The share of people who answer a question."""

SLOWEST = 9.0
"""Seconds that somebody thinks at most."""

PATIENCE = 20.0
"""Seconds after which people do something again that nothing came of, and no longer wait for an answer."""

LAST = 8
"""Messages that people look at."""

STANDING = (Choose, Begin, Resume, Again)
ResponseKey = tuple[str, int, str]
"""Session, question, person."""

Buttons = list[tuple[str, Press]]


class Pressed(Protocol):
    """A button that was pressed."""

    @property
    def said(self) -> str | None:
        """What came of it; None while nobody was told."""
        ...

    @property
    def took(self) -> float:
        """Seconds until then."""
        ...


class Place(Protocol):
    """One group on a platform."""

    @property
    def name(self) -> str: ...

    def person(self, number: int) -> str:
        """What Quizbot calls one of its people."""
        ...

    async def start(self) -> None:
        """The host wants to play."""
        ...

    def messages(self) -> Iterator[tuple[Any, Buttons]]:
        """The last messages, newest first, each with its buttons."""
        ...

    async def press(self, number: int, message: Any, data: str) -> Pressed: ...


@dataclass(slots=True)
class Seen:
    """What people saw of Quizbot: seconds to each answer, since somebody last asked; what it said it had counted; and
    how many never had an answer, and how many groups saw nothing for a while."""

    took: list[float] = field(default_factory=list)
    acknowledged: set[ResponseKey] = field(default_factory=set)
    unanswered: int = 0
    stuck: int = 0


@dataclass(slots=True)
class Crowd:
    """A group, its people, the first of whom is host, and what they see."""

    place: Place
    people: int
    lots: Random
    seen: Seen
    _message: object = None
    _since: float = 0.0
    _asked: float = 0.0
    _thinking: list[tuple[float, int, str, ResponseKey]] = field(default_factory=list)
    _waiting: list[tuple[float, Pressed, ResponseKey | None]] = field(default_factory=list)

    async def live(self) -> None:
        """Play until cancelled."""
        await asyncio.sleep(self.lots.uniform(0, 20))
        await self.place.start()
        self._since = time.monotonic()
        while True:
            await asyncio.sleep(self.lots.uniform(0.7, 1.3))
            self.listen()
            await self._go_on(time.monotonic())

    @property
    def waits(self) -> bool:
        """Whether somebody still waits for an answer."""
        return bool(self._waiting)

    def listen(self) -> None:
        """Take what people were told."""
        now = time.monotonic()
        still = []
        for at, pressed, key in self._waiting:
            said = pressed.said
            if said is not None:
                self.seen.took.append(pressed.took)
                if key and counted(said):
                    self.seen.acknowledged.add(key)
            elif now > at + PATIENCE:
                self.seen.unanswered += 1
            else:
                still.append((at, pressed, key))
        self._waiting = still

    async def _go_on(self, now: float) -> None:
        message, buttons = self._standing()
        if message is not self._message:
            self._message, self._since, self._asked = message, now, now + self.lots.uniform(1.5, 4)
            self._thinking = list(self._thoughts(now, buttons))
        await self._answer(message, now)
        if any(isinstance(press, Choose) for _, press in buttons):
            await self._mind(now, 3 * PATIENCE)
        elif now >= self._asked:
            self._asked = now + PATIENCE
            await self._press(0, message, buttons[0][0], None) if buttons else await self.place.start()

    async def _mind(self, now: float, patience: float) -> None:
        """A question that never closes is something to ask about."""
        if now > self._since + patience:
            self._since = now
            self.seen.stuck += 1
            await self.place.start()

    def _standing(self) -> tuple[object, Buttons]:
        for message, buttons in self.place.messages():
            wanted: Buttons = [(data, press) for data, press in buttons if isinstance(press, STANDING)]
            if wanted:
                return message, wanted
        return None, []

    def _thoughts(self, now: float, buttons: Buttons) -> Iterator[tuple[float, int, str, ResponseKey]]:
        chosen = [(data, press) for data, press in buttons if isinstance(press, Choose)]
        for number in range(self.people if chosen else 0):
            if self.lots.random() < EAGER:
                data, press = self.lots.choice(chosen)
                key = (press.session, press.question, self.place.person(number))
                yield now + self.lots.uniform(1, SLOWEST), number, data, key

    async def _answer(self, message: object, now: float) -> None:
        for at, number, data, key in self._thinking:
            if at <= now:
                await self._press(number, message, data, key)
        self._thinking = [each for each in self._thinking if each[0] > now]

    async def _press(self, number: int, message: object, data: str, key: ResponseKey | None) -> None:
        self._waiting.append((time.monotonic(), await self.place.press(number, message, data), key))


def counted(said: str) -> bool:
    """Whether somebody was told that their answer counts, or that it has counted before."""
    return "You chose" in said or said.startswith("Noted")


def meant(data: Sequence[str | None]) -> Buttons:
    """Button data with what it means."""
    found = []
    for each in data:
        try:
            found.append((each or "", load(each or "")))
        except UnreadableError:
            continue
    return found


# Telegram


@dataclass(frozen=True, slots=True)
class PressedOnTelegram:
    """`heard` has when presses were answered, by their ids; whoever watches the server fills it."""

    press: TelegramPress
    heard: dict[str, float]

    @property
    def said(self) -> str | None:
        return self.press.answer.text if self.press.answer and self.press.id in self.heard else None

    @property
    def took(self) -> float:
        return self.heard.pop(self.press.id) - self.press.at.timestamp()


@dataclass(frozen=True, slots=True)
class OnTelegram:
    """A group on Telegram."""

    group: Group
    people: Sequence[Person]
    heard: dict[str, float]

    @property
    def name(self) -> str:
        return self.group.title

    def person(self, number: int) -> str:
        return f"telegram:{self.people[number].id}"

    async def start(self) -> None:
        await self.people[0].write(self.group, f"/quiz {QUIZ}")

    def messages(self) -> Iterator[tuple[Message, Buttons]]:
        for message in reversed(self.group.history[-LAST:]):
            yield message, meant([button.get("callback_data") for row in message.markup for button in row])

    async def press(self, number: int, message: Any, data: str) -> Pressed:
        return PressedOnTelegram(await self.people[number].press_data(message, data), self.heard)


# Discord


@dataclass(frozen=True, slots=True)
class PressedOnDiscord:
    """An interaction, answered by a message of its own or by an edit and what follows it."""

    asked: Interaction

    @property
    def said(self) -> str | None:
        if self.asked.kind is None:
            return None
        return "\n".join([self.asked.text, *(message.text for message in self.asked.followups)])

    @property
    def took(self) -> float:
        return self.asked.took


@dataclass(frozen=True, slots=True)
class OnDiscord:
    """A channel of a guild on Discord."""

    channel: Channel
    people: Sequence[DiscordPerson]

    @property
    def name(self) -> str:
        return self.channel.name

    def person(self, number: int) -> str:
        return f"discord:{self.people[number].id}"

    async def start(self) -> None:
        self.people[0].slash(self.channel, "quiz", quiz=QUIZ)

    def messages(self) -> Iterator[tuple[DiscordMessage, Buttons]]:
        for message in reversed(self.channel.history[-LAST:]):
            if message.only_for is None and not message.deleted:
                buttons = components.buttons(message.components)
                yield message, meant([button.custom_id for button in buttons if not button.disabled])

    async def press(self, number: int, message: Any, data: str) -> Pressed:
        return PressedOnDiscord(self.people[number].press(message, data))
