"""The gateway: sessions begin, are cut, resume or not, and every client hears what it is meant to hear."""

from __future__ import annotations

import aiohttp
import discord
import pytest

from tests.discord.server import Discord, GuildChannel
from tests.discord.server.gateway import Session
from tests.discord.server.plain import Bot, addressed, connected


class Shards(discord.AutoShardedClient):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.heard: list[discord.Interaction] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """As for `Bot`."""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.heard.append(interaction)


@pytest.fixture
def channel(server: Discord) -> GuildChannel:
    return server.guild("Study").channel("quiz")


def told(session: Session) -> list[str]:
    """The channels that the session's interactions came from."""
    return [data["channel_id"] for _, event, data in session.sent if event == "INTERACTION_CREATE"]


async def resumed(server: Discord, times: int = 1) -> None:
    await server.until(lambda: server.gateway.resumed >= times, "nobody resumed")
    await server.gateway.ready()


async def identified(server: Discord, times: int) -> None:
    await server.until(lambda: server.gateway.identified >= times, f"identified {server.gateway.identified} times")
    await server.gateway.ready()


async def test_what_was_missed_is_replayed_in_order_when_a_client_resumes(
    server: Discord, channel: GuildChannel
) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot()):
        server.gateway.drop()
        missed = [ann.forge_command(channel, name) for name in ("one", "two", "three")]
        await resumed(server)
    assert [heard.id for heard in bot.heard] == [int(each.id) for each in missed]
    assert bot.events[-4:] == ["INTERACTION_CREATE"] * 3 + ["RESUMED"]
    assert server.gateway.identified == 1


@pytest.mark.parametrize("resumable", [True, False])
async def test_an_invalid_session_is_resumed_only_if_it_may_be(
    server: Discord, channel: GuildChannel, *, resumable: bool
) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot()):
        server.gateway.invalidate(resumable=resumable)
        if resumable:
            await resumed(server)
        else:
            await identified(server, 2)
        ann.forge_command(channel, "after")
        await server.gateway.heard()
    assert (server.gateway.identified, server.gateway.resumed) == ((1, 1) if resumable else (2, 0))
    assert len(bot.heard) == 1


async def test_a_client_that_is_asked_to_reconnect_resumes(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot()):
        server.gateway.ask_to_reconnect()
        await resumed(server)
        ann.forge_command(channel, "after")
        await server.gateway.heard()
    assert len(bot.heard) == 1


async def test_a_session_that_cannot_be_resumed_begins_anew(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot()):
        server.gateway.drop(resumable=False)
        await identified(server, 2)
        ann.forge_command(channel, "after")
        await server.gateway.heard()
    assert len(bot.heard) == 1


async def test_a_handshake_is_refused_as_often_as_wanted(server: Discord) -> None:
    server.gateway.refuse(status=502)
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="502"):
            await session.ws_connect(server.gateway_url)
        async with session.ws_connect(server.gateway_url) as socket:
            assert (await socket.receive_json())["op"] == 10


@pytest.mark.parametrize("code", [4004, 4013, 4014])
async def test_a_close_code_for_good_ends_the_client(server: Discord, code: int) -> None:
    server.gateway.close_identified(code)
    expected = discord.PrivilegedIntentsRequired if code == 4014 else discord.ConnectionClosed
    with pytest.raises(expected):
        async with connected(server, Bot()):
            raise AssertionError("it connected")


async def test_privileged_intents_are_only_for_those_that_have_them(server: Discord) -> None:
    intents = discord.Intents(guilds=True, message_content=True)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with connected(server, Bot(intents=intents)):
            raise AssertionError("it connected")
    server.gateway.allowed.add("message_content")
    async with connected(server, Bot(intents=intents)):
        assert server.gateway.identified == 1


async def test_a_wrong_token_is_refused_everywhere(server: Discord) -> None:
    with addressed(server):
        bot = Bot()
        try:
            with pytest.raises(discord.LoginFailure):
                await bot.login("wrong.token.here")
        finally:
            await bot.close()


async def test_guilds_come_to_their_shards_and_private_messages_to_the_first(server: Discord) -> None:
    server.gateway.shards = 2
    ann = server.person("Ann")
    channels = [server.guild(f"G{number}").channel() for number in range(4)]
    async with connected(server, bot := Shards(), sessions=2):
        for place in (*channels, ann.direct):
            ann.forge_command(place, "quiz")
        await server.gateway.heard()
        assert sorted(guild.shard_id for guild in bot.guilds) == [0, 0, 1, 1]
        assert len(bot.shards) == 2
        asked = {session.shard: told(session) for session in server.gateway.connected}
    assert len(bot.heard) == 5
    assert [len(asked[shard]) for shard in (0, 1)] == [3, 2]
    assert ann.direct.id in asked[0]


async def test_two_programs_with_one_token_both_hear_everything(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann")
    async with connected(server, one := Bot()), connected(server, two := Bot()):
        asked = ann.forge_command(channel, "quiz")
        await server.gateway.heard()
        await one.heard[0].response.send_message("mine", ephemeral=True)
        with pytest.raises(discord.HTTPException) as taken:
            await two.heard[0].response.send_message("mine as well", ephemeral=True)
    assert (asked.text, taken.value.code) == ("mine", 40060)


async def test_a_guild_comes_goes_and_is_out_for_a_while(server: Discord) -> None:
    async with connected(server, bot := Bot()):
        guild = server.guild("Later", bot=False)
        channel = guild.channel("quiz")
        await server.gateway.heard()
        assert not bot.guilds
        guild.invite_bot()
        await server.gateway.heard()
        assert [found.name for found in bot.get_guild(int(guild.id)).text_channels] == ["quiz"]  # type: ignore[union-attr]
        channel.deny("bot", "send_messages")
        await server.gateway.heard()
        known = bot.get_channel(int(channel.id))
        assert isinstance(known, discord.TextChannel)
        assert not known.permissions_for(known.guild.me).send_messages
        guild.fail()
        await server.gateway.heard()
        assert bot.get_guild(int(guild.id)).unavailable  # type: ignore[union-attr]
        guild.recover()
        guild.remove_bot()
        await server.gateway.heard()
        assert bot.get_guild(int(guild.id)) is None
        with pytest.raises(discord.Forbidden) as gone:
            await bot.get_partial_messageable(int(channel.id)).send("hello")
    assert gone.value.code == 50001
    assert [event for event in bot.events if event.startswith("GUILD")] == [
        "GUILD_CREATE",
        "GUILD_DELETE",
        "GUILD_CREATE",
        "GUILD_DELETE",
    ]


async def test_channels_and_threads_come_change_and_go(server: Discord, channel: GuildChannel) -> None:
    async with connected(server, bot := Bot()):
        thread = channel.thread("Week 1")
        thread.change(archived=True)
        thread.delete()
        other = channel.thread("Week 2")
        channel.delete()
        await server.gateway.heard()
        for gone in (thread, other, channel):
            with pytest.raises(discord.NotFound) as missing:
                await bot.get_partial_messageable(int(gone.id)).send("hello")
            assert missing.value.code == 10003
    assert bot.events[-5:] == ["THREAD_CREATE", "THREAD_UPDATE", "THREAD_DELETE", "THREAD_CREATE", "CHANNEL_DELETE"]


async def test_a_client_without_guilds_hears_only_interactions(server: Discord, channel: GuildChannel) -> None:
    ann = server.person("Ann")
    async with connected(server, bot := Bot(intents=discord.Intents.none())):
        channel.thread("Week 1")
        ann.forge_command(channel, "quiz")
        await server.gateway.heard()
    assert bot.events == ["READY", "INTERACTION_CREATE"]
