"""The ceiling: what the bare sqlite3 module makes of the same rows, grouped, every commit on the disk."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot import codec
from bot.core.session import Session
from bot.ports import Changes
from bot.storage import schema, turns
from bot.storage.sqlite import DIALECT, PRAGMAS, positional

GROUP = 256


def answers_per_second(path: Path, sample: Sequence[Changes]) -> float:
    """Rows of these changes a second, regrouped by GROUP answers, through sqlite3 alone.

    `sample` is what the engine wrote for answers: one response, one player, and the session and counter of its chat.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    for migration in schema.MIGRATIONS:
        for statement in migration:
            connection.execute(statement.format(id=DIALECT.id, clustered=DIALECT.clustered))
    groups = [sample[start : start + GROUP] for start in range(0, len(sample), GROUP)]
    prepared = [_rows(group) for group in groups]
    began = time.perf_counter()
    for group in prepared:
        connection.execute("BEGIN IMMEDIATE")
        for sql, rows in group:
            connection.executemany(sql, rows)
        connection.execute("COMMIT")
    took = time.perf_counter() - began
    connection.close()
    return len(sample) / took


def _rows(group: Sequence[Changes]) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """The statements of one transaction with their rows; a chat's session and counter once, as the engine does."""
    sessions: dict[str, tuple[str, Session]] = {}
    posts: dict[tuple[str, str], tuple[Any, ...]] = {}
    for changes in group:
        sessions |= {session.id: (chat, session) for chat, session in changes.sessions}
        posts |= {(queued.post.session, queued.post.slot): turns.post_row(queued) for queued in changes.posts}
    return [
        (positional(turns.SAVE_SESSION)[0], [turns.session_row(chat, session) for chat, session in sessions.values()]),
        (
            positional(turns.SAVE_PLAYER)[0],
            [(session, *codec.dump_player(player)) for changes in group for session, player in changes.players],
        ),
        (
            positional(turns.ADD_RESPONSE)[0],
            [turns.response_row(each) for changes in group for each in changes.responses],
        ),
        (positional(turns.QUEUE_POST)[0], list(posts.values())),
    ]
