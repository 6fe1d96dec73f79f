"""The connection: what it wants to know, where it leads, and that nothing which comes in ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import pytest
from aiohttp import web
from discord.http import Route

from adapters.discord import client as module
from adapters.discord.client import QuizbotClient, pointed_to, proxy_of_environment
from bot.desk import Answer
from tests.clock import VirtualClock
from tests.discord.playing import without_waiting
from tests.discord.server import Discord
from tests.discord.server.plain import addressed, connected
from tests.discord.talking import Clerk, card, comes, study, talking
from tests.discord.test_guilds import invite

OUR_OWN = "wss://elsewhere.invalid/gateway"


async def test_it_asks_for_guilds_alone_and_keeps_nobody_in_mind() -> None:
    client = QuizbotClient()
    assert client.intents == discord.Intents(guilds=True)
    assert client._connection.member_cache_flags == discord.MemberCacheFlags.none()
    assert client._connection._messages is None
    assert client.allowed_mentions is not None
    assert client.allowed_mentions.to_dict()["parse"] == []


async def test_when_it_is_there_the_log_says_how_to_add_it_to_a_server(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    study(server, "Ann")
    with caplog.at_level("INFO", "adapters"):
        async with talking(server, clock):
            await comes(lambda: "in 1 servers; add it to a server: https://discord.com/oauth2/" in caplog.text)


def test_nobody_is_warned_of_what_is_missing_for_voices(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for warning in ("warn_nacl", "warn_dave"):
        monkeypatch.setattr(discord.VoiceClient, warning, True)
    QuizbotClient()
    assert caplog.text == ""


async def test_what_the_library_cannot_read_is_passed_over(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    here = study(server, "Ann")
    async with talking(server, clock, Clerk(Answer(card("OK")))):
        for event in ("INTERACTION_CREATE", "GUILD_CREATE", "THREAD_DELETE", "CHANNEL_UPDATE"):
            server.gateway.tell(event, {"id": "not a number"})
        server.gateway.tell("SOMETHING_NEW", {})
        assert (await server.world.people[0].slash(here, "help")).text == "OK"
    assert caplog.text.count("cannot be read and is passed over") == 4


async def test_what_a_handler_stumbles_over_ends_nothing_else(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    here = study(server, "Ann")
    ann = server.world.people[0]
    guild = server.guild("New", bot=False)
    guild.channel("hall")
    async with talking(server, clock, Clerk(Answer(card("OK")), fault=ValueError("a bug"))) as talk:
        invite(guild)
        await talk.comes(lambda: "on_guild_join failed" in caplog.text)
        talk.clerk.fault = None
        assert (await ann.slash(here, "help")).text == "OK"


async def test_what_was_pressed_while_the_connection_was_down_is_answered_after_a_resume(
    server: Discord, clock: VirtualClock
) -> None:
    here = study(server, "Ann")
    async with talking(server, clock, Clerk(Answer(card("OK")))):
        server.gateway.drop()
        assert (await server.world.people[0].slash(here, "help")).text == "OK"
        assert (server.gateway.resumed, server.gateway.identified) == (1, 1)


async def test_after_an_invalid_session_it_begins_anew(server: Discord, clock: VirtualClock) -> None:
    here = study(server, "Ann")
    with without_waiting():
        async with talking(server, clock, Clerk(Answer(card("OK")))):
            server.gateway.invalidate()
            await server.until(lambda: server.gateway.identified == 2)
            await server.gateway.ready()
            assert (await server.world.people[0].slash(here, "help")).text == "OK"


async def test_every_connection_leads_to_the_gateway_of_ones_own(server: Discord) -> None:
    server.gateway.shards = 2
    server.gateway.url = OUR_OWN  # what the API names, and READY to resume at
    client = QuizbotClient(gateway_url=server.gateway_url)
    with without_waiting():
        async with connected(server, client, sessions=2):
            assert client.shard_count == 2
            server.gateway.drop()
            await server.until(lambda: server.gateway.resumed == 2)
            await server.gateway.ready(2)


async def test_somebody_who_leaves_hears_nothing_more_and_can_still_speak(server: Discord, clock: VirtualClock) -> None:
    here = study(server, "Ann")
    async with talking(server, clock, Clerk(Answer(card("OK")))) as talk:
        await talk.client.leave()
        await server.until(lambda: not server.gateway.connected)
        server.world.people[0].slash(here, "help")
        await talk.transport.send(f"discord:#{here.id}", card("Good night"), "1-x")
        assert here.last.text == "Good night"
        assert talk.clerk.asked == []


async def test_a_handshake_that_fails_again_and_again_ends_the_client(
    server: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    server.gateway.refuse(times=9)
    with pytest.raises(discord.GatewayNotFound):
        async with connected(server, QuizbotClient()):
            pass
    assert len(server.gateway.refusals) == 9 - module.MOST_LAUNCHES


async def test_a_handshake_that_fails_once_is_tried_again(server: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    server.gateway.refuse()
    async with connected(server, QuizbotClient()) as client:
        assert not client.is_closed()


async def test_a_gateway_that_does_not_say_good_bye_does_not_hold_up_the_end(
    server: Discord, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "FAREWELL", 0.05)
    async with to_a_mute_gateway(server) as client, asyncio.timeout(10):
        with caplog.at_level("INFO", "adapters"):
            await client.leave()
    assert "did not say good-bye" in caplog.text


@asynccontextmanager
async def to_a_mute_gateway(server: Discord) -> AsyncIterator[QuizbotClient]:
    """A client that is connected to a gateway which neither hears nor says anything any more."""
    async with mute_gateway() as url:
        client = QuizbotClient(gateway_url=url)
        with addressed(server):
            await client.login(server.token)
            connecting = asyncio.create_task(client.connect())
            await comes(lambda: client.shards)
            yield client
            await client.close()
            await connecting


@pytest.mark.parametrize(
    ("given", "base"),
    [
        (None, Route.BASE),
        ("http://127.0.0.1:8082/api/v10/", "http://127.0.0.1:8082/api/v10"),
        ("http://127.0.0.1:8082", "http://127.0.0.1:8082/api/v10"),
        ("http://127.0.0.1:8082/", "http://127.0.0.1:8082/api/v10"),
        ("https://proxy.example.org/discord", "https://proxy.example.org/discord"),
    ],
)
def test_requests_go_to_the_api_of_ones_own_while_it_lasts(given: str | None, base: str) -> None:
    usual = Route.BASE
    with pointed_to(given):
        assert base == Route.BASE
    assert usual == Route.BASE


@pytest.mark.parametrize(
    ("environment", "api_url", "proxy"),
    [
        ({}, None, None),
        ({"https_proxy": "http://proxy:3128"}, None, "http://proxy:3128"),
        ({"all_proxy": "http://proxy:3128"}, None, "http://proxy:3128"),
        ({"http_proxy": "http://proxy:3128"}, None, None),
        ({"https_proxy": "http://proxy:3128", "no_proxy": "discord.com"}, None, None),
        ({"http_proxy": "http://proxy:3128", "no_proxy": "127.0.0.1"}, "http://127.0.0.1:1/api", None),
        ({"http_proxy": "http://proxy:3128"}, "http://api.example.org/api", "http://proxy:3128"),
    ],
)
def test_the_environment_says_through_which_proxy_discord_is_reached(
    environment: dict[str, str], api_url: str | None, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("https_proxy", "http_proxy", "all_proxy", "no_proxy"):
        for spelled in (name, name.upper()):
            monkeypatch.delenv(spelled, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pointed_to(api_url):
        assert proxy_of_environment() == proxy


@asynccontextmanager
async def mute_gateway() -> AsyncIterator[str]:
    """A gateway that says hello and then neither hears nor says anything."""
    over = asyncio.Event()

    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(autoclose=False)
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 60_000}})
        await over.wait()
        return socket

    application = web.Application()
    application.router.add_get("/", serve)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"ws://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        over.set()
        await runner.cleanup()


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the library lets pass, passes at once."""
    sleep = asyncio.sleep

    async def slept(_: float, result: object = None) -> object:
        return await sleep(0, result)

    monkeypatch.setattr(asyncio, "sleep", slept)
