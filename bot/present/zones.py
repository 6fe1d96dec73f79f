"""Time zones: what they are called, the cards they are chosen on, and which one somebody may mean who writes a city."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from babel.core import get_global

from bot.learning import days
from bot.messages import Block, Button, Card, Role
from bot.present.showing import turning
from bot.presses import Prefer, ShowZones
from bot.words import Words, folded, languages, shortened, words_of

UTC = "UTC"
"""What holds where no zone is known."""

FIRST = (
    *("Europe/Sofia", "Europe/Bucharest", "Europe/Chisinau"),
    *("Europe/London", "Europe/Dublin", "Europe/Lisbon"),
    *("Europe/Madrid", "Europe/Paris", "Europe/Berlin"),
    *("Europe/Vienna", "Europe/Rome", "Europe/Athens"),
    *("Europe/Istanbul", "America/New_York", "America/Chicago"),
    *("America/Los_Angeles", UTC),
)
"""Where most people are who speak the languages of the interface: a page of the list, with one more that holds."""

PAGE, WIDTH = 18, 3
JUMPS = 5
"""Buttons that lead far ahead in the list."""

MOST_NEAR = 3
LONGEST_NAME = 36
NEAR_ENOUGH = 0.6

_NO_CITIES = ("Etc/", "CST6CDT", "EST5EDT", "MST7MDT", "PST8PDT")


@cache
def known() -> frozenset[str]:
    """Every time zone that can be chosen, by its IANA name."""
    return frozenset(available_timezones()) - {"Factory", "localtime"}


@cache
def _cities() -> tuple[str, ...]:
    """The zones that are listed: one for each city that a zone is named after."""
    named = (zone for zone in get_global("zone_territories") if not zone.startswith(_NO_CITIES))
    return tuple(sorted(zone for zone in named if zone in known()))


@cache
def _listed(language: str) -> tuple[str, ...]:
    """All of them as a reader of `language` looks for them."""
    words = words_of(language)
    further = (zone for zone in _cities() if zone not in FIRST)
    return (*FIRST, *sorted(further, key=lambda zone: folded(words.city(zone))))


@cache
def _called() -> Mapping[str, str]:
    """Everything that a zone may be called -> the zone: cities in every language, and IANA names."""
    cities = {folded(words_of(language).city(zone)): zone for language in languages() for zone in (*_cities(), UTC)}
    return {folded(zone): zone for zone in sorted(known())} | cities


def named(wanted: str) -> str | None:
    """The zone that is called so, in any language: "Europe/Sofia", "софия"."""
    return _called().get(folded(wanted))


def near(wanted: str) -> tuple[str, ...]:
    """The zones that may be meant by a name that is none, the nearest first."""
    spelled, called = folded(wanted), _called()
    part_of = [name for name in called if len(spelled) > 2 and spelled in name]
    alike = get_close_matches(spelled, called, n=2 * MOST_NEAR, cutoff=NEAR_ENOUGH)
    return tuple(dict.fromkeys(called[name] for name in (*alike, *sorted(part_of, key=len))))[:MOST_NEAR]


def fact(words: Words, zone: str | None, now: datetime) -> Block:
    """Which time zone holds, and what time it is there, so that a wrong one is noticed."""
    local = now.astimezone(days.zone(zone))
    city, time = words.city(zone or UTC), words.time(local)
    if city == UTC:
        return Block(Role.FACT, words.gettext("Time zone: {city} (now {time})", city=city, time=time))
    offset = _offset(local)
    return Block(
        Role.FACT, words.gettext("Time zone: {city} ({offset}, now {time})", city=city, offset=offset, time=time)
    )


def _offset(local: datetime) -> str:
    """How far a clock is from UTC: "UTC+2", "UTC−3:30"."""
    away = local.utcoffset()
    minutes = round(away.total_seconds() / 60) if away is not None else 0
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


def time_zones(language: str, zone: str | None, now: datetime, page: int, *, private: bool) -> Card:
    """Page `page` (from 0; the nearest there is) of all time zones; `zone` holds now."""
    words = words_of(language)
    listed = _with(zone or UTC, _listed(words.language))
    pages = -(-len(listed) // PAGE)
    page = min(max(page, 0), pages - 1)
    return Card(
        (
            Block(Role.TITLE, words.gettext("Time zone")),
            Block(Role.LINE, _what_for(words, private=private)),
            fact(words, zone, now),
            Block(Role.FACT, words.gettext("Page {number} of {total}", number=page + 1, total=pages)),
        ),
        (
            *_rows(words, listed[page * PAGE : (page + 1) * PAGE], zone or UTC),
            turning(words, page, pages, ShowZones),
            _jumps(words, listed, page, pages),
        ),
    )


def _what_for(words: Words, *, private: bool) -> str:
    if private:
        return words.gettext("Which city has your time? Your day of practice ends at 4 in the morning there.")
    return words.gettext("Which city has the time of this chat? The days of its leaderboard begin at midnight there.")


def _with(zone: str, listed: tuple[str, ...]) -> tuple[str, ...]:
    """The list with `zone` on its first page."""
    return listed if zone in listed[:PAGE] else (zone, *(other for other in listed if other != zone))


def _rows(words: Words, listed: tuple[str, ...], zone: str) -> Iterable[tuple[Button, ...]]:
    cities = [_city(words, each, chosen=each == zone) for each in listed]
    return (tuple(cities[start : start + WIDTH]) for start in range(0, len(cities), WIDTH))


def _city(words: Words, zone: str, *, chosen: bool = False) -> Button:
    city = shortened(words.city(zone), LONGEST_NAME)
    return Button(f"✓ {city}" if chosen else city, Prefer("zone", zone))


def _jumps(words: Words, listed: tuple[str, ...], page: int, pages: int) -> tuple[Button, ...]:
    """Far ahead in the list, each by the first city that is there; not where the buttons beside it lead."""
    steps = (1 + at * (pages - 1) // JUMPS for at in range(JUMPS))
    return tuple(
        Button(f"{shortened(words.city(listed[step * PAGE]), LONGEST_NAME - 1)} …", ShowZones(step))
        for step in steps
        if abs(step - page) > 1
    )


def no_such_zone(language: str, wanted: str) -> Card:
    """To whoever wrote a time zone that there is none of: those it may be, or the list."""
    words = words_of(language)
    missing = words.gettext("I know no time zone called “{name}”.", name=shortened(wanted, LONGEST_NAME) or "…")
    found = tuple((_city(words, zone),) for zone in near(wanted))
    all_of_them = (Button(words.gettext("Time zone…"), ShowZones(0)),)
    asked = (Block(Role.LINE, words.gettext("Did you mean:")),) if found else ()
    return Card((Block(Role.LINE, missing), *asked), (*found, all_of_them))
