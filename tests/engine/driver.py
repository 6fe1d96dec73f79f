"""A driver in front of the real one, that counts transactions and can be told to fail or to be slow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.ports import StoreError
from bot.storage.driver import Connection, Dialect, Driver


class WatchedDriver:
    """Passes everything on. `failing` transactions fail next, at their end, and `unreadable` reads;
    `broken` fails everything; with `slow` transactions wait for it."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.commits = 0
        self.attempts = 0
        self.failing = 0
        self.unreadable = 0
        self.broken = False
        self.slow: asyncio.Event | None = None

    @property
    def dialect(self) -> Dialect:
        return self._driver.dialect

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        self._check()
        async with self._driver.transaction() as connection:
            if self.slow:
                await self.slow.wait()
            yield connection
            if self.failing:
                self.failing -= 1
                raise StoreError("the disk is full")
        self.commits += 1

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        self._check()
        if self.unreadable:
            self.unreadable -= 1
            raise StoreError("the disk does not answer")
        async with self._driver.reading() as connection:
            yield connection

    async def close(self) -> None:
        await self._driver.close()

    def _check(self) -> None:
        self.attempts += 1
        if self.broken:
            raise StoreError("the disk is gone")
