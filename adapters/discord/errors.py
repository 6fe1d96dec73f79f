"""Discord's errors, as what to do about them. Pure; knows neither the request that failed nor the post.

Discord numbers what went wrong. An error without a number comes from what stands before it, or is new: then the status
of the answer has to do.
"""

from __future__ import annotations

from datetime import timedelta
from enum import Enum, auto

import aiohttp
import discord

from adapters.discord.redaction import redact
from bot.ports import (
    ChatGoneError,
    DeliveryError,
    MessageGoneError,
    RefusedError,
    ThrottledError,
    UnavailableError,
)


class TokenError(UnavailableError):
    """Discord does not know the token. Posts are tried again like all that the platform is down for: the operator has
    until they are given up to give another."""

    def __init__(self) -> None:
        super().__init__(
            "Discord does not accept the bot's token: press Reset Token on the page Bot of the application at "
            "https://discord.com/developers/applications, and copy the new one into QUIZBOT_DISCORD_TOKEN"
        )


FAILURES = (discord.DiscordException, aiohttp.ClientError, OSError)
"""What a request to Discord may raise: its answer, or that there was none. Time-outs are a kind of OSError."""

UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060
CANNOT_BE_WRITTEN_TO = frozenset(
    {
        50007,  # they take no private messages from here, or have blocked the bot
        50278,  # they share no server with the bot any more
    }
)
THREAD_ARCHIVED = 50083
OLD_EDITED_TOO_OFTEN = 30046
INVALID_TOKEN = 50014

MESSAGE_GONE = frozenset(
    {
        10008,  # unknown message
        OLD_EDITED_TOO_OFTEN,  # a message that is older than an hour
        50005,  # of another author: another bot was here before, under the same settings
    }
)
CHAT_GONE = CANNOT_BE_WRITTEN_TO | {
    10003,  # unknown channel
    10004,  # unknown server
    10013,  # unknown user
    40007,  # banned from the server
    50001,  # may not see it
    50008,  # not a channel for texts
    50009,  # the server wants accounts more verified than this
    50013,  # may not write
    50024,  # not a channel for this
    50033,  # nobody to whom one can write
    THREAD_ARCHIVED,  # and it could not be opened again
    160005,  # a locked thread
}
SLOWED = frozenset(
    {
        20016,  # slow mode
        20022,  # edits of announcements
        20028,  # writing in this channel
        20029,  # writing on this server
        40003,  # opening private messages
        40062,  # the service behind it
    }
)
OUT_OF_ORDER = frozenset(
    {
        40004,  # sending is switched off for a while
        40006,  # the feature is
        40333,  # a fault in Discord's own network
        50027,  # the token of an interaction has run out; the bot's own has not
        130000,  # the API is overloaded
    }
)
WORDS_REFUSED = frozenset(
    {
        20009,  # somebody may not be sent what it seems to be
        200000,  # the server's own filter does not let these words pass
        240000,  # Discord's does not let these links
    }
)
"""What comes after these words may well be taken."""

UNTIMED = timedelta(seconds=5)
"""A pause where Discord does not say how long: as long as a channel's allowance takes to come back."""

_IN_SECONDS = ("Retry-After", "X-RateLimit-Reset-After")


class Meaning(Enum):
    """What became of the answer to an interaction that raised an error."""

    EXPIRED = auto()  # nobody waits for it any more; what was pressed counts
    ALREADY = auto()  # it has been answered
    OTHER = auto()


def meaning(error: Exception) -> Meaning:
    """What an error means that the answer to an interaction met with."""
    if isinstance(error, discord.InteractionResponded):
        return Meaning.ALREADY
    kinds = {UNKNOWN_INTERACTION: Meaning.EXPIRED, ALREADY_ACKNOWLEDGED: Meaning.ALREADY}
    return kinds.get(code_of(error), Meaning.OTHER)


def code_of(error: Exception) -> int:
    """Discord's number of the error, 0 without one."""
    return error.code if isinstance(error, discord.HTTPException) else 0


def is_refusal(error: Exception) -> bool:
    """Whether Discord does not take this, and would take something else, said at once."""
    refused = isinstance(error, discord.HTTPException) and error.status in (400, 403, 404, 413)
    return refused or code_of(error) == OLD_EDITED_TOO_OFTEN


def is_ban(error: Exception) -> bool:
    """Whether it comes from what stands before Discord, which has had far too much of us: everything has to stop."""
    return isinstance(error, discord.HTTPException) and error.status == 429 and not error.response.headers.get("Via")


def remedy(error: Exception, chat: str) -> DeliveryError | None:
    """What to do about `error`, met when a message was sent to or edited in `chat`; None: it is a success.

    An error that is not of a request to Discord is raised as it is.
    """
    match error:
        case DeliveryError():
            return error
        case discord.LoginFailure():
            return TokenError()
        case discord.RateLimited():
            return ThrottledError(timedelta(seconds=error.retry_after))
        case discord.HTTPException():
            return _by_code(error, f"chat {chat}: {redact(str(error))}")
        case discord.DiscordException() | aiohttp.ClientError() | OSError():
            return UnavailableError(f"chat {chat}: {type(error).__name__} {redact(str(error))}".rstrip())
        case _:
            raise error


def _by_code(error: discord.HTTPException, text: str) -> DeliveryError | None:
    match error.code:
        case code if code in MESSAGE_GONE:
            return MessageGoneError(text)
        case code if code in CHAT_GONE:
            return ChatGoneError(text)
        case code if code in OUT_OF_ORDER:
            return UnavailableError(text)
        case code if code in WORDS_REFUSED:
            return RefusedError(text)
        case code if code in SLOWED:
            return ThrottledError(_pause(error))
        case code if code == ALREADY_ACKNOWLEDGED:
            return None
        case _:
            return _by_status(error, text)


def _by_status(error: discord.HTTPException, text: str) -> DeliveryError:
    match error.status:
        case 429:
            return ThrottledError(_pause(error))
        case status if status == 401 or error.code == INVALID_TOKEN:
            return TokenError()
        case status if status in (403, 408) or status >= 500:
            # A 403 of no known number is new, or comes from what stands before Discord: nothing has to end for that.
            return UnavailableError(text)
        case _:
            return RefusedError(text)


def _pause(error: discord.HTTPException) -> timedelta:
    """How long Discord wants to be left alone; the library keeps only the headers of its answer."""
    for name in _IN_SECONDS:
        try:
            return max(timedelta(seconds=float(error.response.headers[name])), timedelta(0))
        except (KeyError, ValueError, OverflowError):
            continue
    return UNTIMED
