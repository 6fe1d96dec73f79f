"""Draws lots: what a session will ask and in which order, options too. The only place with chance in it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from bot.boards import Served
from bot.core.events import Started
from bot.core.quiz import Option, QuestionRef, Quiz
from bot.core.session import Actor, Drawn, Order, Pace, Settings
from bot.library import Edition
from bot.preferences import Preferences

OF_A_MIX = 10
"""Questions that a mix asks where nobody has chosen how many: nobody knows how many there are in all of it."""

NOTHING_YET: Mapping[QuestionRef, Served] = MappingProxyType({})


def session_id(key: str) -> str:
    """A short name for the session that the platform's update `key` starts: 11 characters, the same every time."""
    return base64.urlsafe_b64encode(hashlib.blake2b(key.encode(), digest_size=8).digest()).rstrip(b"=").decode()


def usual_settings(quiz: Quiz, *, private: bool) -> Settings:
    """As where nobody has chosen anything."""
    return Preferences().settings(usual_count(quiz), private=private)


def usual_count(quiz: Quiz) -> int:
    """How many questions a session asks: all of a quiz, a few of a mix."""
    return min(len(quiz.questions), OF_A_MIX) if quiz.recipe else len(quiz.questions)


def started(
    edition: Edition,
    by: Actor,
    key: str,
    lots: Random,
    settings: Settings | None = None,
    served: Mapping[QuestionRef, Served] = NOTHING_YET,
    *,
    private: bool,
    card: bool,
) -> Started:
    """The event with which `by` asks for this quiz. `key` names the platform's update: the same key, one session.
    `served`: as for `draw`."""
    return Started(
        key=session_id(key),
        by=by,
        quiz=edition.digest,
        draw=draw(edition.quiz, lots, served),
        settings=settings or usual_settings(edition.quiz, private=private),
        private=private,
        card=card,
    )


def practice(edition: Edition, by: Actor, key: str, lots: Random) -> Started:
    """The event with which `by` practises the questions of this mix: alone, in its order, and without a clock."""
    questions = enumerate(edition.quiz.questions)
    drawn = tuple(Drawn(at, shuffled(question.options, lots)) for at, question in questions)
    settings = Settings(Pace.RELAXED, len(drawn), order=Order.SHUFFLED)
    return Started(session_id(key), by, edition.digest, drawn, settings, private=True, card=False, practice=True)


def draw(quiz: Quiz, lots: Random, served: Mapping[QuestionRef, Served] = NOTHING_YET) -> tuple[Drawn, ...]:
    """Every question of the quiz, each with a random order of its options. First those that the chat has not seen, then
    those that it missed most, of equals those that closed the longest ago; the rest is left to chance. `served` is how
    those fared that it has seen."""
    questions = list(range(len(quiz.questions)))
    lots.shuffle(questions)
    questions.sort(key=lambda question: _turn(served.get(quiz.ref(quiz.questions[question]))))
    return tuple(Drawn(question, shuffled(quiz.questions[question].options, lots)) for question in questions)


def _turn(served: Served | None) -> tuple[bool, float, float]:
    """What a question that fared so is sorted by. One that nobody answered was missed by everybody."""
    if served is None:
        return (False, 0.0, 0.0)
    missed = 1 - served.right / served.answered if served.answered else 1.0
    return (True, -missed, served.at.timestamp())


def shuffled(options: Sequence[Option], lots: Random) -> tuple[int, ...]:
    """The indexes of the options in a random order, in which pinned ones keep their place."""
    free = [index for index, option in enumerate(options) if not option.pinned]
    drawn = iter(lots.sample(free, len(free)))
    return tuple(index if option.pinned else next(drawn) for index, option in enumerate(options))
