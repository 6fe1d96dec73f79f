"""What becomes of guilds, channels and threads: a greeting, and the end of what ran there."""

from __future__ import annotations

import pytest

from bot.desk import Answer, Show
from bot.ports import StoreError
from tests.clock import VirtualClock
from tests.discord.server import Discord, Guild
from tests.discord.talking import Clerk, card, channel_of, talking


def invite(guild: Guild) -> None:
    """Somebody adds the bot: unlike of those it is in already, Discord does not say whether such a guild is there."""
    guild.has_bot = True
    guild.tell("GUILD_CREATE", {name: value for name, value in guild.json().items() if name != "unavailable"})


# What becomes of places


async def test_the_bot_says_hello_where_newcomers_are_announced(server: Discord, clock: VirtualClock) -> None:
    guild = server.guild("New", server.person("Ann"), bot=False, locale="bg")
    guild.channel("rules").deny("bot", "send_messages")
    hall = guild.channel("hall")
    async with talking(server, clock, Clerk(Answer(card("Hello!"), Show.HERE))) as talk:
        invite(guild)
        message = await hall.shows("Hello!")
        assert message.buttons == []
        (request,) = talk.clerk.requests
        assert (request.chat, request.locale, request.private) == (f"discord:#{hall.id}", "bg", False)
        assert not await request.is_moderator()


async def test_the_language_of_a_guild_that_chose_none_is_nobodys(server: Discord, clock: VirtualClock) -> None:
    guild = server.guild("New", bot=False)
    guild.channel("rules")
    guild.system_channel = hall = guild.channel("hall")
    async with talking(server, clock, Clerk(Answer(card("Hello!"), Show.HERE))) as talk:
        invite(guild)
        await hall.shows("Hello!")
        assert talk.clerk.requests[0].locale is None


async def test_where_it_may_write_nowhere_the_bot_says_nothing(server: Discord, clock: VirtualClock) -> None:
    guild = server.guild("Silent", bot=False)
    guild.channel("rules").deny("everyone", "send_messages")
    async with talking(server, clock) as talk:
        invite(guild)
        await server.gateway.heard()
        assert talk.clerk.asked == []


async def test_channels_and_threads_that_are_gone_are_lost(server: Discord, clock: VirtualClock) -> None:
    here, _ = channel_of(server)
    thread = here.thread("Colours")
    async with talking(server, clock) as talk:
        thread.delete()
        await server.gateway.heard()
        here.delete()
        await server.gateway.heard()
        await talk.comes(lambda: len(talk.clerk.asked) == 2)
        assert talk.clerk.asked == [("lost", f"discord:#{here.id}/{thread.id}"), ("lost", f"discord:#{here.id}")]


async def test_a_guild_that_is_left_is_lost_with_all_its_channels(server: Discord, clock: VirtualClock) -> None:
    here, _ = channel_of(server)
    other = here.guild.channel("other")
    async with talking(server, clock) as talk:
        here.guild.remove_bot()
        await talk.comes(lambda: len(talk.clerk.asked) == 2)
        assert set(talk.clerk.asked) == {("lost", f"discord:#{here.id}"), ("lost", f"discord:#{other.id}")}


async def test_one_channel_that_fails_keeps_no_other_from_being_lost(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    here, _ = channel_of(server)
    here.guild.channel("other")
    async with talking(server, clock, Clerk(fault=StoreError("the disk is full"))) as talk:
        here.guild.remove_bot()
        await talk.comes(lambda: caplog.text.count("the disk is full") >= 2)
        assert len(talk.clerk.asked) == 2


async def test_a_guild_that_is_out_of_order_for_a_while_is_not_lost(server: Discord, clock: VirtualClock) -> None:
    here, ann = channel_of(server)
    async with talking(server, clock) as talk:
        here.guild.fail()
        await server.gateway.heard()
        here.guild.recover()
        await ann.slash(here, "stop")
        assert [what for what, *_ in talk.clerk.asked] == ["command"]


async def test_a_store_that_is_away_while_a_channel_goes_is_noted(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    here, _ = channel_of(server)
    async with talking(server, clock, Clerk(fault=StoreError("the disk is full"))) as talk:
        here.delete()
        await talk.comes(lambda: "the disk is full" in caplog.text)
