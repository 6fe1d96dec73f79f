"""An evening of many groups on a virtual clock: what it costs in requests, and how late questions and answers get.

Everything but time is real: adapter, engine, SQLite, and HTTP to a server that counts as Telegram does.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

from bot.core.session import Pace
from bot.offering import offered
from tests.bench.report import say
from tests.bench.telegram_crowd import Crowd
from tests.bench.telegram_lateness import CLOSING, COUNTER, QUESTION, WatchedStore
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.program import ROOT
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Request

PLAYERS = 8
STEP = 60
CHATTER = 1 / 90
"""What people write besides pressing, in each group a second."""
Where = tuple[object, int]
"""Chat and message."""


@dataclass(slots=True)
class Evening:
    """What it came to. `questions` were asked, `sends` messages sent for them; `counters` and `closings` are the times
    at which each of these was edited. `refused` counts answers with 429, `calls` requests by method."""

    questions: int = 0
    sends: int = 0
    counters: dict[Where, list[datetime]] = field(default_factory=dict)
    closings: Counter[Where] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    late: Mapping[str, Sequence[timedelta]] = field(default_factory=dict)
    put_off: Mapping[str, int] = field(default_factory=dict)

    @property
    def shortest_gap(self) -> timedelta:
        """Between two counters of one question; for ever where no question had two."""
        gaps = (later - earlier for times in self.counters.values() for earlier, later in pairwise(times))
        return min(gaps, default=timedelta.max)

    def latest(self, kind: str) -> timedelta:
        """How late the latest post of this kind was."""
        return max(self.late.get(kind, ()), default=timedelta(0))

    def share_late(self, kind: str) -> float:
        """Of posts of this kind."""
        times = self.late.get(kind, ())
        return sum(time > timedelta(0) for time in times) / max(len(times), 1)


async def evening(groups: int = 20, minutes: int = 120, seed: int = 1, chatter: float = CHATTER) -> Evening:
    """Groups of PLAYERS play back to back: a third of them questions of a few words, the others what is shipped; every
    second one briskly."""
    clock = VirtualClock()
    quizzes = [*offered(ROOT / "content").quizzes, plain_quiz(8)]
    async with BotApi(clock) as server, playing(server, clock, *quizzes, stored=WatchedStore) as bot:
        crowds = [_crowd(server, clock, number, seed, chatter) for number in range(groups)]
        lives = [asyncio.create_task(crowd.live(), name=crowd.group.title) for crowd in crowds]
        try:
            await _pass(bot, lives, minutes)
        finally:
            for life in lives:
                life.cancel()
            await asyncio.gather(*lives, return_exceptions=True)
        return await _summed(server, bot)


def _crowd(server: BotApi, clock: VirtualClock, number: int, seed: int, chatter: float) -> Crowd:
    lots = Random(f"{seed} {number}")
    people = [server.person(f"Player {number}.{each}", lots.choice(["en", "bg", "ro"])) for each in range(PLAYERS)]
    group = server.supergroup(f"Group {number}", people, people[:1])
    quiz = ("colours", "gradient-checkpointing", "gradient-accumulation")[number % 3]
    pace = Pace.BRISK if number % 2 == 0 else Pace.STEADY
    return Crowd(group, people, clock, lots, quiz, pace, lots.choice([0.8, 0.95, 1.0]), lots.uniform(3, 25), chatter)


async def _pass(bot: Playing, lives: Sequence[asyncio.Task[None]], minutes: int) -> None:
    for _ in range(minutes):
        await bot.wait(STEP)
        for task in (bot.task, *lives):
            if task.done():
                task.result()


async def _summed(server: BotApi, bot: Playing) -> Evening:
    if not isinstance(bot.store, WatchedStore):
        raise TypeError("the store was not watched")
    asked = await bot.rows("SELECT COUNT(*) FROM message WHERE slot LIKE 'q%'")
    found = Evening(questions=asked[0][0], late=bot.store.late, put_off=bot.store.put_off)
    for request in server.requests:
        found.calls[request.method] += 1
        found.refused += request.status == 429
        if request.status == 200 and request.chat is not None:
            _count(found, request)
    return found


def _count(found: Evening, request: Request) -> None:
    """A question is a message that was sent with letters on its buttons, and closed when it has none any more."""
    rows = request.structure("reply_markup").get("inline_keyboard", [])
    lettered = any(button["text"] == "A" for row in rows for button in row)
    if request.method == "sendMessage" and lettered:
        found.sends += 1
        found.counters[request.chat, request.answer["message_id"]] = []
    if request.method != "editMessageText":
        return
    where = (request.chat, request.integer("message_id"))
    if lettered:
        found.counters[where].append(request.at)
    elif where in found.counters:
        found.closings[where] += 1


def report(found: Evening) -> None:
    """Print what it came to."""
    counters = sum(map(len, found.counters.values()))
    say("an evening: questions asked", f"{found.questions:,}", f"{found.calls['answerCallbackQuery']:,} presses")
    for what, number in (("sends", found.sends), ("closing edits", found.closings.total()), ("counters", counters)):
        say(f"  {what} a question", f"{number / found.questions:.3f}")
    say("  shortest time between two counters", f"{found.shortest_gap.total_seconds():,.1f} s")
    say("  requests refused with 429", f"{found.refused}", f"of {found.calls.total() - found.calls['getUpdates']:,}")
    for kind in (QUESTION, CLOSING, COUNTER):
        share, latest = found.share_late(kind), found.latest(kind).total_seconds()
        say(
            f"  latest {kind}",
            f"{latest:.1f} s late",
            f"{share:.2%} late at all, {found.put_off.get(kind, 0):,} times put off",
        )
