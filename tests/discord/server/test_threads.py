"""Threads: begun by the bot or by people, archived, locked, and what the bot may do in them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord.server import Discord, GuildChannel, Kind, Thread
from tests.discord.server.raw import Raw


@pytest.fixture
def channel(server: Discord) -> GuildChannel:
    return server.guild("Study").channel("quiz")


async def begun(raw: Raw, server: Discord, channel: GuildChannel) -> Thread:
    body = {"name": "Quiz", "type": 11, "auto_archive_duration": 60}
    told = await raw.result("POST", f"/channels/{channel.id}/threads", body)
    thread = server.world.channels[told["id"]]
    assert isinstance(thread, Thread)
    return thread


async def test_the_bot_begins_a_thread_and_writes_in_it(raw: Raw, server: Discord, channel: GuildChannel) -> None:
    thread = await begun(raw, server, channel)
    await raw.result("POST", f"/channels/{thread.id}/messages", {"content": "hello"})
    assert (thread.name, thread.parent, thread.duration, thread.last.text) == ("Quiz", channel, 60, "hello")


@pytest.mark.parametrize("missing", ["create_public_threads", "view_channel"])
async def test_a_thread_needs_its_permission(raw: Raw, channel: GuildChannel, missing: str) -> None:
    channel.deny("bot", missing)
    refused = await raw.refusal("POST", f"/channels/{channel.id}/threads", {"name": "Quiz", "type": 11})
    assert refused == ((403, 50013) if missing == "create_public_threads" else (403, 50001))


async def test_writing_needs_the_right_for_threads_and_not_that_for_channels(
    raw: Raw, server: Discord, channel: GuildChannel
) -> None:
    thread = await begun(raw, server, channel)
    channel.deny("bot", "send_messages")
    assert await raw.refusal("POST", f"/channels/{channel.id}/messages", {"content": "x"}) == (403, 50013)
    await raw.result("POST", f"/channels/{thread.id}/messages", {"content": "x"})
    channel.deny("bot", "send_messages_in_threads")
    channel.allow("bot", "send_messages")
    await raw.result("POST", f"/channels/{channel.id}/messages", {"content": "x"})
    assert await raw.refusal("POST", f"/channels/{thread.id}/messages", {"content": "x"}) == (403, 50013)


async def test_an_archived_thread_is_opened_by_writing_but_not_by_editing(
    raw: Raw, server: Discord, channel: GuildChannel
) -> None:
    thread = channel.thread("Week 1")
    said = await raw.result("POST", f"/channels/{thread.id}/messages", {"content": "x"})
    address, change = f"/channels/{thread.id}/messages/{said['id']}", {"content": "y"}
    thread.change(archived=True)
    assert await raw.refusal("PATCH", address, change) == (400, 50083)
    await raw.result("PATCH", f"/channels/{thread.id}", {"archived": False})
    await raw.result("PATCH", address, change)
    thread.change(archived=True)
    await raw.result("POST", f"/channels/{thread.id}/messages", {"content": "z"})
    assert not thread.archived


async def test_a_locked_thread_is_for_those_who_manage_threads(
    raw: Raw, server: Discord, channel: GuildChannel
) -> None:
    thread = channel.thread("Week 1")
    thread.change(archived=True, locked=True)
    sent: dict[str, Any] = {"content": "x"}
    assert await raw.refusal("POST", f"/channels/{thread.id}/messages", sent) == (400, 160005)
    assert await raw.refusal("PATCH", f"/channels/{thread.id}", {"archived": False}) == (403, 50013)
    channel.guild.entrust("manage_threads")
    await raw.result("PATCH", f"/channels/{thread.id}", {"archived": False, "locked": False})
    await raw.result("POST", f"/channels/{thread.id}/messages", sent)


async def test_a_thread_of_its_own_is_not_the_bots_to_open_once_it_is_locked(
    raw: Raw, server: Discord, channel: GuildChannel
) -> None:
    thread = await begun(raw, server, channel)
    await raw.result("PATCH", f"/channels/{thread.id}", {"archived": True})
    thread.change(locked=True)
    assert await raw.refusal("PATCH", f"/channels/{thread.id}", {"archived": False}) == (403, 50013)


async def test_a_private_thread_is_out_of_reach_until_the_bot_is_brought_in(raw: Raw, channel: GuildChannel) -> None:
    thread = channel.thread("Among us", private=True)
    address, sent = f"/channels/{thread.id}/messages", {"content": "x"}
    assert await raw.refusal("POST", address, sent) == (403, 50001)
    channel.guild.entrust("manage_threads")
    await raw.result("POST", address, sent)
    other = channel.guild.channel("other").thread("Among others", private=True)
    other.bring_bot()
    await raw.result("POST", f"/channels/{other.id}/messages", sent)


async def test_a_forum_takes_no_messages_but_its_posts_do(raw: Raw, channel: GuildChannel) -> None:
    forum = channel.guild.channel("ask", Kind.FORUM)
    assert await raw.refusal("POST", f"/channels/{forum.id}/messages", {"content": "x"}) == (403, 50013)
    post = forum.thread("How?")
    await raw.result("POST", f"/channels/{post.id}/messages", {"content": "x"})
