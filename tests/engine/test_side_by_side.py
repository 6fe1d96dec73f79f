"""Two processes on one database, asked in one tick: whatever people do at once in a chat happens once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from random import Random

import pytest

from bot.clock import SystemClock
from bot.core.effects import Noted, Reason, Reply, Running, Told, Verdict
from bot.core.events import Advanced, Answered, Event
from bot.core.session import Actor, Phase, Session
from bot.engine import Engine
from bot.library import Library
from bot.starting import started
from bot.storage.postgres import open_postgres
from bot.storage.sql import SqlStore
from tests.core.building import plain_quiz
from tests.storage.building import PLATFORM

ROUNDS = 25
CLOCK = SystemClock()
QUIZ = plain_quiz()
HOSTS = Actor("ann", "Ann"), Actor("ben", "Ben")


class Processes:
    """Two of them, each with a store and an engine of its own."""

    def __init__(self, stores: Sequence[SqlStore], engines: Sequence[Engine]) -> None:
        self.store = stores[0]
        self._engines = engines

    async def both(self, chat: str, *events: Event) -> list[Reply | None]:
        """What each says to its event, asked in one tick."""
        return await asyncio.gather(
            *(engine.handle(chat, event) for engine, event in zip(self._engines, events, strict=True))
        )

    async def session(self, chat: str) -> Session:
        session = await self.store.session(chat)
        assert session
        return session


@pytest.fixture
async def processes(postgres_url: str) -> AsyncIterator[Processes]:
    async with AsyncExitStack() as stack:
        stores = [await open_postgres(postgres_url, [PLATFORM], 2, f"process {number}") for number in range(2)]
        for store in stores:
            stack.push_async_callback(store.close)
        library = Library([QUIZ])
        engines = [await stack.enter_async_context(Engine(store, library, CLOCK)) for store in stores]
        yield Processes(stores, engines)


CHATS = [f"{PLATFORM}:{number}" for number in range(ROUNDS)]


def start(by: Actor, key: str) -> Event:
    edition = Library([QUIZ]).edition(QUIZ.slug)
    assert edition
    return started(edition, by, key, Random(key), None, private=False, card=False)


async def begin(processes: Processes, chat: str) -> Session:
    """Both hosts start a quiz; the one that there is."""
    await processes.both(chat, *(start(host, f"{chat} {host.name}") for host in HOSTS))
    return await processes.session(chat)


def following(session: Session, key: str) -> Event:
    """Next, pressed by the host."""
    by = next(host for host in HOSTS if host.person == session.host)
    return Advanced(f"{session.id} {key}", by, session.id, session.step)


async def test_of_two_who_start_at_once_one_is_told_that_a_quiz_runs(processes: Processes) -> None:
    for chat in CHATS:
        replies = await processes.both(chat, *(start(host, f"{chat} {host.name}") for host in HOSTS))
        assert sorted(isinstance(reply, Running) for reply in replies) == [False, True], replies
    everything = await processes.store.unfinished(PLATFORM)
    assert [chat for chat, _ in everything] == sorted(CHATS)


async def test_of_two_next_of_one_step_one_moves_the_quiz_on(processes: Processes) -> None:
    for chat in CHATS:
        session = await begin(processes, chat)
        replies = await processes.both(chat, following(session, "one"), following(session, "other"))
        assert sorted(reply == Told(Reason.ADVANCED) for reply in replies) == [False, True], replies
        after = await processes.session(chat)
        assert (after.at, after.phase) == (0, Phase.CLOSED)


async def test_of_two_answers_of_one_person_the_first_counts_and_both_say_which(processes: Processes) -> None:
    for chat in CHATS:
        session = await begin(processes, chat)
        presses = (Answered(HOSTS[0], session.id, 0, (option,), CLOCK.now()) for option in range(2))
        replies = await processes.both(chat, *presses)
        (player,) = await processes.store.players(session.id)
        said = {reply.chosen for reply in replies if isinstance(reply, Verdict | Noted)}
        assert (player.answered, len(said)) == (1, 1), replies


async def test_an_answer_and_next_at_once_leave_nothing_between(processes: Processes) -> None:
    for chat in CHATS:
        session = await begin(processes, chat)
        answer = Answered(HOSTS[0], session.id, 0, (0,), CLOCK.now())
        reply, _ = await processes.both(chat, answer, following(session, "only"))
        after = await processes.session(chat)
        counted = len(await processes.store.players(session.id))
        assert after.results[0].answered == counted
        assert isinstance(reply, Told) == (counted == 0)
