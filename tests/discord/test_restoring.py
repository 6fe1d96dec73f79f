"""A lost connection: when its session is asked for again, when a new one is begun, and after which pause."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from discord.backoff import ExponentialBackoff
from discord.gateway import ReconnectWebSocket
from discord.shard import EventItem

from adapters.discord.restoring import HELD, LONGEST_PAUSE, MOST_RESUMES, WELL_AGAIN, Pauses, Restoring
from tests.clock import NOON, VirtualClock
from tests.discord.conversing import on_the_clock
from tests.discord.talking import comes

RESUMED, BEGUN, BEGUN_ELSEWHERE = "resumed", "begun", "begun at the usual address"


@dataclass
class Socket:
    session_id: str | None = "s1"


class Minutes(ExponentialBackoff[Any]):
    """Pauses of one minute, of two, and so on."""

    def __init__(self) -> None:
        self._minutes = 0

    def delay(self) -> float:  # type: ignore[override]
        self._minutes += 1
        return 60.0 * self._minutes


@dataclass
class Shard:
    """A shard of the library, as far as it is restored. `done` is how, each time. While it
    `refuses`, no handshake succeeds."""

    id: int = 0
    ws: Socket = field(default_factory=Socket)
    done: list[str] = field(default_factory=list)
    queue: list[EventItem] = field(default_factory=list)
    refuses: bool = False
    _backoff: Minutes = field(default_factory=Minutes)
    _task: asyncio.Task[None] | None = None

    def _queue_put(self, item: EventItem) -> None:
        self.queue.append(item)

    async def _handle_disconnect(self, error: Exception) -> None:
        await asyncio.Event().wait()

    async def take(self) -> None:
        """What the client does with what comes into its queue, one after the other."""
        await comes(lambda: self.queue)
        item = self.queue.pop()
        assert isinstance(item.error, ReconnectWebSocket)
        await self.reidentify(item.error)

    async def reidentify(self, lost: ReconnectWebSocket) -> None:
        self._begin(RESUMED if lost.resume else BEGUN)

    async def reconnect(self) -> None:
        self._begin(BEGUN_ELSEWHERE)

    def _begin(self, how: str) -> None:
        self.done.append(how)
        if not self.refuses:
            self.ws = Socket(self.ws.session_id)


LOST, OVER = ReconnectWebSocket(0, resume=True), ReconnectWebSocket(0, resume=False)


@pytest.fixture
def shard(clock: VirtualClock) -> Shard:
    made = Shard()
    Restoring(made, lambda: (clock.now() - NOON).total_seconds(), Minutes)
    return made


@pytest.fixture(autouse=True)
def _timed(clock: VirtualClock) -> Iterator[None]:
    with on_the_clock(clock):
        yield


def test_no_pause_is_longer_than_five_minutes() -> None:
    pauses = Pauses()
    assert max(pauses.delay() for _ in range(200)) == LONGEST_PAUSE == 300


async def test_a_session_is_resumed_at_once(shard: Shard) -> None:
    await shard.reidentify(LOST)
    assert shard.done == [RESUMED]


async def test_a_session_that_never_was_cannot_be_resumed(shard: Shard) -> None:
    shard.ws.session_id = None
    await shard.reidentify(LOST)
    assert shard.done == [BEGUN]


async def test_after_handshakes_that_failed_it_is_still_the_same_session(shard: Shard) -> None:
    await shard.reidentify(LOST)
    for _ in range(MOST_RESUMES + 1):
        await shard.reconnect()
    assert shard.done == [RESUMED] * (1 + MOST_RESUMES) + [BEGUN_ELSEWHERE]


async def test_whatever_failed_before_the_last_success_does_not_count(shard: Shard) -> None:
    for _ in range(MOST_RESUMES):
        await shard.reconnect()
    await shard.reidentify(LOST)
    await shard.reconnect()
    assert BEGUN_ELSEWHERE not in shard.done


async def test_after_a_handshake_that_failed_for_a_new_session_one_is_begun(shard: Shard) -> None:
    shard.ws.session_id = None
    await shard.reconnect()
    assert shard.done == [BEGUN_ELSEWHERE]


async def test_one_session_that_is_over_is_followed_by_the_next_at_once(shard: Shard) -> None:
    await shard.reidentify(OVER)
    assert shard.done == [BEGUN]


async def test_between_sessions_that_are_all_ended_there_are_pauses(shard: Shard, clock: VirtualClock) -> None:
    await shard.reidentify(OVER)
    for number in (2, 3):
        await shard.reidentify(OVER)
        await comes(lambda: clock.alarms)
        clock.advance(60 * (number - 1) - 1)
        assert len(shard.done) == number - 1
        clock.advance(1)
        await shard.take()
    assert shard.done == [BEGUN] * 3


async def test_whoever_restores_the_shards_waits_for_no_pause_of_one(shard: Shard) -> None:
    await shard._handle_disconnect(ConnectionResetError())
    assert shard._task is not None
    assert not shard._task.done()
    shard._task.cancel()


async def test_sessions_that_end_now_and_then_need_no_pause(shard: Shard, clock: VirtualClock) -> None:
    for _ in range(2):
        await shard.reidentify(OVER)
        clock.advance(WELL_AGAIN)
    assert shard.done == [BEGUN] * 2


async def refused(shard: Shard) -> float:
    """The line is gone; the seconds of the pause before the next try, that fails as well."""
    shard.refuses = True
    await shard._handle_disconnect(ConnectionResetError())
    pause = shard._backoff.delay()
    await shard.reconnect()
    return pause


async def test_pauses_between_tries_that_fail_grow(shard: Shard) -> None:
    assert [await refused(shard) for _ in range(3)] == [60, 120, 180]


@pytest.mark.parametrize(("seconds", "pause"), [(HELD, 60), (HELD - 1, 180)])
async def test_after_a_connection_that_lasted_a_minute_the_first_pause_is_short_again(
    shard: Shard, clock: VirtualClock, seconds: float, pause: float
) -> None:
    for _ in range(2):
        await refused(shard)
    shard.refuses = False
    await shard.reconnect()
    clock.advance(seconds)
    assert await refused(shard) == pause
