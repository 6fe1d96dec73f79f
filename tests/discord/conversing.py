"""What study groups do again and again on Discord: start a quiz, answer, wait. Knows no rule and checks nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any

from discord import client, http, shard
from discord.webhook import async_

from adapters.discord import restoring
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.discord.playing import Playing
from tests.discord.server import Channel, Discord, GuildChannel, Interaction, Message, Person, Request

LETTERS = "ABCD"
QUIZ = plain_quiz().slug
CALLBACK = r"/callback$"
SEND = r"^/channels/\d+/messages$"

_SLEEPERS: Sequence[Any] = (client, http, shard, async_, restoring)
"""Modules that let time pass on no clock of ours."""


@dataclass
class Study:
    """A channel or thread with the bot, and whoever hosts."""

    bot: Playing
    channel: Channel
    host: Person

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.channel.messages]

    @property
    def last(self) -> Message:
        return self.channel.last

    @property
    def question(self) -> Message:
        """The newest message with letters on its buttons."""
        return self.with_button("A")

    def with_button(self, label: str) -> Message:
        """The newest message with this button."""
        for message in reversed(self.channel.messages):
            if label in message.buttons:
                return message
        raise AssertionError(f"nowhere is a button {label!r}\n{self.channel.transcript()}")

    async def ask(self, name: str, person: Person | None = None, **options: str) -> str:
        """Type a command; what comes back."""
        return (await self.bot.answer((person or self.host).slash(self.channel, name, at=None, **options))).text

    async def choose(self, quiz: str = QUIZ) -> Message:
        """The start card."""
        await self.ask("quiz", quiz=quiz)
        await self.bot.quiet()
        return self.with_button("Start")

    async def begin(self, quiz: str = QUIZ) -> Message:
        """The first question."""
        card = await self.choose(quiz)
        await self.press(self.host, "Start", card)
        await self.bot.quiet()
        return self.question

    async def begin_relaxed(self) -> Message:
        """The first question of a quiz without a clock."""
        card = await self.choose()
        form = await self.bot.answer(self.host.press(card, "Settings"))
        await self.bot.answer(self.host.submit(form, _2="Relaxed"))
        await self.press(self.host, "Start", card)
        await self.bot.quiet()
        return self.question

    async def press(self, person: Person, label: str, message: Message | None = None) -> str:
        """Press a button of the last message; what comes back."""
        return (await self.bot.answer(person.press(message or self.last, label))).text

    async def answer(self, person: Person, *, right: bool = True) -> str:
        """Choose the key of the plain quiz, or else another option; what comes back."""
        return await self.press(person, letter_of(self.question, right=right), self.question)

    async def everyone(self, people: Iterable[Person], *, right: bool = True) -> list[str]:
        return [await self.answer(person, right=right) for person in people]

    async def told(self, presses: Iterable[Interaction]) -> list[str]:
        """What each is told who has pressed."""
        return [(await self.bot.answer(press)).text for press in presses]


def key_of(question: Message) -> str:
    """The letter of the right option: in the plain quiz its text ends in 0."""
    found = re.search(r"^([A-D])\. q\d+ 0\b", question.text, re.MULTILINE)
    assert found, question.text
    return found[1]


def letter_of(question: Message, *, right: bool) -> str:
    """The letter of the right option, or of another."""
    key = key_of(question)
    return key if right else next(letter for letter in LETTERS if letter != key)


def study_group(server: Discord, *names: str, title: str = "Study") -> tuple[GuildChannel, list[Person]]:
    """A channel of a guild, and its people."""
    people = server.people(*names)
    return server.guild(title, *people).channel("quiz"), people


def writes(server: Discord, channel: Channel) -> list[Request]:
    """The requests with which the bot wrote or rewrote something there by itself."""
    return [call for call in server.calls("*", rf"^/channels/{channel.id}/") if call.method in ("POST", "PATCH")]


def edits_of(server: Discord, message: Message) -> list[Request]:
    return server.calls("PATCH", rf"/messages/{message.id}$")


async def idle(bot: Playing, seconds: float) -> None:
    """Let this many seconds pass in one step: quicker, where nothing is to happen meanwhile."""
    await bot.quiet()
    bot.clock.advance(seconds)
    await bot.quiet()


@contextmanager
def on_the_clock(clock: VirtualClock) -> Iterator[None]:
    """What the library waits for by itself, before it tries again, passes on the test's clock."""
    for module in _SLEEPERS:
        module.asyncio = _Asyncio(clock)
    try:
        yield
    finally:
        for module in _SLEEPERS:
            module.asyncio = asyncio


class _Asyncio:
    """The module, but for its sleep."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, delay: float, result: object = None) -> object:
        # The clock has whole milliseconds.
        await self._clock.sleep_until(self._clock.now() + timedelta(milliseconds=ceil(delay * 1000)))
        return result
