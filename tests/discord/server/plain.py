"""A bot of the library alone, for tests of the server: it answers what a test gives it. Knows nothing of quizzes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TypeVar

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.discord.server import Discord

Handler = Callable[[discord.Interaction], Awaitable[object]]
Client = TypeVar("Client", bound=discord.Client)


class Bot(discord.Client):
    """Gives every interaction to `handler`, if there is one, and keeps them and the names of all events."""

    def __init__(self, handler: Handler | None = None, intents: discord.Intents | None = None) -> None:
        super().__init__(intents=discord.Intents(guilds=True) if intents is None else intents, max_messages=None)
        self.handler = handler
        self.heard: list[discord.Interaction] = []
        self.events: list[str] = []

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.heard.append(interaction)
        if self.handler is not None:
            await self.handler(interaction)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """The library waits five seconds here, for the sake of a limit that this server does not have."""

    async def on_socket_event_type(self, event: str) -> None:
        self.events.append(event)


@contextmanager
def addressed(server: Discord) -> Iterator[None]:
    """The library speaks to `server` and to nobody else."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = server.api_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(server.gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


@asynccontextmanager
async def logged_in(server: Discord, client: Client) -> AsyncIterator[Client]:
    """A client that makes requests, without a gateway."""
    with addressed(server):
        try:
            await client.login(server.token)
            yield client
        finally:
            await client.close()


@asynccontextmanager
async def connected(server: Discord, client: Client, sessions: int = 1) -> AsyncIterator[Client]:
    """A client that hears everything, with so many sessions more than there were."""
    before = len(server.gateway.connected)
    async with logged_in(server, client):
        task = asyncio.create_task(client.connect())
        ready = asyncio.create_task(server.gateway.ready(before + sessions))
        try:
            await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                task.result()
            await ready
            yield client
        finally:
            ready.cancel()
            await client.close()
            with suppress(discord.ConnectionClosed):
                await task
