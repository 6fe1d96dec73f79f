"""What the players of the crash test play on: a quick quiz, its settings, and a platform whose messages outlive us."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from random import Random

from bot import present
from bot.core.effects import Post
from bot.core.quiz import LocalisedText, Option, Question, Quiz
from bot.core.session import Feedback, Order, Pace, Settings
from bot.messages import Block, Card, Role
from bot.ports import ThrottledError

PLATFORM = "crash"
QUESTIONS = 3
LIMIT = 2
"""Seconds that a question stays open."""

BUSY = timedelta(milliseconds=50)
LOOK = 0.02
"""Seconds between two looks at what other processes show."""

PART = 1 << 20
"""Bytes of the screen that are read at once."""


def _text(words: str) -> LocalisedText:
    return LocalisedText({"en": words})


QUIZ = Quiz(
    slug="haste",
    title=_text("Haste"),
    languages=("en",),
    questions=tuple(
        Question(
            id=f"h-{number}",
            stem=_text(f"Which one is number {number}?"),
            options=tuple(Option(_text(f"Number {option}"), right=option == number) for option in range(4)),
            seconds=LIMIT,
        )
        for number in range(QUESTIONS)
    ),
)


def settings(lots: Random) -> Settings:
    """Always with a clock; everything else by lot."""
    return Settings(
        pace=Pace.BRISK,
        count=QUESTIONS,
        feedback=lots.choice(tuple(Feedback)),
        order=lots.choice(tuple(Order)),
        speed_bonus=lots.random() < 0.5,
    )


def presented(post: Post, quiz: Quiz | None, language: str) -> Card:
    """The card that people see, under a line that says which post it is."""
    card = present.post(post, quiz, language)
    line = f"{post.session} {post.slot} {type(post).__name__}"
    return replace(card, blocks=(Block(Role.REMARK, line), *card.blocks))


@dataclass(frozen=True, slots=True)
class Shown:
    """One line of the screen: a message that was sent (`nonce` is set) or edited, and which post it shows. `at` is
    where it stands in the file, in bytes."""

    at: int
    run: str
    chat: str
    message: str
    nonce: str
    session: str
    slot: str
    kind: str


class Screen:
    """A transport that appends every message it shows to a file, a line in one write: what a line says was seen."""

    def __init__(self, path: Path, run: str, lots: Random, *, busy: float) -> None:
        """What `path` shows from other runs is seen as well. `busy` is the share of calls that are put off."""
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        self._run = run
        self._lots = lots
        self._busy = busy
        self._numbers = itertools.count()
        self._seen: defaultdict[tuple[str, ...], asyncio.Event] = defaultdict(asyncio.Event)
        self._read = 0
        self.look()

    async def watch(self) -> None:
        """See what other processes show, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(LOOK)

    def look(self) -> None:
        """See what has been shown since."""
        while part := os.pread(self._file, PART, self._read):
            whole = part[: part.rfind(b"\n") + 1]
            self._read += len(whole)
            for line in whole.decode().splitlines():
                _, _, _, _, *post = line.split()
                self._seen[tuple(post)].set()
            if not whole:
                return

    async def seen(self, session: str, slot: str, kind: str) -> None:
        """Return once a post of this kind has been shown in the slot."""
        await self._seen[session, slot, kind].wait()

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        message = f"{self._run}-{next(self._numbers)}"
        await self._show(chat, message, nonce, card)
        return message

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        await self._show(chat, message, "-", card)

    async def _show(self, chat: str, message: str, nonce: str, card: Card) -> None:
        if self._lots.random() < self._busy:
            raise ThrottledError(BUSY)
        post = card.blocks[0].text
        os.write(self._file, f"{self._run} {chat} {message} {nonce} {post}\n".encode())
        self._seen[tuple(post.split())].set()
        # Everyone can see it, and whoever sent it does not know yet.
        for _ in range(self._lots.randrange(4)):
            await asyncio.sleep(0)

    def close(self) -> None:
        os.close(self._file)


def read_screen(path: Path) -> list[Shown]:
    """Everything that was shown, in order."""
    lines = path.read_text().splitlines(keepends=True)
    places = itertools.accumulate((len(line.encode()) for line in lines), initial=0)
    return [Shown(at, *line.split()) for at, line in zip(places, lines, strict=False)]
