"""One process of the bench with an engine and a store of its own: python -m tests.bench.postgres_worker DATABASE.

Does what it is told on standard input, a JSON object a line with the name of what to do, and answers with one: a moment
of the clock that all processes of a machine share, `time.monotonic`, is when it began and ended.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from bot import databases
from bot.core.events import Answered
from bot.crew import worker_name
from bot.engine import Engine
from tests.bench.world import CLOCK, LIBRARY, PLATFORM, advance, answer, expect_verdict, start

CONNECTIONS = 4

Told = dict[str, Any]


def session_of(chat: str) -> str:
    """Everybody knows what the first session of a chat is called."""
    return start(chat, Random(chat)).key


def presses(chats: int, players: int, question: int) -> list[tuple[str, int]]:
    """Who presses in which chat, in the order in which they do."""
    found = [(f"{PLATFORM}:{chat}", player) for player in range(players) for chat in range(chats)]
    Random(question).shuffle(found)
    return found


def share(all_of_them: Sequence[tuple[str, int]], mine: int, of: int, *, by_chat: bool) -> list[tuple[str, int]]:
    """Those that come in at process `mine`, of so many: at random, or all of a chat at the same."""
    if by_chat:
        return [(chat, player) for chat, player in all_of_them if zlib.crc32(chat.encode()) % of == mine]
    return list(all_of_them[mine::of])


class Worker:
    """What can be asked of it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def start(self, chats: int) -> Told:
        """Begin a session in each chat."""
        names = [f"{PLATFORM}:{chat}" for chat in range(chats)]
        await asyncio.gather(*(self._engine.handle(chat, start(chat, Random(chat))) for chat in names))
        return {}

    async def advance(self, chats: int, question: int) -> Told:
        """Let every chat go on to the next question."""
        for step in (2 * question, 2 * question + 1):
            names = [f"{PLATFORM}:{chat}" for chat in range(chats)]
            await asyncio.gather(*(self._engine.handle(chat, advance(session_of(chat), step)) for chat in names))
        return {}

    async def press(
        self, chats: int, players: int, question: int, mine: int, of: int, by_chat: bool, at: float
    ) -> Told:
        """Press all that come in here at the moment `at`."""
        mine_ = share(presses(chats, players, question), mine, of, by_chat=by_chat)
        events = [(chat, answer(chat, session_of(chat), player, question)) for chat, player in mine_]
        await asyncio.sleep(at - time.monotonic())
        began, busy = time.monotonic(), time.process_time()
        latencies = await asyncio.gather(*(self._answered(chat, event) for chat, event in events))
        used = time.process_time() - busy
        return {"began": began, "ended": time.monotonic(), "used": used, "answers": len(events), "took": latencies}

    async def idle(self, chat: int, first: int, answers: int) -> Told:
        """Press, one after the other, when nothing else happens."""
        name = f"{PLATFORM}:{chat}"
        session = session_of(name)
        took = [await self._answered(name, answer(name, session, first + number)) for number in range(answers)]
        return {"took": took}

    async def loaded(self, chats: int, first: int, answers: int) -> Told:
        """Press in as many chats at once, in each one after the other."""
        parts = await asyncio.gather(*(self.idle(chat, first, answers) for chat in range(chats)))
        return {"took": [seconds for part in parts for seconds in part["took"]]}

    async def _answered(self, chat: str, event: Answered) -> float:
        began = time.perf_counter()
        expect_verdict(await self._engine.handle(chat, event))
        return time.perf_counter() - began


async def serve(database: str) -> None:
    """Do what is asked, until there is nothing more to read."""
    loop = asyncio.get_running_loop()
    async with _engine(database) as engine:
        worker = Worker(engine)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            asked: Mapping[str, Any] = json.loads(line)
            done = await getattr(worker, asked["do"])(**{name: each for name, each in asked.items() if name != "do"})
            print(json.dumps(done), flush=True)  # noqa: T201  # how it answers


@asynccontextmanager
async def _engine(database: str) -> AsyncIterator[Engine]:
    store = await databases.opened(database, [PLATFORM], connections=CONNECTIONS, worker=worker_name())
    try:
        async with Engine(store, LIBRARY, CLOCK) as engine:
            yield engine
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
