"""The API and the gateway over HTTP on this machine: from a request to its answer, with everything recorded."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.discord.server import contract, rest, wire
from tests.discord.server.connections import Connection
from tests.discord.server.errors import ApiError, invalid_form, not_found, unauthorized
from tests.discord.server.faults import Fault, Faults, Loss, Refusal
from tests.discord.server.floods import Floods
from tests.discord.server.wire import Request
from tests.discord.server.world import World

TOKEN = "NzAwMDAwMDAx.opens-the-server.of-the-tests-alone"  # noqa: S105 - opens this server only
_API = "/api/v10"
_GATEWAY = "/gateway"
_VIA = {"Via": "1.1 google"}
_BY_TOKEN_IN_THE_PATH = ("/interactions/", "/webhooks/")


class Server:
    """Serves a world while it is open. `requests` are all calls so far; `crashes` are faults of this server, which
    leaving raises, as it does for `violations` of what the API allows, unless `strict` is taken away."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.faults = Faults(world.changes)
        self.floods = Floods(world.clock)
        self.token = TOKEN
        self.api_url = ""
        self.gateway_url = ""
        self.requests: list[Request] = []
        self.violations: list[str] = []
        self.crashes: list[Exception] = []
        self.strict = True
        self.contracts = contract.load()
        self._runner = web.ServerRunner(web.Server(self._handle, access_log=None), shutdown_timeout=1)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        # A short queue would make clients that connect in one tick wait a second for their turn.
        site = web.TCPSite(self._runner, "127.0.0.1", 0, backlog=4096)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.api_url = f"http://{host}:{port}{_API}"
        self.gateway_url = self.world.gateway.url = f"ws://{host}:{port}{_GATEWAY}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.faults.clear()
        for connection in list(self.world.gateway.connections):
            connection.close(1001)
        await self._runner.cleanup()
        if error is None and self.crashes:
            raise self.crashes[0]
        if error is None and self.violations and self.strict:
            raise AssertionError("requests that Discord does not allow:\n" + "\n".join(self.violations))

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path.rstrip("/") == _GATEWAY:
            return await Connection(self.world.gateway, self.token).serve(request)
        call = Request(request.method, request.path.removeprefix(_API), request.query, self.world.clock.now())
        try:
            return await self._answered(call, request)
        except ApiError as error:
            return self._respond(call, error.status, error.body())
        except Exception as error:
            self.crashes.append(error)
            raise

    async def _answered(self, call: Request, request: web.BaseRequest) -> web.StreamResponse:
        await self._record(call, request)
        fault = self.faults.next(call)
        await self.faults.wait(call, answer_only=False)
        if fault is not None and fault != Loss(done=True):
            return self._failed(call, request, fault)
        try:
            headers = self.floods.take(call)
            self._check(call)
            status, answer = 200, rest.answer(self.world, call)
        except ApiError as error:
            self._note(call, error)
            status, answer, headers = error.status, error.body(), error.headers
        await self.faults.wait(call, answer_only=True)
        response = self._respond(call, 204 if answer is None else status, answer, headers)
        return self._cut(call, request) if fault else response

    async def _record(self, call: Request, request: web.BaseRequest) -> None:
        if not request.path.startswith(_API):
            raise not_found()
        await wire.read(request, call)
        self.requests.append(call)
        self.world.changes.notify()
        known = request.headers.get("Authorization") == f"Bot {self.token}"
        if not known and not call.path.startswith(_BY_TOKEN_IN_THE_PATH):
            raise unauthorized()

    def _check(self, call: Request) -> None:
        found = contract.violations(self.contracts, call) if self.contracts else []
        self.violations += found
        if found:
            raise invalid_form([f"_contract: {problem}" for problem in found])

    def _note(self, call: Request, error: ApiError) -> None:
        if error.code in (50035, 50109, 50006) and "_contract" not in error.errors:
            self.violations.append(f"{call}: {error.message} {json.dumps(error.errors)}")

    def _failed(self, call: Request, request: web.BaseRequest, fault: Fault) -> web.StreamResponse:
        if isinstance(fault, Refusal):
            return self._respond(call, fault.status, fault.body, fault.headers, via=fault.via)
        return self._cut(call, request)

    def _cut(self, call: Request, request: web.BaseRequest) -> web.StreamResponse:
        call.lost = True
        call.status = call.status or 599
        self.world.changes.notify()
        if request.transport:
            request.transport.abort()
        return web.Response()

    def _respond(
        self, call: Request, status: int, answer: Any, headers: dict[str, str] | None = None, *, via: bool = True
    ) -> web.Response:
        call.status, call.answer = status, answer
        self.world.changes.notify()
        said = {**(_VIA if via else {}), **(headers or {})}
        if status == 204:
            return web.Response(status=status, headers=said)
        if isinstance(answer, str):
            return web.Response(status=status, headers=said, text=answer, content_type="text/html")
        # The library reads only what is exactly of this type, without a character set.
        said["Content-Type"] = "application/json"
        return web.Response(status=status, headers=said, body=json.dumps(answer).encode())
