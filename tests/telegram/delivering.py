"""A webhook that listens on a port of this machine, and a client that delivers to it."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from adapters.telegram.webhook import SECRET_HEADER, Webhook
from tests.clock import VirtualClock
from tests.engine.running import until
from tests.telegram.taking import Desk

PATH = "/telegram/quiz bot"
URL = "https://quiz.example.org/telegram/quiz%20bot"
SECRET = "a-secret_of_27_characters-0"  # noqa: S105
LISTEN = "127.0.0.1:0"


@dataclass
class Scene:
    """A webhook that listens, who takes what it brings, and a client to speak to it."""

    clock: VirtualClock
    desk: Desk
    webhook: Webhook
    running: asyncio.Task[None]
    client: aiohttp.ClientSession

    async def send(
        self,
        body: object,
        *,
        secret: str | None = SECRET,
        path: str = PATH,
        method: str = "POST",
        headers: dict[str, str] | None = None,
    ) -> int:
        """The status that a request is answered with; a body that is not bytes is sent as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = (headers or {}) | ({} if secret is None else {SECRET_HEADER: secret})
        address = f"http://127.0.0.1:{self.webhook.port}{path}"
        async with (
            asyncio.timeout(10),
            self.client.request(method, address, data=io.BytesIO(data), headers=headers) as answer,
        ):
            await answer.read()
            return answer.status

    def sending(self, number: int) -> asyncio.Task[int]:
        return asyncio.create_task(self.send({"update_id": number}))

    async def begun(self, *numbers: int) -> None:
        await until(lambda: self.desk.begun == list(numbers))

    async def waiting(self, count: int) -> None:
        """Return once so many deliveries wait for what comes of them."""
        await until(lambda: len(self.clock.alarms) == count)


@asynccontextmanager
async def listening(clock: VirtualClock, url: str = URL) -> AsyncIterator[Scene]:
    desk, webhook = Desk(), Webhook(url, LISTEN, SECRET, clock)
    task = asyncio.create_task(webhook.run(desk.take))
    async with aiohttp.ClientSession() as client:
        async with asyncio.timeout(10):
            await webhook.started.wait()
        try:
            yield Scene(clock, desk, webhook, task, client)
        finally:
            task.cancel()
            # Without what is still held: it would be waited for on a clock that stands still.
            desk.release()
            await asyncio.wait([task], timeout=10)
    assert task.cancelled()
