"""Cards on their way to Telegram: what arrives, and what is said when it does not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from telegram.ext import ExtBot

from adapters.telegram import transport as out
from adapters.telegram.chats import Place, message_of
from adapters.telegram.limiter import GROUP, PRIVATE, Limiter, Urgency
from adapters.telegram.render import Popup, rendered
from adapters.telegram.request import AiohttpRequest
from adapters.telegram.transport import TelegramTransport
from bot.core.quiz import NEUTRAL, Image, LocalisedText
from bot.messages import Block, Button, Card, Role
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
from bot.present import post
from bot.presses import Browse
from tests.clock import VirtualClock
from tests.present.sample import QUIZ
from tests.present.scenes import POSTS
from tests.telegram.server import BotApi, Chat, Group, Message, Person

ASKED = post(POSTS["asked-channel"], QUIZ, "en")
CLOSED = post(POSTS["closed-channel"], QUIZ, "en")
PNG = b"\x89PNG\r\n\x1a\n and so on"
WORDS = "A falling curve"


@pytest.fixture
async def bot(server: BotApi, clock: VirtualClock) -> AsyncIterator[ExtBot[Urgency]]:
    request = AiohttpRequest()
    made: ExtBot[Urgency] = ExtBot(
        server.token,
        f"{server.url}/bot",
        request=request,
        get_updates_request=request,
        rate_limiter=Limiter(clock),
    )
    async with made:
        yield made


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    (tmp_path / "curve.png").write_bytes(PNG)
    (tmp_path / "curve.gif").write_bytes(b"GIF89a and so on")
    return tmp_path


@pytest.fixture
def transport(bot: ExtBot[Urgency], pictures: Path, clock: VirtualClock) -> TelegramTransport:
    return TelegramTransport(bot, pictures, clock)


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def group(server: BotApi, ann: Person) -> Group:
    return server.supergroup("Group", [ann], topics=["Maths"])


def _id(chat: Chat) -> str:
    return f"telegram:{chat.id}"


def _line(text: str) -> Card:
    return Card((Block(Role.LINE, text),))


def _pictured(card: Card, path: str = "curve.png", extra: str = "") -> Card:
    blocks = (*card.blocks, Block(Role.LINE, extra)) if extra else card.blocks
    return replace(card, blocks=blocks, image=Image(path, LocalisedText({NEUTRAL: WORDS})))


def _message(chat: Chat, reference: str) -> Message:
    message = chat.message(message_of(reference))
    assert message
    return message


# Texts


async def test_a_question_is_a_message_and_its_closing_an_edit(transport: TelegramTransport, group: Group) -> None:
    reference = await transport.send(_id(group), ASKED, "n")
    assert group.last.html == rendered(ASKED).text
    assert group.last.keyboard == [["A", "B", "C", "D"], ["Next"]]
    await transport.edit(_id(group), reference, replace(CLOSED, buttons=()))
    (message,) = group.messages
    assert message.html == rendered(CLOSED).text
    assert message.keyboard == []


async def test_no_address_in_a_text_is_previewed(transport: TelegramTransport, server: BotApi, group: Group) -> None:
    reference = await transport.send(_id(group), ASKED, "n")
    await transport.edit(_id(group), reference, CLOSED)
    for request in (*server.calls("sendMessage"), *server.calls("editMessageText")):
        assert request.params["link_preview_options"] == {"is_disabled": True}


async def test_a_topic_is_named_and_general_is_not(transport: TelegramTransport, server: BotApi, group: Group) -> None:
    await transport.send(f"{_id(group)}/{group.named_topic('Maths').id}", ASKED, "n")
    await transport.send(_id(group), ASKED, "n")
    assert [message.topic for message in group.messages] == ["Maths", None]
    assert "message_thread_id" not in server.requests[-1].params


async def test_an_edit_that_changes_nothing_is_a_success(transport: TelegramTransport, group: Group) -> None:
    """Field case 34."""
    reference = await transport.send(_id(group), ASKED, "n")
    await transport.edit(_id(group), reference, ASKED)
    assert group.last.edits == 0


async def test_markup_that_cannot_be_read_is_sent_as_plain_text(
    transport: TelegramTransport, server: BotApi, group: Group, caplog: pytest.LogCaptureFixture
) -> None:
    for method in ("sendMessage", "editMessageText"):
        server.fail(method, 400, "Bad Request: can't parse entities: Unsupported start tag")
    reference = await transport.send(_id(group), ASKED, "n")
    assert (group.last.text, group.last.entities) == (rendered(ASKED).plain, ())
    await transport.edit(_id(group), reference, CLOSED)
    assert (group.last.text, group.last.entities) == (rendered(CLOSED).plain, ())
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2


# Errors of the ports


async def _send_error(transport: TelegramTransport, chat: str) -> DeliveryError:
    with pytest.raises(DeliveryError) as caught:
        await transport.send(chat, ASKED, "n")
    return caught.value


async def _edit_error(transport: TelegramTransport, chat: str, reference: str) -> DeliveryError:
    with pytest.raises(DeliveryError) as caught:
        await transport.edit(chat, reference, CLOSED)
    return caught.value


async def test_each_failure_of_a_send_says_what_to_do(
    transport: TelegramTransport, server: BotApi, ann: Person, group: Group
) -> None:
    basic = server.group("Basic", [ann])
    new = basic.upgrade()
    moved = await _send_error(transport, _id(basic))
    assert isinstance(moved, ChatMovedError)
    assert moved.new == _id(new)
    server.garbage("sendMessage")
    assert isinstance(await _send_error(transport, _id(group)), UnavailableError)
    server.fail("sendMessage", 400, "Bad Request: something new")
    assert isinstance(await _send_error(transport, _id(group)), RefusedError)
    group.kick_bot()
    assert isinstance(await _send_error(transport, _id(group)), ChatGoneError)
    assert isinstance(await _send_error(transport, _id(ann.private)), ChatGoneError)
    assert isinstance(await _send_error(transport, "telegram:x"), RefusedError)


async def test_a_message_that_was_deleted_is_gone(transport: TelegramTransport, group: Group) -> None:
    reference = await transport.send(_id(group), ASKED, "n")
    group.delete_message(_message(group, reference))
    assert isinstance(await _edit_error(transport, _id(group), reference), MessageGoneError)


@pytest.mark.parametrize("reference", ["", "x", "12x", "c"])
async def test_what_is_no_reference_is_a_message_that_is_gone(transport: TelegramTransport, reference: str) -> None:
    assert isinstance(await _edit_error(transport, "telegram:-1", reference), MessageGoneError)


async def test_a_full_chat_waits_and_a_counter_waits_sooner(transport: TelegramTransport, group: Group) -> None:
    reference = await transport.send(_id(group), ASKED, "n")
    counters = GROUP.places - GROUP.spare[Urgency.COUNTER]
    for number in range(counters - 1):
        await transport.edit(_id(group), reference, _line(f"{number} answered"), lazy=True)
    with pytest.raises(PostponedError) as postponed:
        await transport.edit(_id(group), reference, _line("one more"), lazy=True)
    assert postponed.value.retry_after == timedelta(seconds=60)
    for number in range(GROUP.places - counters):
        await transport.send(_id(group), _line(str(number)), "n")
    throttled = await _edit_error(transport, _id(group), reference)
    assert isinstance(throttled, ThrottledError)


async def test_a_flood_wait_of_the_platform_is_told_as_it_is(
    transport: TelegramTransport, server: BotApi, group: Group
) -> None:
    server.fail("sendMessage", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7})
    throttled = await _send_error(transport, _id(group))
    assert isinstance(throttled, ThrottledError)
    assert throttled.retry_after == timedelta(seconds=7)


# Pictures


async def test_a_picture_has_the_question_as_its_caption(transport: TelegramTransport, group: Group) -> None:
    reference = await transport.send(_id(group), _pictured(ASKED), "n")
    (message,) = group.messages
    assert (message.photo, message.html) == (PNG, rendered(ASKED).text)
    assert message.keyboard == [["A", "B", "C", "D"], ["Next"]]
    await transport.edit(_id(group), reference, _pictured(CLOSED))
    assert (message.photo, message.html) == (PNG, rendered(CLOSED).text)


async def test_a_closing_that_is_too_long_for_a_caption_is_fitted(transport: TelegramTransport, group: Group) -> None:
    reference = await transport.send(_id(group), _pictured(ASKED), "n")
    await transport.edit(_id(group), reference, _pictured(CLOSED, extra="word " * 1000))
    assert group.last.caption
    assert group.last.caption.startswith(rendered(CLOSED).plain[:300])
    assert group.last.caption.endswith("word…")


async def test_a_picture_comes_before_a_question_that_is_too_long_for_a_caption(
    transport: TelegramTransport, group: Group
) -> None:
    long = "word " * 200
    reference = await transport.send(_id(group), _pictured(ASKED, extra=long), "n")
    picture, question = group.messages
    assert (picture.photo, picture.caption, picture.keyboard) == (PNG, WORDS, [])
    assert question.text.startswith("Question 1 of 4")
    assert question.keyboard == [["A", "B", "C", "D"], ["Next"]]
    await transport.edit(_id(group), reference, _pictured(CLOSED))
    assert (question.html, picture.caption) == (rendered(CLOSED).text, WORDS)


async def test_a_picture_comes_again_with_its_question_but_not_for_each_attempt(
    transport: TelegramTransport, server: BotApi, group: Group
) -> None:
    card = _pictured(ASKED, extra="word " * 200)
    server.drop("sendMessage", times=2)
    for _ in range(2):
        with pytest.raises(UnavailableError):
            await transport.send(_id(group), card, "n")
    await transport.send(_id(group), card, "n")
    assert [message.photo for message in group.messages] == [PNG, None]
    await transport.send(_id(group), card, "n")
    assert [message.photo for message in group.messages] == [PNG, None] * 2


async def test_what_is_remembered_of_pictures_does_not_grow(
    bot: ExtBot[Urgency],
    pictures: Path,
    clock: VirtualClock,
    server: BotApi,
    group: Group,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(out, "MOST_REMEMBERED", 1)
    transport = TelegramTransport(bot, pictures, clock)
    card = _pictured(ASKED, extra="word " * 200)
    server.drop("sendMessage", times=2)
    for nonce in ("old", "new"):
        with pytest.raises(UnavailableError):
            await transport.send(_id(group), card, nonce)
    for nonce in ("new", "old"):
        await transport.send(_id(group), card, nonce)
    assert [message.photo for message in group.messages] == [PNG, PNG, None, PNG, None]


async def _assert_told_in_words(transport: TelegramTransport, group: Group, card: Card) -> None:
    reference = await transport.send(_id(group), card, "n")
    (message,) = group.messages
    assert message.photo is None
    assert f"effective batch?\n\n[{WORDS}]\n\nA. 8" in message.text
    assert message.keyboard == [["A", "B", "C", "D"], ["Next"]]
    await transport.edit(_id(group), reference, _pictured(CLOSED))
    assert f"[{WORDS}]" in message.text
    assert "3 of 5 got it right" in message.text


@pytest.mark.parametrize("path", ["missing.png", "../curve.png", "curve.png\x00", "curve.svg", "folder.png"])
async def test_a_question_is_asked_without_a_picture_that_is_not_there(
    transport: TelegramTransport, group: Group, tmp_path: Path, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    (tmp_path / "folder.png").mkdir()
    (tmp_path.parent / "curve.png").write_bytes(PNG)
    await _assert_told_in_words(transport, group, _pictured(ASKED, path))
    assert "picture" in caplog.text


@pytest.mark.parametrize(
    "refusal",
    ["IMAGE_PROCESS_FAILED", "PHOTO_INVALID_DIMENSIONS", "not enough rights to send photos to the chat", "unheard of"],
)
async def test_a_question_is_asked_without_a_picture_that_is_refused(
    transport: TelegramTransport,
    server: BotApi,
    group: Group,
    caplog: pytest.LogCaptureFixture,
    refusal: str,
) -> None:
    server.fail("sendPhoto", 400, f"Bad Request: {refusal}")
    await _assert_told_in_words(transport, group, _pictured(ASKED))
    assert "curve.png" in caplog.text


async def test_a_picture_that_does_not_get_through_is_tried_twice(
    transport: TelegramTransport, server: BotApi, group: Group
) -> None:
    server.drop("sendPhoto", times=2)
    with pytest.raises(UnavailableError):
        await transport.send(_id(group), _pictured(ASKED), "n")
    assert group.messages == []
    await _assert_told_in_words(transport, group, _pictured(ASKED))


async def test_a_refused_picture_is_not_tried_again_with_its_question(
    transport: TelegramTransport, server: BotApi, group: Group
) -> None:
    server.fail("sendPhoto", 400, "Bad Request: IMAGE_PROCESS_FAILED")
    server.drop("sendMessage")
    with pytest.raises(UnavailableError):
        await transport.send(_id(group), _pictured(ASKED), "n")
    await _assert_told_in_words(transport, group, _pictured(ASKED))
    assert len(server.calls("sendPhoto")) == 1


async def test_a_chat_that_is_gone_is_gone_for_pictures_too(transport: TelegramTransport, group: Group) -> None:
    group.kick_bot()
    with pytest.raises(ChatGoneError):
        await transport.send(_id(group), _pictured(ASKED), "n")


async def test_a_picture_that_has_to_wait_waits(transport: TelegramTransport, server: BotApi, group: Group) -> None:
    server.fail("sendPhoto", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7})
    with pytest.raises(ThrottledError):
        await transport.send(_id(group), _pictured(ASKED), "n")
    assert group.messages == []


async def test_a_moving_picture_is_sent_as_one(transport: TelegramTransport, server: BotApi, group: Group) -> None:
    server.fail("sendAnimation", 400, "Bad Request: the server of the tests has no film")
    await transport.send(_id(group), _pictured(ASKED, "curve.gif"), "n")
    (request,) = server.calls("sendAnimation")
    assert request.params["caption"] == rendered(ASKED).text
    assert server.calls("sendPhoto") == []


# Said directly


async def test_a_press_is_answered_to_the_presser_alone(
    transport: TelegramTransport, group: Group, ann: Person
) -> None:
    await transport.send(_id(group), ASKED, "n")
    first, second = await ann.press(group.last, "A"), await ann.press(group.last, "B")
    await transport.answer(first.id, Popup("✗ Wrong.", alert=True))
    await transport.answer(second.id, None)
    assert [(answer.text, answer.alert) for answer in ann.pop_ups] == [("✗ Wrong.", True), ("", False)]


async def test_a_press_that_cannot_be_answered_any_more_harms_nobody(
    transport: TelegramTransport, server: BotApi, group: Group, ann: Person, clock: VirtualClock
) -> None:
    """Field case 17."""
    await transport.send(_id(group), ASKED, "n")
    press = await ann.press(group.last, "A")
    server.garbage("answerCallbackQuery")
    await transport.answer(press.id, Popup("late"))
    server.drop("answerCallbackQuery")
    await transport.answer(press.id, Popup("late"))
    clock.advance(20)
    await transport.answer(press.id, Popup("late"))
    assert ann.pop_ups == []


async def test_a_command_is_answered_where_it_was_given_and_without_a_sound(
    transport: TelegramTransport, server: BotApi, group: Group, ann: Person
) -> None:
    topic = group.named_topic("Maths")
    command = await ann.write(group, "/help", topic="Maths")
    await transport.say(Place(group.id, topic.id), _line("Help."), command.id)
    assert (group.last.text, group.last.topic, group.last.reply_to) == ("Help.", "Maths", command)
    assert server.requests[-1].params["disable_notification"] is True


async def test_a_command_that_was_deleted_is_answered_all_the_same(
    transport: TelegramTransport, group: Group, ann: Person
) -> None:
    command = await ann.write(group, "/help")
    group.delete_message(command)
    await transport.say(Place(group.id), _line("Help."), command.id)
    assert (group.last.text, group.last.reply_to) == ("Help.", None)


async def test_what_cannot_be_said_is_given_up(
    transport: TelegramTransport, server: BotApi, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    await ann.start_bot()
    server.garbage("sendMessage")
    await transport.say(Place(ann.id), _line("Help."))
    await ann.block()
    await transport.say(Place(ann.id), _line("Help."))
    assert caplog.text.count(f"telegram:{ann.id}") == 2


async def _fill(transport: TelegramTransport, ann: Person) -> None:
    await ann.start_bot()
    for number in range(PRIVATE.places):
        await transport.send(_id(ann.private), _line(str(number)), "n")


async def _until_asleep(clock: VirtualClock) -> None:
    for _ in range(1000):
        if clock.alarms:
            return
        await asyncio.sleep(0)
    raise AssertionError("nobody waits")


async def test_where_there_is_room_in_a_moment_a_reply_waits_for_it(
    transport: TelegramTransport, ann: Person, clock: VirtualClock
) -> None:
    await _fill(transport, ann)
    said = asyncio.create_task(transport.say(Place(ann.id), _line("Help.")))
    await _until_asleep(clock)
    assert ann.private.last.text == str(PRIVATE.places - 1)
    clock.advance(PRIVATE.span.total_seconds())
    await said
    assert ann.private.last.text == "Help."


async def test_a_reply_does_not_wait_for_ever(
    transport: TelegramTransport, server: BotApi, group: Group, clock: VirtualClock
) -> None:
    server.fail("sendMessage", 429, "Too Many Requests: retry after 121", parameters={"retry_after": 121})
    await transport.say(Place(group.id), _line("Help."))
    assert not clock.alarms
    assert not group.messages


async def test_where_a_group_is_full_a_command_is_answered_when_it_no_longer_is(
    transport: TelegramTransport, group: Group, clock: VirtualClock
) -> None:
    for number in range(GROUP.places):
        await transport.send(_id(group), _line(str(number)), "n")
    said = asyncio.create_task(transport.say(Place(group.id), _line("Help.")))
    await _until_asleep(clock)
    clock.advance(GROUP.span.total_seconds())
    await said
    assert group.last.text == "Help."


async def test_a_message_turns_into_the_next_page(
    transport: TelegramTransport, group: Group, caplog: pytest.LogCaptureFixture
) -> None:
    first = Card((Block(Role.LINE, "Page 1"),), ((Button("→", Browse()),),))
    await transport.say(Place(group.id), first)
    number = group.last.id
    await transport.replace(Place(group.id), number, _line("Page 2"))
    assert (group.last.text, group.last.keyboard) == ("Page 2", [])
    await transport.replace(Place(group.id), number, _line("Page 2"))
    assert not caplog.text, "unchanged is as wanted"
    group.delete_message(group.last)
    await transport.replace(Place(group.id), number, _line("Page 3"))
    assert "stays as it was" in caplog.text


async def test_a_message_that_has_served_is_deleted_or_loses_its_buttons(
    transport: TelegramTransport, server: BotApi, group: Group, clock: VirtualClock
) -> None:
    card = Card((Block(Role.LINE, "Choose"),), ((Button("1", Browse()),),))
    for _ in range(2):
        await transport.say(Place(group.id), card)
    number, old = (message.id for message in group.messages)
    await transport.discard(Place(group.id), number)
    assert [message.id for message in group.messages] == [old]
    clock.advance(49 * 3600)
    await transport.discard(Place(group.id), old)
    assert (group.last.text, group.last.keyboard) == ("Choose", [])
    await transport.discard(Place(group.id), number)
    group.kick_bot()
    await transport.discard(Place(group.id), old)
