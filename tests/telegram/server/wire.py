"""A request of the bot as it came over the wire, and its values as Python's. Knows no method and keeps nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import BodyPartReader, web

from tests.telegram.server.errors import Json, bad

# Everything else that arrives as text is a number, a flag or an object.
_TEXTS = frozenset(
    {
        "action",
        "business_connection_id",
        "callback_query_id",
        "caption",
        "description",
        "inline_message_id",
        "inline_query_id",
        "ip_address",
        "language_code",
        "message_effect_id",
        "name",
        "next_offset",
        "parse_mode",
        "secret_token",
        "short_description",
        "text",
        "url",
    }
)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    name: str
    content: bytes


@dataclass(slots=True, eq=False)
class Request:
    """One call. `raw` are the values as sent, `params` as they are meant, a file as an `Upload`; `chat` is the id it
    names. `status` and `answer` come when it is answered: the result, or the whole answer that says no."""

    method: str
    raw: Mapping[str, Any]
    params: Mapping[str, Any]
    at: datetime
    chat: int | str | None = None
    status: int = 0
    answer: Any = None
    lost: bool = field(default=False)

    def text(self, name: str) -> str:
        """The value, "" when there is none. Anything but a text is a bad request."""
        value = self.params.get(name, "")
        if not isinstance(value, str):
            raise bad(f"parameter {name} is not a text")
        return value

    def integer(self, name: str, missing: int = 0) -> int:
        value = self.params.get(name, missing)
        if isinstance(value, bool) or not isinstance(value, int):
            raise bad(f"parameter {name} is not an integer")
        return value

    def flag(self, name: str) -> bool:
        value = self.params.get(name, False)
        if not isinstance(value, bool):
            raise bad(f"parameter {name} is not a boolean")
        return value

    def items(self, name: str) -> list[Any]:
        value = self.params.get(name, [])
        if not isinstance(value, list):
            raise bad(f"can't parse {name}: expected an Array")
        return value

    def structure(self, name: str) -> Json:
        value = self.params.get(name, {})
        if not isinstance(value, dict):
            raise bad(f"can't parse {name}: expected an Object")
        return value


async def read(request: web.BaseRequest) -> dict[str, Any]:
    """The parameters of a request, from its address and a body of any of the three kinds."""
    values: dict[str, Any] = dict(request.query)
    try:
        if request.content_type == "multipart/form-data":
            values.update(await _read_multipart(request))
        elif request.content_type == "application/json":
            values.update(json.loads(await request.read() or b"{}"))
        else:
            body = (await request.read()).decode()
            values.update(parse_qsl(body, keep_blank_values=True, errors="strict"))
    except UnicodeError:
        raise bad("strings must be encoded in UTF-8") from None
    except ValueError:
        raise bad("can't parse the body of the request") from None
    return values


async def _read_multipart(request: web.BaseRequest) -> dict[str, Any]:
    values: dict[str, Any] = {}
    async for part in await request.multipart():
        if isinstance(part, BodyPartReader) and part.name:
            content = bytes(await part.read())
            values[part.name] = content.decode() if part.filename is None else Upload(part.filename, content)
    return values


def decoded(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The values as they are meant; `attach://` is followed to the file."""
    return {name: _decoded(name, value, raw) for name, value in raw.items()}


def _decoded(name: str, value: Any, raw: Mapping[str, Any]) -> Any:
    if name in _TEXTS or not isinstance(value, str):
        return value
    if value.startswith("attach://"):
        return raw.get(value.removeprefix("attach://"), value)
    try:
        return json.loads(value)
    except ValueError:
        return value
