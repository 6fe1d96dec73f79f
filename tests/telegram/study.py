"""What study groups do again and again in a chat: choose a quiz, start it, answer. Knows no rule and checks nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import pytest

from tests.telegram.server import BotApi, Chat, Group, Message, Person, Press

by_both = pytest.mark.parametrize("webhook", [False, True], ids=["polling", "webhook"])
"""A conversation that has to come about in the same way whether updates are polled for or delivered."""

LETTERS = "ABCD"
MOMENT = 2.0
"""Seconds that somebody takes before they press the next button."""


class Serving(Protocol):
    """What serves the chat: one bot, or several processes of one."""

    server: BotApi

    async def quiet(self) -> None: ...

    async def wait(self, seconds: float) -> None: ...


@dataclass
class Study:
    """A chat with the bot, or one topic of it, and whoever hosts."""

    bot: Serving
    chat: Chat
    host: Person
    topic: str | None = None

    @property
    def messages(self) -> list[Message]:
        """Those of the bot, oldest first."""
        ours = self.bot.server.bot["id"]
        return [
            message for message in self.chat.messages if message.author["id"] == ours and message.topic == self.topic
        ]

    @property
    def last(self) -> Message:
        return self.messages[-1]

    @property
    def texts(self) -> list[str]:
        return [message.said.text for message in self.messages]

    @property
    def question(self) -> Message:
        """The newest message with letters on its buttons."""
        for message in reversed(self.messages):
            if ["A", "B", "C", "D"] in message.keyboard:
                return message
        raise AssertionError(f"no question is open\n{self.chat.transcript()}")

    async def write(self, person: Person, text: str) -> None:
        await person.write(self.chat, text, topic=self.topic)
        await self.bot.quiet()

    async def choose(self, quiz: str = "1") -> Message:
        """The start card of a quiz from the picker."""
        await self.write(self.host, "/quiz")
        await self.bot.wait(MOMENT)
        await self.press(self.host, quiz)
        await self.bot.wait(MOMENT)
        return self.last

    async def begin(self) -> Message:
        """The first question."""
        await self.choose()
        await self.press(self.host, "Start")
        return self.question

    async def press(self, person: Person, label: str, message: Message | None = None) -> str:
        """Press a button of the last message; what the pop-up says."""
        return await self.told(await person.press(message or self.last, label))

    async def told(self, press: Press) -> str:
        answer = await press.answered()
        await self.bot.quiet()
        return answer.text

    async def answer(self, person: Person, *, right: bool = True) -> str:
        """Choose the key of the plain quiz, or else another option; what the pop-up says."""
        key = key_of(self.question)
        label = key if right else next(letter for letter in LETTERS if letter != key)
        return await self.press(person, label, self.question)

    async def everyone(self, people: Iterable[Person], *, right: bool = True) -> list[str]:
        return [await self.answer(person, right=right) for person in people]


def key_of(question: Message) -> str:
    """The letter of the right option: in the plain quiz its text ends in 0."""
    found = re.search(r"^([A-D])\. q\d+ 0\b", question.said.text, re.MULTILINE)
    assert found, question.said.text
    return found[1]


async def at_once(presses: Sequence[Press]) -> list[str]:
    """What each is told."""
    return [answer.text for answer in await asyncio.gather(*(press.answered() for press in presses))]


def study_group(server: BotApi, title: str, members: Sequence[Person]) -> Group:
    """A supergroup; nobody in it is an administrator."""
    return server.supergroup(title, members, [server.person(f"Owner of {title}")])
