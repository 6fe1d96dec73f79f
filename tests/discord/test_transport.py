"""Cards on their way to Discord: what arrives, and what is said when it does not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from adapters.discord import budget
from adapters.discord.chats import Channel, Private
from adapters.discord.errors import TokenError
from adapters.discord.transport import OLD, DiscordTransport
from bot.core.quiz import NEUTRAL, Image, LocalisedText
from bot.messages import Block, Button, Card, Role
from bot.ports import (
    ChatGoneError,
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
from tests.discord.server import Discord, GuildChannel, Message, Person
from tests.discord.server.components import walk
from tests.discord.server.faults import Refusal
from tests.discord.server.plain import Bot, logged_in
from tests.present.sample import QUIZ
from tests.present.scenes import POSTS

ASKED = post(POSTS["asked-channel"], QUIZ, "en")
CLOSED = post(POSTS["closed-channel"], QUIZ, "en")
PNG = b"\x89PNG\r\n\x1a\n and so on"
WORDS = "A falling curve"
SEND = ("POST", r"/channels/\d+/messages$")
EDIT = ("PATCH", r"/messages/\d+$")
OPEN = ("POST", "/users/@me/channels$")


@pytest.fixture
async def client(server: Discord) -> AsyncIterator[Bot]:
    made = Bot()
    made.http.max_ratelimit_timeout = 30.0
    async with logged_in(server, made):
        yield made


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    (tmp_path / "curve.png").write_bytes(PNG)
    return tmp_path


@pytest.fixture
async def transport(client: Bot, pictures: Path, clock: VirtualClock) -> AsyncIterator[DiscordTransport]:
    made = DiscordTransport(pictures, clock)
    with made.through(client):
        yield made


@pytest.fixture
def channel(server: Discord) -> GuildChannel:
    return server.guild("Study").channel("quiz")


@pytest.fixture
def ann(server: Discord) -> Person:
    return server.person("Ann")


def _id(channel: GuildChannel) -> str:
    return f"discord:#{channel.id}"


def _line(text: str) -> Card:
    return Card((Block(Role.LINE, text),))


def _pictured(card: Card, path: str = "curve.png") -> Card:
    return replace(card, image=Image(path, LocalisedText({NEUTRAL: WORDS})))


async def _error(attempt: Coroutine[Any, Any, object]) -> DeliveryError:
    with pytest.raises(DeliveryError) as caught:
        await attempt
    return caught.value


# Where it goes


async def test_a_question_is_a_message_and_its_closing_an_edit(
    transport: DiscordTransport, channel: GuildChannel
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    assert reference == channel.last.id
    assert "Micro-batches of 4" in channel.last.text
    assert channel.last.buttons == ["A", "B", "C", "D", "Next"]
    await transport.edit(_id(channel), reference, CLOSED)
    (message,) = channel.messages
    assert "Every step adds 4 examples" in message.text
    assert "A" not in message.buttons
    assert message.edits == 1


async def test_a_thread_is_written_to_and_not_its_channel(transport: DiscordTransport, channel: GuildChannel) -> None:
    thread = channel.thread("week 1")
    reference = await transport.send(f"{_id(channel)}/{thread.id}", ASKED, "n")
    await transport.edit(f"{_id(channel)}/{thread.id}", reference, CLOSED)
    assert [message.edits for message in thread.messages] == [1]
    assert not channel.messages


async def test_private_messages_are_called_as_the_person_and_opened_once(
    transport: DiscordTransport, server: Discord, ann: Person
) -> None:
    chat = f"discord:{ann.id}"
    reference = await transport.send(chat, ASKED, "n")
    await transport.edit(chat, reference, CLOSED)
    assert [message.edits for message in ann.direct.messages] == [1]
    assert len(server.calls(*OPEN)) == 1


async def test_no_text_notifies_anybody(transport: DiscordTransport, server: Discord, channel: GuildChannel) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    await transport.edit(_id(channel), reference, CLOSED)
    (sent,), (edited,) = server.calls(*SEND), server.calls(*EDIT)
    assert sent.data["allowed_mentions"] == edited.data["allowed_mentions"] == {"parse": []}


async def test_an_edit_that_changes_nothing_is_a_success(transport: DiscordTransport, channel: GuildChannel) -> None:
    """Field case 34."""
    reference = await transport.send(_id(channel), ASKED, "n")
    await transport.edit(_id(channel), reference, ASKED)
    assert "Micro-batches of 4" in channel.last.text


# Once


async def test_a_message_whose_sending_was_not_heard_of_is_there_once(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.lose(*SEND)
    assert isinstance(await _error(transport.send(_id(channel), ASKED, "7-q0")), UnavailableError)
    reference = await transport.send(_id(channel), ASKED, "7-q0")
    assert [message.id for message in channel.messages] == [reference]
    assert channel.last.edits == 0, "it looks as it should"


async def test_the_message_of_an_earlier_try_comes_to_look_like_the_newer_card(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.lose(*SEND)
    await _error(transport.send(_id(channel), ASKED, "7-q0"))
    reference = await transport.send(_id(channel), CLOSED, "7-q0")
    assert [message.id for message in channel.messages] == [reference]
    assert "Every step adds 4 examples" in channel.last.text


def _other_text(card: Card) -> Card:
    return replace(card, blocks=(*card.blocks, Block(Role.FACT, "4 have answered")))


def _other_label(card: Card) -> Card:
    return _with_first(card, replace(card.all_buttons[0], label="Z"))


def _other_press(card: Card) -> Card:
    return _with_first(card, replace(card.all_buttons[0], press=Browse()))


def _with_first(card: Card, button: Button) -> Card:
    (first, *rest) = card.buttons
    return replace(card, buttons=((button, *first[1:]), *rest))


def _fewer_buttons(card: Card) -> Card:
    return replace(card, buttons=card.buttons[:1])


@pytest.mark.parametrize("change", [_other_text, _other_label, _other_press, _fewer_buttons])
async def test_whatever_is_read_or_said_makes_a_message_another(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, change: Callable[[Card], Card]
) -> None:
    server.lose(*SEND)
    await _error(transport.send(_id(channel), ASKED, "7-q0"))
    await transport.send(_id(channel), change(ASKED), "7-q0")
    assert [message.edits for message in channel.messages] == [1]


async def test_blanks_that_discord_takes_away_make_no_message_another(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.lose(*SEND)
    await _error(transport.send(_id(channel), ASKED, "7-q0"))
    for text in (part for part in walk(channel.last.components) if "content" in part):
        text["content"] = f"{text['content']}\n"
    await transport.send(_id(channel), ASKED, "7-q0")
    assert channel.last.edits == 0


async def test_the_picture_of_an_earlier_try_is_found_again(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.lose(*SEND)
    await _error(transport.send(_id(channel), _pictured(ASKED), "7-q0"))
    reference = await transport.send(_id(channel), _pictured(ASKED), "7-q0")
    assert [f"{message.id}p" for message in channel.messages] == [reference]
    assert channel.last.edits == 0


async def test_posts_are_told_apart_by_nonce_and_by_chat_however_long_the_slot(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    other = channel.guild.channel("other")
    for chat, nonce in ((channel, "7-q0"), (channel, f"8-{'standings' * 9}"), (other, "7-q0")):
        await transport.send(_id(chat), ASKED, nonce)
    nonces = [call.data["nonce"] for call in server.calls(*SEND)]
    assert len(set(nonces)) == 3
    assert max(map(len, nonces)) <= 25
    assert all(call.data["enforce_nonce"] for call in server.calls(*SEND))


async def test_a_countdown_ends_with_its_time(
    transport: DiscordTransport, channel: GuildChannel, clock: VirtualClock
) -> None:
    asked = replace(ASKED, deadline=clock.now() + timedelta(seconds=20))
    reference = await transport.send(_id(channel), asked, "n")
    assert "<t:" in channel.last.markdown
    clock.advance(21)
    await transport.edit(_id(channel), reference, asked)
    assert "<t:" not in channel.last.markdown


# Pictures


async def test_a_picture_stands_in_its_question_and_stays_through_edits(
    transport: DiscordTransport, channel: GuildChannel
) -> None:
    reference = await transport.send(_id(channel), _pictured(ASKED), "n")
    assert reference == f"{channel.last.id}p"
    await transport.edit(_id(channel), reference, _pictured(CLOSED))
    (message,) = channel.messages
    assert message.edits == 1
    assert message.pictures == [("picture.png", WORDS)]
    assert [upload.content for upload in message.files.values()] == [PNG]


async def test_who_cannot_see_a_picture_has_its_words(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    await transport.send(_id(channel), _pictured(ASKED), "n")
    (call,) = server.calls(*SEND)
    assert [each["description"] for each in call.data["attachments"]] == [WORDS]


async def test_a_file_is_called_as_every_app_knows_it(
    transport: DiscordTransport, channel: GuildChannel, pictures: Path
) -> None:
    (pictures / "Мой график.PNG").write_bytes(PNG)
    await transport.send(_id(channel), _pictured(ASKED, "Мой график.PNG"), "n")
    assert channel.last.pictures == [("picture.png", WORDS)]


async def test_a_card_without_a_picture_takes_it_away(transport: DiscordTransport, channel: GuildChannel) -> None:
    reference = await transport.send(_id(channel), _pictured(ASKED), "n")
    await transport.edit(_id(channel), reference, CLOSED)
    assert (channel.last.pictures, channel.last.files) == ([], {})


async def test_a_picture_that_discord_no_longer_finds_is_sent_along_anew(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    reference = await transport.send(_id(channel), _pictured(ASKED), "n")
    server.fail(*EDIT, 400, 50035)
    await transport.edit(_id(channel), reference, _pictured(CLOSED))
    assert channel.last.pictures == [("picture.png", WORDS)]
    assert [upload.content for upload in channel.last.files.values()] == [PNG]
    assert [len(call.files) for call in server.calls(*EDIT)] == [0, 1]


async def test_an_edit_that_fails_for_another_reason_sends_no_picture_along(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    reference = await transport.send(_id(channel), _pictured(ASKED), "n")
    server.fail(*EDIT, 503)
    assert isinstance(await _error(transport.edit(_id(channel), reference, _pictured(CLOSED))), UnavailableError)
    assert len(server.calls(*EDIT)) == 1


async def test_a_refused_edit_sends_no_picture_where_none_was(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    channel.deny("bot", "attach_files")
    reference = await transport.send(_id(channel), _pictured(ASKED), "n")
    server.fail(*EDIT, 400, 50035)
    assert isinstance(await _error(transport.edit(_id(channel), reference, _pictured(CLOSED))), RefusedError)
    assert len(server.calls(*EDIT)) == 1


def _in_words(message: Message) -> bool:
    return f"[{WORDS}]" in message.text and not message.pictures


async def test_a_picture_that_may_not_be_attached_goes_in_words_and_stays_in_words(
    transport: DiscordTransport, channel: GuildChannel
) -> None:
    channel.deny("bot", "attach_files")
    reference = await transport.send(_id(channel), _pictured(ASKED), "n")
    assert reference == channel.last.id
    assert _in_words(channel.last)
    await transport.edit(_id(channel), reference, _pictured(CLOSED))
    assert _in_words(channel.last)
    assert "Every step adds 4 examples" in channel.last.text


@pytest.mark.parametrize(("status", "code"), [(413, 40005), (413, 0), (400, 50035), (400, 50046)])
async def test_a_picture_that_discord_refuses_goes_in_words(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, status: int, code: int
) -> None:
    server.fail(*SEND, status, code)
    await transport.send(_id(channel), _pictured(ASKED), "n")
    assert _in_words(channel.last)


async def test_a_picture_whose_file_is_gone_goes_in_words(transport: DiscordTransport, channel: GuildChannel) -> None:
    await transport.send(_id(channel), _pictured(ASKED, "gone.png"), "n")
    assert _in_words(channel.last)


async def test_a_picture_that_does_not_get_through_twice_goes_in_words(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.drop(*SEND, times=2)
    assert isinstance(await _error(transport.send(_id(channel), _pictured(ASKED), "n")), UnavailableError)
    await transport.send(_id(channel), _pictured(ASKED), "n")
    assert _in_words(channel.last)


async def test_a_picture_that_takes_too_long_is_tried_once_more(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.discord.transport.UPLOAD", 0.05)
    hold = server.hold(*SEND)
    assert isinstance(await _error(transport.send(_id(channel), _pictured(ASKED), "n")), UnavailableError)
    hold.release()
    server.mend()
    monkeypatch.undo()
    await transport.send(_id(channel), _pictured(ASKED), "n")
    assert channel.last.pictures == [("picture.png", WORDS)]


async def test_a_full_channel_does_not_cost_the_picture(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.throttle(*SEND, 40)
    assert isinstance(await _error(transport.send(_id(channel), _pictured(ASKED), "n")), ThrottledError)
    await transport.send(_id(channel), _pictured(ASKED), "n")
    assert channel.last.pictures


# Errors of the ports


REMEDIES: list[tuple[int, int, type[DeliveryError]]] = [
    (404, 10003, ChatGoneError),
    (403, 50001, ChatGoneError),
    (403, 50013, ChatGoneError),
    (404, 10008, MessageGoneError),
    (400, 30046, MessageGoneError),
    (400, 50035, RefusedError),
    (400, 200000, RefusedError),
    (400, 20016, ThrottledError),
    (401, 0, TokenError),
    (503, 0, UnavailableError),
]


@pytest.mark.parametrize(("status", "code", "kind"), REMEDIES, ids=[f"{row[0]}-{row[1]}" for row in REMEDIES])
async def test_what_discord_says_is_told_by_its_remedy(
    transport: DiscordTransport,
    server: Discord,
    channel: GuildChannel,
    status: int,
    code: int,
    kind: type[DeliveryError],
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    server.fail(*SEND, status, code)
    server.fail(*EDIT, status, code)
    assert type(await _error(transport.send(_id(channel), ASKED, "m"))) is kind
    assert type(await _error(transport.edit(_id(channel), reference, CLOSED))) is kind


async def test_what_the_library_would_wait_for_too_long_waits_in_the_outbox(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.throttle(*SEND, 41)
    found = await _error(transport.send(_id(channel), ASKED, "n"))
    assert isinstance(found, ThrottledError)
    assert found.retry_after == timedelta(seconds=41)


async def test_a_page_instead_of_an_answer_is_a_way_that_is_down(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    server.garbage(*SEND, status=503)
    assert isinstance(await _error(transport.send(_id(channel), ASKED, "n")), UnavailableError)


async def test_what_is_gone_is_gone_here_too(
    transport: DiscordTransport, channel: GuildChannel, server: Discord
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    channel.delete_message(channel.last)
    assert isinstance(await _error(transport.edit(_id(channel), reference, CLOSED)), MessageGoneError)
    channel.guild.remove_bot()
    assert isinstance(await _error(transport.send(_id(channel), ASKED, "m")), ChatGoneError)
    other = server.guild("Other").channel("quiz")
    other.delete()
    assert isinstance(await _error(transport.send(_id(other), ASKED, "o")), ChatGoneError)


async def test_ids_that_are_not_ours_are_refused_before_anything_goes_out(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    before = len(server.requests)
    assert isinstance(await _error(transport.send("telegram:-1001", ASKED, "n")), RefusedError)
    for reference in ("", "1x", "q7", "0", "1pp", "9" * 30):
        assert isinstance(await _error(transport.edit(_id(channel), reference, ASKED)), MessageGoneError)
    assert len(server.requests) == before


# Old messages


async def test_a_message_of_more_than_an_hour_is_not_edited_but_sent_anew(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, clock: VirtualClock
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    clock.advance(OLD.total_seconds())
    await transport.edit(_id(channel), reference, CLOSED)
    clock.advance(1)
    assert isinstance(await _error(transport.edit(_id(channel), reference, CLOSED)), MessageGoneError)
    assert len(server.calls(*EDIT)) == 1


async def test_a_counter_on_an_old_message_is_worth_nothing(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, clock: VirtualClock
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    clock.advance(OLD.total_seconds() + 1)
    await transport.edit(_id(channel), reference, CLOSED, lazy=True)
    assert not server.calls(*EDIT)


# Threads


async def test_an_archived_thread_is_opened_again_so_that_its_question_closes(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    thread = channel.thread("week 1")
    chat = f"{_id(channel)}/{thread.id}"
    reference = await transport.send(chat, ASKED, "n")
    thread.change(archived=True)
    await transport.edit(chat, reference, CLOSED)
    assert "Every step adds 4 examples" in thread.last.text
    assert [call.status for call in server.calls("PATCH", "")] == [400, 200, 200]


async def test_a_thread_that_cannot_be_opened_again_is_gone(
    transport: DiscordTransport, server: Discord, channel: GuildChannel
) -> None:
    thread = channel.thread("week 1")
    chat = f"{_id(channel)}/{thread.id}"
    reference = await transport.send(chat, ASKED, "n")
    thread.change(archived=True, locked=True)
    assert isinstance(await _error(transport.edit(chat, reference, CLOSED)), ChatGoneError)
    assert isinstance(await _error(transport.send(chat, ASKED, "m")), ChatGoneError)
    server.fail(*EDIT, 400, 50083, times=2)
    server.fail("PATCH", rf"/channels/{thread.id}$", 403, 50013)
    assert isinstance(await _error(transport.edit(chat, reference, CLOSED)), ChatGoneError)


# Private messages that are closed


async def test_what_could_not_be_said_in_private_is_kept_for_the_next_answer(
    transport: DiscordTransport, ann: Person
) -> None:
    ann.closed = True
    chat = f"discord:{ann.id}"
    assert isinstance(await _error(transport.send(chat, _line("You host no more"), "n")), ChatGoneError)
    assert transport.unheard(chat) == _line("You host no more")
    assert transport.unheard(chat) is None, "it is given away once"


async def test_a_channel_that_is_closed_keeps_nothing_for_anybody(
    transport: DiscordTransport, channel: GuildChannel
) -> None:
    channel.deny("bot", "send_messages")
    await _error(transport.send(_id(channel), ASKED, "n"))
    assert transport.unheard(_id(channel)) is None


async def test_private_messages_with_nobody_are_gone(transport: DiscordTransport, server: Discord) -> None:
    assert isinstance(await _error(transport.send("discord:1", ASKED, "n")), ChatGoneError)


# Shut out


async def test_shut_out_nothing_is_sent_for_a_quarter_of_an_hour(
    transport: DiscordTransport,
    server: Discord,
    channel: GuildChannel,
    clock: VirtualClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    server.ban(*SEND)
    first = await _error(transport.send(_id(channel), ASKED, "m"))
    assert transport.is_silenced()
    clock.advance(60)
    second = await _error(transport.edit(_id(channel), reference, CLOSED))
    third = await _error(transport.send(_id(channel), ASKED, "o"))
    minutes = [
        error.retry_after / timedelta(minutes=1)
        for error in (first, second, third)
        if isinstance(error, ThrottledError)
    ]
    assert minutes == [15, 14, 14]
    await transport.say(Channel(int(channel.id)), _line("hello"))
    assert len(server.calls(*SEND)) == 2
    assert not server.calls(*EDIT)
    assert [record.levelno for record in caplog.records if record.name.endswith("silence")] == [logging.ERROR]
    clock.advance(14 * 60)
    assert not transport.is_silenced()
    await transport.send(_id(channel), ASKED, "m")
    assert len(channel.messages) == 2


async def test_shut_out_at_two_doors_it_is_said_once_and_lasts_no_longer(
    transport: DiscordTransport,
    server: Discord,
    channel: GuildChannel,
    clock: VirtualClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    other = channel.guild.channel("other")
    # It need not say for how long.
    server.faults.plan(*SEND, Refusal(429, "<html>error code: 1015</html>", via=False), 2)
    with server.hold("POST", f"/channels/{other.id}/") as hold:
        late = asyncio.create_task(_error(transport.send(_id(other), ASKED, "n")))
        await hold.reached()
        first = await _error(transport.send(_id(channel), ASKED, "n"))
        clock.advance(60)
    minutes = [
        error.retry_after / timedelta(minutes=1) for error in (first, await late) if isinstance(error, ThrottledError)
    ]
    assert minutes == [15, 14]
    assert len(caplog.records) == 1


async def test_an_answer_that_is_shut_out_silences_posts_as_well(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, client: Bot
) -> None:
    server.ban("GET", "/users/")
    with pytest.raises(Exception, match="1015") as caught:
        await client.fetch_user(1)
    transport.heed(caught.value)
    assert transport.is_silenced()
    assert isinstance(await _error(transport.send(_id(channel), ASKED, "n")), ThrottledError)


async def test_other_errors_silence_nothing(transport: DiscordTransport) -> None:
    transport.heed(TimeoutError())
    assert not transport.is_silenced()


async def test_what_is_forbidden_by_a_number_that_nobody_knows_is_noted_and_ends_nothing(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail(*SEND, 403, 99999, "Not on a Tuesday")
    assert type(await _error(transport.send(_id(channel), ASKED, "n"))) is UnavailableError
    (line,) = caplog.messages
    assert "Not on a Tuesday" in line
    assert f"discord:#{channel.id}" in line


# Counters


async def test_a_counter_waits_while_another_request_is_under_way(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, clock: VirtualClock
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    clock.advance(5)
    with server.hold(*SEND) as hold:
        sending = asyncio.create_task(transport.send(_id(channel), ASKED, "m"))
        await hold.reached()
        found = await _error(transport.edit(_id(channel), reference, ASKED, lazy=True))
    await sending
    assert isinstance(found, PostponedError)
    assert found.retry_after == timedelta(seconds=1)


async def test_counters_leave_room_for_the_closing_and_the_next_question(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, clock: VirtualClock
) -> None:
    reference = await transport.send(_id(channel), ASKED, "n")
    await transport.edit(_id(channel), reference, ASKED, lazy=True)
    assert isinstance(await _error(transport.edit(_id(channel), reference, ASKED, lazy=True)), PostponedError)
    await transport.edit(_id(channel), reference, CLOSED)
    await transport.send(_id(channel), ASKED, "m")
    clock.advance(5)
    await transport.edit(_id(channel), reference, ASKED, lazy=True)
    assert len(server.calls(*EDIT)) == 3


async def test_a_counter_in_one_channel_minds_no_other(transport: DiscordTransport, channel: GuildChannel) -> None:
    other = channel.guild.channel("other")
    reference = await transport.send(_id(other), ASKED, "n")
    for number in range(4):
        await transport.send(_id(channel), ASKED, str(number))
    await transport.edit(_id(other), reference, CLOSED, lazy=True)
    assert other.last.edits == 1


# All channels together


async def test_all_channels_together_stay_below_what_discord_refuses(
    transport: DiscordTransport, server: Discord, channel: GuildChannel, clock: VirtualClock
) -> None:
    places = budget.ALL.places
    channels = [channel.guild.channel(f"c{number}") for number in range(places + 5)]
    sends = [asyncio.create_task(transport.send(_id(each), _line("x"), "n")) for each in channels]
    await server.called(*SEND, places)
    assert places < 50
    assert len(server.calls(*SEND)) == places
    clock.advance(1)
    await asyncio.gather(*sends)
    assert len(server.calls(*SEND)) == places + 5


async def test_who_waits_when_the_connection_ends_is_told(
    client: Bot, server: Discord, channel: GuildChannel, pictures: Path, clock: VirtualClock
) -> None:
    transport = DiscordTransport(pictures, clock)
    places = budget.ALL.places
    channels = [channel.guild.channel(f"c{number}") for number in range(places + 1)]
    with transport.through(client):
        sends = [asyncio.create_task(transport.send(_id(each), _line("x"), "n")) for each in channels]
        await server.called(*SEND, places)
    ends = await asyncio.gather(*sends, return_exceptions=True)
    assert [type(end) for end in ends if not isinstance(end, str)] == [UnavailableError]


# The connection


async def test_without_a_client_the_way_is_down(
    client: Bot, channel: GuildChannel, pictures: Path, clock: VirtualClock
) -> None:
    transport = DiscordTransport(pictures, clock)
    assert isinstance(await _error(transport.send(_id(channel), ASKED, "n")), UnavailableError)
    with transport.through(client):
        reference = await transport.send(_id(channel), ASKED, "n")
    assert isinstance(await _error(transport.edit(_id(channel), reference, CLOSED)), UnavailableError)


async def test_a_fresh_client_takes_over_before_the_old_one_has_left(
    client: Bot, channel: GuildChannel, pictures: Path, clock: VirtualClock
) -> None:
    transport = DiscordTransport(pictures, clock)
    old = transport.through(Bot())
    with old:
        fresh = transport.through(client)
        fresh.__enter__()
    await transport.send(_id(channel), ASKED, "n")
    fresh.__exit__(None, None, None)
    assert channel.messages


async def test_with_a_closed_client_the_way_is_down(
    transport: DiscordTransport, client: Bot, server: Discord, channel: GuildChannel
) -> None:
    await client.close()
    assert isinstance(await _error(transport.send(_id(channel), ASKED, "n")), UnavailableError)


async def test_a_client_that_is_closed_under_a_request_takes_nothing_else_along(
    transport: DiscordTransport, client: Bot, server: Discord, channel: GuildChannel
) -> None:
    with server.hold(*SEND) as hold:
        sending = asyncio.create_task(transport.send(_id(channel), ASKED, "n"))
        await hold.reached()
        # The next in line finds the session closed.
        waiting = asyncio.create_task(transport.send(_id(channel), ASKED, "m"))
        await asyncio.sleep(0)
        await client.close()
        hold.release()
        ends = await asyncio.gather(sending, waiting, return_exceptions=True)
    assert {type(end) for end in ends if not isinstance(end, str)} <= {UnavailableError}
    assert isinstance(ends[1], UnavailableError)


async def test_a_fault_of_our_own_is_not_taken_for_one_of_the_connection(
    server: Discord, pictures: Path, clock: VirtualClock
) -> None:
    class Faulty(Bot):
        async def create_dm(self, user: discord.abc.Snowflake) -> discord.DMChannel:
            raise RuntimeError("a fault of our own")

    transport = DiscordTransport(pictures, clock)
    with transport.through(Faulty()), pytest.raises(RuntimeError, match="our own"):
        await transport.send("discord:1", ASKED, "n")


# What nobody has to get


async def test_a_greeting_is_said_where_it_can_be(
    transport: DiscordTransport, channel: GuildChannel, ann: Person
) -> None:
    await transport.say(Channel(int(channel.id)), _line("Hello"))
    await transport.say(Private(int(ann.id)), _pictured(_line("Hello")))
    assert channel.last.text == "Hello"
    assert _in_words(ann.direct.last)


async def test_a_greeting_that_cannot_be_said_is_noted(
    transport: DiscordTransport, channel: GuildChannel, caplog: pytest.LogCaptureFixture
) -> None:
    channel.deny("bot", "send_messages")
    await transport.say(Channel(int(channel.id)), _line("Hello"))
    (record,) = caplog.records
    assert f"did not reach {_id(channel)}" in record.getMessage()
    assert "50013" in record.getMessage()


async def test_what_is_said_without_a_connection_is_noted(
    pictures: Path, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    await DiscordTransport(pictures, clock).say(Private(1), _line("Hello"))
    assert "no connection" in caplog.text
