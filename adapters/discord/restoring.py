"""How a lost connection is restored, where the library's own way loses something. Knows no event and no chat.

The library resumes a session, in which all that was missed is brought, at the first try only; after a handshake that
failed it begins a new one. It begins new ones every five seconds for as long as Discord ends them, though a thousand in
a day cost the token. The longest of its pauses is a quarter of an hour, and while one shard pauses none is restored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

from discord.backoff import ExponentialBackoff
from discord.gateway import ReconnectWebSocket
from discord.shard import EventItem, EventType

LONGEST_PAUSE = 300.0
"""Seconds before the next try, at most."""

MOST_RESUMES = 5
"""Handshakes in which a session is asked for that went on before; after so many it is over, or its address is."""

HELD = 60.0
"""Seconds that a connection has to last before those that failed before it no longer count."""

WELL_AGAIN = 600.0
"""Seconds after which a session that has to be begun anew is no sign of trouble."""


class Pauses(ExponentialBackoff[Any]):
    """The library's pauses, none of them long."""

    def delay(self) -> float:  # type: ignore[override]  # which is what it gives without `integral`
        return min(float(super().delay()), LONGEST_PAUSE)


class Restoring:
    """The library's `shard`, which it restores in this way from now on."""

    def __init__(
        self,
        shard: Any,
        time: Callable[[], float] = monotonic,
        pauses: Callable[[], ExponentialBackoff[Any]] = Pauses,
    ) -> None:
        """`time` are seconds since whenever; `pauses` grow from one to the next."""
        self._shard = shard
        self._time = time
        self._pauses = pauses
        self._between = pauses()
        self._connected: float | None = time()
        self._go_on, self._begin, self._fail = shard.reidentify, shard.reconnect, shard._handle_disconnect
        self._failed = 0
        self._begun: float | None = None
        self._paused = False
        shard.reidentify, shard.reconnect, shard._handle_disconnect = self.lost, self.again, self.failed
        shard._backoff = pauses()

    async def lost(self, lost: ReconnectWebSocket) -> None:
        """The connection is gone, and may be resumed or not. Where one session after the other is ended, the next is
        begun after a pause."""
        resumable = lost.resume and self._shard.ws.session_id is not None
        if not resumable and not self._paused and self._is_suspicious():
            self._aside(self._later(lost))
            return
        self._failed, self._paused = 0, False
        await self._connect(self._go_on(ReconnectWebSocket(self._shard.id, resume=resumable)))

    async def again(self) -> None:
        """A handshake has failed, and a pause is over."""
        self._failed += 1
        if self._shard.ws.session_id is not None and self._failed <= MOST_RESUMES:
            await self._connect(self._go_on(ReconnectWebSocket(self._shard.id, resume=True)))
        else:
            await self._connect(self._begin())

    async def failed(self, error: Exception) -> None:
        """The line is gone, or a handshake has failed: a pause, then it is tried again."""
        if self._connected is not None and self._time() - self._connected >= HELD:
            self._shard._backoff = self._pauses()
        self._connected = None
        self._aside(self._fail(error))

    async def _connect(self, trying: Coroutine[Any, Any, None]) -> None:
        """Try, and note when that has succeeded: the shard has another socket then."""
        before = self._shard.ws
        await trying
        if self._shard.ws is not before:
            self._connected = self._time()

    def _is_suspicious(self) -> bool:
        """Whether this session was begun so shortly after another that something is wrong."""
        now, before = self._time(), self._begun
        self._begun = now
        return before is not None and now - before < WELL_AGAIN

    async def _later(self, lost: ReconnectWebSocket) -> None:
        await asyncio.sleep(self._between.delay())
        self._paused = True
        self._shard._queue_put(EventItem(EventType.identify, self._shard, lost))

    def _aside(self, pause: Coroutine[Any, Any, None]) -> None:
        """Pause in the place of the shard's own task, which has ended or is about to: whatever ends the shard ends it.
        The client restores one shard at a time, and the others shall not wait for this one."""
        self._shard._task = asyncio.create_task(pause)
