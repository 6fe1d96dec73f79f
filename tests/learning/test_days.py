"""Days of learners and of chats: each moment has one, none is skipped, and a leaderboard begins anew on time."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.learning.days import Period, calendar_day, date_of, day_of, learning_day, reset_of, start_of, zone

ZONES = [
    "Europe/Sofia",
    "Europe/Bucharest",
    "America/New_York",
    "America/Havana",  # the clock goes back to midnight
    "America/Santiago",  # midnight is skipped
    "Asia/Beirut",  # midnight is skipped
    "Africa/Cairo",
    "Australia/Lord_Howe",  # half an hour
    "Antarctica/Troll",  # two hours
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Pacific/Chatham",
    "UTC",
]
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  # see timezones
MOMENT = timedelta(milliseconds=1)


def in_sofia(year: int, month: int, day: int, hour: int, minute: int = 0, *, fold: int = 0) -> datetime:
    local = datetime(year, month, day, hour, minute, fold=fold, tzinfo=zone("Europe/Sofia"))
    return local.astimezone(UTC)


@pytest.mark.parametrize(
    ("moment", "on"),
    [
        (in_sofia(2026, 3, 2, 3, 30), date(2026, 3, 1)),
        (in_sofia(2026, 3, 2, 4), date(2026, 3, 2)),
        (in_sofia(2026, 3, 29, 2, 59), date(2026, 3, 28)),
        (in_sofia(2026, 3, 29, 4), date(2026, 3, 29)),  # a minute later: three o'clock is skipped
        (in_sofia(2026, 10, 25, 3, 30), date(2026, 10, 24)),
        (in_sofia(2026, 10, 25, 3, 30, fold=1), date(2026, 10, 24)),
        (in_sofia(2026, 10, 25, 4), date(2026, 10, 25)),
    ],
    ids=["night", "morning", "before the spring", "after it", "before the autumn", "the hour again", "after it too"],
)
def test_a_learners_day_begins_at_four_by_the_clock_on_their_wall(moment: datetime, on: date) -> None:
    assert date_of(learning_day(moment, "Europe/Sofia")) == on


def test_three_hours_to_the_west_may_be_the_day_before() -> None:
    breakfast = datetime(2026, 5, 4, 3, 30, tzinfo=UTC)
    assert learning_day(breakfast, "Europe/Sofia") - learning_day(breakfast, "Atlantic/Azores") == 1


@settings(deadline=None)
@given(MOMENTS, st.sampled_from(ZONES), st.integers(1, 40))
def test_days_never_go_back_and_none_is_skipped(moment: datetime, name: str, steps: int) -> None:
    """Also through the nights in which clocks change."""
    for day in (learning_day, calendar_day):
        days = [day(moment + step * timedelta(hours=1), name) for step in range(steps)]
        assert all(following - before in {0, 1} for before, following in pairwise(days))


@pytest.mark.parametrize("name", ZONES)
def test_a_year_has_as_many_days_as_the_calendar_says_each_of_about_a_day(name: str) -> None:
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    minutes = [start + timedelta(minutes=30 * step) for step in range(365 * 48)]
    for day in (learning_day, calendar_day):
        days = [day(moment, name) for moment in minutes]
        assert days == sorted(days)
        assert set(days) == set(range(days[0], days[-1] + 1))
        whole = Counter(each for each in days if each not in {days[0], days[-1]})
        assert set(whole.values()) <= {44, 46, 47, 48, 49, 50, 52}  # half hours: clocks change by two hours at the most


@settings(deadline=None)
@given(st.dates(date(1970, 1, 1), date(2200, 1, 1)))
def test_a_day_is_a_date_and_back(on: date) -> None:
    assert date_of(day_of(on)) == on
    assert date_of(day_of(on) + 1) == on + timedelta(days=1)


@settings(deadline=None)
@given(MOMENTS, st.sampled_from(ZONES), st.sampled_from([period for period in Period if period is not Period.ALL]))
def test_a_period_ends_as_the_next_one_begins(moment: datetime, name: str, period: Period) -> None:
    end = reset_of(period, moment, name)
    assert end is not None
    assert end > moment
    now, before, after = (
        start_of(period, calendar_day(each, name)) for each in (moment, end.astimezone(UTC) - MOMENT, end)
    )
    assert now == before < after == calendar_day(end, name)


@settings(deadline=None)
@given(MOMENTS, st.sampled_from(ZONES))
def test_periods_begin_on_the_day_itself_its_monday_and_the_first_of_its_month(moment: datetime, name: str) -> None:
    day = calendar_day(moment, name)
    today, week, month, ever = (start_of(period, day) for period in Period)
    assert (today, ever) == (day, 0)
    assert week <= day < week + 7
    assert date_of(week).weekday() == 0
    assert date_of(month) == date_of(day).replace(day=1)


def test_all_time_never_begins_anew() -> None:
    assert reset_of(Period.ALL, datetime(2026, 1, 1, tzinfo=UTC), None) is None


@pytest.mark.parametrize(
    ("name", "moment", "said"),
    [
        ("Europe/Sofia", datetime(2026, 3, 28, 12, tzinfo=UTC), "2026-03-29 00:00 +0200"),
        ("Europe/Sofia", datetime(2026, 3, 29, 12, tzinfo=UTC), "2026-03-30 00:00 +0300"),
        ("Asia/Beirut", datetime(2026, 3, 28, 12, tzinfo=UTC), "2026-03-29 01:00 +0300"),
        ("America/Havana", datetime(2026, 10, 31, 22, tzinfo=UTC), "2026-11-01 00:00 -0400"),
    ],
    ids=["before the change", "after the change", "midnight skipped", "midnight twice"],
)
def test_the_day_ends_at_the_midnight_that_there_is(name: str, moment: datetime, said: str) -> None:
    end = reset_of(Period.TODAY, moment, name)
    assert end is not None
    assert end.strftime("%Y-%m-%d %H:%M %z") == said


@pytest.mark.parametrize("name", [None, "", "Mars/Olympus", "../etc/passwd", "Europe", "\0", "Europe/Sofia\n"])
def test_a_zone_that_nobody_knows_is_utc(name: str | None) -> None:
    assert zone(name).key == "UTC"
