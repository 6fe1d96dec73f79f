"""From a press in practice until it is durable, with all that is learned from it, beside a press in a private quiz.

Learners have studied for months: they have memories, days, paces, and scores in groups that have time zones.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random

from bot.boards import Scored
from bot.core.events import Advanced, Answered, Started
from bot.core.quiz import QuestionRef
from bot.core.session import Actor, Feedback, Pace, Settings
from bot.engine import Engine
from bot.learning.days import learning_day
from bot.learning.memory import Day, DayCount, Learner, Memory, Studied
from bot.library import Edition
from bot.ports import Changes
from bot.starting import practice, started
from bot.storage.sql import SqlStore
from tests.bench.report import beside, say, spread
from tests.bench.world import CLOCK, LIBRARY, PLATFORM, QUESTIONS, QUIZ, expect_verdict, opened

ALONE = 60
"""Learners of whom one practises after the other, each once."""

TOGETHER = 200
ROUNDS = 5
GROUPS = 5
MEMORIES = 500
DAYS = 90
ZONE = "Europe/Sofia"
PRACTICE, PLAIN = "practice", "a private quiz"

Latencies = dict[str, list[float]]
"""Seconds to each reply, in practice and in a private quiz."""


@dataclass(slots=True)
class Figures:
    """What was measured where one learner is `alone`, and where TOGETHER press at once."""

    alone: Latencies = field(default_factory=lambda: {PRACTICE: [], PLAIN: []})
    together: Latencies = field(default_factory=lambda: {PRACTICE: [], PLAIN: []})


async def measure(folder: Path, alone: int = ALONE, together: int = TOGETHER, rounds: int = ROUNDS) -> Figures:
    """Practice and private quizzes take turns. Nobody practises twice, so everything is due to everybody."""
    figures = Figures()
    people = iter([Actor(f"{PLATFORM}:{number}", f"Learner {number}") for number in range(alone + together * rounds)])
    async with _studied(folder / "practice.sqlite3", alone + together * rounds) as engine:
        for _ in range(alone):
            await _both(engine, [next(people)], figures.alone)
        for _ in range(rounds):
            await _both(engine, [next(people) for _ in range(together)], figures.together)
    return figures


async def _both(engine: Engine, people: Sequence[Actor], latencies: Latencies) -> None:
    """These people play a private quiz, and then practise its questions; all of them press at once."""
    for name in (PLAIN, PRACTICE):
        events = {by.person: _started(by, practising=name == PRACTICE) for by in people}
        await asyncio.gather(*(engine.handle(chat, event) for chat, event in events.items()))
        for question in range(QUESTIONS):
            presses = {
                by.person: Answered(by, events[by.person].key, question, (_choice(by, question),), CLOCK.now())
                for by in people
            }
            latencies[name] += await _pressed(engine, presses)
            step = 2 * question
            await asyncio.gather(
                *(_go_on(engine, by, events[by.person].key, step + each) for by in people for each in (0, 1))
            )


def _choice(by: Actor, question: int) -> int:
    """Three in four are right."""
    return int(Random(f"{by.person} {question}").random() > 0.75)


async def _pressed(engine: Engine, presses: dict[str, Answered]) -> list[float]:
    began, latencies = time.perf_counter(), []
    replies = [engine.handle(chat, press) for chat, press in presses.items()]
    for reply in replies:
        reply.add_done_callback(lambda _: latencies.append(time.perf_counter() - began))
    await asyncio.wait(replies)
    for reply in replies:
        expect_verdict(reply.result())
    return latencies


async def _go_on(engine: Engine, by: Actor, session: str, step: int) -> None:
    await engine.handle(by.person, Advanced(f"{session} {step}", by, session, step))


def _started(by: Actor, *, practising: bool) -> Started:
    key, lots = f"{by.person} {practising}", Random(by.person)
    if practising:
        return practice(_mix(), by, key, lots)
    edition = LIBRARY.edition(QUIZ.slug)
    if edition is None:
        raise LookupError(QUIZ.slug)
    return started(
        edition, by, key, lots, Settings(Pace.RELAXED, QUESTIONS, Feedback.AT_ONCE), private=True, card=False
    )


def _mix() -> Edition:
    mix = LIBRARY.mix(QUIZ.title, map(QUIZ.ref, QUIZ.questions))
    if mix is None:
        raise LookupError(QUIZ.slug)
    return mix


# What has been learned before


@asynccontextmanager
async def _studied(path: Path, people: int) -> AsyncIterator[Engine]:
    """An engine on a store that knows so many learners."""
    async with opened(path) as (store, engine):
        for group in range(GROUPS):
            await store.prefer(_group(group), "zone", ZONE)
        for number in range(people):
            await _fill(store, f"{PLATFORM}:{number}", learning_day(CLOCK.now(), ZONE))
        yield engine


def _group(number: int) -> str:
    return f"{PLATFORM}:-{number + 1}"


async def _fill(store: SqlStore, person: str, today: Day) -> None:
    lots = Random(person)
    studied = Studied(
        memories=tuple(_memories(person, today, lots)),
        learners=(Learner(person, DAYS, today - 1, tuple(lots.randrange(2_000, 20_000) for _ in range(40))),),
        days=tuple(DayCount(person, today - ago, 20, 15) for ago in range(1, DAYS)),
    )
    scores = [
        Scored(_group(group), QUIZ.slug, person, person, 100, 1, 1, CLOCK.now() - timedelta(days=group))
        for group in range(GROUPS)
    ]
    async with store.turns({}) as turns:
        await turns.write(Changes(scores=scores, studied=studied))


def _memories(person: str, today: Day, lots: Random) -> list[Memory]:
    """Of the questions that are practised, all due, and of others."""
    known = [
        Memory(person, QUIZ.ref(question), QUIZ.fingerprint(question), 3, 2, False, 5.0, 5.0, today - 6, today - 1)
        for question in QUIZ.questions
    ]
    others = [
        Memory(
            person,
            QuestionRef(f"other-{number % 10}", f"o-{number}"),
            "0" * 16,
            3,
            2,
            False,
            20.0,
            5.0,
            today - 5,
            today + lots.randrange(1, 60),
        )
        for number in range(MEMORIES)
    ]
    return known + others


def report(figures: Figures) -> None:
    """Print the figures."""
    for who, found in (("one learner", figures.alone), (f"{TOGETHER} learners at once", figures.together)):
        say(f"{who}: an answer in {PLAIN}", spread(found[PLAIN]))
        say(
            f"{who}: an answer in {PRACTICE}",
            spread(found[PRACTICE]),
            beside(found[PRACTICE], found[PLAIN], "a private quiz"),
        )
