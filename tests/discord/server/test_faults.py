"""What is made to go wrong goes wrong as often as was wanted, and the library sees it as it sees Discord's own."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from tests.discord.server import Discord, GuildChannel
from tests.discord.server.plain import Bot, logged_in
from tests.discord.server.raw import Raw

SEND = ("POST", "/messages$")


@pytest.fixture
def channel(server: Discord) -> GuildChannel:
    return server.guild("Study").channel("quiz")


async def say(raw: Raw, channel: GuildChannel, text: str = "x") -> int:
    status, _ = await raw("POST", f"/channels/{channel.id}/messages", {"content": text})
    return status


async def test_a_refused_request_is_not_carried_out(raw: Raw, server: Discord, channel: GuildChannel) -> None:
    server.fail(*SEND, 403, 50013, "Missing Permissions", times=2)
    assert [await say(raw, channel) for _ in range(3)] == [403, 403, 200]
    assert (len(channel.messages), len(server.calls(*SEND))) == (1, 3)


async def test_a_fault_meets_only_the_requests_it_was_made_for(
    raw: Raw, server: Discord, channel: GuildChannel
) -> None:
    other = channel.guild.channel("other")
    server.fail("POST", f"/channels/{channel.id}/messages", 503)
    server.fail("PATCH", "", 503)
    assert [await say(raw, other), await say(raw, channel), await say(raw, channel)] == [200, 503, 200]
    server.mend()
    await raw.result("PATCH", f"/channels/{channel.id}/messages/{channel.last.id}", {"content": "y"})


async def test_a_lost_answer_was_carried_out_and_a_dropped_request_was_not(
    raw: Raw, server: Discord, channel: GuildChannel
) -> None:
    server.drop(*SEND)
    server.lose(*SEND)
    for _ in range(2):
        with pytest.raises(aiohttp.ClientError):
            await say(raw, channel)
    assert [message.text for message in channel.messages] == ["x"]
    assert [call.lost for call in server.calls(*SEND)] == [True, True]


async def test_held_requests_wait_before_or_after_they_are_carried_out(
    raw: Raw, server: Discord, channel: GuildChannel
) -> None:
    with server.hold(*SEND) as hold:
        waiting = asyncio.create_task(say(raw, channel))
        await hold.reached()
        assert channel.messages == []
    assert await waiting == 200
    server.mend()
    with server.hold(*SEND, answer_only=True) as hold:
        waiting = asyncio.create_task(say(raw, channel))
        await hold.reached()
        assert len(channel.messages) == 2
        assert server.faults.waiting == 1
    assert await waiting == 200


async def test_a_page_in_place_of_an_answer_is_no_json(raw: Raw, server: Discord, channel: GuildChannel) -> None:
    server.garbage(*SEND)
    status, page = await raw("POST", f"/channels/{channel.id}/messages", {"content": "x"})
    assert (status, "502 Bad Gateway" in page) == (502, True)


async def test_the_library_waits_as_it_is_told_and_gives_up_where_that_is_long(
    server: Discord, channel: GuildChannel
) -> None:
    async with logged_in(server, bot := Bot()):
        bot.http.max_ratelimit_timeout = 30
        where = bot.get_partial_messageable(int(channel.id))
        server.throttle(*SEND, 0.001)
        await where.send("after a while")
        server.throttle(*SEND, 31)
        with pytest.raises(discord.RateLimited):
            await where.send("never")
    assert [call.status for call in server.calls(*SEND)] == [429, 200, 429]


async def test_the_doorkeeper_is_known_by_what_it_does_not_say(server: Discord, channel: GuildChannel) -> None:
    async with logged_in(server, bot := Bot()):
        server.ban(*SEND)
        with pytest.raises(discord.HTTPException) as banned:
            await bot.get_partial_messageable(int(channel.id)).send("hello")
    assert (banned.value.status, banned.value.response.headers.get("Via")) == (429, None)


async def test_what_is_not_allowed_fails_the_test_that_sent_it() -> None:
    with pytest.raises(AssertionError, match="does not allow"):
        await _send_too_much()


async def _send_too_much() -> None:
    async with Discord() as server, logged_in(server, bot := Bot()):
        channel = server.guild("Study").channel("quiz")
        with pytest.raises(discord.HTTPException, match="50035"):
            await bot.get_partial_messageable(int(channel.id)).send("x" * 2001)


async def test_nobody_comes_in_without_the_token(raw: Raw, server: Discord) -> None:
    status, _ = await raw("GET", "/users/@me", headers={"Authorization": "Bot other"})
    assert status == 401
    assert (await raw("GET", "/nothing"))[0] == 404
