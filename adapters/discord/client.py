"""The connection to Discord: which events it wants, and to whom they go. Keeps nothing that it can do without.

The library runs each event in a task of its own, so that none waits for another, and what one raises ends only it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import discord
from discord.http import Route
from yarl import URL

from adapters.discord.chats import PLATFORM
from adapters.discord.conversation import Conversation
from adapters.discord.events import Interaction
from adapters.discord.invitation import invite_url
from adapters.discord.restoring import Restoring
from adapters.discord.sharding import Shard, Turnstile
from bot import metrics

log = logging.getLogger(__name__)

FAREWELL = 3.0
"""Seconds that Discord is given to say good-bye."""

MOST_LAUNCHES = 3
"""Handshakes of one shard that may fail before a fresh client tries, after a longer pause each time."""

LONGEST_WAIT = 30.0
"""Seconds that the library may hold back a request for its bucket; the least that it accepts. Posts that wait longer
are better off in the outbox."""

API_PATH = "/api/v10"

OPENING = frozenset({"READY", "RESUMED"})

Parse = Callable[[Any], None]


class QuizbotClient(discord.AutoShardedClient):
    """One connection, from its log-in to its end; a new one takes a new client. `commands` are its own."""

    commands: discord.app_commands.CommandTree[Any]

    def __init__(
        self, *, gateway_url: str | None = None, proxy: str | None = None, turnstile: Turnstile | None = None
    ) -> None:
        """`gateway_url` is a gateway of one's own, to which every connection leads; `proxy` an http address. All
        clients of one token have one `turnstile`."""
        # Nothing is said aloud here, so that nobody need be warned of what is not installed for it.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            # Who is there and what they write is nothing that we need to know.
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            # Nothing waits until all guilds are known; and in that time the library would keep new ones to itself.
            guild_ready_timeout=0.0,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=LONGEST_WAIT,
            http_trace=_trace(),
            proxy=proxy,
        )
        self._conversation: Conversation | None = None
        self._on_login: Callable[[], None] = lambda: None
        self.on_connection: Callable[[bool], None] = lambda _: None
        """Hears whether every shard is connected."""
        self._connected: set[int] = set()
        self._turnstile = turnstile or Turnstile()
        self._gateway: URL | None = None
        self._launches: Counter[int] = Counter()
        self._restoring: dict[int, Restoring] = {}
        self._shard: Shard | None = None
        _guard(self._connection.parsers)
        if gateway_url:
            _lead(self.http, URL(gateway_url))

    def serve(self, conversation: Conversation, on_login: Callable[[], None]) -> None:
        """Bring what people ask to `conversation`. `on_login` is called once requests can be made."""
        self._conversation, self._on_login = conversation, on_login

    @property
    def conversation(self) -> Conversation:
        """Where everything goes."""
        if self._conversation is None:
            raise RuntimeError("the client serves no conversation yet")
        return self._conversation

    # What comes

    async def setup_hook(self) -> None:
        self._on_login()

    async def on_ready(self) -> None:
        link = invite_url(self.application_id) if self.application_id else "-"
        here = f"{len(self.guilds)} servers" + (f" ({self._shard})" if self._shard else "")
        log.info("Discord: %s, in %s; add it to a server: %s", self.user, here, link)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Commands have gone to the tree already."""
        if interaction.type is discord.InteractionType.component:
            await self.conversation.component(interaction)
        elif interaction.type is discord.InteractionType.modal_submit:
            await self.conversation.submitted(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.conversation.joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.conversation.left(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.conversation.channel_deleted(channel)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self.conversation.thread_deleted(thread)

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        """What an event came with may hold the token of an interaction, so it is not noted."""
        log.exception("%s failed", event_method)  # noqa: LOG004  # the library calls it while it handles the error

    # The connection

    def bring(self, shard: Shard, gateway: str) -> None:
        """Have this shard alone, from that gateway; without it, all that Discord recommends are had. Call it before
        the connection."""
        self._shard, self._gateway = shard, URL(gateway)
        self.shard_ids, self.shard_count = [shard.number], shard.count

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """As the library does it, which knows of no other client."""
        async with self._turnstile.turn() as free:
            await super().before_identify_hook(shard_id, initial=initial and free)

    async def on_shard_connect(self, shard_id: int) -> None:
        self._note(shard_id, connected=True)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self._note(shard_id, connected=True)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self._note(shard_id, connected=False)

    def _note(self, shard_id: int, *, connected: bool) -> None:
        (self._connected.add if connected else self._connected.discard)(shard_id)
        self.on_connection(self._connected >= self.shards.keys())

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """As the library does it, which calls itself every five seconds for ever while the handshake fails."""
        if self._launches[shard_id] >= MOST_LAUNCHES:
            raise discord.GatewayNotFound
        self._launches[shard_id] += 1
        await super().launch_shard(self._gateway or gateway, shard_id, initial=initial)
        # It has called itself for each handshake that failed before.
        if shard_id not in self._restoring:
            self._restoring[shard_id] = Restoring(self.shards[shard_id]._parent)

    async def leave(self) -> None:
        """Let nothing more come in; requests can still be made."""
        try:
            async with asyncio.timeout(FAREWELL):
                for shard in self.shards.values():
                    await shard.disconnect()
        except TimeoutError:
            log.info("Discord did not say good-bye")


def _trace() -> aiohttp.TraceConfig:
    """Counts the answers that it was too much. Of most the library tells nobody, for it waits and asks again."""

    async def answered(_session: object, _context: object, answer: aiohttp.TraceRequestEndParams) -> None:
        if answer.response.status == HTTPStatus.TOO_MANY_REQUESTS:
            metrics.RATE_LIMITED.labels(PLATFORM).inc()

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(answered)
    return trace


def _guard(parsers: dict[str, Parse]) -> None:
    """An event that the library cannot read is passed over; by itself it would end the connection."""
    for name, parse in parsers.items():
        if name not in OPENING:
            parsers[name] = _guarded(name, parse)


def _guarded(name: str, parse: Parse) -> Parse:
    def parsed(data: Any) -> None:
        try:
            parse(data)
        except Exception:
            log.exception("%s cannot be read and is passed over", name)

    return parsed


def _lead(http: discord.http.HTTPClient, gateway: URL) -> None:
    """Connect to this gateway whatever address Discord names, be it to resume or for another shard."""
    connect = http.ws_connect

    async def ws_connect(url: str, *, compress: int = 0) -> Any:
        return await connect(str(gateway.with_query(URL(url).query)), compress=compress)

    http.ws_connect = ws_connect  # type: ignore[method-assign]


@contextmanager
def pointed_to(api_url: str | None) -> Iterator[None]:
    """Send requests to this API while it lasts, without one to Discord's. The library has one address for all its
    clients; that of a server alone is meant to be one of its API."""
    usual = Route.BASE
    if api_url:
        address = api_url.rstrip("/")
        Route.BASE = address if urlsplit(address).path else f"{address}{API_PATH}"
    try:
        yield
    finally:
        Route.BASE = usual


def proxy_of_environment() -> str | None:
    """The http proxy on the way to the API that requests go to now (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY). The
    gateway is reached through it as well."""
    address, proxies = urlsplit(Route.BASE), getproxies()
    return None if proxy_bypass(address.netloc) else proxies.get(address.scheme) or proxies.get("all")
