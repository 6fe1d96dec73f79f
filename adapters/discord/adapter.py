"""Discord's adapter: connects a fresh client, lets it serve, and cleans up in order. Translates nothing itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.discord import registration
from adapters.discord.addresses import DiscordAddresses
from adapters.discord.chats import PLATFORM
from adapters.discord.client import QuizbotClient, pointed_to, proxy_of_environment
from adapters.discord.commands import build_tree
from adapters.discord.conversation import Conversation
from adapters.discord.refusing import hopeless
from adapters.discord.sharding import Shard, Turnstile, roles_of, standing
from adapters.discord.transport import DiscordTransport
from bot.desk import Desk
from bot.ports import Clock
from bot.running import Duties, Service
from bot.vitals import Connection, Vitals

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit

log = logging.getLogger(__name__)

FAREWELL = 3.0
"""Seconds that answers still under way are given when stopping."""

SPARE_LOGINS = 5
"""With fewer left of the day's log-ins, beside those of one start, it is better to wait: whoever uses them up has their
token reset."""


class DiscordAdapter:
    """One bot. The way out is opened first and lasts longest; connections come and go with the shards that this process
    has."""

    platform = PLATFORM

    def __init__(
        self,
        token: str,
        gateway_url: str | None,
        proxy: str | None,
        pictures: Path,
        clock: Clock,
        shards: int | None = None,
    ) -> None:
        """`gateway_url` is a gateway of one's own; `proxy` an http address that leads to Discord. So many `shards` are
        divided among all processes; without a number one process has all."""
        self.transport = DiscordTransport(pictures, clock)
        self._shards = roles_of(shards)
        self.duties = Duties(
            frozenset(self._shards), is_open=lambda: self.transport.is_open, awaited=self.transport.is_awaited
        )
        self._token = token
        self._gateway_url = gateway_url
        self._proxy = proxy
        self._clock = clock
        self._turnstile = Turnstile()
        self._connections: dict[str, Connection] = {}
        self._last = AsyncExitStack()
        self._spare: QuizbotClient | None = None

    async def run(self, service: Service) -> None:
        """Serve until cancelled. Raises HopelessError when only the operator can help, and whatever ended a connection
        that the library does not restore itself: a fresh client has to begin anew. It begins when nothing keeps it from
        sending anything to Discord.

        Cancelled, it leaves the way out open until `close`, for the last posts are still to be delivered.
        """
        await self.close()
        await self.transport.outlast_silence()
        self.transport.workers = lambda: service.crew.workers
        try:
            self._spare = await self._logged_in(service, self._last)
            self._last.enter_context(self.transport.through(self._spare))
            await self._take_part(service)
        except Exception as error:
            await self.close()
            if reason := hopeless(error, chosen=PLATFORM not in self._shards):
                raise reason from None
            raise

    async def _take_part(self, service: Service) -> None:
        """Have each shard while this process is to have it; what becomes of one is nothing to the others, unless its
        connection ends for good."""
        report = partial(service.vitals.report, PLATFORM)
        report(standing(self._connections.values()))
        await service.crew.accept(self.duties.roles)
        try:
            async with asyncio.TaskGroup() as group:
                for role in self._shards:
                    group.create_task(service.crew.duty([role], partial(self._have, service)))
        except ExceptionGroup as group_of_errors:
            raise group_of_errors.exceptions[0] from None

    async def _have(self, service: Service, roles: Collection[str]) -> None:
        """Bring in what comes from one shard, or from all, until cancelled; then what has come is still answered."""
        (role,) = roles
        async with AsyncExitStack() as stack:
            stack.callback(self._report, service.vitals, role, None)
            self._report(service.vitals, role, Connection.CONNECTING)
            client, self._spare = self._spare, None
            client = client or await self._logged_in(service, stack)
            client.on_connection = partial(self._connected, service.vitals, role)
            if role == next(iter(self._shards)):
                stack.push_async_callback(_cancelled, asyncio.create_task(registration.register(client.commands)))
            try:
                await self._connect(client, self._shards[role])
            finally:
                # Its good-bye is heard after it has ended, when nobody here has that shard any more.
                client.on_connection = lambda _: None
                await _finish(client)
        raise ConnectionError("the connection to Discord has ended")

    def _connected(self, vitals: Vitals, role: str, connected: bool) -> None:
        self._report(vitals, role, Connection.CONNECTED if connected else Connection.UNREACHABLE)

    def _report(self, vitals: Vitals, role: str, connection: Connection | None) -> None:
        """How it stands with a shard; None: this process has it no longer."""
        if connection is None:
            self._connections.pop(role, None)
        else:
            self._connections[role] = connection
        vitals.report(PLATFORM, standing(self._connections.values()))

    async def _connect(self, client: QuizbotClient, shard: Shard | None) -> None:
        advised, gateway, limits = await client.http.get_bot_gateway()
        beginning = sum(each is Connection.CONNECTING for each in self._connections.values())
        await self._await_budget(beginning if shard else advised, limits)
        if shard:
            client.bring(shard, gateway)
        await client.connect()

    async def _await_budget(self, shards: int, limits: SessionStartLimit) -> None:
        """Every shard logs in by itself."""
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
        self._spare = None
        await self._last.aclose()

    async def _logged_in(self, service: Service, stack: AsyncExitStack) -> QuizbotClient:
        """A fresh client that can make requests, closed with the stack."""
        client = await stack.enter_async_context(self._client(service))
        await client.login(self._token)
        return client

    @asynccontextmanager
    async def _client(self, service: Service) -> AsyncIterator[QuizbotClient]:
        """A fresh client with commands and handlers, closed on leaving."""
        made = QuizbotClient(gateway_url=self._gateway_url, proxy=self._proxy, turnstile=self._turnstile)
        async with made as client:
            self.transport.listen(client)
            desk = Desk(service, DiscordAddresses(client))
            conversation = Conversation(self.transport, desk, self._clock)
            client.commands = build_tree(client, conversation)
            client.serve(conversation, lambda: None)
            yield client

    @asynccontextmanager
    async def equipped(self, service: Service) -> AsyncIterator[QuizbotClient]:
        """For whoever logs in and connects by other means: a fresh client that is then the way out, and registers its
        commands; closed on leaving."""
        async with self._client(service) as client, AsyncExitStack() as stack:

            def logged_in() -> None:
                stack.enter_context(self.transport.through(client))
                stack.push_async_callback(_cancelled, asyncio.create_task(registration.register(client.commands)))

            client.serve(client.conversation, logged_in)
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


@asynccontextmanager
async def opened(
    token: str,
    *,
    api_url: str | None,
    gateway_url: str | None,
    pictures: Path,
    clock: Clock,
    shards: int | None = None,
) -> AsyncIterator[DiscordAdapter]:
    """The adapter of the bot with this token; its connections are closed on leaving.

    `api_url` is an HTTP API of one's own, `gateway_url` a gateway; `pictures` the folder that quizzes name their
    pictures from; `shards` into how many the bot's servers are divided, as many as Discord recommends when absent.
    """
    with pointed_to(api_url):
        adapter = DiscordAdapter(token, gateway_url, proxy_of_environment(), pictures, clock, shards)
        try:
            yield adapter
        finally:
            await adapter.close()
