"""What the bot has not confirmed yet, and long polling. Knows nothing of what an update says."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.telegram.server.changes import Changes
from tests.telegram.server.errors import ApiError, Json, conflict

ONLY_ON_REQUEST = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


@dataclass(frozen=True, slots=True)
class Update:
    """One update. Those of one `lane` (a chat's, or a person's presses) come in order over a webhook, lanes side by
    side."""

    id: int
    body: Json
    lane: str


class Updates:
    """The queue. `sent` are all there ever were, `withheld` how many were of a kind that the bot did not ask for."""

    def __init__(self, changes: Changes) -> None:
        self.pending: dict[int, Update] = {}
        self.sent: dict[int, Update] = {}
        self.withheld = 0
        self.allowed: Sequence[str] = ()
        self.on_update: Callable[[Update], None] = lambda update: None
        self._changes = changes
        self._ids = itertools.count(880_000_001)
        self._repeats: list[Update] = []
        self._poll: asyncio.Future[bool] | None = None
        self._closed = False

    # Coming in

    def push(self, kind: str, body: Json, lane: str) -> int | None:
        """Queue an update of this kind. Its id, or None if the bot does not want this kind."""
        if kind not in self.allowed if self.allowed else kind in ONLY_ON_REQUEST:
            self.withheld += 1
            return None
        return self.push_raw({kind: body}, lane)

    def push_raw(self, body: Json, lane: str = "raw") -> int:
        """Queue anything, with an id of its own unless it brings one."""
        number = next(self._ids)
        update = Update(number, {"update_id": number, **body}, lane)
        self.pending[number] = self.sent[number] = update
        self._announce(update)
        return number

    def repeat(self, number: int) -> None:
        """Deliver an update once more, confirmed or not."""
        update = self.sent[number]
        repeated = Update(update.id, update.body, f"repeat of {update.lane}")
        self._repeats.append(repeated)
        self._announce(repeated)

    def _announce(self, update: Update) -> None:
        self._end_poll(True)
        self.on_update(update)
        self._changes.notify()

    def changed(self) -> None:
        """Something was taken off the queue, or could not be."""
        self._changes.notify()

    def drop(self) -> None:
        self.pending.clear()

    # Going out by polling

    async def poll(self, offset: int, limit: int, seconds: float) -> list[Json]:
        """The oldest updates from `offset` on, which confirms those before it. Waits up to `seconds` of real time for
        one; a poll that comes meanwhile ends this one with 409."""
        self._end_poll(False)
        self.confirm(offset)
        if not self.pending and not self._repeats and seconds > 0 and not self._closed:
            await self._wait(seconds)
        repeats, self._repeats = self._repeats, []
        waiting = [*repeats, *itertools.islice(self.pending.values(), limit)]
        return [update.body for update in waiting[:limit]]

    def confirm(self, offset: int) -> None:
        """Forget what is before `offset`; a negative one keeps so many of the newest."""
        if offset < 0:
            offset = sorted(self.pending)[offset:][0] if self.pending else 0
        confirmed = list(itertools.takewhile(lambda number: number < offset, self.pending))
        for number in confirmed:
            del self.pending[number]
        if confirmed:
            self._changes.notify()

    async def _wait(self, seconds: float) -> None:
        mine = self._poll = asyncio.get_running_loop().create_future()
        done, _ = await asyncio.wait([mine], timeout=seconds)
        if done and not mine.result():
            raise terminated()
        if self._poll is mine:
            self._poll = None

    def _end_poll(self, has_updates: bool) -> None:
        if self._poll and not self._poll.done():
            self._poll.set_result(has_updates)
        self._poll = None

    def close(self) -> None:
        self._closed = True
        self._end_poll(True)


def terminated() -> ApiError:
    return conflict("terminated by other getUpdates request; make sure that only one bot instance is running")
