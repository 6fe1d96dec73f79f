"""What chats and people have chosen, one row each."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields

from bot.core.session import Feedback, Pace
from bot.ports import place_of
from bot.preferences import Preferences, Starters
from bot.storage.driver import Connection, Dialect

NAMES = tuple(field.name for field in fields(Preferences))
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
) -> Preferences:
    return Preferences(
        language,
        locale,
        Starters(starters) if starters else None,
        Pace(pace) if pace else None,
        Feedback(feedback) if feedback else None,
        _flag(speed_bonus),
        _flag(thread),
    )


def _flag(stored: int | None) -> bool | None:
    return None if stored is None else bool(stored)


def spoken(chosen: Mapping[str, Preferences], chat: str) -> str | None:
    """The language of a chat: its own, else that of the place it is in."""
    return chosen[chat].spoken or chosen[place_of(chat)].spoken


async def keep(connection: Connection, id_: str, name: str, value: str | bool | None) -> None:
    """Keep one choice; see `Store.prefer`. Raises ValueError for a name that is no choice."""
    if name not in NAMES:
        raise ValueError(f"{name!r} is nothing that can be chosen; there are {', '.join(NAMES)}")
    await connection.write(
        f"INSERT INTO preference (id, {name}) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET {name} = excluded.{name}",
        [(id_, int(value) if isinstance(value, bool) else value)],
    )


async def move(connection: Connection, old: str, new: str) -> None:
    """Give what is chosen for `old` to `new`."""
    await connection.write(MOVE, [(old, new)])
    await connection.write("DELETE FROM preference WHERE id = $1", [(old,)])
