"""What `quizbot doctor` finds out about a Discord bot. It only asks, and starts no session: a bot that runs meanwhile
is not disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import aiohttp
import discord
from discord import AppInfo
from discord.app_commands import Choice
from yarl import URL

from adapters.discord import registration
from adapters.discord.client import QuizbotClient, pointed_to, proxy_of_environment
from adapters.discord.commands import build_tree
from adapters.discord.events import Interaction
from adapters.discord.invitation import invite_url, user_install_url
from adapters.discord.redaction import redact
from adapters.redaction import host_of
from bot.doctor import Finding, ok, problem, warning

PUBLIC_API = "https://discord.com"

PATIENCE = 20.0
"""Seconds for all that Discord is asked; the library itself would try for longer."""

FEW = 50
"""Starts of a session that are left beside one for each shard: a bot that is well needs a few a day of its
thousand."""

GREETING = 10.0
"""Seconds that a gateway is given to say its first word."""

HELLO = 10
GATEWAY = {"v": "10", "encoding": "json"}
FOREIGN = "it does not speak as Discord does"

UNREADABLE = (AttributeError, KeyError, TypeError, ValueError)
"""What the library stumbles over where a server answers, but not as Discord does."""


class Nobody:
    """Whom the commands lead to while they are only compared: nobody uses them."""

    async def command(self, interaction: Interaction, name: str, argument: str = "") -> None: ...

    async def suggest(self, interaction: Interaction, typed: str) -> list[Choice[str]]:  # noqa: ARG002
        return []

    async def score(self, interaction: Interaction, user: discord.User | discord.Member) -> None: ...

    async def report(self, interaction: Interaction, message: discord.Message) -> None: ...

    async def unknown(self, interaction: Interaction, name: str) -> None: ...

    async def deliver(self, interaction: Interaction, respond: Callable[[], Awaitable[object]]) -> None: ...


async def findings(token: str, api_url: str | None, gateway_url: str | None, now: datetime) -> list[Finding]:
    """Everything about the bot with this token; without an answer, only why there is none."""
    server = api_url or PUBLIC_API
    try:
        async with asyncio.timeout(PATIENCE), _logged_in(token, api_url, gateway_url) as client:
            return [finding async for finding in _about(client, server, gateway_url, now)]
    except discord.LoginFailure:
        return [_refused(api_url)]
    except TimeoutError:
        return [_unreachable(server, f"nothing came within {PATIENCE:.0f} s")]
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        return [_unreachable(server, redact(str(error), token))]
    except UNREADABLE:
        return [_unreachable(server, FOREIGN)]


@asynccontextmanager
async def _logged_in(token: str, api_url: str | None, gateway_url: str | None) -> AsyncIterator[QuizbotClient]:
    with pointed_to(api_url):
        async with QuizbotClient(gateway_url=gateway_url, proxy=proxy_of_environment()) as client:
            await client.login(token)
            yield client


async def _about(client: QuizbotClient, server: str, gateway_url: str | None, now: datetime) -> AsyncIterator[Finding]:
    application = await client.application_info()
    yield _reached(client, server)
    for finding in (*_installation(application), *_intents(application.flags)):
        yield finding
    yield await _commands(client)
    shards, url, starts = await client.http.get_bot_gateway()
    reason = await _silence(client, url)
    yield _gateway(gateway_url or url, own=gateway_url is not None, shards=shards, reason=reason)
    if starts["remaining"] - shards < FEW:
        yield _few_starts(starts["remaining"], now + timedelta(milliseconds=starts["reset_after"]))


def _refused(api_url: str | None) -> Finding:
    advice = "Press Reset Token in the Developer Portal, page Bot, and set QUIZBOT_DISCORD_TOKEN to the new one."
    if api_url:
        advice += f" If it is right, {host_of(api_url)} is no Discord API: correct QUIZBOT_DISCORD_API_URL."
    return problem(f"Discord: {host_of(api_url or PUBLIC_API)} does not accept the token", advice)


def _unreachable(server: str, reason: str) -> Finding:
    advice = "Check the connection and the name server; behind a proxy, set HTTPS_PROXY."
    if server != PUBLIC_API:
        advice = "Check that the server runs, and QUIZBOT_DISCORD_API_URL."
    return problem(f"Discord: no answer from {host_of(server)}: {reason}", advice)


def _reached(client: QuizbotClient, server: str) -> Finding:
    link = invite_url(client.application_id or 0)
    return ok(f"Discord: {client.user}, at {host_of(server)}; add it to a server: {link}")


def _installation(application: AppInfo) -> Iterator[Finding]:
    """Whether it can be added, and is asked when it has been."""
    if application.interactions_endpoint_url:
        yield problem(
            f"Interactions: they are sent to {host_of(application.interactions_endpoint_url)}, and none comes here",
            "Clear Interactions Endpoint URL in the Developer Portal, page General Information.",
        )
    if application.bot_require_code_grant:
        yield problem(
            "Installation: nobody can add it, because it requires a code grant",
            "Turn off Requires OAuth2 Code Grant in the Developer Portal, page Bot.",
        )
    if not application.bot_public:
        yield warning(
            "Installation: it is not public, so that only its owner can add it",
            "Turn on Public Bot in the Developer Portal, page Bot, unless that is meant so.",
        )
    yield from _contexts(application)


def _contexts(application: AppInfo) -> Iterator[Finding]:
    """What it can be added to, where Discord says it."""
    to_servers, to_people = application.guild_integration_config, application.user_integration_config
    if to_people and not to_servers:
        yield problem(
            "Installation: it cannot be added to servers",
            "Tick Guild Install in the Developer Portal, page Installation.",
        )
    elif to_people:
        yield ok(f"Installation: to servers, and by people to their own apps: {user_install_url(application.id)}")
    elif to_servers:
        yield warning(
            "Installation: to servers; people cannot add it to their own apps",
            "Tick User Install in the Developer Portal, page Installation, unless that is meant so.",
        )


def _intents(flags: discord.ApplicationFlags) -> Iterator[Finding]:
    switches = {
        "Presence": flags.gateway_presence or flags.gateway_presence_limited,
        "Server Members": flags.gateway_guild_members or flags.gateway_guild_members_limited,
        "Message Content": flags.gateway_message_content or flags.gateway_message_content_limited,
    }
    on = [name for name, is_on in switches.items() if is_on]
    if not on:
        yield ok("Intents: no privileged one; it cannot read messages, and need not")
    else:
        yield warning(
            f"Intents: {', '.join(on)} on, and not needed",
            "Turn off the Privileged Gateway Intents in the Developer Portal, page Bot.",
        )


async def _commands(client: QuizbotClient) -> Finding:
    if await registration.in_sync(build_tree(client, Nobody())):
        return ok("Commands: registered, in every language")
    return warning("Commands: not registered as they should be", "`quizbot run` registers them when it starts.")


async def _silence(client: QuizbotClient, url: str) -> str | None:
    """Why the gateway does not say hello; None if it does. It is left again before a session begins."""
    try:
        async with asyncio.timeout(GREETING), await _socket(client, url) as socket:
            return None if (await socket.receive_json())["op"] == HELLO else FOREIGN
    except TimeoutError:
        return f"nothing came within {GREETING:.0f} s"
    except (aiohttp.ClientError, OSError) as error:
        return redact(str(error)) or type(error).__name__
    except UNREADABLE:
        return FOREIGN


async def _socket(client: QuizbotClient, url: str) -> aiohttp.ClientWebSocketResponse:
    """A connection as the bot makes it, through the same proxy, but for the compression."""
    socket: aiohttp.ClientWebSocketResponse = await client.http.ws_connect(str(URL(url).with_query(GATEWAY)))
    return socket


def _gateway(url: str, *, own: bool, shards: int, reason: str | None) -> Finding:
    """Whether events come; `reason` is why not."""
    if reason is None:
        return ok(f"Events: by websocket from {host_of(url)}" + (f", in {shards} shards" if shards > 1 else ""))
    advice = "Let websockets to it pass, where a firewall or a proxy does not."
    if own:
        advice = "Check that the gateway runs, and QUIZBOT_DISCORD_GATEWAY_URL."
    return problem(f"Events: no websocket from {host_of(url)}: {reason}", advice)


def _few_starts(remaining: int, again: datetime) -> Finding:
    return warning(
        f"Starts: {remaining} are left until {again:%Y-%m-%d %H:%M} UTC; after the last, Discord resets the token",
        "Stop whatever starts the bot again and again, and see in its log why it ends.",
    )
