"""Which Telegram chat an id of ours stands for, and how its messages are linked to. Knows no message and no person."""

from __future__ import annotations

import re
from dataclasses import dataclass

PLATFORM = "telegram"

_ID = re.compile(rf"{PLATFORM}:(?P<chat>-?[1-9]\d{{0,18}})(?:/(?P<thread>[1-9]\d{{0,18}}))?", re.ASCII)
_REFERENCE = re.compile(r"(?P<number>[1-9]\d{0,18})(?P<form>[a-z]?)", re.ASCII)
_SUPERGROUPS = -(10**12)
"""Ids of supergroups and channels lie below; a link names them by the distance."""


@dataclass(frozen=True, slots=True)
class Place:
    """A chat (negative: a group) and its topic. The topic "General" has no thread."""

    chat: int
    thread: int | None = None

    @property
    def is_group(self) -> bool:
        return self.chat < 0


def place(chat: str) -> Place:
    """Where `chat` is: `telegram:-1001`, `telegram:-1001/7`, or a person's `telegram:42`. Raises ValueError."""
    found = _ID.fullmatch(chat)
    if found is None:
        raise ValueError(f"{chat!r} is no Telegram chat; its ids look like {PLATFORM}:-1001 or {PLATFORM}:-1001/7")
    return Place(int(found["chat"]), int(found["thread"]) if found["thread"] else None)


def name(place: Place) -> str:
    """Our id of a place; of a person's private chat it is the person's id as well."""
    thread = f"/{place.thread}" if place.thread else ""
    return f"{PLATFORM}:{place.chat}{thread}"


def message_of(reference: str) -> int:
    """The number of the message that we refer to so: `123`, or `123c` with a letter that says what it is. Raises
    ValueError."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(f"{reference!r} is no reference of a message; one looks like 123 or 123c")
    return int(found["number"])


def message_link(place: Place, message: int, username: str | None = None) -> str | None:
    """The address of a message for members of its chat, for everyone where the chat has a `username`.

    None where the platform has none: in private chats and in groups that are not supergroups.
    """
    if place.chat >= _SUPERGROUPS:
        return None
    chat = username or f"c/{_SUPERGROUPS - place.chat}"
    thread = f"/{place.thread}" if place.thread else ""
    return f"https://t.me/{chat}{thread}/{message}"
