"""A request of the bot as it came over the wire. Knows no route and keeps nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from aiohttp import BodyPartReader, web

from tests.discord.server.errors import ApiError, Json, invalid_json
from tests.discord.server.messages import Upload

# The framework's own limit is lower than Discord's, which is held to elsewhere.
_MOST_BYTES = 100 * 1024 * 1024
_FILE = re.compile(r"files\[(\d+)\]")


@dataclass(slots=True, eq=False)
class Request:
    """One call. `path` is what follows `/api/v10`; `files` are by the number that the body calls them. `status` and
    `answer` come when it is answered; `lost` is whether nobody heard the answer."""

    method: str
    path: str
    query: Mapping[str, str]
    at: datetime
    body: Any = None
    files: dict[str, Upload] = field(default_factory=dict)
    status: int = 0
    answer: Any = None
    lost: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def data(self) -> Json:
        """The body as an object."""
        if not isinstance(self.body, dict):
            raise ApiError(400, 50035, "Invalid Form Body", {"_errors": [{"message": "Only dictionaries may be used"}]})
        return self.body


async def read(request: web.BaseRequest, call: Request) -> None:
    """Put the body into `call`. Raises ApiError for what is no JSON."""
    if not request.body_exists:
        return
    request = request.clone(client_max_size=_MOST_BYTES)
    try:
        if request.content_type == "multipart/form-data":
            await _read_multipart(request, call)
        else:
            raw = await request.read()
            call.body = json.loads(raw) if raw else None
    except ValueError:
        raise invalid_json() from None


async def _read_multipart(request: web.BaseRequest, call: Request) -> None:
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader) or not part.name:
            continue
        content = bytes(await part.read())
        if part.name == "payload_json":
            call.body = json.loads(content)
        elif found := _FILE.fullmatch(part.name):
            call.files[found[1]] = Upload(part.filename or "", content)
