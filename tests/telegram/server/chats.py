"""A chat: what stands in it, and whether the bot can reach it. Knows no method of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.telegram.server.errors import Json, bad, forbidden
from tests.telegram.server.markup import Formatted
from tests.telegram.server.messages import Message, Topic
from tests.telegram.server.transcript import Transcript

if TYPE_CHECKING:
    from tests.telegram.server.people import Person
    from tests.telegram.server.world import World

NOTHING = Formatted("")


class Chat:
    """What all chats have. `log` is the story of the chat, told by `transcript()`."""

    kind = "private"

    def __init__(self, world: World, id: int, title: str) -> None:  # noqa: A002 - its name everywhere else
        self.world = world
        self.id = id
        self.title = title
        self.history: list[Message] = []
        self.log = Transcript(title)
        self._by_id: dict[int, Message] = {}

    def json(self) -> Json:
        return {"id": self.id, "type": self.kind, "title": self.title}

    @property
    def messages(self) -> list[Message]:
        """What is visible now, oldest first; service messages are not."""
        return [message for message in self.history if message.visible]

    @property
    def last(self) -> Message:
        """The newest visible message."""
        for message in reversed(self.history):
            if message.visible:
                return message
        raise AssertionError(f"nothing stands in {self.title}")

    def transcript(self) -> str:
        """The whole chat as people saw it come about: messages, buttons, edits, presses, pop-ups."""
        return self.log.text()

    async def shows(self, expected: str | Callable[[list[Message]], object]) -> Message:
        """Wait until a visible message contains the text, or the condition on all visible messages holds; 10 s at most.
        The newest message that contains it, or the newest of all."""

        def look() -> Message | None:
            if isinstance(expected, str):
                return next((m for m in reversed(self.history) if m.visible and expected in m.said.text), None)
            return self.last if expected(self.messages) else None

        wanted = repr(expected) if isinstance(expected, str) else "what was waited for"
        return await self.world.changes.until(look, lambda: f"{self.title} does not show {wanted}\n{self.transcript()}")

    def message(self, id: int) -> Message | None:  # noqa: A002 - its name everywhere else
        """The message with this id, unless it was deleted."""
        found = self._by_id.get(id)
        return found if found and not found.deleted else None

    def add(self, author: Json, said: Formatted = NOTHING, **more: Any) -> Message:
        """Put a message into the chat. No update is made."""
        added = Message(self, self._next_id(), author, self.world.seconds(), said, **more)
        self.history.append(added)
        self._by_id[added.id] = added
        self.log.wrote(added)
        self.world.changes.notify()
        return added

    def delete_message(self, message: Message) -> None:
        """Somebody deletes it; the bot is not told."""
        message.removed = True
        self.log.deleted(message)
        self.world.changes.notify()

    def check_open(self) -> None:
        """Raises what the API says when the bot can do nothing here."""

    @property
    def may_write(self) -> bool:
        """Whether the bot has the right to, where it can be at all."""
        return True

    def topic_of(self, thread: int | None) -> Topic | None:
        if thread is not None:
            raise bad("message thread not found")
        return None

    def beginning_of(self, topic: Topic) -> Json:
        return self._by_id[topic.id].json()

    def announce(self, message: Message) -> Message:
        """Tell the bot of a message."""
        self.world.updates.push("message", message.json(), f"chat{self.id}")
        return message

    def announce_bot(self, by: Person, old: Json, new: Json) -> None:
        """Tell the bot what it is in this chat now."""
        change = {"chat": self.json(), "from": by.json(), "date": self.world.seconds()}
        change |= {"old_chat_member": old, "new_chat_member": new}
        self.world.updates.push("my_chat_member", change, f"chat{self.id}")

    def _next_id(self) -> int:
        return next(self.world.message_ids)


class Private(Chat):
    """The chat of one person with the bot. It is open once the person has written."""

    def __init__(self, world: World, person: Person) -> None:
        super().__init__(world, person.id, person.name)
        self.person = person
        self.opened = False
        self.blocked = False

    def json(self) -> Json:
        names = {key: value for key, value in self.person.json().items() if key in ("first_name", "username")}
        return {"id": self.id, "type": "private", **names}

    def check_open(self) -> None:
        if self.person.deleted:
            raise forbidden("user is deactivated")
        if not self.opened:
            raise forbidden("bot can't initiate conversation with a user")
        if self.blocked:
            raise forbidden("bot was blocked by the user")
