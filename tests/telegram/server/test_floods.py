"""Flood control counts as Telegram's does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clock import VirtualClock
from tests.telegram.server import BotApi
from tests.telegram.server.raw import Raw


def refused(answer: Any) -> int:
    """The seconds that an answer asks to wait."""
    assert answer["error_code"] == 429, answer
    seconds = int(answer["parameters"]["retry_after"])
    assert answer["description"] == f"Too Many Requests: retry after {seconds}"
    return seconds


async def test_a_group_takes_20_sends_and_edits_in_any_minute(raw: Raw, server: BotApi, clock: VirtualClock) -> None:
    group, other = server.supergroup("Study", topics=["Week 1"]), server.group("Other")
    topic = group.named_topic("Week 1").id
    message = await raw.result("sendMessage", chat_id=group.id, text="0")
    clock.advance(10)
    for number in range(1, 20):
        where = {"chat_id": group.id, "text": str(number)}
        if number % 2:
            await raw.result("editMessageText", **where, message_id=message["message_id"])
        else:
            await raw.result("sendMessage", **where, message_thread_id=topic)
    assert refused(await raw("sendMessage", chat_id=group.id, text="x")) == 50
    assert refused(await raw("editMessageText", chat_id=group.id, message_id=message["message_id"], text="x")) == 50
    await raw.result("sendMessage", chat_id=other.id, text="x")
    await raw.result("sendChatAction", chat_id=group.id, action="typing")
    await raw.result("deleteMessage", chat_id=group.id, message_id=message["message_id"])
    clock.advance(50)
    await raw.result("sendMessage", chat_id=group.id, text="x")
    assert refused(await raw("sendMessage", chat_id=group.id, text="x")) == 10
    assert server.floods == 3


async def test_a_private_chat_takes_one_a_second_after_a_burst(raw: Raw, server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    await ann.start_bot()
    for _ in range(10):
        await raw.result("sendMessage", chat_id=ann.id, text="x")
    assert refused(await raw("sendMessage", chat_id=ann.id, text="x")) == 1
    clock.advance(1)
    await raw.result("sendMessage", chat_id=ann.id, text="x")
    assert refused(await raw("sendMessage", chat_id=ann.id, text="x")) == 1


async def test_all_chats_together_take_30_in_any_second(raw: Raw, server: BotApi, clock: VirtualClock) -> None:
    groups = [server.group(f"Group {number}") for number in range(31)]
    for group in groups[:-1]:
        await raw.result("sendMessage", chat_id=group.id, text="x")
    assert refused(await raw("sendMessage", chat_id=groups[-1].id, text="x")) == 1
    clock.advance(1)
    await raw.result("sendMessage", chat_id=groups[-1].id, text="x")


async def test_answers_to_presses_are_free(raw: Raw, server: BotApi) -> None:
    group, ann = server.group("Study"), server.person("Ann")
    keyboard = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}
    await raw.result("sendMessage", chat_id=group.id, text="x", reply_markup=keyboard)
    for _ in range(60):
        press = await ann.press(group.last, "A")
        await raw.result("answerCallbackQuery", callback_query_id=press.id)
    assert server.floods == 0


@pytest.mark.parametrize("method", ["sendMessage", "sendPhoto"])
async def test_a_request_that_is_wrong_in_itself_is_not_counted(raw: Raw, server: BotApi, method: str) -> None:
    group = server.group("Study")
    for _ in range(40):
        assert (await raw(method, chat_id=group.id, text=""))["error_code"] == 400
    await raw.result("sendMessage", chat_id=group.id, text="x")
