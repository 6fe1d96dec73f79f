"""Formatted text: what is left of HTML when its tags are read, and what they said. Knows nothing of messages."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.telegram.server.errors import ApiError, Json, bad
from tests.telegram.server.wire import Request

_TOKEN = re.compile(
    r"""<(?P<closing>/?)(?P<name>[^\s>]*)(?P<rest>(?:[^>"']|"[^"]*"|'[^']*')*)>
      | (?P<reference>&(?:\#\d+|\#x[0-9a-f]+|lt|gt|amp|quot);)
      | (?P<plain>[^<&]+|&)""",
    re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s=>"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_COMMAND = re.compile(r"(?<![\w/<>])/\w{1,64}(?:@\w{3,32})?(?![\w/<>])", re.ASCII)
_TYPES = {
    "a": "text_link",
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}
_KNOWN = frozenset({*_TYPES.values(), "expandable_blockquote", "text_mention", "bot_command", "url", "mention"})


def units(text: str) -> int:
    """The length in UTF-16 units, as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """The part of a text that an entity covers."""
    return text.encode("utf-16-le")[2 * offset : 2 * (offset + length)].decode("utf-16-le")


@dataclass(frozen=True, slots=True)
class Formatted:
    """A text as people see it, and its entities. `source` is what was sent, and no part of what is compared."""

    text: str
    entities: tuple[Json, ...] = ()
    source: str = field(default="", compare=False)


def typed(text: str) -> Formatted:
    """What a person typed: commands are the only entities."""
    commands = tuple(
        {"type": "bot_command", "offset": units(text[: found.start()]), "length": units(found[0])}
        for found in _COMMAND.finditer(text)
    )
    return Formatted(text, commands, text)


def formatted(request: Request, name: str = "text", entities: str = "entities") -> Formatted:
    """The text of a request, parsed as it asks for."""
    return parsed(request.text(name), request.text("parse_mode"), request.items(entities))


def parsed(source: str, mode: str, entities: list[Json]) -> Formatted:
    if mode.lower() == "html":
        text, found = _Reader(source).read()
    elif mode:
        raise bad(f"unsupported parse_mode {mode}: this server reads HTML only")
    else:
        text, found = source, _checked(entities, units(source))
    return _trimmed(text, found, source)


def _checked(entities: list[Json], end: int) -> list[Json]:
    for entity in entities:
        if entity.get("type") not in _KNOWN:
            raise bad("can't parse entities: unsupported entity type")
        if not 0 <= entity.get("offset", -1) < entity["offset"] + entity.get("length", 0) <= end:
            raise bad("can't parse entities: an entity is outside of the text")
    return entities


def _trimmed(text: str, entities: list[Json], source: str) -> Formatted:
    """White space around a text is dropped, and entities with it."""
    lead, length = units(text) - units(text.lstrip()), units(text.strip())
    kept = []
    for entity in entities:
        start = max(entity["offset"] - lead, 0)
        end = min(entity["offset"] + entity["length"] - lead, length)
        if start < end:
            kept.append(entity | {"offset": start, "length": end - start})
    kept.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return Formatted(text.strip(), tuple(kept), source)


@dataclass(slots=True)
class _Open:
    """A tag that waits for its end."""

    name: str
    entity: Json


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._length = 0
        self._open: list[_Open] = []
        self._entities: list[Json] = []

    def read(self) -> tuple[str, list[Json]]:
        text = "".join(self._texts())
        if self._open:
            raise bad(f"can't parse entities: Can't find end tag corresponding to start tag \"{self._open[-1].name}\"")
        return text, self._entities

    def _texts(self) -> Iterator[str]:
        position = 0
        while position < len(self._source):
            token = _TOKEN.match(self._source, position)
            if token is None:
                raise self._unclosed(position)
            text = self._take(token)
            self._length += units(text)
            yield text
            position = token.end()

    def _take(self, token: re.Match[str]) -> str:
        if token["name"] is None:
            return html.unescape(token[0]) if token["reference"] else token[0]
        if token["closing"]:
            self._close(token["name"].lower(), token.start())
        else:
            self._begin(token["name"].lower(), token["rest"], token.start())
        return ""

    def _begin(self, name: str, rest: str, position: int) -> None:
        if name not in _TYPES:
            raise self._error(f'Unsupported start tag "{name}"', position)
        attributes = {
            found[1].lower(): html.unescape((found[2] or "").strip("\"'")) for found in _ATTRIBUTE.finditer(rest)
        }
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise self._error('Tag "span" must have class "tg-spoiler"', position)
        entity = {"type": _TYPES[name], "offset": self._length, **_details(name, attributes)}
        self._open.append(_Open(name, entity))

    def _close(self, name: str, position: int) -> None:
        if not self._open:
            raise self._error("Unexpected end tag", position)
        opened = self._open.pop()
        if name and name != opened.name:
            raise self._error("Unmatched end tag", position, f', expected "</{opened.name}>", found "</{name}>"')
        if not self._names_language(opened):
            self._entities.append(opened.entity | {"length": self._length - opened.entity["offset"]})

    def _names_language(self, closed: _Open) -> bool:
        """`<pre><code class="language-…">` is one entity, of the outer tag."""
        outer = self._open[-1] if self._open else None
        if outer is None or outer.name != "pre" or closed.name != "code" or "language" not in closed.entity:
            closed.entity.pop("language", None) if closed.name == "code" else None
            return False
        outer.entity["language"] = closed.entity["language"]
        return True

    def _unclosed(self, position: int) -> ApiError:
        if self._source.startswith("</", position):
            return self._error("Unclosed end tag", position)
        named = re.match(r"<([^\s>]*)\s", self._source[position:])
        if named and named[1].lower() not in _TYPES:
            return self._error(f'Unsupported start tag "{named[1].lower()}"', position)
        return self._error("Unclosed start tag", position)

    def _error(self, what: str, position: int, more: str = "") -> ApiError:
        offset = len(self._source[:position].encode())
        return bad(f"can't parse entities: {what} at byte offset {offset}{more}")


def _details(name: str, attributes: dict[str, str]) -> Json:
    match name:
        case "a":
            return {"url": attributes.get("href", "")}
        case "blockquote" if "expandable" in attributes:
            return {"type": "expandable_blockquote"}
        case "code" if attributes.get("class", "").startswith("language-"):
            return {"language": attributes["class"].removeprefix("language-")}
        case "tg-emoji":
            return {"custom_emoji_id": attributes.get("emoji-id", "")}
        case "tg-time":
            return {"unix_time": int(attributes.get("unix", "0"))}
        case _:
            return {}
