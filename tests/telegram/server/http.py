"""The Bot API over HTTP on this machine: from a request to its answer, with everything recorded. Holds no rule."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.telegram.server import contract, wire
from tests.telegram.server.errors import ApiError, Json, bad, not_found
from tests.telegram.server.faults import Fault, Faults, Garbage, Loss, Refusal
from tests.telegram.server.methods import METHODS, NAMES
from tests.telegram.server.wire import Request
from tests.telegram.server.world import World

TOKEN = "700000001:opens-the-server-of-the-tests-alone"  # noqa: S105 - opens this server only
_PATH = re.compile(r"/bot(\d+:[A-Za-z0-9_-]{35})/(\w+)/?")


class Server:
    """Serves a world while it is open. `requests` are all calls so far; `crashes` are faults of this server, which
    leaving raises, as it does for `violations` of the API's contract."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.faults = Faults(world.changes)
        self.token = TOKEN
        self.url = ""
        self.requests: list[Request] = []
        self.violations: list[str] = []
        self.crashes: list[Exception] = []
        self.contracts = contract.load()
        self._runner = web.ServerRunner(web.Server(self._handle, access_log=None), shutdown_timeout=1)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.faults.clear()
        self.world.updates.close()
        await self.world.webhook.close()
        await self._runner.cleanup()
        if error is None and self.crashes:
            raise self.crashes[0]
        if error is None and self.violations:
            raise AssertionError("requests that the Bot API does not allow:\n" + "\n".join(self.violations))

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        call = None
        try:
            call = await self._recorded(request)
            return await self._answered(call, request)
        except ApiError as error:
            return self._respond(call, error.code, error.body(), error.body())
        except UnicodeEncodeError:
            refused = bad("strings must be encoded in UTF-8")
            return self._respond(call, refused.code, refused.body(), refused.body())
        except Exception as error:
            self.crashes.append(error)
            raise

    async def _recorded(self, request: web.BaseRequest) -> Request:
        found = _PATH.fullmatch(request.path)
        if found is None:
            raise not_found()
        if found[1] != self.token:
            raise ApiError(401, "Unauthorized")
        raw = await wire.read(request)
        params = wire.decoded(raw)
        method = NAMES.get(found[2].lower(), found[2])
        call = Request(method, raw, params, self.world.clock.now(), params.get("chat_id"))
        self.requests.append(call)
        if self.contracts:
            self.violations += contract.violations(self.contracts, method, raw)
        self.world.changes.notify()
        return call

    async def _answered(self, call: Request, request: web.BaseRequest) -> web.StreamResponse:
        fault = self.faults.next(call.method, call.chat)
        await self.faults.wait(call.method, call.chat, answer_only=False)
        if fault is not None and fault != Loss(done=True):
            return self._failed(call, request, fault)
        try:
            result = METHODS[call.method](self.world, call) if call.method in METHODS else _unknown()
            if isinstance(result, Awaitable):
                result = await result
        except ApiError as error:
            call.status, call.answer = error.code, error.body()
            if fault is not None:
                return self._cut(call, request)
            raise
        await self.faults.wait(call.method, call.chat, answer_only=True)
        response = self._respond(call, 200, {"ok": True, "result": result}, result)
        return self._cut(call, request) if fault else response

    def _failed(self, call: Request, request: web.BaseRequest, fault: Fault) -> web.StreamResponse:
        if isinstance(fault, Refusal):
            raise fault.error
        if isinstance(fault, Garbage):
            call.status, call.answer = fault.status, fault.body
            return web.Response(status=fault.status, text=fault.body, content_type="text/html")
        return self._cut(call, request)

    def _cut(self, call: Request, request: web.BaseRequest) -> web.StreamResponse:
        call.lost = True
        if request.transport:
            request.transport.abort()
        return web.Response()

    def _respond(self, call: Request | None, status: int, body: Json, answer: Any) -> web.Response:
        if call is not None:
            call.status, call.answer = status, answer
            self.world.changes.notify()
        return web.Response(status=status, body=json.dumps(body).encode(), content_type="application/json")


def _unknown() -> Any:
    raise not_found()
