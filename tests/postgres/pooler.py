"""A transaction pooler in front of a server, as PgBouncer is one: every transaction gets another of its connections.

Knows as much of the protocol as that takes: where a message ends, who asks for an answer, when a transaction is over.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

Message = tuple[bytes, bytes]
"""Its letter and what it says."""

ASKING = (b"Q", b"S")
"""A query and a Sync: each is answered by one ReadyForQuery."""

READY, OVER, TERMINATE = b"Z", b"I", b"X"
CLEAR_TEXT = 3
ENCRYPTION = (80877103, 80877104)
CANCEL = 80877102


async def read(reader: asyncio.StreamReader) -> Message:
    kind = await reader.readexactly(1)
    (length,) = struct.unpack("!i", await reader.readexactly(4))
    return kind, await reader.readexactly(length - 4)


def spelled(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


@dataclass
class Behind:
    """A connection to the server; `greeting` is what it said first, `served` how many transactions it has had."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    greeting: bytes = b""
    served: int = 0

    @classmethod
    async def made(cls, url: str) -> Behind:
        parts = urlsplit(url)
        made = cls(*await asyncio.open_connection(parts.hostname, parts.port))
        words = (b"user", unquote(parts.username or "").encode(), b"database", parts.path[1:].encode(), b"")
        made.writer.write(spelled(b"", struct.pack("!i", 196608) + b"\0".join(words) + b"\0"))
        while True:
            kind, body = await read(made.reader)
            if kind == b"R" and struct.unpack("!i", body[:4])[0] == CLEAR_TEXT:
                made.writer.write(spelled(b"p", unquote(parts.password or "").encode() + b"\0"))
                continue
            made.greeting += spelled(kind, body)
            if kind == READY:
                return made


@dataclass
class Pooler:
    """Hands its connections out in turn, one a transaction. `url` leads to it."""

    behind: list[Behind]
    url: str = ""
    clients: set[asyncio.Task[None]] = field(default_factory=set)
    free: asyncio.Queue[Behind] = field(default_factory=asyncio.Queue)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self.clients.add(task)
        try:
            if await self._welcomed(reader, writer):
                asking: asyncio.Future[Message] = asyncio.ensure_future(read(reader))
                while (message := await asking)[0] != TERMINATE:
                    asking = await self._transaction(message, reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.clients.discard(task)
            writer.close()

    async def _welcomed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        while True:
            (length,) = struct.unpack("!i", await reader.readexactly(4))
            (code,) = struct.unpack("!i", (await reader.readexactly(length - 4))[:4])
            if code == CANCEL:
                return False
            if code not in ENCRYPTION:
                writer.write(self.behind[0].greeting)
                return True
            writer.write(b"N")

    async def _transaction(
        self, message: Message, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> asyncio.Future[Message]:
        """Carry a transaction that begins with this message to its end; what the client says after it."""
        behind = await self.free.get()
        behind.served += 1
        awaited, over = _passed_on(message, behind), False
        asking: asyncio.Future[Message] = asyncio.ensure_future(read(reader))
        answer = asyncio.ensure_future(read(behind.reader))
        while awaited or not over:
            await asyncio.wait({asking, answer}, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                kind, body = answer.result()
                writer.write(spelled(kind, body))
                awaited, over = awaited - (kind == READY), over if kind != READY else body == OVER
                answer = asyncio.ensure_future(read(behind.reader))
            elif asking.done():
                awaited += _passed_on(asking.result(), behind)
                asking = asyncio.ensure_future(read(reader))
        answer.cancel()  # the server has nothing to say before it is asked again
        self.free.put_nowait(behind)
        return asking


def _passed_on(message: Message, behind: Behind) -> int:
    """How many answers this asks for."""
    behind.writer.write(spelled(*message))
    return int(message[0] in ASKING)


@asynccontextmanager
async def pooler(url: str, connections: int) -> AsyncIterator[Pooler]:
    """A pooler with so many connections to the database at `url`, for the time of a block; who connects to it has to
    leave before."""
    made = Pooler([await Behind.made(url) for _ in range(connections)])
    for behind in made.behind:
        made.free.put_nowait(behind)
    listening = await asyncio.start_server(made.serve, "127.0.0.1")
    port = listening.sockets[0].getsockname()[1]
    made.url = urlunsplit(urlsplit(url)._replace(netloc=f"anybody@127.0.0.1:{port}"))
    try:
        yield made
    finally:
        listening.close()
        await asyncio.gather(*made.clients)
        for behind in made.behind:
            behind.writer.close()
            with suppress(ConnectionError):
                await behind.writer.wait_closed()
