"""Telegram's adapter: connects to the Bot API, brings updates in, and cleans up in order. Translates nothing itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from telegram.error import InvalidToken
from telegram.ext import ExtBot

from adapters.telegram import registration
from adapters.telegram.addresses import TelegramAddresses
from adapters.telegram.chats import PLATFORM
from adapters.telegram.conversation import Conversation
from adapters.telegram.intake import ALLOWED_UPDATES
from adapters.telegram.limiter import Limiter, Urgency
from adapters.telegram.polling import TOKEN_REFUSED, Polling
from adapters.telegram.request import AiohttpRequest, server_of
from adapters.telegram.transport import TelegramTransport
from adapters.telegram.webhook import Webhook
from bot.desk import Desk
from bot.ports import Clock
from bot.running import Duties, Service
from bot.supervising import HopelessError
from bot.vitals import Connection

log = logging.getLogger(__name__)

Report = Callable[[Connection], None]
"""Says how it stands with Telegram."""

FAREWELL = 3.0
"""Seconds that answers still under way are given when stopping."""


class TelegramAdapter:
    """One bot."""

    platform = PLATFORM
    duties = Duties(frozenset({PLATFORM}), lambda held: PLATFORM in held)
    """One process at a time asks for updates, and sends: so that it knows how much each chat has had."""

    def __init__(
        self,
        bot: ExtBot[Urgency],
        limiter: Limiter,
        polling: Polling,
        webhook: Webhook | None,
        pictures: Path,
        clock: Clock,
    ) -> None:
        """Updates come by `webhook`, without one by `polling`. `limiter` is the one of `bot`."""
        self.transport = TelegramTransport(bot, pictures, clock)
        self._bot = bot
        self._limiter = limiter
        self._polling = polling
        self._webhook = webhook
        self._clock = clock

    async def run(self, service: Service) -> None:
        """Take updates until cancelled. Raises HopelessError when only the operator can help."""
        try:
            me = await self._bot.get_me()
        except InvalidToken:
            raise HopelessError(TOKEN_REFUSED) from None  # its text holds the token
        username = me.username or ""
        desk = Desk(service, TelegramAddresses(username))
        conversation = Conversation(self._bot, username, self.transport, desk, self._clock)
        registering = asyncio.create_task(registration.register(self._bot, self._clock))
        try:
            await self._take_updates(conversation, username, service)
        finally:
            registering.cancel()
            await asyncio.gather(registering, return_exceptions=True)
            await _finish(conversation)

    async def _take_updates(self, conversation: Conversation, username: str, service: Service) -> None:
        report = partial(service.vitals.report, PLATFORM)
        invitation = TelegramAddresses(username).group("new")
        if self._webhook is None:
            log.info("Telegram: @%s, by polling; add it to a group: %s", username, invitation)
            report(Connection.STANDING_BY)
            await service.crew.duty(self.duties.roles, lambda _: self._poll(conversation, report))
            return
        self._limiter.workers = lambda: service.crew.workers
        await service.crew.accept(self.duties.roles)
        # The host alone: the path may be meant to be secret.
        host = urlsplit(self._webhook.url).hostname
        log.info("Telegram: @%s, by webhook at %s; add it to a group: %s", username, host, invitation)
        await self._webhook.run(conversation.take, partial(self._register, self._webhook, report))

    async def _poll(self, conversation: Conversation, report: Report) -> None:
        def answered(answered: bool) -> None:
            report(Connection.CONNECTED if answered else Connection.UNREACHABLE)

        report(Connection.CONNECTING)
        try:
            answered(await self._bot.delete_webhook(drop_pending_updates=False))
            await self._polling.run(conversation.take, answered)
        finally:
            report(Connection.STANDING_BY)

    async def _register(self, webhook: Webhook, report: Report) -> None:
        await self._bot.set_webhook(
            webhook.url,
            secret_token=webhook.secret,
            allowed_updates=ALLOWED_UPDATES,
            max_connections=webhook.connections,
            drop_pending_updates=False,
        )
        report(Connection.CONNECTED)


async def _finish(conversation: Conversation) -> None:
    try:
        async with asyncio.timeout(FAREWELL):
            await conversation.finish()
    except TimeoutError:
        log.warning("not every answer could be shown before the end")
    finally:
        conversation.abandon()


@asynccontextmanager
async def opened(
    token: str, *, api_url: str | None, webhook: Webhook | None, pictures: Path, clock: Clock
) -> AsyncIterator[TelegramAdapter]:
    """The adapter of the bot with this token; its connections are closed on leaving.

    `api_url` is a Bot API server of one's own; `pictures` the folder that quizzes name their pictures from.
    """
    server = server_of(api_url)
    request, polling, limiter = AiohttpRequest(), AiohttpRequest(8), Limiter(clock)
    bot = ExtBot(
        token,
        base_url=f"{server}/bot",
        base_file_url=f"{server}/file/bot",
        request=request,
        get_updates_request=polling,
        rate_limiter=limiter,
    )
    asking = Polling(f"{server}/bot{token}", polling, clock)
    await request.initialize()
    await polling.initialize()
    try:
        yield TelegramAdapter(bot, limiter, asking, webhook, pictures, clock)
    finally:
        await limiter.shutdown()
        await polling.shutdown()
        await request.shutdown()
