"""How questions fared in a chat, over all its sessions: one row each, without a person in it."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from bot.boards import Served
from bot.codec import millis, moment
from bot.core.quiz import QuestionRef
from bot.storage.driver import Connection, Dialect

COLUMNS = "slug, question_id, answered, correct, at"
ADD_UP = """
    ON CONFLICT (chat, slug, question_id) DO UPDATE SET
        answered = served.answered + excluded.answered,
        correct = served.correct + excluded.correct,
        at = CASE WHEN excluded.at > served.at THEN excluded.at ELSE served.at END
"""
ADD = f"INSERT INTO served (chat, {COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6) {ADD_UP}"
MOVE = f"INSERT INTO served (chat, {COLUMNS}) SELECT $2, {COLUMNS} FROM served WHERE chat = $1 {ADD_UP}"
OF_QUIZZES = """
    SELECT chat, slug, question_id, answered, correct, at FROM {wanted} JOIN served ON served.slug = wanted.value
    WHERE served.chat = $2 ORDER BY slug, question_id
"""
MOST_MISSED = f"""
    SELECT chat, {COLUMNS} FROM served WHERE chat = $1 AND correct < answered
    ORDER BY correct * 1.0 / answered, answered DESC, slug, question_id LIMIT $2
"""


async def add(connection: Connection, served: Sequence[Served]) -> None:
    """Count questions that closed; in one order for all processes."""
    closed: dict[tuple[str, str, str], tuple[int, int, int]] = {}
    for each in served:
        key = (each.chat, each.ref.slug, each.ref.question)
        answered, right, at = closed.get(key, (0, 0, 0))
        closed[key] = (answered + each.answered, right + each.right, max(at, millis(each.at)))
    await connection.write(ADD, [(*key, *counts) for key, counts in sorted(closed.items())])


async def of_quizzes(connection: Connection, dialect: Dialect, place: str, slugs: Collection[str]) -> list[Served]:
    """See `Store.served`."""
    wanted = json.dumps(sorted(slugs))
    return _read(await connection.fetch(OF_QUIZZES.format(wanted=dialect.json_texts), wanted, place))


async def most_missed(connection: Connection, place: str, most: int) -> list[Served]:
    """See `Store.most_missed`."""
    return _read(await connection.fetch(MOST_MISSED, place, most))


async def move(connection: Connection, old: str, new: str) -> None:
    """Give what closed in chat `old` to `new`, beside what closed there."""
    await connection.write(MOVE, [(old, new)])
    await connection.write("DELETE FROM served WHERE chat = $1", [(old,)])


def _read(rows: Sequence[tuple[Any, ...]]) -> list[Served]:
    return [
        Served(chat, QuestionRef(slug, question), answered, right, moment(at))
        for chat, slug, question, answered, right, at in rows
    ]
