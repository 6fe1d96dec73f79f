"""Answers of many players in many sessions, to an engine and as the rows that it makes of them. Prints nothing."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from random import Random

from bot.core.session import Feedback
from bot.ports import Changes, ChatState
from bot.turn import Turn
from tests.bench.world import CLOCK, LIBRARY, advance, answer, expect_verdict, opened, start

SESSIONS = 1000
PLAYERS = 8
ASKED = 3


async def many_sessions(
    path: Path, feedback: Feedback = Feedback.AT_ONCE, *, joined: bool = False
) -> tuple[float, list[float]]:
    """Answers a second in SESSIONS sessions of PLAYERS players who all press at once; and each answer's latency. With
    `joined`, everybody is on the leaderboard across chats as well."""
    chats = [f"bench:{number}" for number in range(SESSIONS)]
    latencies: list[float] = []
    took = 0.0
    async with opened(path) as (_, engine):
        if joined:
            _join(path, chats)
        events = [start(chat, Random(chat), feedback=feedback) for chat in chats]
        await asyncio.gather(*(engine.handle(chat, event) for chat, event in zip(chats, events, strict=True)))
        sessions = [(chat, event.key) for chat, event in zip(chats, events, strict=True)]

        for question in range(ASKED):
            presses = [
                (chat, answer(chat, session, player, question))
                for player in range(PLAYERS)
                for chat, session in sessions
            ]
            Random(question).shuffle(presses)
            began = time.perf_counter()
            replies = [engine.handle(chat, event) for chat, event in presses]
            for reply in replies:
                reply.add_done_callback(lambda _, began=began: latencies.append(time.perf_counter() - began))  # type: ignore[misc]
            await asyncio.wait(replies)
            took += time.perf_counter() - began
            for reply in replies:
                expect_verdict(reply.result())
            for step in (2 * question, 2 * question + 1):
                await asyncio.gather(*(engine.handle(chat, advance(session, step)) for chat, session in sessions))
    return SESSIONS * PLAYERS * ASKED / took, latencies


def _join(path: Path, chats: Iterable[str]) -> None:
    people = [(answer(chat, "", player).by.person,) for chat in chats for player in range(PLAYERS)]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany("INSERT INTO preference (id, everywhere) VALUES (?, 1)", people)


def rows_of_answers(sessions: int, players: int, feedback: Feedback = Feedback.AT_ONCE) -> list[Changes]:
    """What the engine writes for each of these answers, made by the same code, without a store."""
    states: dict[str, tuple[str, ChatState]] = {}
    for number in range(sessions):
        chat = f"bench:{number}"
        event = start(chat, Random(chat), feedback=feedback)
        turn = Turn(chat, ChatState(), LIBRARY.quiz, CLOCK.now())
        turn.feed(event)
        states[chat] = (event.key, ChatState(turn.session))
    presses = [(chat, player) for player in range(players) for chat in states]
    Random(1).shuffle(presses)
    rows: list[Changes] = []
    for chat, player in presses:
        session, state = states[chat]
        turn = Turn(chat, state, LIBRARY.quiz, CLOCK.now())
        expect_verdict(turn.feed(answer(chat, session, player)))
        states[chat] = (session, ChatState(turn.session))
        changes = Changes()
        turn.add_to(changes)
        rows.append(changes)
    return rows
