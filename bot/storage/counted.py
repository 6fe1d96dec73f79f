"""A driver in front of another that counts what the database did not do. Knows no statement."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from bot import metrics
from bot.ports import StoreError, StoreUnavailableError
from bot.storage.driver import Connection, Dialect, Driver


class CountedDriver:
    """Passes everything on."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    @property
    def dialect(self) -> Dialect:
        return self._driver.dialect

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        with _counted():
            async with self._driver.transaction() as connection:
                yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        with _counted():
            async with self._driver.reading() as connection:
                yield connection

    async def close(self) -> None:
        await self._driver.close()


@contextmanager
def _counted() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        kind = "unavailable" if isinstance(error, StoreUnavailableError) else "other"
        metrics.STORE_ERRORS.labels(kind).inc()
        raise
