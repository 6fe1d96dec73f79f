"""Discord's adapter: connects a fresh client, lets it serve, and cleans up in order. Translates nothing itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import discord

from adapters.discord import registration
from adapters.discord.addresses import DiscordAddresses
from adapters.discord.chats import PLATFORM
from adapters.discord.client import QuizbotClient, pointed_to, proxy_of_environment
from adapters.discord.commands import build_tree
from adapters.discord.conversation import Conversation
from adapters.discord.transport import DiscordTransport
from bot.desk import Desk
from bot.ports import Clock
from bot.running import Service
from bot.supervising import HopelessError

log = logging.getLogger(__name__)

FAREWELL = 3.0
"""Seconds that answers still under way are given when stopping."""

SPARE_LOGINS = 5
"""With fewer left of the day's log-ins, beside those of one start, it is better to wait: whoever uses them up has their
token reset."""

NOT_ACCEPTED = (
    "Discord does not accept the bot's token: on https://discord.com/developers/applications, page Bot, press Reset "
    "Token, and set QUIZBOT_DISCORD_TOKEN to the token it shows"
)
INTENTS_REFUSED = (
    "Discord refuses the intents of the bot, which asks for guilds alone: check that QUIZBOT_DISCORD_TOKEN is the "
    "token of a bot, from the page Bot of https://discord.com/developers/applications"
)
REFUSALS = {4004: NOT_ACCEPTED, 4013: INTENTS_REFUSED, 4014: INTENTS_REFUSED}
"""Codes with which the gateway closes for good."""


class DiscordAdapter:
    """One bot. The way out lasts as long as the last client, which outlives its connection: see `run`."""

    platform = PLATFORM

    def __init__(self, token: str, gateway_url: str | None, proxy: str | None, pictures: Path, clock: Clock) -> None:
        """`gateway_url` is a gateway of one's own; `proxy` an http address that leads to Discord."""
        self.transport = DiscordTransport(pictures, clock)
        self._token = token
        self._gateway_url = gateway_url
        self._proxy = proxy
        self._clock = clock
        self._last = AsyncExitStack()

    async def run(self, service: Service) -> None:
        """Serve until cancelled. Raises HopelessError when only the operator can help, and whatever ended a connection
        that the library does not restore itself: a fresh client has to begin anew. It begins when nothing keeps it from
        sending anything to Discord.

        Cancelled, it leaves the way out open until `close`, for the last posts are still to be delivered.
        """
        await self.close()
        await self.transport.outlast_silence()
        client = await self._last.enter_async_context(self.equipped(service))
        try:
            await self._connect(client)
        except asyncio.CancelledError:
            await _finish(client)
            raise
        except Exception as error:
            await self.close()
            if hopeless := _hopeless(error):
                raise hopeless from None
            raise
        await self.close()
        raise ConnectionError("the connection to Discord has ended")

    async def _connect(self, client: QuizbotClient) -> None:
        await client.login(self._token)
        await self._await_budget(client)
        await client.connect()

    async def _await_budget(self, client: QuizbotClient) -> None:
        """Every shard logs in by itself."""
        shards, _, limits = await client.http.get_bot_gateway()
        if limits["remaining"] >= shards + SPARE_LOGINS:
            return
        wait = timedelta(milliseconds=limits["reset_after"])
        log.error(
            "Discord allows only %d of %d log-ins until it counts anew, and a start takes %d: the next is made in %s. "
            "What has used them up stands above",
            limits["remaining"],
            limits["total"],
            shards,
            wait,
        )
        await self._clock.sleep_until(self._clock.now() + wait)

    async def close(self) -> None:
        """Give back what the last run has left."""
        await self._last.aclose()

    @asynccontextmanager
    async def equipped(self, service: Service) -> AsyncIterator[QuizbotClient]:
        """A fresh client with commands and handlers, not logged in yet; closed on leaving."""
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(QuizbotClient(gateway_url=self._gateway_url, proxy=self._proxy))
            self.transport.listen(client)
            desk = Desk(service, DiscordAddresses(client))
            conversation = Conversation(self.transport, desk, self._clock)
            tree = build_tree(client, conversation)

            def logged_in() -> None:
                stack.enter_context(self.transport.through(client))
                stack.push_async_callback(_cancelled, asyncio.create_task(registration.register(tree)))

            client.serve(conversation, logged_in)
            try:
                yield client
            finally:
                await _finish(client)


async def _cancelled(task: asyncio.Task[bool]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _finish(client: QuizbotClient) -> None:
    """Take nothing more in, and let what was taken be answered."""
    await client.leave()
    try:
        async with asyncio.timeout(FAREWELL):
            await client.conversation.finish()
    except TimeoutError:
        log.warning("not every answer could be given before the end")
    finally:
        client.conversation.abandon()


def _hopeless(error: Exception) -> HopelessError | None:
    match error:
        case discord.LoginFailure():
            return HopelessError(NOT_ACCEPTED)
        case discord.PrivilegedIntentsRequired():
            return HopelessError(INTENTS_REFUSED)
        case discord.ConnectionClosed(code=code) if code in REFUSALS:
            return HopelessError(REFUSALS[code])
        case _:
            return None


@asynccontextmanager
async def opened(
    token: str, *, api_url: str | None, gateway_url: str | None, pictures: Path, clock: Clock
) -> AsyncIterator[DiscordAdapter]:
    """The adapter of the bot with this token; its connections are closed on leaving.

    `api_url` is an HTTP API of one's own, `gateway_url` a gateway; `pictures` the folder that quizzes name their
    pictures from.
    """
    with pointed_to(api_url):
        adapter = DiscordAdapter(token, gateway_url, proxy_of_environment(), pictures, clock)
        try:
            yield adapter
        finally:
            await adapter.close()
