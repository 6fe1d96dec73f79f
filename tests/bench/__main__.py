"""`make bench`: throughput and latency of the engine on SQLite, beside the ceiling measured in the same run; what
learning costs; then the adapters of Telegram and Discord, beside bare programs. `python -m tests.bench discord`
measures that part alone.

Every figure is a median over rounds in which ceiling and engine take turns, so that a machine that gets faster or
slower meanwhile changes both. Ratios carry to other machines; absolute figures do not.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median

from tests.bench import ceiling, discord, learning, postgres, restart, telegram, telegram_evening
from tests.bench.answering import PLAYERS, SESSIONS, many_sessions, rows_of_answers
from tests.bench.report import percentile, say
from tests.bench.world import answer, expect_verdict, opened, start

ROUNDS = 5


async def one_chat(path: Path, players: int, chats: int = 1) -> float:
    """Answers a second of `players` players who all press at once in one chat; `chats` such chats after each other."""
    took = 0.0
    async with opened(path) as (_, engine):
        for number in range(chats):
            chat = f"bench:hot{number}"
            event = start(chat, Random(chat))
            await engine.handle(chat, event)
            presses = [answer(chat, event.key, player) for player in range(players)]
            began = time.perf_counter()
            replies = await asyncio.gather(*(engine.handle(chat, press) for press in presses))
            took += time.perf_counter() - began
            for reply in replies:
                expect_verdict(reply)
    return players * chats / took


async def idle_latency(path: Path, answers: int = 300) -> list[float]:
    """Seconds from press to durable reply when nothing else happens."""
    latencies: list[float] = []
    async with opened(path) as (_, engine):
        event = start("bench:idle", Random(1))
        await engine.handle("bench:idle", event)
        for player in range(answers):
            press = answer("bench:idle", event.key, player)
            began = time.perf_counter()
            expect_verdict(await engine.handle("bench:idle", press))
            latencies.append(time.perf_counter() - began)
    return latencies


async def loaded_latency(path: Path, in_flight: int = 256, answers: int = 8000) -> list[float]:
    """Seconds from press to durable reply while `in_flight` presses of as many chats are always under way."""
    latencies: list[float] = []
    async with opened(path) as (_, engine):
        events = {f"bench:{number}": start(f"bench:{number}", Random(number)) for number in range(in_flight)}
        await asyncio.gather(*(engine.handle(chat, event) for chat, event in events.items()))

        async def chat_life(chat: str, session: str) -> None:
            for player in range(answers // in_flight):
                press = answer(chat, session, player)
                began = time.perf_counter()
                expect_verdict(await engine.handle(chat, press))
                latencies.append(time.perf_counter() - began)

        await asyncio.gather(*(chat_life(chat, event.key) for chat, event in events.items()))
    return latencies


async def engine(folder: Path) -> None:
    """The engine and the store, without a platform."""
    fresh = (folder / f"{number}.sqlite3" for number in range(10_000))

    async def rounds(measure: Callable[[Path], Awaitable[float]]) -> float:
        return median([await measure(next(fresh)) for _ in range(ROUNDS)])

    sample = rows_of_answers(SESSIONS, PLAYERS)
    raw, ours, latencies = [], [], []
    for _ in range(ROUNDS):
        raw.append(await ceiling.answers_per_second(next(fresh), sample))
        rate, each = await many_sessions(next(fresh))
        ours.append(rate)
        latencies += each
    top = median(raw)
    say("ceiling: sqlite3, same rows, grouped by 256", f"{top:,.0f}/s")
    ratio = median(mine / theirs for mine, theirs in zip(ours, raw, strict=True))
    say(f"{SESSIONS:,} sessions of {PLAYERS} players", f"{median(ours):,.0f}/s", f"{ratio:.2f} of the ceiling")
    hundred = await rounds(lambda path: one_chat(path, 100, chats=20))
    say("100 players in one chat", f"{hundred:,.0f}/s", f"{1e6 / hundred:.0f} µs an answer")
    for players in (1000, 5000):
        rate = await rounds(lambda path, players=players: one_chat(path, players))  # type: ignore[misc]
        say(
            f"{players:,} players in one chat",
            f"{rate:,.0f}/s",
            f"{1e6 / rate:.0f} µs an answer, {hundred / rate:.2f} times that of 100",
        )
    for name, measured in (
        ("turn latency, idle", await idle_latency(next(fresh))),
        ("turn latency, 256 under way", await loaded_latency(next(fresh))),
        ("turn latency, 8,000 pressing at once", latencies),
    ):
        say(name, f"p50 {percentile(measured, 0.5) * 1e3:.1f} ms", f"p99 {percentile(measured, 0.99) * 1e3:.1f} ms")
    opening, first = await restart.first_due_question(next(fresh))
    say("restart with 10,000 live sessions: ready after", f"{opening * 1e3:.1f} ms")
    say("  and the first due question is posted after", f"{first * 1e3:.1f} ms")


async def on_telegram(folder: Path) -> None:
    """The adapter of Telegram."""
    telegram.report(await telegram.measure(folder))
    telegram_evening.report(await telegram_evening.evening())


async def on_discord(folder: Path) -> None:
    """The adapter of Discord."""
    discord.report(await discord.measure(folder))


PARTS = {
    "engine": engine,
    "postgres": postgres.measure,
    "learning": learning.measure,
    "telegram": on_telegram,
    "discord": on_discord,
}


async def main(chosen: Sequence[str]) -> None:
    """Measure these parts, in their order, and print the figures; without any, all of them."""
    if unknown := set(chosen) - PARTS.keys():
        sys.exit(f"{', '.join(sorted(unknown))}: nothing of that name is measured, but {', '.join(PARTS)}")
    folder = Path(tempfile.mkdtemp(prefix="quizbot-bench-", dir="."))
    try:
        for name, measure in PARTS.items():
            if name in chosen or not chosen:
                await measure(folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
