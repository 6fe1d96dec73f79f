"""A world to measure in: a quiz, sessions of it, and the answers that players give."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from bot.clock import SystemClock
from bot.core.effects import Noted, Reply, Verdict
from bot.core.events import Advanced, Answered, Started
from bot.core.quiz import LocalisedText, Option, Question, Quiz
from bot.core.session import Actor, Feedback, Pace, Settings
from bot.engine import Engine
from bot.library import Library
from bot.starting import started
from bot.storage.sql import SqlStore
from bot.storage.sqlite import open_sqlite

PLATFORM = "bench"
QUESTIONS = 8
HOST = Actor(f"{PLATFORM}:host", "Host")
CLOCK = SystemClock()


def _text(text: str) -> LocalisedText:
    return LocalisedText({"en": text})


QUIZ = Quiz(
    slug="bench",
    title=_text("A quiz to measure with"),
    languages=("en",),
    questions=tuple(
        Question(
            id=f"b-{number}",
            stem=_text("Which of these is the one that was meant? " * 2),
            options=tuple(Option(_text(f"Option {option} of some length"), right=option == 0) for option in range(4)),
            explanation=_text("The first one, as so often in a quiz that nobody plays for its content. " * 2),
        )
        for number in range(QUESTIONS)
    ),
)
LIBRARY = Library([QUIZ])


def start(chat: str, lots: Random, *, pace: Pace = Pace.RELAXED, feedback: Feedback = Feedback.AT_ONCE) -> Started:
    """The event that starts a session without its card. Without a clock nothing interrupts the measuring."""
    edition = LIBRARY.edition(QUIZ.slug)
    if edition is None:
        raise LookupError(QUIZ.slug)
    settings = Settings(pace, QUESTIONS, feedback)
    return started(edition, HOST, f"start {chat}", lots, settings, private=False, card=False)


def answer(chat: str, session: str, player: int, question: int = 0) -> Answered:
    """What a player of this chat answers: a quarter of them rightly."""
    by = Actor(f"{chat}-{player}", f"Player {player}")
    return Answered(by, session, question, (player % 4,), CLOCK.now())


def advance(session: str, step: int) -> Advanced:
    """Next, pressed by the host."""
    return Advanced(f"{session} {step}", HOST, session, step)


def expect_verdict(reply: Reply | None) -> None:
    """Only answers that counted are measured."""
    if not isinstance(reply, Verdict | Noted):
        raise TypeError(f"an answer came to {reply}")


@asynccontextmanager
async def opened(path: Path, library: Library = LIBRARY) -> AsyncIterator[tuple[SqlStore, Engine]]:
    """A store in a new file and an engine on it."""
    store = await open_sqlite(str(path), [PLATFORM])
    try:
        async with Engine(store, library, CLOCK) as engine:
            yield store, engine
    finally:
        await store.close()
