"""Every error Telegram is known to give, as it stands in its answers, and what is done about it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, RequestData

from adapters.telegram.errors import (
    TokenError,
    cannot_parse,
    remedy,
    too_old,
)
from adapters.telegram.limiter import BusyError, Urgency
from adapters.telegram.request import NotSentError, NotSentTimeoutError
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

CHAT = "telegram:-1001"


class Answering(BaseRequest):
    """A platform with one answer, read by the library as it reads every answer."""

    def __init__(self, status: int, description: str, parameters: dict[str, int]) -> None:
        self._status = status
        body = {"ok": False, "error_code": status, "description": description}
        self._body = json.dumps(body | ({"parameters": parameters} if parameters else {}))

    @property
    def read_timeout(self) -> float | None:
        return None

    async def initialize(self) -> None: ...

    async def shutdown(self) -> None: ...

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *times: Any, **named: Any
    ) -> tuple[int, bytes]:
        return self._status, self._body.encode()


async def raised(status: int, description: str, **parameters: int) -> TelegramError:
    """The library's error for this answer."""
    with pytest.raises(TelegramError) as caught:
        await Answering(status, description, parameters).post("https://api.example/bot/sendMessage")
    return caught.value


GONE_MESSAGES = [
    "Bad Request: message to edit not found",
    "Bad Request: message can't be edited",
    "Bad Request: MESSAGE_ID_INVALID",
    "Bad Request: MESSAGE_EDIT_TIME_EXPIRED",
    "Bad Request: MESSAGE_AUTHOR_REQUIRED",
    "Bad Request: there is no text in the message to edit",
    "Bad Request: there is no caption in the message to edit",
    "Bad Request: there is no media in the message to edit",
]
GONE_CHATS = [
    (403, "Forbidden: bot was blocked by the user"),
    (403, "Forbidden: user is deactivated"),
    (403, "Forbidden: bot can't initiate conversation with a user"),
    (403, "Forbidden: bot was kicked from the group chat"),
    (403, "Forbidden: bot was kicked from the supergroup chat"),
    (403, "Forbidden: bot is not a member of the supergroup chat"),
    (403, "Forbidden: bot is not a member of the channel chat"),
    (403, "Forbidden: the group chat was deleted"),
    (403, "Forbidden: bot can't send messages to bots"),
    (403, "Forbidden: CHAT_WRITE_FORBIDDEN"),
    (403, "Forbidden: something new"),
    (400, "Bad Request: bot was kicked from the channel chat"),
    (400, "Bad Request: not enough rights to send text messages to the chat"),
    (400, "Bad Request: not enough rights to send photos to the chat"),
    (400, "Bad Request: have no rights to send a message"),
    (400, "Bad Request: need administrator rights in the channel chat"),
    (400, "Bad Request: CHAT_ADMIN_REQUIRED"),
    (400, "Bad Request: CHAT_WRITE_FORBIDDEN"),
    (400, "Bad Request: CHAT_RESTRICTED"),
    (400, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN"),
    (400, "Bad Request: CHANNEL_PRIVATE"),
    (400, "Bad Request: chat not found"),
    (400, "Bad Request: private chat not found"),
    (400, "Bad Request: user not found"),
    (400, "Bad Request: PEER_ID_INVALID"),
    (400, "Bad Request: USER_IS_BLOCKED"),
    (400, "Bad Request: INPUT_USER_DEACTIVATED"),
    (400, "Bad Request: group chat was deactivated"),
    (400, "Bad Request: message thread not found"),
    (400, "Bad Request: TOPIC_CLOSED"),
    (400, "Bad Request: TOPIC_DELETED"),
    (400, "Bad Request: TOPIC_ID_INVALID"),
]
REFUSED = [
    'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0',
    "Bad Request: message is too long",
    "Bad Request: message text is empty",
    "Bad Request: BUTTON_DATA_INVALID",
    "Bad Request: message to be replied not found",
    "Bad Request: MEDIA_CAPTION_TOO_LONG",
    "Bad Request: PHOTO_INVALID_DIMENSIONS",
    "Bad Request: query is too old and response timeout expired or query ID is invalid",
]
DOWN = [
    (500, "Internal Server Error: restart"),
    (502, "Bad Gateway"),
    (503, "Service Unavailable"),
    (504, "Gateway Timeout"),
    (418, "I'm a teapot"),
    (400, "Bad Request: group chat was upgraded to a supergroup chat"),
]
TABLE: list[tuple[int, str, type[DeliveryError]]] = [
    *((400, text, MessageGoneError) for text in GONE_MESSAGES),
    *((status, text, ChatGoneError) for status, text in GONE_CHATS),
    *((400, text, RefusedError) for text in REFUSED),
    *((status, text, UnavailableError) for status, text in DOWN),
    (401, "Unauthorized", TokenError),
    (404, "Not Found", TokenError),
    (409, "Conflict: terminated by other getUpdates request; make sure that only one runs", UnavailableError),
    (409, "Conflict: can't use getUpdates method while webhook is active", UnavailableError),
    (429, "Too Many Requests: retry after 7", ThrottledError),
]


@pytest.mark.parametrize(("status", "text", "expected"), TABLE, ids=[f"{status} {text}" for status, text, _ in TABLE])
async def test_every_error_has_its_remedy(status: int, text: str, expected: type[DeliveryError]) -> None:
    assert type(remedy(await raised(status, text), CHAT)) is expected


@pytest.mark.parametrize(
    "text", ["Bad Request: message is not modified: the same", "Bad Request: MESSAGE_NOT_MODIFIED"]
)
async def test_an_edit_that_changes_nothing_is_a_success(text: str) -> None:
    assert remedy(await raised(400, text), CHAT) is None


@pytest.mark.parametrize("parameters", [{"retry_after": 7}, {}])
async def test_a_flood_wait_says_how_long_in_numbers_or_in_words(parameters: dict[str, int]) -> None:
    error = remedy(await raised(429, "Too Many Requests: retry after 7", **parameters), CHAT)

    assert isinstance(error, ThrottledError)
    assert error.retry_after == timedelta(seconds=7)


async def test_a_group_that_became_a_supergroup_is_followed() -> None:
    error = await raised(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to_chat_id=-1009)

    moved, within_topic = remedy(error, CHAT), remedy(error, CHAT, moved=lambda new: f"telegram:{new}:5")

    assert isinstance(moved, ChatMovedError)
    assert isinstance(within_topic, ChatMovedError)
    assert (moved.new, within_topic.new) == ("telegram:-1009", "telegram:-1009:5")


@pytest.mark.parametrize(
    ("urgency", "expected"),
    [(Urgency.COUNTER, PostponedError), (Urgency.EDIT, ThrottledError), (Urgency.SEND, ThrottledError)],
)
def test_a_full_chat_postpones_a_counter_and_holds_everything_else(
    urgency: Urgency, expected: type[DeliveryError]
) -> None:
    error = remedy(BusyError(timedelta(seconds=4), urgency), CHAT)

    assert type(error) is expected
    assert isinstance(error, (PostponedError, ThrottledError))
    assert error.retry_after == timedelta(seconds=4)


@pytest.mark.parametrize(
    "error", [TimedOut(), NotSentTimeoutError(), NotSentError("no way"), NetworkError("broke off")]
)
def test_what_went_wrong_on_the_way_is_tried_again(error: NetworkError) -> None:
    assert type(remedy(error, CHAT)) is UnavailableError


def test_a_remedy_that_is_one_already_stays_what_it_is() -> None:
    known = RefusedError("too long")

    assert remedy(known, CHAT) is known


def test_an_error_of_our_own_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        remedy(ZeroDivisionError("ours"), CHAT)


async def test_the_error_says_where_and_what_and_no_token() -> None:
    said = str(remedy(await raised(400, "Bad Request: wrong thing about bot123456:AAE-secret"), CHAT))

    assert said == f"chat {CHAT}: Wrong thing about bot<redacted>"


async def test_a_rejected_token_is_not_repeated() -> None:
    said = str(remedy(await raised(401, "Unauthorized"), CHAT))

    assert "QUIZBOT_TELEGRAM_TOKEN" in said


@pytest.mark.parametrize(
    ("text", "late", "unreadable"),
    [
        ("Bad Request: query is too old and response timeout expired or query ID is invalid", True, False),
        ("Bad Request: QUERY_ID_INVALID", True, False),
        ("Bad Request: can't parse entities: Can't find end of the entity starting at 3", False, True),
        ("Bad Request: PHOTO_INVALID_DIMENSIONS", False, False),
        ("Bad Request: chat not found", False, False),
    ],
)
async def test_what_has_a_way_round_is_known(text: str, late: bool, unreadable: bool) -> None:
    error = await raised(400, text)

    assert (too_old(error), cannot_parse(error)) == (late, unreadable)
