"""A chat on Telegram as a transcript tells it: what people do there, a moment apart, and what they see."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.core.quiz import Question, Quiz
from tests.telegram.playing import Playing
from tests.telegram.server import Chat, Message, Person

HERE = ZoneInfo("Europe/Sofia")
"""Where the people of the transcripts live."""


class Scene:
    """One chat, and what people do in it, a moment apart."""

    def __init__(self, bot: Playing, chat: Chat, quiz: Quiz) -> None:
        self.bot = bot
        self.chat = chat
        self._questions = quiz.questions

    @property
    def question(self) -> Message:
        """The newest message with a letter to press."""
        return next(filter(is_question, reversed(self.chat.messages)))

    @property
    def is_open(self) -> bool:
        """Whether there is one."""
        return any(map(is_question, self.chat.messages))

    async def until(self, look: Callable[[], bool]) -> None:
        """Let time pass until it is so; 5 minutes at most."""
        for _ in range(300):
            if look():
                return
            await self.bot.wait(1)
        raise AssertionError(f"it did not come about\n{self.chat.transcript()}")

    async def later(self, days: int, hour: int, minute: int = 0) -> None:
        """Let all the time pass until so many days later (0: today) at this time; what comes, comes then."""
        now = self.bot.clock.now()
        moment = datetime.combine(now.astimezone(HERE) + timedelta(days=days), time(hour, minute), HERE)
        await self.bot.quiet()
        self.chat.log.said(f"{moment:%A, %H:%M} in Sofia")
        self.bot.clock.advance((moment - now).total_seconds())
        await self.bot.quiet()

    async def write(self, person: Person, text: str) -> None:
        await person.write(self.chat, text)
        await self.bot.wait(2)

    async def press(self, person: Person, label: str, message: Message | None = None) -> None:
        await (await person.press(message or self.chat.last, label)).answered()
        await self.bot.wait(2)

    async def answer(self, person: Person, *, right: bool) -> None:
        """Press the key, or else another letter."""
        key = self.key()
        letters = [label for label in self.question.keyboard[0] if label != key]
        await self.press(person, key if right else letters[0], self.question)

    def key(self) -> str:
        """The letter of the right option of the open question."""
        lines: list[tuple[str, str]] = re.findall(r"^([A-J])\. (.+)$", self.question.said.text, re.MULTILINE)
        asked = next(each for each in self._questions if _stems(each) & set(self.question.said.text.splitlines()))
        return next(letter for letter, said in lines if said in _keys(asked))


def is_question(message: Message) -> bool:
    return bool(message.keyboard) and message.keyboard[0][0] == "A"


def _stems(question: Question) -> frozenset[str]:
    return frozenset(question.stem.texts.values())


def _keys(question: Question) -> frozenset[str]:
    return frozenset(said for option in question.options if option.right for said in option.text.texts.values())


def told(*chats: Chat) -> str:
    """The story of each chat."""
    return "\n\n".join(map(_story, chats)) + "\n"


def _story(chat: Chat) -> str:
    """Each answer to a press right after it: on its way an edit may overtake it."""
    entries: list[str] = []
    for entry in re.split(r"\n\n(?=\S|  →)", chat.transcript()):
        answered = re.match(r"  → (.+?) alone", entry)
        presses = f"* {answered[1]} presses" if answered else None
        after = max(
            (at for at, earlier in enumerate(entries, 1) if presses and earlier.startswith(presses)), default=None
        )
        entries.insert(len(entries) if after is None else after, entry)
    return "\n\n".join(entry.rstrip() for entry in entries)
