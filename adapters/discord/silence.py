"""When nothing may go out to Discord at all: what stands before it has had too much of us. Knows no post."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

import discord
from discord.http import HTTPClient, Route

from adapters.discord.errors import is_ban
from bot.ports import Clock, ThrottledError

log = logging.getLogger(__name__)

SILENCE = timedelta(minutes=15)
"""Whoever knocks on meanwhile is shut out longer."""


class Silence:
    """Falls now and then, and lasts until it is over."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: datetime | None = None

    def fall(self) -> None:
        """From now on nothing goes out for a while. Answers that were under way change nothing about it."""
        if not self.lasts:
            self._until = self._clock.now() + SILENCE
            log.error(
                "Discord has shut this machine out for too many requests; nothing is sent for %d minutes. If that "
                "happens again, look in the log for what is sent so often, and whether another program uses this "
                "address or token",
                SILENCE.total_seconds() // 60,
            )

    def heed(self, error: Exception) -> None:
        """Fall if this is what Discord says to whoever has to be silent."""
        if is_ban(error):
            self.fall()

    @property
    def left(self) -> timedelta:
        """How long it still lasts; zero or less when it does not."""
        return timedelta(0) if self._until is None else self._until - self._clock.now()

    @property
    def lasts(self) -> bool:
        """Whether nothing may go out."""
        return self.left > timedelta(0)

    def check(self) -> None:
        """Raise ThrottledError while it lasts."""
        if self.lasts:
            raise ThrottledError(self.left)

    async def outlast(self) -> None:
        """Return when it is over."""
        while self.lasts:
            await self._clock.sleep_until(self._clock.now() + self.left)

    def keep(self, http: HTTPClient) -> None:
        """Let no request of this client's out while it lasts, and heed what the others meet with."""
        request = http.request

        async def kept(route: Route, **how: Any) -> Any:
            if self.lasts:
                raise discord.RateLimited(self.left.total_seconds())
            try:
                return await request(route, **how)
            except discord.HTTPException as error:
                self.heed(error)
                raise

        http.request = kept  # type: ignore[method-assign]
