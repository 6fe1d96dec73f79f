"""A store that notes when posts were due and when they were delivered. Changes nothing that it passes on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot import codec
from bot.core.effects import Asked, Closed, Post
from bot.core.session import Player
from bot.ports import Changes, ChatState, Delivered, Outcome
from bot.storage.sql import SqlStore

QUESTION, COUNTER, CLOSING, OTHER = "question", "counter", "closing", "other"


def kind_of(post: Post) -> str:
    """What a post is for the people in the chat."""
    match post:
        case Asked(counted=True):
            return COUNTER
        case Asked():
            return QUESTION
        case Closed():
            return CLOSING
        case _:
            return OTHER


class WatchedStore(SqlStore):
    """`late` is how long posts of each kind were on their way; `put_off`, how often each was."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.late: dict[str, list[timedelta]] = defaultdict(list)
        self.put_off: Counter[str] = Counter()
        self._due: dict[tuple[str, str, str], datetime] = {}

    @asynccontextmanager
    async def turns(self, wanted: Mapping[str, Collection[str]]) -> AsyncIterator[Any]:
        async with super().turns(wanted) as turns:
            yield _Noted(turns, self)

    def note(self, changes: Changes) -> None:
        """When each of these posts is due: the first of its kind in its slot."""
        for queued in changes.posts:
            self._due.setdefault((queued.post.session, queued.post.slot, kind_of(queued.post)), queued.ready)

    async def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        for outcome in outcomes:
            outgoing = outcome.outgoing
            kind = kind_of(codec.load_post(outgoing.body))
            if kind == COUNTER and outgoing.message is None:
                kind = QUESTION  # somebody has answered before it could be sent
            due = self._due.get((outgoing.session, outgoing.slot, kind))
            if not isinstance(outcome, Delivered):
                self.put_off[kind] += 1
            elif due is not None:
                self.late[kind].append(now - due)
                del self._due[outgoing.session, outgoing.slot, kind]
        await super().settle(outcomes, now)


@dataclass(slots=True)
class _Noted:
    """A transaction whose posts are noted."""

    turns: Any
    store: WatchedStore

    @property
    def chats(self) -> Mapping[str, ChatState]:
        found: Mapping[str, ChatState] = self.turns.chats
        return found

    async def quiz(self, digest: str) -> str | None:
        found: str | None = await self.turns.quiz(digest)
        return found

    async def players(self, session: str) -> list[Player]:
        found: list[Player] = await self.turns.players(session)
        return found

    async def write(self, changes: Changes) -> None:
        self.store.note(changes)
        await self.turns.write(changes)
