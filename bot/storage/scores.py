"""What people gained, in rows that leaderboards are read from, kept in the transaction of what they count.

Each person has a row for a chat and a quiz and one for the chat and all quizzes (''), and the same under EVERYWHERE if
they joined. A row counts all time, and the day, week and month in which it last grew, by the days on which they began.
Knows no response and no session.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.boards import EVERYWHERE, Scored
from bot.codec import millis, moment
from bot.learning.days import Period, calendar_day, start_of
from bot.learning.memory import Day
from bot.preferences import Preferences
from bot.storage.driver import Connection, Dialect, beside

NOTHING_CHOSEN = Preferences()
SPANS = {Period.TODAY: "day", Period.WEEK: "week", Period.MONTH: "month"}
COUNTS = ("points", "correct", "answered")


def counts_of(period: Period) -> tuple[str, ...]:
    """The columns that count points, right answers and answers in a period."""
    return tuple(f"{SPANS[period]}_{count}" for count in COUNTS) if period in SPANS else COUNTS


def _taking_in(period: Period) -> str:
    """How a row takes in what another has for a period: what began later replaces, what began earlier is over."""
    start = SPANS[period]
    newer, same = f"excluded.{start} > score.{start}", f"excluded.{start} = score.{start}"
    counts = [
        f"{count} = CASE WHEN {newer} THEN excluded.{count} WHEN {same} THEN score.{count} + excluded.{count}"
        f" ELSE score.{count} END"
        for count in counts_of(period)
    ]
    return ", ".join([*counts, f"{start} = CASE WHEN {newer} THEN excluded.{start} ELSE score.{start} END"])


COLUMNS = ", ".join(
    [
        "quiz",
        "person",
        "name",
        "at",
        "shown",
        *COUNTS,
        *(name for each in SPANS for name in (SPANS[each], *counts_of(each))),
    ]
)
TAKE_IN = f"""
    ON CONFLICT (chat, quiz, person) DO UPDATE SET
        name = CASE WHEN excluded.at >= score.at THEN excluded.name ELSE score.name END,
        at = CASE WHEN excluded.at > score.at THEN excluded.at ELSE score.at END,
        {", ".join(f"{count} = score.{count} + excluded.{count}" for count in COUNTS)},
        {", ".join(map(_taking_in, SPANS))}
"""
ADD = f"""
    INSERT INTO score (chat, {COLUMNS})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $7, $8, $9, $11, $7, $8, $9, $12, $7, $8, $9)
    {TAKE_IN}
"""
MOVE = f"INSERT INTO score (chat, {COLUMNS}) SELECT $2, {COLUMNS} FROM score WHERE chat = $1 {TAKE_IN}"
CHOICES = "SELECT preference.id, zone, hidden, everywhere FROM {wanted} JOIN preference ON preference.id = wanted.value"
SHOW = f"""
    UPDATE score SET shown = CASE
        WHEN EXISTS (SELECT 1 FROM preference WHERE id = $1 AND hidden = 1) THEN 0
        WHEN chat <> '{EVERYWHERE}' OR EXISTS (SELECT 1 FROM preference WHERE id = $1 AND everywhere = 1) THEN 1
        ELSE 0
    END WHERE person = $1
"""

SHOWING = "showing"
"""The queue of those who choose whether leaderboards show them."""

QUARTER = 15 * 60 * 1000
"""Milliseconds in which no day begins anywhere but at their start."""


@dataclass(slots=True)
class _Gain:
    """What one row gains on one day."""

    name: str
    at: int
    shown: int
    points: int = 0
    right: int = 0
    answered: int = 0


async def add(connection: Connection, dialect: Dialect, scored: Sequence[Scored]) -> None:
    """Add what people gained to every row that counts it."""
    if not scored:
        return
    ids = {each.chat for each in scored} | {each.person for each in scored}
    statement = CHOICES.format(wanted=dialect.json_texts)
    # What somebody chooses meanwhile waits until this is written, and then reaches these rows as well.
    await beside(connection, dialect, SHOWING)
    rows = await connection.fetch(statement, json.dumps(sorted(ids)))
    chosen = {id_: Preferences(zone=zone, hidden=hidden, everywhere=joined) for id_, zone, hidden, joined in rows}
    for rows in _in_rounds(_rows(scored, chosen)):
        await connection.write(ADD, rows)


async def show(connection: Connection, person: str) -> None:
    """Let the leaderboards show this person, or not, as they chose. Whoever chooses waits in the queue SHOWING before
    they do."""
    await connection.write(SHOW, [(person,)])


async def move(connection: Connection, dialect: Dialect, old: str, new: str) -> None:
    """Give the scores of chat `old` to `new`, beside those it has."""
    await beside(connection, dialect, SHOWING)
    await connection.write(MOVE, [(old, new)])
    await connection.write("DELETE FROM score WHERE chat = $1", [(old,)])


def _rows(scored: Sequence[Scored], chosen: Mapping[str, Preferences]) -> list[tuple[Any, ...]]:
    """Values for each row that gains something on a day, in the order of keys, and of each the earlier days first."""
    gains: dict[tuple[str, str, str, Day], _Gain] = {}
    for each in scored:
        at = millis(each.at)
        person = chosen.get(each.person, NOTHING_CHOSEN)
        for chat, zone in _boards(each, chosen, joined=bool(person.everywhere)):
            day = _day(at // QUARTER, zone)
            for quiz in (each.slug, ""):
                key = (chat, quiz, each.person, day)
                gain = gains.get(key)
                if gain is None:
                    gain = gains[key] = _Gain(each.name, at, int(not person.hidden))
                elif at >= gain.at:
                    gain.name, gain.at = each.name, at
                gain.points += each.points
                gain.right += each.right
                gain.answered += each.answered
    return [
        (chat, quiz, person, gain.name, gain.at, gain.shown, gain.points, gain.right, gain.answered, *_starts(day))
        for (chat, quiz, person, day), gain in sorted(gains.items(), key=lambda item: item[0])
    ]


def _in_rounds(rows: Sequence[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    """The same rows, of which no two that go together have the same key. The first round has every key, so that nobody
    waits in a circle with another process, whichever days the two are about."""
    rounds: list[list[tuple[Any, ...]]] = []
    met: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        key = row[:3]
        if met[key] == len(rounds):
            rounds.append([])
        rounds[met[key]].append(row)
        met[key] += 1
    return rounds


def _boards(scored: Scored, chosen: Mapping[str, Preferences], *, joined: bool) -> list[tuple[str, str | None]]:
    """The chats whose leaderboards count it, with their time zones."""
    own = (scored.chat, chosen.get(scored.chat, NOTHING_CHOSEN).zone)
    return [own, (EVERYWHERE, None)] if joined else [own]


@lru_cache(maxsize=4096)
def _day(quarter: int, zone: str | None) -> Day:
    return calendar_day(moment(quarter * QUARTER), zone)


@lru_cache(maxsize=1024)
def _starts(day: Day) -> tuple[Day, ...]:
    return tuple(start_of(period, day) for period in SPANS)
