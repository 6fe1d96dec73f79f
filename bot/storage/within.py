"""A driver on a transaction that is under way: what takes a driver happens whole in it, or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.storage.driver import Connection, Dialect


class Within:
    """The driver port on one open transaction, which others end."""

    def __init__(self, connection: Connection, dialect: Dialect) -> None:
        self._connection = connection
        self._dialect = dialect

    @property
    def dialect(self) -> Dialect:
        return self._dialect

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        yield self._connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        yield self._connection

    async def close(self) -> None: ...
