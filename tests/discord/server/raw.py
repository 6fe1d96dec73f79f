"""A client of the API with no library between: any request can be made, right or wrong."""

from __future__ import annotations

import json
from io import BytesIO
from types import TracebackType
from typing import Any, Self

import aiohttp

from tests.discord.server import Discord


class Raw:
    """`await raw("POST", "/channels/1/messages", {"content": "x"})` returns status and body, files as (name, bytes).
    What it sends is not held against what the API allows, for most of it is wrong on purpose."""

    def __init__(self, server: Discord) -> None:
        server.contracts, server.strict = None, False
        self._server = server
        self._session = aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._session.close()

    async def __call__(
        self, method: str, path: str, body: Any = None, *files: tuple[str, bytes], **options: Any
    ) -> tuple[int, Any]:
        if files:
            options["data"] = _multipart(body, files)
        elif body is not None:
            options["json"] = body
        async with self._session.request(method, self._server.api_url + path, **options) as answer:
            said = await answer.json() if answer.content_type == "application/json" else await answer.text()
            return answer.status, said

    async def result(self, method: str, path: str, body: Any = None, *files: tuple[str, bytes]) -> Any:
        """The body of an answer that says yes."""
        status, said = await self(method, path, body, *files)
        assert status // 100 == 2, f"{method} {path} was refused: {status} {said}"
        return said

    async def refusal(self, method: str, path: str, body: Any = None, *files: tuple[str, bytes]) -> tuple[int, int]:
        """Status and code of an answer that says no."""
        status, said = await self(method, path, body, *files)
        assert status // 100 == 4, f"{method} {path} was not refused: {status} {said}"
        return status, said["code"]


def _multipart(body: Any, files: tuple[tuple[str, bytes], ...]) -> aiohttp.FormData:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps(body), content_type="application/json")
    for number, (name, content) in enumerate(files):
        form.add_field(f"files[{number}]", BytesIO(content), filename=name, content_type="application/octet-stream")
    return form
