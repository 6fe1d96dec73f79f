"""What stands before several processes of a webhook: passes each connection on to the next of them that takes it.
Knows no HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from types import TracebackType
from typing import Self

CHUNK = 1 << 16


class Balancer:
    """`async with Balancer(ports)`; listens at `port` of this machine."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.port = 0
        self._ports = ports
        self._next = itertools.count()
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._server:
            self._server.close()
        for task in self._passing:
            task.cancel()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task:
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)
        try:
            there = await self._connected()
            if there is not None:
                await _both_ways((reader, writer), there)
        finally:
            writer.close()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        first = next(self._next)
        for number in range(len(self._ports)):
            with contextlib.suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", self._ports[(first + number) % len(self._ports)])
        return None


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _both_ways(one: Stream, other: Stream) -> None:
    """Until either side has ended."""
    ways = {asyncio.create_task(_pass(one[0], other[1])), asyncio.create_task(_pass(other[0], one[1]))}
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        other[1].close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
