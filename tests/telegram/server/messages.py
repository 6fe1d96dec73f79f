"""A message as it stands in a chat, for people and as the API tells of it. Knows no method and decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.telegram.server.errors import Json
from tests.telegram.server.keyboards import Rows
from tests.telegram.server.markup import Formatted, cut

if TYPE_CHECKING:
    from tests.telegram.server.chats import Chat


@dataclass(slots=True)
class Topic:
    """A topic of a forum; its id is that of the service message that began it."""

    id: int
    name: str
    closed: bool = False
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture; a `moving` one is an animation to the API. With a `name` it is a document, whatever is in it."""

    content: bytes
    file_id: str
    moving: bool = False
    name: str = ""

    @property
    def kind(self) -> str:
        if self.name:
            return "document"
        return "animation" if self.moving else "photo"

    def json(self) -> Json | list[Json]:
        """Of a photo there are sizes, of an animation there is a length."""
        if self.name:
            unique = f"u{self.file_id}"
            size = len(self.content)
            return {"file_id": self.file_id, "file_unique_id": unique, "file_name": self.name, "file_size": size}
        known: Json = {"file_id": self.file_id, "file_unique_id": f"u{self.file_id}", "width": 640, "height": 480}
        known["file_size"] = len(self.content)
        return known | {"duration": 2} if self.moving else [known]


@dataclass(slots=True, eq=False)
class Message:
    """What is seen now; an edit changes it in place. `html` is the text as the bot sent it, `date` Unix seconds."""

    chat: Chat
    id: int
    author: Json
    date: int
    said: Formatted = field(default_factory=lambda: Formatted(""))
    image: Photo | None = None
    markup: Rows = field(default_factory=list)
    in_topic: Topic | None = None
    reply_to: Message | None = None
    extra: Json = field(default_factory=dict)
    inline_id: str = ""
    edits: int = 0
    edit_date: int = 0
    removed: bool = False
    reactions: list[Json] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Plain; "" under a photo."""
        return "" if self.image else self.said.text

    @property
    def caption(self) -> str | None:
        return self.said.text if self.image else None

    @property
    def html(self) -> str:
        return self.said.source

    @property
    def entities(self) -> tuple[Json, ...]:
        return self.said.entities

    @property
    def photo(self) -> bytes | None:
        return self.image.content if self.image else None

    @property
    def topic(self) -> str | None:
        """The name of its topic, None in General and where there are none."""
        return self.in_topic.name if self.in_topic else None

    @property
    def keyboard(self) -> list[list[str]]:
        """The labels, row by row."""
        return [[button["text"] for button in row] for row in self.markup]

    @property
    def deleted(self) -> bool:
        return self.removed or (self.in_topic is not None and self.in_topic.deleted)

    @property
    def visible(self) -> bool:
        """Whether it stands in the chat and is no service message."""
        return not self.deleted and bool(self.said.text or self.image)

    def button(self, label: str) -> Json:
        """The button whose label is `label`, or else begins with it."""
        buttons = [button for row in self.markup for button in row]
        exact = [button for button in buttons if button["text"] == label]
        for button in exact or (button for button in buttons if button["text"].startswith(label)):
            return button
        raise AssertionError(f"no button {label!r} under {self.said.text!r}; there are {self.keyboard}")

    def covered(self, kind: str) -> list[str]:
        """The parts of the text that entities of this kind cover."""
        found = (entity for entity in self.entities if entity["type"] == kind)
        return [cut(self.said.text, entity["offset"], entity["length"]) for entity in found]

    def json(self) -> Json:
        return dict(self._fields())

    def unreachable(self) -> Json:
        """What the API tells of it when it is too old or gone."""
        return {"chat": self.chat.json(), "message_id": self.id, "date": 0}

    def _fields(self) -> Iterator[tuple[str, object]]:
        yield from (("message_id", self.id), ("from", self.author), ("chat", self.chat.json()), ("date", self.date))
        yield from self._thread()
        if self.edit_date:
            yield "edit_date", self.edit_date
        if self.image:
            yield self.image.kind, self.image.json()
        if self.said.text:
            yield ("caption" if self.image else "text"), self.said.text
        if self.entities:
            yield ("caption_entities" if self.image else "entities"), list(self.entities)
        if self.markup:
            yield "reply_markup", {"inline_keyboard": self.markup}
        yield from self.extra.items()

    def _thread(self) -> Iterator[tuple[str, object]]:
        """Replies outside of forums belong to a thread too, but to no topic."""
        if self.in_topic:
            yield from (("message_thread_id", self.in_topic.id), ("is_topic_message", True))
        elif self.reply_to and self.chat.kind == "supergroup":
            yield "message_thread_id", self.reply_to.root.id
        if self.reply_to:
            yield "reply_to_message", {k: v for k, v in self.reply_to.json().items() if k != "reply_to_message"}
        elif self.in_topic and self.id != self.in_topic.id:
            yield "reply_to_message", self.chat.beginning_of(self.in_topic)

    @property
    def root(self) -> Message:
        return self.reply_to.root if self.reply_to else self
