"""Who may steer in a group: its administrators, asked for once in a while. Knows no session and no command."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from telegram import Bot
from telegram.error import TelegramError

from bot.ports import Clock
from bot.remembering import Remembered

log = logging.getLogger(__name__)

FRESH = timedelta(minutes=1)
"""How long somebody who was made administrator, or is none any more, may have to wait."""

PATIENCE = 5.0
"""Seconds in which the platform has to say; other commands of the chat wait meanwhile."""

MOST_REMEMBERED = 10_000


class Moderators:
    """The administrators of each group, as they were at most a minute ago."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._known: Remembered[int, tuple[datetime, frozenset[int]]] = Remembered(MOST_REMEMBERED)
        self._asking: dict[int, asyncio.Task[frozenset[int]]] = {}

    async def include(self, chat: int, user: int) -> bool:
        """Whether `user` is an administrator of the group; not, where nobody can say."""
        known = self._known.get(chat)
        if known and known[0] > self._clock.now():
            return user in known[1]
        asking = self._asking.get(chat)
        if asking is None:
            asking = self._asking[chat] = asyncio.create_task(self._ask(chat))
            asking.add_done_callback(lambda _: self._asking.pop(chat, None))
        return user in await asyncio.shield(asking)

    async def _ask(self, chat: int) -> frozenset[int]:
        try:
            async with asyncio.timeout(PATIENCE):
                members = await self._bot.get_chat_administrators(chat)
        except (TelegramError, TimeoutError) as error:
            log.warning("the administrators of chat %s cannot be told: %s", chat, error)
            return self._known[chat][1] if chat in self._known else frozenset()
        found = frozenset(member.user.id for member in members)
        self._known[chat] = (self._clock.now() + FRESH, found)
        return found
