"""Which day it is for a learner and for a chat, in their time zones, and when a leaderboard begins anew."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.learning.memory import Day

DAY_BEGINS = timedelta(hours=4)
"""A learner's day begins at 04:00: who practises after midnight still practises on the evening before."""

_FIRST = date(1970, 1, 1).toordinal()


class Period(StrEnum):
    """What a leaderboard counts."""

    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"


@cache
def zone(name: str | None) -> ZoneInfo:
    """The time zone with this IANA name; UTC for none, and for one that this machine does not know."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def learning_day(moment: datetime, zone_name: str | None) -> Day:
    """The learner's day that an aware `moment` falls on: by the clock on their wall, four hours back."""
    return day_of((moment.astimezone(zone(zone_name)).replace(tzinfo=None) - DAY_BEGINS).date())


def calendar_day(moment: datetime, zone_name: str | None) -> Day:
    """The day of the calendar that an aware `moment` falls on."""
    return day_of(moment.astimezone(zone(zone_name)).date())


def start_of(period: Period, day: Day) -> Day:
    """The first day of the period that `day` falls in: itself, its Monday, the first of its month; 0 for all time."""
    on = date_of(day)
    match period:
        case Period.TODAY:
            return day
        case Period.WEEK:
            return day - on.weekday()
        case Period.MONTH:
            return day - on.day + 1
        case Period.ALL:
            return 0


def reset_of(period: Period, moment: datetime, zone_name: str | None) -> datetime | None:
    """When the period that `moment` falls in ends, an aware time in that zone: midnight there. None for all time."""
    first = start_of(period, calendar_day(moment, zone_name))
    match period:
        case Period.TODAY:
            following = first + 1
        case Period.WEEK:
            following = first + 7
        case Period.MONTH:
            following = start_of(Period.MONTH, first + 31)
        case Period.ALL:
            return None
    # By way of UTC, for midnight may be skipped where clocks change.
    local = datetime.combine(date_of(following), time(), zone(zone_name))
    return local.astimezone(UTC).astimezone(zone(zone_name))


def date_of(day: Day) -> date:
    """The date of a day."""
    return date.fromordinal(day + _FIRST)


def day_of(on: date) -> Day:
    """The day with this date."""
    return on.toordinal() - _FIRST
