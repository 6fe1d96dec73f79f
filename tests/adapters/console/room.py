"""Where somebody plays: a store in a folder, a clock, a screen and a keyboard. Everything else is the real thing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from adapters.console.inquiring import Forgetting, Inquiry
from adapters.console.plain import paragraphs
from adapters.console.preparing import Preparation
from adapters.console.reception import Reception, Wishes
from adapters.console.terminal import Lines, PlainTerminal, Terminal
from adapters.console.visit import PLATFORM, PRACTICE, Person
from bot.core.quiz import Image
from bot.core.session import Player, Session
from bot.learning.memory import Knowledge
from bot.messages import Block
from bot.playing import ask_on, play_on
from bot.storage.sqlite import open_sqlite
from tests.clock import VirtualClock

QUIZZES = Path(__file__).parent / "quizzes"
ANN = Person("ann")
NOTHING = Wishes()
PATIENCE = 10.0
"""Seconds after which something that was to be printed is not coming any more."""


class Room:
    """Where Ann plays and practises. What she leaves unfinished stays in the folder."""

    def __init__(self, folder: Path, content: Path = QUIZZES, zone: str | None = None) -> None:
        self.clock = VirtualClock()
        self.zone = zone
        self.database = str(folder / "console.sqlite3")
        self._content = content

    async def play(self, terminal: Terminal, wishes: Wishes, *, kept: bool = True) -> None:
        """What one call of `quizbot play` does."""
        store = await open_sqlite(self.database, [PLATFORM])
        try:
            reception = Reception(store, self._content, wishes, ANN, terminal, zone=self.zone, kept=kept)
            await play_on(reception, self.clock)
        finally:
            await store.close()

    async def practise(self, terminal: Terminal, wishes: Wishes = NOTHING, *, kept: bool = True) -> None:
        """What one call of `quizbot practice` does."""
        store = await open_sqlite(self.database, [PLATFORM])
        try:
            preparation = Preparation(store, self._content, wishes, ANN, terminal, zone=self.zone, kept=kept)
            await play_on(preparation, self.clock)
        finally:
            await store.close()

    async def ask(self, inquiry: Inquiry) -> None:
        """What one call of another command does."""
        store = await open_sqlite(self.database, [PLATFORM])
        try:
            await ask_on(inquiry, store, self._content, self.clock)
        finally:
            await store.close()

    async def script(self, text: str, wishes: Wishes, *, kept: bool = True) -> str:
        """What is printed for these lines on standard input."""
        terminal, out = scripted(text)
        await self.play(terminal, wishes, kept=kept)
        return out.getvalue()

    async def practice(self, text: str, wishes: Wishes = NOTHING, *, kept: bool = True) -> str:
        """What `quizbot practice` prints for these lines on standard input."""
        terminal, out = scripted(text)
        await self.practise(terminal, wishes, kept=kept)
        return out.getvalue()

    async def told(self, name: str, text: str = "") -> str:
        """What `quizbot stats`, `privacy` or `forget` prints for these lines on standard input."""
        terminal, out = scripted(text)
        await self.ask((Forgetting if name == "forget" else Inquiry)(name, ANN, terminal, "quizbot"))
        return out.getvalue()

    async def knowledge(self) -> Knowledge:
        """What is remembered of Ann."""
        store = await open_sqlite(self.database, [PLATFORM])
        try:
            return await store.knowledge(ANN.id)
        finally:
            await store.close()

    async def session(self, slug: str = PRACTICE) -> Session | None:
        """What the store knows of the quiz, or of practice."""
        store = await open_sqlite(self.database, [PLATFORM])
        try:
            return await store.session(ANN.chat(slug))
        finally:
            await store.close()

    async def players(self, slug: str, session: str) -> list[Player]:
        """Everyone in a session of the quiz, an earlier one too."""
        store = await open_sqlite(self.database, [PLATFORM])
        try:
            async with store.turns({ANN.chat(slug): ()}) as turns:
                return await turns.players(session)
        finally:
            await store.close()


def scripted(text: str) -> tuple[PlainTerminal, StringIO]:
    """These lines on standard input, and what will be printed."""
    out = StringIO()
    return PlainTerminal(Lines(StringIO(text)), out, echo=True), out


class Desk:
    """A terminal with somebody at it, who types when a test says so."""

    scripted = False

    def __init__(self) -> None:
        self.screen = ""
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._changed = asyncio.Event()
        self._read = 0
        self._prompting = False

    def show(self, blocks: Sequence[Block], image: Image | None) -> None:
        for paragraph in paragraphs(blocks, image):
            self.say(paragraph)

    def say(self, text: str) -> None:
        self._print(f"\n{text}\n" if self._prompting else f"{text}\n")
        self._prompting = False

    async def ask(self, prompt: str) -> str | None:
        self._print(f"{prompt} ")
        self._prompting = True
        line = await self._typed.get()
        self._prompting = False
        self._print(f"{'⏎' if line is not None else '⌁'}\n" if not line else f"{line}\n")
        return line

    def _print(self, text: str) -> None:
        self.screen += text
        self._changed.set()

    async def until(self, text: str) -> None:
        """Return when this has been printed, after what was waited for before."""
        async with asyncio.timeout(PATIENCE):
            while (at := self.screen.find(text, self._read)) < 0:
                self._changed.clear()
                await self._changed.wait()
        self._read = at + len(text)

    async def type(self, line: str | None, prompt: str) -> None:
        """Wait for the prompt, then type; None is the end of input."""
        await self.until(prompt)
        self._typed.put_nowait(line)
