"""One websocket of the gateway: frames in and out. Knows no event's meaning."""

from __future__ import annotations

import asyncio
import json
import zlib
from typing import Any

from aiohttp import WSMsgType, web

from tests.discord.server.changes import PATIENCE
from tests.discord.server.errors import Json
from tests.discord.server.gateway import Gateway, Session

_GOODBYES = (1000, 1001)
FAREWELL = 1.0
"""Real seconds that a client has to answer a close."""


class Connection:
    """A client that is connected. What is sent is sent in order, by a task of its own."""

    def __init__(self, gateway: Gateway, token: str) -> None:
        self._gateway = gateway
        self._token = token
        self._socket = web.WebSocketResponse(timeout=FAREWELL, autoping=False, max_msg_size=4096, compress=False)
        self._compressor: Any = None
        self._outgoing: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self._pings: list[asyncio.Future[None]] = []
        self._closed_here = False
        self.session: Session | None = None

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Speak with the client until one of the two has had enough."""
        if self._gateway.refusals:
            return web.Response(status=self._gateway.refusals.pop(0))
        if request.query.get("compress") == "zlib-stream":
            self._compressor = zlib.compressobj()
        await self._socket.prepare(request)
        self._gateway.connections.append(self)
        writing = asyncio.create_task(self._write())
        self.send(10, {"heartbeat_interval": round(self._gateway.heartbeat * 1000)})
        try:
            await self._read()
        finally:
            writing.cancel()
            self._end()
        return self._socket

    def _end(self) -> None:
        self._gateway.connections.remove(self)
        for ping in self._pings:
            ping.cancel()
        if self.session is not None:
            left = not self._closed_here and self._socket.close_code in _GOODBYES
            self._gateway.left(self.session, self, for_good=left)

    # Out

    def send(self, op: int, data: Any = None) -> None:
        self._outgoing.put_nowait(("frame", {"op": op, "d": data, "s": None, "t": None}))

    def dispatch(self, number: int, event: str, data: Json) -> None:
        self._outgoing.put_nowait(("frame", {"op": 0, "d": data, "s": number, "t": event}))

    def close(self, code: int) -> None:
        """Close behind what was sent before."""
        self._closed_here = True
        self._outgoing.put_nowait(("close", code))

    async def heard(self) -> None:
        """Wait until the client has dealt with all that was sent before; it answers a ping in its turn."""
        ping = asyncio.get_running_loop().create_future()
        self._pings.append(ping)
        self._outgoing.put_nowait(("ping", b""))
        done, _ = await asyncio.wait([ping], timeout=PATIENCE)
        assert done, f"a client does not hear what it is told within {PATIENCE} s"

    async def _write(self) -> None:
        while True:
            kind, what = await self._outgoing.get()
            if kind == "close":
                await self._socket.close(code=what)
                return
            try:
                await (self._socket.ping(what) if kind == "ping" else self._write_frame(what))
            except ConnectionError:
                return

    async def _write_frame(self, frame: Json) -> None:
        text = json.dumps(frame)
        if self._compressor is None:
            await self._socket.send_str(text)
        else:
            packed = self._compressor.compress(text.encode()) + self._compressor.flush(zlib.Z_SYNC_FLUSH)
            await self._socket.send_bytes(packed)

    # In

    async def _read(self) -> None:
        async for message in self._socket:
            if message.type is WSMsgType.PONG and self._pings:
                self._pings.pop(0).set_result(None)
            elif message.type is WSMsgType.PING:
                await self._socket.pong(message.data)
            elif message.type is WSMsgType.TEXT:
                self._hear(json.loads(message.data))

    def _hear(self, frame: Json) -> None:
        match frame["op"]:
            case 1 if self._gateway.answers_heartbeats:
                self.send(11)
            case 2:
                self._begun(self._gateway.begin(self, frame["d"], self._token))
            case 6:
                self._begun(self._gateway.resume(self, frame["d"], self._token))

    def _begun(self, session: Session | int | None) -> None:
        if isinstance(session, int):
            self.close(session)
        elif session is None:
            self.send(9, False)
        else:
            self.session = session
