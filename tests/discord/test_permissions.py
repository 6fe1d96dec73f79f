"""Threads for sessions: where one can be made, and what comes of it where it cannot."""

from __future__ import annotations

import discord
import pytest

from adapters.discord.permissions import LEAST, PATIENCE, thread_opener
from tests.discord.payloads import EVERYTHING, client
from tests.discord.server import Discord, Kind
from tests.discord.server.plain import connected

NEEDED = discord.Permissions(create_public_threads=True, send_messages_in_threads=True)


async def channel_of(server: Discord, among: discord.Client, kind: Kind = Kind.TEXT) -> discord.abc.GuildChannel:
    made = server.guild("Study").channel("quiz", kind)
    await server.gateway.heard()
    found = among.get_channel(int(made.id))
    assert isinstance(found, discord.abc.GuildChannel)
    return found


async def test_a_thread_is_open_to_all_and_called_as_wanted(server: Discord) -> None:
    async with connected(server, client()) as bot:
        channel = await channel_of(server, bot)
        opened = thread_opener(channel, NEEDED)
        assert opened is not None
        chat = await opened("Gradient checkpointing")
        (thread,) = server.world.guilds[0].threads
        assert chat == f"discord:#{channel.id}/{thread.id}"
        assert thread.name == "Gradient checkpointing"
        (asked,) = server.calls("POST", "/threads$")
        assert (asked.data["type"], asked.data["auto_archive_duration"]) == (11, 1440)


async def test_in_an_announcement_channel_a_thread_is_one_of_announcements(server: Discord) -> None:
    async with connected(server, client()) as bot:
        opened = thread_opener(await channel_of(server, bot, Kind.NEWS), NEEDED)
        assert opened is not None
        server.fail("POST", "/threads$", 400, 160006)
        await opened("Threads")
    (asked,) = server.calls("POST", "/threads$")
    assert asked.data["type"] == 10


async def test_a_long_title_is_cut_to_what_a_thread_can_be_called(server: Discord) -> None:
    async with connected(server, client()) as bot:
        opened = thread_opener(await channel_of(server, bot), NEEDED)
        assert opened is not None
        await opened("word " * 30)
        (thread,) = server.world.guilds[0].threads
        assert len(thread.name) <= 100
        assert thread.name.endswith("word…")


async def test_where_discord_refuses_it_there_is_no_thread(server: Discord, caplog: pytest.LogCaptureFixture) -> None:
    async with connected(server, client()) as bot:
        channel = await channel_of(server, bot)
        server.fail("POST", "/threads$", 400, 160006, "Maximum number of active threads reached")
        opened = thread_opener(channel, NEEDED)
        assert opened is not None
        assert await opened("Threads") is None
    assert f"no thread could be made in discord:#{channel.id}" in caplog.text


async def test_whoever_has_waited_for_something_else_waits_so_much_less_for_the_thread(
    server: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with connected(server, client()) as bot:
        channel = await channel_of(server, bot)
        for waited, made in ((PATIENCE - LEAST, True), (PATIENCE - LEAST + 0.01, False), (60.0, False)):
            times = iter((100.0, 100.0 + waited))
            opened = thread_opener(channel, NEEDED, lambda times=times: next(times))  # type: ignore[misc]
            assert opened is not None
            assert (await opened("Threads") is not None) is made
    assert len(server.calls("POST", "/threads$")) == 1
    assert "too little time was left" in caplog.text


async def test_there_are_no_threads_in_other_places(server: Discord) -> None:
    async with connected(server, client()) as bot:
        for kind in (Kind.VOICE, Kind.FORUM):
            assert thread_opener(await channel_of(server, bot, kind), NEEDED) is None
    assert thread_opener(None, NEEDED) is None


async def test_the_bot_needs_the_right_to_make_threads_and_to_write_in_them(server: Discord) -> None:
    async with connected(server, client()) as bot:
        channel = await channel_of(server, bot)
        assert thread_opener(channel, discord.Permissions(create_public_threads=True)) is None
        assert thread_opener(channel, discord.Permissions(send_messages_in_threads=True)) is None
        assert thread_opener(channel, discord.Permissions(administrator=True)) is not None
        assert thread_opener(channel, EVERYTHING) is not None
