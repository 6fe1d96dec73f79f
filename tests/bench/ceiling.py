"""The ceiling: what the bare sqlite3 module makes of the same rows, grouped, every commit on the disk."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from operator import itemgetter
from pathlib import Path
from typing import Any

from bot.core.session import Session
from bot.ports import Changes, Queued
from bot.storage.migrating import VERSIONS
from bot.storage.schema import MIGRATIONS
from bot.storage.sqlite import DIALECT, PRAGMAS, positional
from bot.storage.turns import SqlTurns

GROUP = 256

Written = list[tuple[str, list[tuple[Any, ...]]]]
"""Statements with their rows."""


async def answers_per_second(path: Path, sample: Sequence[Changes]) -> float:
    """Rows of these changes a second, regrouped by GROUP answers, through sqlite3 alone.

    `sample` is what the engine wrote for answers: one response, one player, the session and counter of its chat, and
    what it counts for beyond the session.
    """
    prepared = [
        [_positional(sql, rows) for sql, rows in await written(sample[first : first + GROUP])]
        for first in range(0, len(sample), GROUP)
    ]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in (*(f"PRAGMA {pragma}" for pragma in PRAGMAS), *_schema()):
            connection.execute(statement)
        began = time.perf_counter()
        for group in prepared:
            connection.execute("BEGIN IMMEDIATE")
            for sql, rows in group:
                connection.executemany(sql, rows)
            connection.execute("COMMIT")
        return len(sample) / (time.perf_counter() - began)


def _schema() -> list[str]:
    return [VERSIONS, *(DIALECT.spell(statement) for migration in MIGRATIONS for statement in migration)]


async def written(group: Sequence[Changes]) -> Written:
    """The statements of one transaction with their rows, as the store makes them of all these answers, without the
    locks that keep processes apart."""
    recorder = _Recorder()
    await SqlTurns(recorder, DIALECT, {}).write(together(group))
    return recorder.written


class _Recorder:
    """A connection to nothing, that keeps what is written. It finds no rows: nobody has chosen anything."""

    def __init__(self) -> None:
        self.written: Written = []

    async def fetch(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        return ()

    async def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            self.written.append((sql, list(rows)))


def _positional(sql: str, rows: list[tuple[Any, ...]]) -> tuple[str, list[tuple[Any, ...]]]:
    statement, places = positional(sql)
    return statement, list(map(itemgetter(*places), rows))


def together(group: Sequence[Changes]) -> Changes:
    """The changes of one transaction; a chat's session and counter once, as the engine does."""
    sessions: dict[str, tuple[str, Session]] = {}
    posts: dict[tuple[str, str], Queued] = {}
    for changes in group:
        sessions |= {session.id: (chat, session) for chat, session in changes.sessions}
        posts |= {(queued.post.session, queued.post.slot): queued for queued in changes.posts}
    return Changes(
        sessions=list(sessions.values()),
        players=[player for changes in group for player in changes.players],
        responses=[response for changes in group for response in changes.responses],
        posts=list(posts.values()),
        scores=[scored for changes in group for scored in changes.scores],
    )
