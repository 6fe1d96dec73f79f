"""The limits that Discord holds every body to, each problem told as `place: what`. Knows no state of the world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.discord.server.components import LINK, Kind, walk
from tests.discord.server.errors import Json
from tests.discord.server.messages import COMPONENTS

_NAME = re.compile(r"[-_'\w]{1,32}")
_TOP = {Kind.ROW, Kind.SECTION, Kind.TEXT, Kind.GALLERY, Kind.FILE, Kind.SEPARATOR, Kind.CONTAINER}
_SELECTS = (Kind.SELECT, 5, 6, 7, 8)
_TEXTS = {"label": 80, "custom_id": 100, "placeholder": 150}


def found(problems: Iterator[str]) -> list[str]:
    """All problems; a body of a shape that none of the rules expects is one."""
    try:
        return list(problems)
    except (AttributeError, KeyError, TypeError) as error:
        return [f"body: not of the right shape: {error!r}"]


def message(body: Json) -> Iterator[str]:
    """A message that is sent or changed."""
    yield from _text(body, "content", 2000)
    modern = bool((body.get("flags") or 0) & COMPONENTS)
    parts = list(walk(body.get("components")))
    if modern and (body.get("content") or body.get("embeds") or body.get("poll")):
        yield "flags: a message of components has no content, embeds or poll"
    yield from _modern(body, parts) if modern else _plain(body, parts)
    yield from _parts(parts)
    yield from _embeds(body.get("embeds") or ())
    if len(str(body.get("nonce") or "")) > 25:
        yield "nonce: Must be 25 or fewer in length."


def _modern(body: Json, parts: Sequence[Json]) -> Iterator[str]:
    if len(parts) > 40:
        yield f"components: {len(parts)} components, 40 at most"
    characters = sum(len(part.get("content") or "") for part in parts if part["type"] == Kind.TEXT)
    if characters > 4000:
        yield f"components: {characters} characters of text, 4000 at most"
    for number, part in enumerate(body.get("components") or ()):
        if part["type"] not in _TOP:
            yield f"components.{number}.type: {part['type']} does not stand alone"


def _plain(body: Json, parts: Sequence[Json]) -> Iterator[str]:
    if len(body.get("components") or ()) > 5:
        yield "components: 5 rows at most"
    if any(part["type"] not in (Kind.ROW, Kind.BUTTON, *_SELECTS) for part in parts):
        yield "components: such components need the flag IS_COMPONENTS_V2"


def _parts(parts: Sequence[Json]) -> Iterator[str]:
    custom_ids = [part["custom_id"] for part in parts if part.get("custom_id")]
    for custom_id in {custom_id for custom_id in custom_ids if custom_ids.count(custom_id) > 1}:
        yield f"components: Component custom id {custom_id!r} cannot be duplicated"
    for number, part in enumerate(parts):
        for problem in _part(part):
            yield f"components.{number}.{problem}"


def _part(part: Json) -> Iterator[str]:
    for name, most in _TEXTS.items():
        if name != "label" or part["type"] == Kind.BUTTON:
            yield from _text(part, name, most)
    match part["type"]:
        case Kind.ROW:
            yield from _row(part.get("components") or [])
        case Kind.BUTTON:
            yield from _button(part)
        case Kind.SELECT:
            yield from _select(part)
        case Kind.TEXT:
            yield from _text(part, "content", 4000, least=1)
        case Kind.GALLERY:
            yield from _gallery(part.get("items") or [])
        case Kind.CONTAINER if not part.get("components"):
            yield "components: a container is not empty"
        case Kind.SECTION if not part.get("accessory") or not 1 <= len(part.get("components") or ()) <= 3:
            yield "components: a section has 1 to 3 texts and something beside them"


def _row(inner: Sequence[Json]) -> Iterator[str]:
    kinds = [part["type"] for part in inner]
    if not 1 <= len(inner) <= 5:
        yield f"components: {len(inner)} in a row, 1 to 5 can be"
    if any(kind in _SELECTS for kind in kinds) and len(inner) > 1:
        yield "components: a select is alone in its row"
    if any(kind not in (Kind.BUTTON, Kind.INPUT, *_SELECTS) for kind in kinds):
        yield "components: a row holds buttons or a select"


def _button(part: Json) -> Iterator[str]:
    if not part.get("label") and not part.get("emoji"):
        yield "label: a button has a label or an emoji"
    if part.get("style") not in range(1, 7):
        yield "style: 1 to 6"
    if (part.get("style") == LINK) != bool(part.get("url")):
        yield "url: a link has an address, and only a link"
    if part.get("style") in (1, 2, 3, 4) and not part.get("custom_id"):
        yield "custom_id: This field is required"
    yield from _text(part, "url", 512)


def _select(part: Json) -> Iterator[str]:
    options = part.get("options") or []
    if not part.get("custom_id"):
        yield "custom_id: This field is required"
    if not 1 <= len(options) <= 25:
        yield f"options: {len(options)}, 1 to 25 can be"
    values = [option.get("value") for option in options]
    if len(set(values)) < len(values):
        yield "options: The specified option value is already used"
    for option in options:
        for name in ("label", "value"):
            yield from _text(option, name, 100, least=1)
        yield from _text(option, "description", 100)
    least, most = part.get("min_values", 1), part.get("max_values", 1)
    if not 0 <= least <= most <= 25 or most > max(len(options), 1):
        yield f"max_values: {least} to {most} of {len(options)}"
    if sum(bool(option.get("default")) for option in options) > most:
        yield "options: more preset than can be chosen"


def _gallery(items: Sequence[Json]) -> Iterator[str]:
    if not 1 <= len(items) <= 10:
        yield f"items: {len(items)}, 1 to 10 can be"
    for item in items:
        yield from _text(item, "description", 1024)
        if not str(item["media"]["url"]).startswith(("attachment://", "https://", "http://")):
            yield "items: Scheme must be one of ('http', 'https', 'attachment')"


def _embeds(embeds: Sequence[Json]) -> Iterator[str]:
    if len(embeds) > 10:
        yield "embeds: 10 at most"
    for embed in embeds:
        yield from _text(embed, "title", 256)
        yield from _text(embed, "description", 4096)


def form(body: Json) -> Iterator[str]:
    """A modal."""
    yield from _text(body, "title", 45, least=1)
    yield from _text(body, "custom_id", 100, least=1)
    rows = body.get("components") or []
    if not 1 <= len(rows) <= 5:
        yield f"components: {len(rows)}, 1 to 5 can be"
    parts = list(walk(rows))
    for part in rows:
        if part["type"] not in (Kind.LABEL, Kind.ROW, Kind.TEXT):
            yield f"components: {part['type']} does not stand in a form"
        if part["type"] == Kind.LABEL:
            yield from _text(part, "label", 45, least=1)
            yield from _text(part, "description", 100)
    yield from _parts(parts)


def choices(body: Json) -> Iterator[str]:
    """What autocomplete offers."""
    offered = body.get("choices")
    if offered is None or len(offered) > 25:
        yield "choices: 0 to 25 can be"
    for choice in offered or ():
        yield from _text(choice, "name", 100, least=1)
        if isinstance(choice.get("value"), str):
            yield from _text(choice, "value", 100)


def commands(body: Sequence[Json]) -> Iterator[str]:
    """All commands, registered at once."""
    for kind, most in ((1, 100), (2, 15), (3, 15)):
        of_kind = [command for command in body if command.get("type", 1) == kind]
        if len(of_kind) > most:
            yield f"commands: {len(of_kind)} of type {kind}, {most} at most"
        names = [command.get("name") for command in of_kind]
        if len(set(names)) < len(names):
            yield f"name: Application command names must be unique: {names}"
    for number, command in enumerate(body):
        for problem in _command(command):
            yield f"{number}.{problem}"


def _command(command: Json) -> Iterator[str]:
    slash = command.get("type", 1) == 1
    for name in (command.get("name"), *(command.get("name_localizations") or {}).values()):
        if not isinstance(name, str) or not 1 <= len(name) <= 32:
            yield f"name: {name!r} has not 1 to 32 characters"
        elif slash and (not _NAME.fullmatch(name) or name != name.lower()):
            yield f"name: {name!r} is no name of a command"
    described = (command.get("description"), *(command.get("description_localizations") or {}).values())
    for text in described if slash else ():
        if not isinstance(text, str) or not 1 <= len(text) <= 100:
            yield f"description: {text!r} has not 1 to 100 characters"
    if not slash and command.get("description"):
        yield "description: only typed commands have one"
    options = command.get("options") or []
    if len(options) > 25:
        yield "options: 25 at most"
    for option in options:
        yield from (f"options.{problem}" for problem in _command(option | {"type": 1, "options": []}))


def _text(body: Json, name: str, most: int, *, least: int = 0) -> Iterator[str]:
    value: Any = body.get(name)
    if value is None and not least:
        return
    if not isinstance(value, str):
        yield f"{name}: This field is required" if value is None else f"{name}: Could not interpret as string."
    elif len(value) > most:
        yield f"{name}: Must be {most} or fewer in length."
    elif len(value.strip()) < least:
        yield f"{name}: This field is required"
