"""A Bot API that says yes and then talks nonsense, or without end: a post is tried again, and nothing else happens."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from telegram.error import NetworkError

from adapters.telegram import request as wire
from adapters.telegram.adapter import opened
from adapters.telegram.transport import TelegramTransport
from bot.messages import Block, Card, Role
from bot.ports import UnavailableError
from tests.clock import VirtualClock
from tests.telegram.test_request import Server, asking, at, everything_said, request_layer, server

__all__ = ["request_layer", "server"]

CARD = Card((Block(Role.LINE, "Hello"),))
NONSENSE: dict[str, object] = {
    "yes": True,
    "nothing": None,
    "number": 7,
    "text": "sent",
    "list": [],
    "list-of-lists": [[1]],
    "empty": {},
    "number-as-text": {"message_id": "seven", "date": 0, "chat": {"id": 1, "type": "private"}},
    "number-missing": {"date": 0, "chat": {"id": 1, "type": "private"}},
    "number-of-nothing": {"message_id": None, "date": 0, "chat": {"id": 1, "type": "private"}},
    "date-of-words": {"message_id": 7, "date": "noon", "chat": {"id": 1, "type": "private"}},
    "date-beyond-time": {"message_id": 7, "date": 10**30, "chat": {"id": 1, "type": "private"}},
    "chat-of-words": {"message_id": 7, "date": 0, "chat": "here"},
    "entities-of-words": {"message_id": 7, "date": 0, "chat": {"id": 1, "type": "private"}, "entities": "bold"},
}

TAKEN = ("yes", "number-as-text", "number-of-nothing")
"""What will do for an edit, of which nothing has to be known."""


@pytest.fixture
async def transport(server: Server, clock: VirtualClock) -> AsyncIterator[TelegramTransport]:
    async def greet(request: web.Request) -> web.StreamResponse:
        who = {"id": 1, "is_bot": True, "first_name": "Quizbot", "username": "quizbot"}
        return web.json_response({"ok": True, "result": who})

    server.handler = greet
    async with opened("1:a", api_url=server.url, webhook=None, pictures=Path(), clock=clock) as adapter:
        server.handler = server.answer
        yield adapter.transport


def answered_with(server: Server, result: object) -> None:
    server.body = json.dumps({"ok": True, "result": result}).encode()


@pytest.mark.parametrize("name", NONSENSE)
async def test_a_message_that_nobody_can_find_again_is_tried_again(
    name: str, server: Server, transport: TelegramTransport
) -> None:
    answered_with(server, NONSENSE[name])
    with pytest.raises(UnavailableError, match="makes no sense"):
        await transport.send("telegram:1", CARD, "n")
    assert server.calls >= 1


@pytest.mark.parametrize("name", [name for name in NONSENSE if name not in TAKEN])
async def test_an_edit_is_made_again_for_that_does_no_harm(
    name: str, server: Server, transport: TelegramTransport
) -> None:
    answered_with(server, NONSENSE[name])
    with pytest.raises(UnavailableError, match="makes no sense"):
        await transport.edit("telegram:1", "7", CARD)


async def test_an_answer_without_end_is_not_read_to_the_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LARGEST", 1_000)
    server.body = b'{"ok":true,"result":"' + b"x" * 2_000_000 + b'"}'
    async with wire.AiohttpRequest() as layer:
        with pytest.raises(NetworkError, match="answered with more than 1000 bytes") as caught:
            await layer.post(at(server), asking(chat_id=1))
        server.body = b'{"ok":true,"result":true}'
        assert await layer.post(at(server), asking(chat_id=1)) is True
    assert "AAE-the-secret" not in everything_said(caught.value)
