"""Small values to store, and the shortest ways to put them there."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from bot.codec import dump_quiz
from bot.core.effects import Asked, Closed, Paused, Post
from bot.core.session import Drawn, Phase, Player, Response, Result, Session
from bot.ports import Changes, Outgoing, Queued, Store
from tests.clock import NOON
from tests.core.building import drawn, plain_quiz, settings

PLATFORM = "test"
CHAT = "test:1"
OTHER = "test:2"
QUIZ = plain_quiz()
TEXT = dump_quiz(QUIZ)
FIRST = Drawn(0, (0, 1, 2, 3))


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def after(number: float) -> datetime:
    """This many seconds after noon, when every test begins."""
    return NOON + seconds(number)


def a_session(id_: str = "s1", **changes: Any) -> Session:
    """A session whose first question is open until 20 s after noon."""
    session = Session(
        id=id_,
        quiz="digest",
        host="test:ann",
        host_name="Ann",
        private=False,
        settings=settings(),
        draw=drawn(QUIZ),
        phase=Phase.OPEN,
        opened=NOON,
        deadline=after(20),
        recovered=NOON,
        at=0,
        limit=seconds(20),
        tally=(0, 0, 0, 0),
    )
    return replace(session, **changes)


def ended(session: Session) -> Session:
    return replace(session, phase=Phase.ENDED, deadline=None)


def a_response(person: str = "test:bob", session: str = "s1", question: int = 0) -> Response:
    return Response(session, question, f"q{question}", person, (0,), right=True, points=100, at=after(1))


def a_player(person: str = "test:bob", **changes: Any) -> Player:
    return replace(Player(person, "Bob", points=100, right=1, answered=1, taken=1000, question=0), **changes)


def asked(at: int = 0, session: str = "s1", answered: int = 0) -> Asked:
    return Asked(session, at, 3, FIRST, seconds(20), after(20), 2 * at, False, answered, counted=answered > 0)


def closed(at: int = 0, session: str = "s1") -> Closed:
    return Closed(session, at, 3, Result(FIRST, (1, 0, 0, 0), 1, 1), reveal=True, private=False, step=None)


def paused(session: str = "s1") -> Paused:
    return Paused(session, 1, private=False)


async def write(store: Store, changes: Changes, *chats: str) -> None:
    """One turn that writes these changes."""
    async with store.turns(dict.fromkeys(chats or (CHAT,), ())) as turns:
        await turns.write(changes)


async def begin(store: Store, session: Session | None = None, chat: str = CHAT) -> None:
    """Let the session be the one that runs in the chat."""
    session = session or a_session()
    await write(store, Changes(sessions=[(chat, session)], started=[(chat, session.id)]), chat)


async def save(store: Store, session: Session, chat: str = CHAT) -> None:
    await write(store, Changes(sessions=[(chat, session)]), chat)


async def queue(store: Store, *posts: Post, chat: str = CHAT, at: float = 0, lazy: float | None = None) -> None:
    """Queue these posts at `at`; with `lazy` they are counters that are due this many seconds after noon."""
    ready = after(at if lazy is None else lazy)
    await write(store, Changes(posts=[Queued(chat, post, ready, lazy is not None) for post in posts]), chat)


async def claim(store: Store, at: float = 0, limit: int = 100, lease: float = 120) -> list[Outgoing]:
    return await store.claim(PLATFORM, after(at), after(at + lease), limit)


async def slots(store: Store, at: float = 0) -> list[tuple[str, str]]:
    """Claim what can be claimed: chat and slot of each."""
    return [(outgoing.chat, outgoing.slot) for outgoing in await claim(store, at)]
