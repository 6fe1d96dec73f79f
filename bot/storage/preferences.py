"""What chats and people have chosen, one row each."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import TypeVar

from bot.core.session import Feedback, Pace
from bot.ports import place_of
from bot.preferences import Preferences, Reminders, Starters
from bot.storage import scores
from bot.storage.driver import Connection, Dialect, queue

Word = TypeVar("Word", bound=StrEnum)

NAMES = tuple(field.name for field in fields(Preferences))
SHOWING = ("hidden", "everywhere")
NOTHING_CHOSEN = Preferences()
# What moves from one chat to another wins over what was chosen there.
MOVE = f"""
    INSERT INTO preference (id, {", ".join(NAMES)}) SELECT $2, {", ".join(NAMES)} FROM preference WHERE id = $1
    ON CONFLICT (id) DO UPDATE SET
        {", ".join(f"{name} = COALESCE(excluded.{name}, preference.{name})" for name in NAMES)}
"""


async def load(connection: Connection, dialect: Dialect, ids: Collection[str]) -> dict[str, Preferences]:
    """What is chosen, for every one of `ids`."""
    rows = await connection.fetch(
        f"""
        SELECT preference.id, {", ".join(NAMES)}
        FROM {dialect.json_texts} JOIN preference ON preference.id = wanted.value
        """,
        json.dumps(sorted(ids)),
    )
    return dict.fromkeys(ids, NOTHING_CHOSEN) | {id_: _read(*values) for id_, *values in rows}


def _read(
    language: str | None,
    locale: str | None,
    starters: str | None,
    pace: str | None,
    feedback: str | None,
    speed_bonus: int | None,
    thread: int | None,
    zone: str | None,
    reminders: str | None,
    hidden: int | None,
    everywhere: int | None,
) -> Preferences:
    return Preferences(
        language,
        locale,
        _word(Starters, starters),
        _word(Pace, pace),
        _word(Feedback, feedback),
        _flag(speed_bonus),
        _flag(thread),
        zone,
        _word(Reminders, reminders),
        _flag(hidden),
        _flag(everywhere),
    )


def _word(kind: type[Word], stored: str | None) -> Word | None:
    # A word of another version is as good as none: nothing may stop over it.
    return next((word for word in kind if word == stored), None)


def _flag(stored: int | None) -> bool | None:
    return None if stored is None else bool(stored)


def spoken(chosen: Mapping[str, Preferences], chat: str) -> str | None:
    """The language of a chat: its own, else that of the place it is in."""
    return chosen[chat].spoken or chosen[place_of(chat)].spoken


async def keep(connection: Connection, dialect: Dialect, id_: str, name: str, value: str | bool | None) -> None:
    """Keep one choice; see `Store.prefer`. Raises ValueError for a name that is no choice."""
    if name not in NAMES:
        raise ValueError(f"{name!r} is nothing that can be chosen; there are {', '.join(NAMES)}")
    stored = int(value) if isinstance(value, bool) else value
    if name in SHOWING:
        await queue(connection, dialect, scores.SHOWING)
    await connection.write(
        f"INSERT INTO preference (id, {name}) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET {name} = excluded.{name}",
        [(id_, stored)],
    )
    if name in SHOWING:
        await scores.show(connection, id_)


async def move(connection: Connection, old: str, new: str) -> None:
    """Give what is chosen for `old` to `new`."""
    await connection.write(MOVE, [(old, new)])
    await connection.write("DELETE FROM preference WHERE id = $1", [(old,)])
