"""What the body of a request makes of a message. Knows no route."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from tests.discord.server import limits
from tests.discord.server.components import walk
from tests.discord.server.errors import Json, empty_message, invalid_form, too_large
from tests.discord.server.messages import COMPONENTS, EPHEMERAL, Message, Upload

_SUPPRESSED = 1 << 2


def fill(message: Message, body: Json, files: dict[str, Upload], *, new: bool) -> None:
    """Put what a body says into a message. Raises ApiError, and then nothing has changed."""
    whole = body if new else _as_it_would_be(message, body)
    if problems := limits.found(limits.message(whole)):
        raise invalid_form(problems)
    if sum(len(file.content) for file in files.values()) > message.channel.world.most_bytes:
        raise too_large()
    kept = _kept_files(message, body, files)
    shown = _resolved(message, whole.get("components") or (), kept)
    if not (whole.get("content") or shown or kept or whole.get("embeds") or whole.get("poll")):
        raise empty_message()
    message.content = whole.get("content") or ""
    message.embeds = whole.get("embeds") or ()
    message.flags = message.flags & ~COMPONENTS | (whole.get("flags") or 0) & (COMPONENTS | EPHEMERAL | _SUPPRESSED)
    message.components, message.files = shown, kept


def _as_it_would_be(message: Message, body: Json) -> Json:
    flags = (body.get("flags") or 0) & COMPONENTS | message.flags
    before: Json = {"content": message.content, "embeds": message.embeds, "components": message.components}
    return before | {name: value for name, value in body.items() if name in before} | {"flags": flags}


def _kept_files(message: Message, body: Json, files: dict[str, Upload]) -> dict[str, Upload]:
    """The files as they will be: those that stay by their ids, new ones by ids of their own."""
    named = body.get("attachments")
    stay = message.files if named is None else {each["id"]: message.files.get(str(each["id"])) for each in named}
    kept = {str(id): file for id, file in stay.items() if file is not None}  # noqa: A001 - its name in the API
    return kept | {message.channel.world.snowflakes.next(): file for file in files.values()}


def _resolved(message: Message, components: Sequence[Json], files: dict[str, Upload]) -> list[Json]:
    """The components with numbers, and addresses in place of references to attached files."""
    shown = copy.deepcopy(list(components))
    by_name = {file.name: id for id, file in files.items()}  # noqa: A001 - as above
    taken = {part.get("id") for part in walk(shown)}
    numbers = iter(number for number in range(1, 2 * len(taken) + 100) if number not in taken)
    for part in walk(shown):
        if not part.get("id"):
            part["id"] = next(numbers)
        for media in _media(part):
            media.update(_found(message, media["url"], by_name, files))
    return shown


def _media(part: Json) -> list[Json]:
    gallery = [item["media"] for item in part.get("items") or ()]
    return gallery + [part[name] for name in ("media", "file") if isinstance(part.get(name), dict)]


def _found(message: Message, url: str, by_name: dict[str, str], files: dict[str, Upload]) -> dict[str, Any]:
    if not url.startswith("attachment://"):
        return {"url": url, "proxy_url": url}
    name = url.removeprefix("attachment://")
    if name not in by_name:
        raise invalid_form([f"components: The file {name!r} is referred to but not attached"])
    address = f"https://cdn.discordapp.com/attachments/{message.channel.id}/{by_name[name]}/{name}"
    return {"url": address, "proxy_url": address, "attachment_id": by_name[name]}
