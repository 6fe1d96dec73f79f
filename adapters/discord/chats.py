"""Which Discord channel or person an id of ours stands for, and how messages are linked to. Knows no message."""

from __future__ import annotations

import re
from dataclasses import dataclass

PLATFORM = "discord"

_SNOWFLAKE = r"[1-9]\d{0,19}"
_CHANNEL = re.compile(rf"{PLATFORM}:#(?P<channel>{_SNOWFLAKE})(?:/(?P<thread>{_SNOWFLAKE}))?", re.ASCII)
_PERSON = re.compile(rf"{PLATFORM}:(?P<person>{_SNOWFLAKE})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of a guild, or a thread of it. The settings of a channel hold in its threads."""

    channel: int
    thread: int | None = None

    @property
    def target(self) -> int:
        """Where messages go."""
        return self.thread or self.channel


@dataclass(frozen=True, slots=True)
class Private:
    """The private messages of one person with the bot, called as the person: their channel may not be open yet."""

    person: int


Place = Channel | Private


def place(chat: str) -> Place:
    """Where `chat` is: `discord:#123` a channel, `discord:#123/456` its thread, `discord:42` a person's private
    messages. Raises ValueError."""
    if found := _CHANNEL.fullmatch(chat):
        return Channel(int(found["channel"]), int(found["thread"]) if found["thread"] else None)
    if found := _PERSON.fullmatch(chat):
        return Private(int(found["person"]))
    raise ValueError(
        f"{chat!r} is no Discord chat; its ids look like {PLATFORM}:#123, {PLATFORM}:#123/456 or {PLATFORM}:42"
    )


def name(place: Place) -> str:
    """Our id of a place."""
    match place:
        case Private(person):
            return person_name(person)
        case Channel(channel, None):
            return f"{PLATFORM}:#{channel}"
        case Channel(channel, thread):
            return f"{PLATFORM}:#{channel}/{thread}"


def person_name(person: int) -> str:
    """Our id of a person, and of their private messages with the bot."""
    return f"{PLATFORM}:{person}"


def message_link(guild: int | None, channel: int, message: int) -> str:
    """The address of a message in a channel or thread of `guild`, None in private messages."""
    return f"https://discord.com/channels/{guild or '@me'}/{channel}/{message}"
