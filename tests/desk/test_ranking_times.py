"""Leaderboards over time: what a day, a week and a month are in a chat, and when the next one begins."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.presses import Prefer
from tests.clock import NOON, VirtualClock
from tests.desk.lobby import (
    ANN,
    GROUP,
    MIA,
    TOPIC,
    Lobby,
    open_lobby,
    said,
)
from tests.desk.ranking import (
    facts,
    keep,
    scored,
    standings,
)


async def test_every_period_counts_what_was_gained_in_it(lobby: Lobby) -> None:
    wednesday = datetime(2025, 3, 5, 12, tzinfo=UTC)
    lobby.world.clock.advance((wednesday - NOON).total_seconds())
    for name, at in {
        "Today": wednesday,
        "Week": wednesday - timedelta(days=2),
        "Month": wednesday - timedelta(days=4),
        "Ever": wednesday - timedelta(days=40),
    }.items():
        await keep(lobby, scored(name, 1, at=at))
    on_it = {
        "today": ["Today"],
        "week": ["Today", "Week"],
        "month": ["Month", "Today", "Week"],
        "all": ["Ever", "Month", "Today", "Week"],
    }
    for words, names in on_it.items():
        assert standings(await lobby.command(ANN, f"/leaderboard {words}")) == [f"1. {name}" for name in names]


@pytest.mark.parametrize(
    ("zone", "now", "words", "reset"),
    [
        (None, NOON, "week", "The next week begins on Monday, March 10, 00:00 (UTC)."),
        ("Europe/Sofia", NOON, "today", "The next day begins on Tuesday, March 4, 00:00 (Sofia)."),
        ("Europe/Sofia", NOON, "month", "The next month begins on Tuesday, April 1, 00:00 (Sofia)."),
        # Clocks change on Sunday, March 30: midnight it is all the same.
        ("Europe/Sofia", datetime(2025, 3, 28, 12, tzinfo=UTC), "week", "Monday, March 31, 00:00 (Sofia)."),
        ("Europe/Sofia", datetime(2025, 10, 24, 12, tzinfo=UTC), "week", "Monday, October 27, 00:00 (Sofia)."),
        # Sunday at night in London is Monday already in Sofia.
        ("Europe/Sofia", datetime(2025, 3, 9, 22, 30, tzinfo=UTC), "week", "Monday, March 17, 00:00 (Sofia)."),
        ("America/New_York", datetime(2025, 3, 10, 3, 30, tzinfo=UTC), "week", "Monday, March 10, 00:00 (New York)."),
        # There clocks go from 23:59 to 01:00.
        ("Africa/Cairo", datetime(2025, 4, 24, 12, tzinfo=UTC), "today", "Friday, April 25, 01:00 (Cairo)."),
    ],
)
async def test_the_reset_is_said_in_the_time_of_the_chat(
    lobby: Lobby, zone: str | None, now: datetime, words: str, reset: str
) -> None:
    await lobby.world.store.prefer(GROUP, "zone", zone)
    lobby.world.clock.advance((now - NOON).total_seconds())
    assert reset in facts(await lobby.command(ANN, f"/leaderboard {words}", TOPIC))[-1]


async def test_all_time_never_begins_anew(lobby: Lobby) -> None:
    assert facts(await lobby.command(ANN, "/leaderboard all")) == []


async def test_a_new_week_begins_at_midnight_in_the_time_of_the_chat_and_in_every_process(tmp_path: Path) -> None:
    path, clock = tmp_path / "quizbot.sqlite3", VirtualClock(datetime(2025, 3, 30, 20, 59, 59, tzinfo=UTC))
    async with open_lobby(path, clock=clock) as lobby:
        await lobby.press(MIA, Prefer("zone", "Europe/Sofia"))
        await keep(lobby, scored("Ann", 1, at=clock.now()))
        assert standings(await lobby.command(ANN, "/leaderboard")) == ["1. Ann"]
    clock.advance(1)  # it is midnight in Sofia, since the clocks there went forward that morning
    async with open_lobby(path, clock=clock, updates=100) as lobby:
        assert standings(await lobby.command(ANN, "/leaderboard")) == []
        await keep(lobby, scored("Bob", 1, at=clock.now()))
        answer = await lobby.command(ANN, "/leaderboard")
        assert standings(answer) == ["1. Bob"]
        assert "Monday, April 7, 00:00 (Sofia)" in said(answer)
        assert standings(await lobby.command(ANN, "/leaderboard all")) == ["1. Ann", "1. Bob"]
