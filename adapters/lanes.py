"""Keeps the order in which a chat was spoken to, where it matters. Knows no command, no press and no platform.

Whoever wants a chat alone (commands) comes one by one. Whoever shares it (presses) waits for those before it and for
nothing else: many reach the engine at once, but none overtakes a command that came earlier. There is one exception:
while whoever is alone waits for somebody outside, those who share pass all who wait to be alone, for a press has to be
answered at once, however long that takes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Lane:
    """Who waits for a chat, in order: whether alone, and the future that lets them in. `inside` counts who was let in
    and has not left, which those who share do as soon as they run; `alone` is about who was let in last. With `aside`
    whoever is alone lets those who share pass."""

    inside: int = 0
    alone: bool = False
    aside: bool = False
    queue: deque[tuple[bool, asyncio.Future[None]]] = field(default_factory=deque)


class Lanes:
    """The order within each chat is that of the calls, and chats go side by side."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}

    def __len__(self) -> int:
        """How many chats are remembered: those where somebody is alone or waits."""
        return len(self._lanes)

    @asynccontextmanager
    async def exclusive(self, chat: str) -> AsyncIterator[None]:
        """Be alone in the chat, once all have left who came before."""
        lane = self._lanes.get(chat)
        if lane is None:
            lane = self._lanes[chat] = _Lane(inside=1, alone=True)
        else:
            await self._turn(chat, lane, alone=True)
        try:
            yield
        finally:
            self._leave(chat, lane)

    @contextmanager
    def aside(self, chat: str) -> Iterator[None]:
        """Step aside while alone in the chat, to wait for somebody outside. Those who share the chat pass, also past
        those who wait to be alone; nobody else does."""
        lane = self._lanes[chat]
        lane.aside = True
        waiting, lane.queue = lane.queue, deque()
        for alone, turn in waiting:
            if alone or turn.cancelled():
                lane.queue.append((alone, turn))
            else:
                lane.inside += 1
                turn.set_result(None)
        try:
            yield
        finally:
            lane.aside = False

    async def shared(self, chat: str) -> None:
        """Return once all have left the chat who came before to be alone, or the one who is alone steps aside: if there
        is nobody, without a pause.

        What the caller does next, until it waits for something, comes before all that called later.
        """
        lane = self._lanes.get(chat)
        if lane is not None and not lane.aside:
            await self._turn(chat, lane, alone=False)
            self._leave(chat, lane)

    async def _turn(self, chat: str, lane: _Lane, *, alone: bool) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lane.queue.append((alone, turn))
        try:
            await turn
        except asyncio.CancelledError:
            # Let in and cancelled at once. Who was not let in is passed over when those inside leave.
            if not turn.cancelled():
                self._leave(chat, lane)
            raise

    def _leave(self, chat: str, lane: _Lane) -> None:
        lane.inside -= 1
        self._admit(chat, lane)

    def _admit(self, chat: str, lane: _Lane) -> None:
        while lane.queue:
            alone, turn = lane.queue[0]
            if not turn.cancelled():
                if lane.inside and (alone or lane.alone):
                    return
                lane.inside += 1
                lane.alone = alone
                turn.set_result(None)
            lane.queue.popleft()
        if not lane.inside:
            self._lanes.pop(chat, None)
