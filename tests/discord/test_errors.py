"""Every error Discord is known to give, as the library raises it, and what is done about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import aiohttp
import discord
import pytest
import yarl

from adapters.discord.errors import Meaning, TokenError, code_of, is_ban, is_refusal, meaning, remedy
from bot.ports import (
    ChatGoneError,
    DeliveryError,
    MessageGoneError,
    PostponedError,
    RefusedError,
    ThrottledError,
    UnavailableError,
)

CHAT = "discord:#123"


@dataclass(frozen=True)
class Answer:
    """As much of an answer as the library's errors keep."""

    status: int
    reason: str = "for a reason"
    headers: dict[str, str] = field(default_factory=dict)


KINDS = {403: discord.Forbidden, 404: discord.NotFound}


def raised(status: int, code: int = 0, message: str = "said", **headers: str) -> discord.HTTPException:
    """The library's error for an answer that came from Discord itself."""
    made = {"Via": "1.1 google"} | {name.replace("_", "-"): value for name, value in headers.items()}
    kind = KINDS.get(status, discord.DiscordServerError if status >= 500 else discord.HTTPException)
    answer: Any = Answer(status, headers=made)
    return kind(answer, {"code": code, "message": message} if code else message)


def banned() -> discord.HTTPException:
    """The error for an answer of what stands before Discord."""
    answer: Any = Answer(429, headers={"Retry-After": "900"})
    return discord.HTTPException(answer, "error code: 1015")


TABLE: list[tuple[int, int, type[DeliveryError]]] = [
    (404, 10003, ChatGoneError),
    (404, 10004, ChatGoneError),
    (404, 10013, ChatGoneError),
    (403, 40007, ChatGoneError),
    (403, 50001, ChatGoneError),
    (400, 50007, ChatGoneError),
    (400, 50008, ChatGoneError),
    (403, 50009, ChatGoneError),
    (403, 50013, ChatGoneError),
    (400, 50024, ChatGoneError),
    (400, 50033, ChatGoneError),
    (400, 50083, ChatGoneError),
    (400, 50278, ChatGoneError),
    (400, 160005, ChatGoneError),
    (404, 10008, MessageGoneError),
    (429, 30046, MessageGoneError),
    (403, 50005, MessageGoneError),
    (400, 20016, ThrottledError),
    (400, 20022, ThrottledError),
    (400, 20028, ThrottledError),
    (400, 20029, ThrottledError),
    (400, 40003, ThrottledError),
    (400, 40062, ThrottledError),
    (429, 0, ThrottledError),
    (400, 50035, RefusedError),
    (400, 50006, RefusedError),
    (400, 0, RefusedError),
    (404, 0, RefusedError),
    (405, 0, RefusedError),
    (413, 40005, RefusedError),
    (400, 200000, RefusedError),
    (403, 200000, RefusedError),
    (403, 240000, RefusedError),
    (403, 20009, RefusedError),
    (401, 0, TokenError),
    (403, 50014, TokenError),
    (401, 50027, UnavailableError),
    (403, 0, UnavailableError),
    (403, 40004, UnavailableError),
    (403, 40333, UnavailableError),
    (403, 99999, UnavailableError),
    (400, 40006, UnavailableError),
    (400, 40333, UnavailableError),
    (400, 130000, UnavailableError),
    (408, 0, UnavailableError),
    (500, 0, UnavailableError),
    (502, 0, UnavailableError),
    (503, 0, UnavailableError),
]


@pytest.mark.parametrize(("status", "code", "kind"), TABLE, ids=[f"{row[0]}-{row[1]}" for row in TABLE])
def test_each_answer_has_its_remedy(status: int, code: int, kind: type[DeliveryError]) -> None:
    assert type(remedy(raised(status, code), CHAT)) is kind


def test_what_has_been_acknowledged_already_is_a_success() -> None:
    assert remedy(raised(400, 40060), CHAT) is None


@pytest.mark.parametrize(
    "error",
    [
        ConnectionResetError("reset"),
        TimeoutError(),
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientConnectionError("gone"),
        discord.ClientException("no"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_where_nobody_answers_the_way_is_down(error: Exception) -> None:
    found = remedy(error, CHAT)
    assert type(found) is UnavailableError
    assert str(found).startswith(f"chat {CHAT}: {type(error).__name__}")


def test_the_error_says_where_and_what() -> None:
    assert str(remedy(raised(404, 10008, "Unknown Message"), CHAT)) == (
        "chat discord:#123: 404 for a reason (error code: 10008): Unknown Message"
    )


# How long


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "7"}, 7),
        ({"Retry_After": "0.25"}, 0.25),
        ({"X_RateLimit_Reset_After": "3.5"}, 3.5),
        ({"Retry_After": "soon", "X_RateLimit_Reset_After": "2"}, 2),
        ({}, 5),
        ({"Retry_After": "inf"}, 5),
        ({"Retry_After": "nan"}, 5),
        ({"Retry_After": "-3"}, 0),
    ],
)
def test_a_full_channel_is_left_alone_as_long_as_discord_says(headers: dict[str, str], seconds: float) -> None:
    found = remedy(raised(429, 20028, **headers), CHAT)
    assert isinstance(found, ThrottledError)
    assert found.retry_after == timedelta(seconds=seconds)


def test_what_the_library_does_not_wait_for_waits_in_the_outbox() -> None:
    found = remedy(discord.RateLimited(41.5), CHAT)
    assert isinstance(found, ThrottledError)
    assert found.retry_after == timedelta(seconds=41.5)


def test_only_a_429_that_is_not_of_discord_itself_shuts_out() -> None:
    assert is_ban(banned())
    assert not is_ban(raised(429, 0))
    assert not is_ban(raised(403, 0))
    assert not is_ban(TimeoutError())


def test_of_an_answer_that_is_refused_another_may_be_taken() -> None:
    refused = ((400, 50035), (403, 50013), (404, 10008), (413, 40005), (429, 30046))
    assert all(is_refusal(raised(*no)) for no in refused)
    assert not any(is_refusal(error) for error in (raised(429), raised(503), banned(), TimeoutError()))


# Tokens


def test_a_bad_token_names_the_setting() -> None:
    for error in (raised(401), discord.LoginFailure("Improper token has been passed.")):
        found = remedy(error, CHAT)
        assert isinstance(found, TokenError)
        assert "QUIZBOT_DISCORD_TOKEN" in str(found)


def test_no_error_text_holds_the_token_of_an_interaction() -> None:
    url = yarl.URL("https://discord.com/api/v10/webhooks/1/aW50ZXJhY3Rpb246MTIzNDU2Nzg5/messages/@original")
    request = aiohttp.RequestInfo(url, "POST", headers=None, real_url=url)  # type: ignore[arg-type]
    error = aiohttp.ContentTypeError(request, (), message="not JSON")
    assert "aW50ZXJhY3Rpb24" in str(error), "the library's own text has it"
    assert "aW50ZXJhY3Rpb24" not in str(remedy(error, CHAT))


# What is no error of Discord


def test_what_is_an_error_of_the_ports_already_stays_it() -> None:
    error = PostponedError(timedelta(seconds=1))
    assert remedy(error, CHAT) is error


def test_a_fault_of_our_own_is_raised_as_it_is() -> None:
    with pytest.raises(KeyError):
        remedy(KeyError("x"), CHAT)


# Answers to interactions


def test_what_became_of_an_answer_is_told_apart() -> None:
    answered: Any = type("Interaction", (), {"id": 1})()
    assert meaning(raised(404, 10062)) is Meaning.EXPIRED
    assert meaning(raised(400, 40060)) is Meaning.ALREADY
    assert meaning(discord.InteractionResponded(answered)) is Meaning.ALREADY
    assert meaning(raised(400, 50035)) is Meaning.OTHER
    assert meaning(TimeoutError()) is Meaning.OTHER


def test_an_error_without_a_number_has_none() -> None:
    assert [code_of(error) for error in (raised(404, 10062), raised(502), TimeoutError())] == [10062, 0, 0]
