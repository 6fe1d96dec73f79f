"""Where a person is named inside a text that is stored, how that is taken out, and how a row reads to whom it is about.

Values in, values out: knows no database.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import msgspec

from bot.codec import UnreadableError, dump_post, load_options, load_post, moment
from bot.core.effects import Ended, Post, StartCard
from bot.core.scoring import POINT
from bot.learning.memory import Day
from bot.stored import Form

FIRST_DAY = date(1970, 1, 1)
KEPT_BACK = frozenset({"tally", "answered", "right", "results"})
"""What the state of a session tells of right answers, perhaps before they are told to the chat."""

Row = Mapping[str, Any]


class _Named(msgspec.Struct):
    """What a quiz is called where it is pinned; a mix has no name of its own."""

    slug: str = "mix"


_named = msgspec.json.Decoder(_Named)

# Taken out


def host_in(state: str) -> str:
    """What the host of a session is called; "" when it has none, or cannot be read."""
    name = _object(state).get("host_name")
    return name if isinstance(name, str) else ""


def without_host(state: str) -> str:
    """A session that nobody hosts; one that cannot be read keeps nothing."""
    named = _object(state)
    unnamed = {**named, "host": "", "host_name": ""} if named else {}
    return json.dumps(unnamed, ensure_ascii=False, separators=(",", ":"))


def without(body: str, person: str, *, hosted: bool) -> str | None:
    """A post for a group that no longer names this person, who perhaps `hosted` its session; None for one that cannot
    be read, and therefore never shown."""
    try:
        post = load_post(body)
    except UnreadableError:
        return None
    unnamed = _unnamed(post, person, hosted=hosted)
    return body if unnamed is post else dump_post(unnamed)


def _unnamed(post: Post, person: str, *, hosted: bool) -> Post:
    match post:
        case StartCard() if hosted:
            return replace(post, host_name="")
        case Ended(standings=standings):
            others = tuple(standing for standing in standings if standing.person != person)
            gone = len(standings) - len(others)
            # Whoever is not named is counted.
            return replace(post, standings=others, others=post.others + gone) if gone else post
        case _:
            return post


def unnaming(reason: str | None, names: Collection[str]) -> str | None:
    """Why a post was refused, in the words of the platform; none of them where they name one of these."""
    return "…" if reason and any(name and name in reason for name in names) else reason


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


# Read


def said_of(body: str, person: str, *, hosted: bool) -> object:
    """What a post for a group says of one person, and of nobody else; None when it says nothing of them."""
    try:
        post = load_post(body)
    except UnreadableError:
        return None
    match post:
        case StartCard(host_name=name) if hosted:
            return {"host_name": name}
        case Ended(standings=standings):
            own = [standing for standing in standings if standing.person == person]
            return {"name": own[0].name, "rank": own[0].rank, "points": own[0].points / POINT} if own else None
        case _:
            return None


def slug_of(quiz: str) -> str | None:
    """The name of a pinned quiz; None for one that cannot be read."""
    try:
        return _named.decode(quiz).slug
    except msgspec.MsgspecError:
        return None


def session_of(state: str, *, live: bool) -> object:
    """What is stored of a session, for its host: while it is `live`, nothing that tells who is right."""
    return {name: value for name, value in _object(state).items() if not (live and name in KEPT_BACK)}


def readable(value: Any, form: Form) -> object:
    """A value as `form` says; nothing stays nothing."""
    if value is None:
        return None
    match form:
        case Form.TIME:
            return moment(value).isoformat().replace("+00:00", "Z")
        case Form.DAY:
            return _date(value)
        case Form.FLAG:
            return bool(value)
        case Form.POINTS:
            return value / POINT
        case Form.PLACE:
            return value + 1 if value >= 0 else None
        case Form.OPTIONS:
            return [option + 1 for option in load_options(value)]
        case Form.JSON:
            return _read(value) if isinstance(value, str) else value
        case Form.PLAIN:
            return value


def _date(day: Day) -> str:
    return (FIRST_DAY + timedelta(days=day)).isoformat()


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def without_outcome(rows: Iterable[Row], live: Collection[str]) -> list[dict[str, object]]:
    """Rows of what was played, in which nothing stands of right and wrong as long as their session is `live`."""
    return [
        {key: value for key, value in row.items() if row["session"] not in live or key not in ("right", "points")}
        for row in rows
    ]
