"""Answers that come too late, are refused or get lost: what was asked counts, and nothing else breaks."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from discord.webhook import async_

from adapters.discord import answering
from bot.desk import Answer, Show
from bot.engine import StoppingError
from bot.ports import ChatGoneError, StoreError
from bot.presses import Page
from tests.clock import VirtualClock
from tests.discord.server import Discord, Interaction
from tests.discord.server.faults import Refusal
from tests.discord.talking import QUESTION, VERDICT, Clerk, card, channel_of, chat_of, talking


class OutOfTime:
    """The module for the library, whose patience ends whenever it waits before it tries again."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, _: float) -> None:
        raise TimeoutError


# When something fails


@pytest.mark.parametrize(
    ("fault", "noted"),
    [
        (StoreError("the disk is full"), "could not be stored: the disk is full"),
        (StoppingError("stopping"), "could not be stored: stopping"),
        (ValueError("a bug"), "ValueError: a bug"),
    ],
)
async def test_whoever_asks_while_something_fails_is_told_once(
    server: Discord, clock: VirtualClock, fault: Exception, noted: str, caplog: pytest.LogCaptureFixture
) -> None:
    here, ann = channel_of(server)
    ann.locale = "bg"
    async with talking(server, clock, Clerk(fault=fault)) as talk:
        message = await talk.post(here, QUESTION)
        asks: list[Interaction] = [ann.slash(here, "stop"), ann.press(message, "A"), ann.forge_form(here, "1:x")]
        for asked in asks:
            await asked
            assert (asked.ephemeral, asked.text, asked.tries) == (True, "Sorry (bg)", 1)
    assert caplog.text.count(noted) == 3


async def test_alone_a_press_that_fails_is_not_held_any_longer(server: Discord, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    async with talking(server, clock, Clerk(fault=StoreError("the disk is full"))) as talk:
        message = await talk.post(ann.direct, QUESTION)
        assert (await ann.press(message, "A")).text == "Sorry (en-US)"
        await talk.transport.edit(chat_of(ann.direct), message.id, card("closed"))
        assert len(server.calls("PATCH")) == 1


async def test_an_interaction_that_is_no_longer_known_counts_and_is_noted(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        with caplog.at_level("INFO", "adapters"):
            ann.press(message, "A", at=clock.now() - timedelta(seconds=4))
            await server.called("POST", "/callback$")
            await talk.conversation.finish()
        assert [what for what, *_ in talk.clerk.asked] == ["press"]
        assert talk.clerk.requests[0].at == clock.now() - timedelta(seconds=4)
        assert "an answer came too late" in caplog.text
        assert "WARNING" not in caplog.text
        assert len(server.calls("POST", "/callback$")) == 1


async def test_an_answer_that_was_given_already_is_a_success(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        server.fail("POST", "/callback$", 400, 40060, times=10)
        for number in range(1, 11):
            ann.press(message, "A")
            await server.called("POST", "/callback$", number)
            await talk.conversation.finish()
            assert ("another program" in caplog.text) is (number == 10)
        assert len(server.calls("POST", "/callback$")) == 10


async def test_an_edit_that_discord_refuses_is_said_beside_the_message(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("Page 2"), Show.INSTEAD))) as talk:
        message = await talk.post(here, card("Page 1", ("On", Page(1))))
        server.fail("POST", "/callback$", 404, 10008)
        pressed = await ann.press(message, "On")
        assert (pressed.ephemeral, pressed.text) == (True, "Page 2")


@pytest.mark.parametrize("again", [0.0, 5.0])
async def test_an_edit_of_an_old_message_that_was_edited_too_often_is_said_beside_it(
    again: float, server: Discord, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library tries it again some times when Discord says, unless it is out of time before that."""
    if again:
        monkeypatch.setattr(async_, "asyncio", OutOfTime())
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("Page 2"), Show.INSTEAD))) as talk:
        message = await talk.post(here, card("Page 1", ("On", Page(1))))
        body = {"code": 30046, "message": "Maximum number of edits", "retry_after": again}
        server.faults.plan("POST", "/callback$", Refusal(429, body), 5 if again == 0.0 else 1)
        pressed = await ann.press(message, "On")
        assert (pressed.ephemeral, pressed.text, message.text) == (True, "Page 2", "Page 1")


async def test_an_answer_that_takes_too_long_is_followed_by_no_other(
    server: Discord, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(answering, "patience", lambda *_: 0.05)
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        with server.hold("POST", "/callback$"):
            ann.press(message, "A")
            await talk.comes(lambda: "TimeoutError" in caplog.text)
            await talk.conversation.finish()
        assert len(server.calls("POST", "/callback$")) <= 1


async def test_an_answer_that_discord_refuses_is_replaced_by_an_apology(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        server.fail("POST", "/callback$", 400, 50035)
        pressed = await ann.press(message, "A")
        assert (pressed.ephemeral, pressed.text) == (True, "Sorry (en-US)")


async def test_refused_again_nothing_more_is_tried(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        server.fail("POST", "/callback$", 400, 50035, times=9)
        ann.press(message, "A")
        await server.called("POST", "/callback$", 2)
        await talk.conversation.finish()
        assert len(server.calls("POST", "/callback$")) == 2


async def test_a_connection_that_breaks_ends_only_that_answer(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        server.drop("POST", "/callback$")
        ann.press(message, "A")
        await server.called("POST", "/callback$")
        await talk.conversation.finish()
        assert len(server.calls("POST", "/callback$")) == 1
        assert (await ann.press(message, "A")).text == "Right!"


async def test_an_answer_that_discord_took_is_not_given_again_whatever_it_says_to_that(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        server.garbage("POST", "/callback$", status=200, body={})
        ann.press(message, "A")
        await server.called("POST", "/callback$")
        await talk.conversation.finish()
        assert len(server.calls("POST", "/callback$")) == 1
    assert "could not be handled" in caplog.text


async def test_whoever_has_sent_too_much_falls_silent(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(VERDICT))) as talk:
        message = await talk.post(here, QUESTION)
        server.ban("POST", "/callback$")
        ann.press(message, "A")
        await server.called("POST", "/callback$")
        await talk.conversation.finish()
        ann.press(message, "A")
        await server.gateway.heard()
        await talk.conversation.finish()
        assert len(talk.clerk.asked) == 2
        assert len(server.calls("POST", "/callback$")) == 1


async def test_what_could_not_be_said_in_private_is_said_in_the_next_answer(
    server: Discord, clock: VirtualClock
) -> None:
    here, ann = channel_of(server)
    ann.closed = True
    async with talking(server, clock, Clerk(Answer(card("Stopped.")))) as talk:
        with pytest.raises(ChatGoneError):
            await talk.transport.send(f"discord:{ann.id}", card("Your quiz has ended."), "1-host")
        assert (await ann.slash(here, "stop")).text == "Stopped.\nYour quiz has ended."
        assert (await ann.slash(here, "stop")).text == "Stopped."


async def test_whatever_is_pressed_or_sent_is_answered(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock, Clerk(Answer(card("I cannot read that.")))) as talk:
        message = await talk.post(here, QUESTION)
        for asked in (
            ann.forge(message, ""),
            ann.forge(message, "a:1:99999:-1"),
            ann.forge(message, "🦊" * 100),
            ann.forge(message, "1:select:0", []),
            ann.forge(message, "nothing", ["x" * 100] * 25),
            ann.forge_form(here, "", ["x"], "y" * 4000),
            ann.forge_form(here, "no form", under=message),
        ):
            await asked
            assert (asked.ephemeral, asked.text, message.edits) == (True, "I cannot read that.", 0)
