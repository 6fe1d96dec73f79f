"""What is played on Telegram: an evening of a study group in two languages, and somebody alone who misses some."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from bot.core.quiz import Quiz
from bot.offering import offered
from tests.clock import VirtualClock
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Chat, Message, Person

HERE = Path(__file__).parent
CONTENT = Path(__file__).parents[3] / "content"
QUIZ = "gradient-checkpointing"


class Scene:
    """One chat, and what people do in it, a moment apart."""

    def __init__(self, bot: Playing, chat: Chat, quiz: Quiz) -> None:
        self.bot = bot
        self.chat = chat
        self._keys = [_key(quiz, at) for at in range(len(quiz.questions))]

    @property
    def question(self) -> Message:
        """The newest message with a letter to press."""
        return next(filter(_is_question, reversed(self.chat.messages)))

    @property
    def is_open(self) -> bool:
        """Whether there is one."""
        return any(map(_is_question, self.chat.messages))

    async def until(self, look: Callable[[], bool]) -> None:
        """Let time pass until it is so; 5 minutes at most."""
        for _ in range(300):
            if look():
                return
            await self.bot.wait(1)
        raise AssertionError(f"it did not come about\n{self.chat.transcript()}")

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
        return next(letter for letter, said in lines if any(said in texts for texts in self._keys))


def _is_question(message: Message) -> bool:
    return bool(message.keyboard) and message.keyboard[0][0] == "A"


def _key(quiz: Quiz, at: int) -> frozenset[str]:
    return frozenset(
        said for option in quiz.questions[at].options if option.right for said in option.text.texts.values()
    )


async def group_evening() -> str:
    """Four people, two languages: a quiz that somebody answers late and that is stopped, and the same again."""
    clock, quiz = VirtualClock(), _quiz()
    async with BotApi(clock) as server:
        ann, boyan, cem, dora = (
            server.person(*who) for who in (("Ann", "en"), ("Боян", "bg"), ("Cem", "en"), ("Дора", "bg"))
        )
        group = server.supergroup("Study group", [ann, boyan, cem, dora], [ann], bot=None)
        async with playing(server, clock, quiz) as bot:
            scene = Scene(bot, group, quiz)
            group.add_bot(ann)
            await bot.wait(5)
            await scene.press(ann, "Choose a quiz")
            await scene.press(ann, "1")
            await scene.press(ann, "Settings")
            await scene.press(ann, "3")
            await scene.press(boyan, "Start")
            await scene.press(ann, "Start")
            first = scene.question
            letter = scene.key()
            await scene.answer(ann, right=True)
            await scene.answer(boyan, right=False)
            await scene.press(boyan, letter, first)
            await scene.answer(cem, right=True)
            late = first.button(letter)["callback_data"]
            await scene.until(lambda: not first.keyboard)
            await (await dora.press_data(first, late, label=letter)).answered()
            await scene.until(lambda: scene.is_open)
            for person in (dora, ann, boyan, cem):
                await scene.answer(person, right=person is not ann)
            await scene.until(lambda: scene.is_open)
            await scene.write(cem, "/stop")
            await scene.write(ann, "/stop")
            await bot.wait(10)
            await scene.press(ann, "Again")
            await scene.press(ann, "Start")
            await scene.answer(dora, right=True)
            await scene.press(ann, "Next", scene.question)
            await scene.write(boyan, f"/quiz {QUIZ}")
            await scene.write(ann, "/stop")
            await bot.wait(60)
        return told(group)


async def alone_with_misses() -> str:
    """One person in private: some right, some wrong, one skipped, and what is worth another look."""
    clock, quiz = VirtualClock(), _quiz()
    async with BotApi(clock) as server:
        ann = server.person("Ann", "en")
        async with playing(server, clock, quiz) as bot:
            scene = Scene(bot, ann.private, quiz)
            await ann.start_bot()
            await bot.wait(2)
            await scene.press(ann, "Choose a quiz")
            await scene.press(ann, "1")
            await scene.press(ann, "Settings")
            await scene.press(ann, "5")
            await scene.press(ann, "Start")
            for right in (True, False, None, True, False):
                await bot.wait(10)
                if right is None:
                    await scene.press(ann, "Skip")
                else:
                    await scene.answer(ann, right=right)
                await bot.wait(10)
                await scene.press(ann, ann.private.last.keyboard[-1][0])
            await bot.wait(10)
            await scene.press(ann, "Another quiz")
        return told(ann.private)


def told(chat: Chat) -> str:
    """The story of a chat, each answer to a press right after it: on its way an edit may overtake it."""
    entries: list[str] = []
    for entry in re.split(r"\n\n(?=\S|  →)", chat.transcript()):
        answered = re.match(r"  → (.+?) alone", entry)
        presses = f"* {answered[1]} presses" if answered else None
        after = max(
            (at for at, earlier in enumerate(entries, 1) if presses and earlier.startswith(presses)), default=None
        )
        entries.insert(len(entries) if after is None else after, entry)
    return "\n\n".join(entry.rstrip() for entry in entries) + "\n"


def _quiz() -> Quiz:
    return next(quiz for quiz in offered(CONTENT).quizzes if quiz.slug == QUIZ)


TRANSCRIPTS: Mapping[str, Callable[[], Awaitable[str]]] = {
    "group_evening": group_evening,
    "alone_with_misses": alone_with_misses,
}
