"""Leaderboards, read by the page from score rows: no response is looked at, and nobody who is not shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.boards import Board, Leaderboard, Line
from bot.storage.driver import Connection, first
from bot.storage.scores import SPANS, counts_of

Row = tuple[Any, ...]


class _Rows:
    """The score rows that a leaderboard consists of."""

    def __init__(self, connection: Connection, board: Board) -> None:
        self._connection = connection
        self._values = (board.chat, board.quiz, board.start)
        # The start is that of the period; all time has none, and a row that never grew is not there.
        self._rows = f"score WHERE chat = $1 AND quiz = $2 AND {SPANS.get(board.period, '0')} = $3 AND shown = 1"
        self._points = counts_of(board.period)[0]
        self._columns = ", ".join(["person", "name", *counts_of(board.period)])

    async def count(self) -> int:
        """How many there are."""
        return await self._count("")

    async def ahead(self, points: int) -> int:
        """How many have more points."""
        return await self._count(f"AND {self._points} > $4", points)

    async def _count(self, condition: str, *values: int) -> int:
        counted: int = await first(
            self._connection, f"SELECT COUNT(*) FROM {self._rows} {condition}", *self._values, *values
        )
        return counted

    async def page(self, skipped: int, most: int) -> Sequence[Row]:
        """Some of them, in order."""
        order = f"ORDER BY {self._points} DESC, name, person"
        # The index has all that the order needs: only what is shown is looked up, not what is passed over.
        return await self._connection.fetch(
            f"""
            SELECT {self._columns} FROM (SELECT person AS listed FROM {self._rows} {order} LIMIT $4 OFFSET $5) AS page
            JOIN score ON chat = $1 AND quiz = $2 AND person = listed {order}
            """,
            *self._values,
            most,
            skipped,
        )

    async def own(self, person: str) -> Sequence[Row]:
        """That of a person, if they have one."""
        return await self._fetch("AND person = $4", person)

    async def _fetch(self, condition: str, *values: int | str) -> Sequence[Row]:
        return await self._connection.fetch(
            f"SELECT {self._columns} FROM {self._rows} {condition}", *self._values, *values
        )


async def page(connection: Connection, board: Board, skipped: int, most: int, person: str) -> Leaderboard:
    """See `Store.leaderboard`."""
    rows = _Rows(connection, board)
    found = await rows.page(skipped, most)
    lines = _lines(found, skipped, await rows.ahead(found[0][2]) if found and skipped else 0)
    own = next((line for line in lines if line.person == person), None)
    if own is None:
        for row in await rows.own(person):
            own = Line(await rows.ahead(row[2]) + 1, *row)
    return Leaderboard(lines, await rows.count(), own)


def _lines(found: Sequence[Row], skipped: int, ahead: int) -> tuple[Line, ...]:
    """Lines in order, of which so many people are ahead of the first."""
    lines: list[Line] = []
    for place, row in enumerate(found, skipped + 1):
        tied = bool(lines) and lines[-1].points == row[2]
        rank = lines[-1].rank if tied else place if lines else ahead + 1
        lines.append(Line(rank, *row))
    return tuple(lines)
