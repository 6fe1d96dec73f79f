"""Delivers updates to the bot's own web server. Knows nothing of what an update says."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import aiohttp

from tests.telegram.server.errors import Json
from tests.telegram.server.updates import Update, Updates

if TYPE_CHECKING:
    from tests.telegram.server.world import Now

TRIES = 3
"""How often an update is tried at once. What is not accepted then stays, and holds up its lane, until `retry`."""


class Webhook:
    """Where updates go, if anywhere. `through` is a local address that stands for the public one, as a reverse proxy
    would; without it only addresses of this machine can be reached."""

    def __init__(self, updates: Updates, clock: Now) -> None:
        self.url = ""
        self.secret = ""
        self.most = 40
        self.through: str | None = None
        self.refused: list[tuple[int, str]] = []
        self._updates = updates
        self._clock = clock
        self._lanes: dict[str, deque[Update]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(self.most)
        self._session: aiohttp.ClientSession | None = None
        self._last_error: tuple[datetime, str] | None = None
        updates.on_update = self._take

    def set(self, url: str, secret: str, most: int) -> None:
        """Deliver to `url` from now on, what waits first."""
        self._stop()
        self.url, self.secret, self.most = url, secret, most
        self._places = asyncio.Semaphore(most)
        self._last_error = None
        for update in self._updates.pending.values():
            self._take(update)

    def clear(self) -> None:
        self._stop()
        self.url = self.secret = ""

    def retry(self) -> None:
        """Try again what was not accepted."""
        for lane in self._lanes:
            self._run(lane)

    def info(self, allowed: Sequence[str]) -> Json:
        """A WebhookInfo."""
        said: Json = {"url": self.url, "has_custom_certificate": False}
        said["pending_update_count"] = len(self._updates.pending)
        if self.url:
            said |= {"max_connections": self.most, "ip_address": "127.0.0.1"}
        if self._last_error:
            said |= {"last_error_date": int(self._last_error[0].timestamp()), "last_error_message": self._last_error[1]}
        return said | ({"allowed_updates": list(allowed)} if allowed else {})

    async def close(self) -> None:
        tasks = list(self._tasks.values())
        self.clear()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session:
            await self._session.close()

    def _stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        self._lanes.clear()

    def _take(self, update: Update) -> None:
        if self.url:
            self._lanes.setdefault(update.lane, deque()).append(update)
            self._run(update.lane)

    def _run(self, lane: str) -> None:
        if self._lanes[lane] and (lane not in self._tasks or self._tasks[lane].done()):
            self._tasks[lane] = asyncio.create_task(self._drain(self._lanes[lane]))

    async def _drain(self, waiting: deque[Update]) -> None:
        while waiting:
            update = waiting[0]
            for _ in range(TRIES):
                if await self._deliver(update):
                    break
            else:
                return
            waiting.popleft()
            self._updates.pending.pop(update.id, None)
            self._updates.changed()

    async def _deliver(self, update: Update) -> bool:
        """Whether it was accepted."""
        async with self._places:
            problem = await self._post(update)
        if problem:
            self._last_error = (self._clock.now(), problem)
            self.refused.append((update.id, problem))
            self._updates.changed()
        return not problem

    async def _post(self, update: Update) -> str:
        """What went wrong, "" if nothing did."""
        target = self.through or self.url
        if not is_local(target):
            return "Connection refused"
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.secret} if self.secret else {}
        with contextlib.suppress(aiohttp.ClientError, TimeoutError, OSError):
            async with self._client().post(target, json=update.body, headers=headers) as answer:
                await answer.read()
                accepted = answer.status // 100 == 2
                return "" if accepted else f"Wrong response from the webhook: {answer.status} {answer.reason}"
        return "Connection refused"

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        return self._session


def is_local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1", "http://localhost"))
