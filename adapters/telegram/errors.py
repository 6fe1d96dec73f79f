"""Telegram's errors, as what to do about them. Pure; knows neither the request that failed nor the post.

The library makes BadRequest and TimedOut kinds of NetworkError, and Telegram changes the case of its texts: so kinds
are asked for from the narrow to the wide, and texts in lower case, by the part that says it.
"""

from __future__ import annotations

from collections.abc import Callable

from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    TelegramError,
)

from adapters.telegram.limiter import BusyError, Urgency, flood_wait
from adapters.telegram.redaction import redact
from bot.ports import (
    ChatGoneError,
    ChatMovedError,
    DeliveryError,
    MessageGoneError,
    PostponedError,
    RefusedError,
    ThrottledError,
    UnavailableError,
)


class TokenError(UnavailableError):
    """Telegram does not know the token. Posts are tried again like all that the platform is down for: the operator has
    until they are given up to give another."""

    def __init__(self) -> None:
        super().__init__(
            "Telegram does not accept the bot's token: copy it again from @BotFather into QUIZBOT_TELEGRAM_TOKEN"
        )


UNCHANGED = ("message is not modified", "message_not_modified")

NO_TEXT = "there is no text in the message to edit"
"""It is a picture, or another file, with words under it."""

MESSAGE_GONE = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "message_edit_time_expired",
    "message_author_required",
    NO_TEXT,
    "there is no caption in the message to edit",
    "there is no media in the message to edit",
)

CHAT_GONE = (
    "chat not found",
    "user not found",
    "peer_id_invalid",
    "bot was blocked",
    "user_is_blocked",
    "user is deactivated",
    "user_deactivated",
    "can't initiate conversation",
    "bot was kicked",
    "bot is not a member",
    "not enough rights",
    "no rights to send",
    "need administrator rights",
    "chat_admin_required",
    "chat_write_forbidden",
    "chat_restricted",
    "chat_send_plain_forbidden",
    "channel_private",
    "group chat was deactivated",
    "group chat was deleted",
    "message thread not found",
    "topic_closed",
    "topic_deleted",
    "topic_id_invalid",
)

UPGRADED = "group chat was upgraded to a supergroup"
"""Without the new id; the service message in the chat has it."""

TOO_OLD = ("query is too old", "query id is invalid", "query_id_invalid")

UNPARSED = ("can't parse entities", "can't find end of", "entity_bounds_invalid")


def remedy(error: Exception, chat: str, *, moved: Callable[[int], str] = "telegram:{}".format) -> DeliveryError | None:
    """What to do about `error`, met when a message was sent to or edited in `chat`; None: it is a success.

    `moved` gives our id of the chat from the platform's new one. An error that is not Telegram's is raised as it is.
    """
    match error:
        case DeliveryError():
            return error
        case BusyError(urgency=Urgency.COUNTER):
            return PostponedError(error.retry_after)
        case BusyError():
            return ThrottledError(error.retry_after)
        case ChatMigrated():
            return ChatMovedError(moved(error.new_chat_id))
        case InvalidToken():
            return TokenError()
        case TelegramError():
            wait = flood_wait(error)
            return ThrottledError(wait) if wait is not None else _by_kind(error, f"chat {chat}: {_words(error)}")
        case _:
            raise error


def too_old(error: Exception) -> bool:
    """The press was answered too late, or before: the response counts, the pop-up is skipped."""
    return isinstance(error, BadRequest) and _says(error, TOO_OLD)


def has_no_text(error: Exception) -> bool:
    """The message to edit is a file with words under it."""
    return isinstance(error, BadRequest) and _says(error, (NO_TEXT,))


def cannot_parse(error: Exception) -> bool:
    """Telegram cannot read our markup, which is our fault: resend once as plain text."""
    return isinstance(error, BadRequest) and _says(error, UNPARSED)


def _by_kind(error: TelegramError, text: str) -> DeliveryError | None:
    match error:
        case Forbidden():
            return ChatGoneError(text)
        case BadRequest():
            return _by_text(error, text)
        case _:
            return UnavailableError(text)


def _by_text(error: BadRequest, text: str) -> DeliveryError | None:
    if _says(error, UNCHANGED):
        return None
    if _says(error, MESSAGE_GONE):
        return MessageGoneError(text)
    if _says(error, CHAT_GONE):
        return ChatGoneError(text)
    return UnavailableError(text) if _says(error, (UPGRADED,)) else RefusedError(text)


def _says(error: TelegramError, texts: tuple[str, ...]) -> bool:
    said = error.message.lower()
    return any(text in said for text in texts)


def _words(error: TelegramError) -> str:
    return redact(error.message)
