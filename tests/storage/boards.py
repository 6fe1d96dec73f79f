"""What people gained and what leaderboards say of it, in the shortest words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from bot.boards import Board, Leaderboard, Scored
from bot.learning.days import Period, calendar_day, start_of
from bot.ports import Changes, Store
from tests.clock import NOON
from tests.storage.building import CHAT, write

SOFIA = "Europe/Sofia"


def utc(text: str) -> datetime:
    """The aware time of `2026-03-28 21:59`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def gained(
    points: int,
    person: str = "test:bob",
    *,
    at: datetime = NOON,
    chat: str = CHAT,
    slug: str = "colours",
    name: str | None = None,
) -> Scored:
    """One response; right if there are points."""
    said = name or person.rpartition(":")[2].title()
    return Scored(chat, slug, person, said, points, right=int(points > 0), answered=1, at=at)


async def add(store: Store, *scored: Scored) -> None:
    """One turn in which all this was gained."""
    await write(store, Changes(scores=list(scored)))


def a_board(
    period: Period = Period.ALL, *, at: datetime = NOON, chat: str = CHAT, zone: str | None = None, quiz: str = ""
) -> Board:
    """The leaderboard over the period that `at` falls in."""
    return Board(chat, period, start_of(period, calendar_day(at, zone)), quiz)


async def read(
    store: Store, board: Board | None = None, *, first: int = 0, most: int = 1000, person: str = "test:nobody"
) -> Leaderboard:
    return await store.leaderboard(board or a_board(), first, most, person)


async def points(store: Store, board: Board | None = None) -> dict[str, int]:
    """Person and points, in the order of the leaderboard."""
    return {line.person: line.points for line in (await read(store, board)).lines}


async def on_every_board(store: Store, at: datetime, periods: Iterable[Period] = Period) -> dict[str, dict[str, int]]:
    """Period -> person -> points, as of this time in UTC."""
    return {period.value: await points(store, a_board(period, at=at)) for period in periods}
