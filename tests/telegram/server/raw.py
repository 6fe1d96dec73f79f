"""A client of the Bot API with no library between: any request can be made, right or wrong."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Self

import aiohttp

from tests.telegram.server import BotApi


class Raw:
    """`await raw("sendMessage", chat_id=1, text="x")` returns the whole answer; values that are no texts go as JSON,
    bytes as files. What it sends is not held against the contract, for most of it is wrong on purpose."""

    def __init__(self, server: BotApi) -> None:
        server.contracts = None
        self._server = server
        self._session = aiohttp.ClientSession()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._session.close()

    async def __call__(self, method: str, **params: Any) -> Any:
        form = aiohttp.FormData(default_to_multipart=any(isinstance(value, bytes) for value in params.values()))
        for name, value in params.items():
            filename = name if isinstance(value, bytes) else None
            form.add_field(name, value if isinstance(value, (bytes, str)) else json.dumps(value), filename=filename)
        return await self.post(f"/bot{self._server.token}/{method}", data=form)

    async def post(self, path: str, **body: Any) -> Any:
        """Any body to any path. The answer's code stands in its body and in its status alike."""
        async with self._session.post(self._server.url + path, **body) as answer:
            said = await answer.json()
            assert said.get("error_code", 200) == answer.status
            return said

    async def refusal(self, method: str, **params: Any) -> str:
        """The text of an answer that says no, without its beginning."""
        answer = await self(method, **params)
        assert not answer["ok"], f"{method} was not refused: {answer['result']}"
        text: str = answer["description"]
        return text.removeprefix("Bad Request: ")

    async def result(self, method: str, **params: Any) -> Any:
        """The result of a request that is answered with yes."""
        answer = await self(method, **params)
        assert answer["ok"], f"{method} was refused: {answer}"
        return answer["result"]
