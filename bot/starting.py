"""Draws lots: what a session will ask and in which order, options too. The only place with chance in it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from random import Random

from bot.core.events import Started
from bot.core.quiz import Option, Quiz
from bot.core.session import Actor, Drawn, Settings
from bot.library import Edition
from bot.preferences import Preferences


def session_id(key: str) -> str:
    """A short name for the session that the platform's update `key` starts: 11 characters, the same every time."""
    return base64.urlsafe_b64encode(hashlib.blake2b(key.encode(), digest_size=8).digest()).rstrip(b"=").decode()


def usual_settings(quiz: Quiz, *, private: bool) -> Settings:
    """All questions, as where nobody has chosen anything."""
    return Preferences().settings(len(quiz.questions), private=private)


def started(
    edition: Edition, by: Actor, key: str, lots: Random, settings: Settings | None = None, *, private: bool, card: bool
) -> Started:
    """The event with which `by` asks for this quiz. `key` names the platform's update: the same key, one session."""
    return Started(
        key=session_id(key),
        by=by,
        quiz=edition.digest,
        draw=draw(edition.quiz, lots),
        settings=settings or usual_settings(edition.quiz, private=private),
        private=private,
        card=card,
    )


def draw(quiz: Quiz, lots: Random) -> tuple[Drawn, ...]:
    """Every question of the quiz in a random order, each with a random order of its options."""
    questions = list(range(len(quiz.questions)))
    lots.shuffle(questions)
    return tuple(Drawn(question, shuffled(quiz.questions[question].options, lots)) for question in questions)


def shuffled(options: Sequence[Option], lots: Random) -> tuple[int, ...]:
    """The indexes of the options in a random order, in which pinned ones keep their place."""
    free = [index for index, option in enumerate(options) if not option.pinned]
    drawn = iter(lots.sample(free, len(free)))
    return tuple(index if option.pinned else next(drawn) for index, option in enumerate(options))
