"""Where messages stand, and what the bot may do there; private messages of one and of several. Knows no route."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING

from discord import Permissions

from tests.discord.server.errors import (
    Json,
    closed_to_the_bot,
    missing_access,
    unknown_channel,
)
from tests.discord.server.messages import Message
from tests.discord.server.transcript import Transcript

if TYPE_CHECKING:
    from tests.discord.server.guilds import Guild
    from tests.discord.server.people import Person
    from tests.discord.server.world import World

PRIVATE = Permissions(
    view_channel=True, send_messages=True, embed_links=True, attach_files=True, read_message_history=True
)
"""What an app may do in private messages."""


class Kind(IntEnum):
    """Types of channels."""

    TEXT = 0
    DIRECT = 1
    VOICE = 2
    GROUP = 3
    NEWS = 5
    THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


class Channel:
    """What all have. `log` is the story of the channel, told by `transcript()`; `guild` is None outside of one."""

    context = 0
    guild: Guild | None = None

    def __init__(self, world: World, kind: Kind, name: str) -> None:
        self.world = world
        self.id = world.snowflakes.next()
        self.kind = kind
        self.name = name
        self.deleted = False
        self.history: list[Message] = []
        self.log = Transcript(name)
        world.channels[self.id] = self

    # What people see

    @property
    def messages(self) -> list[Message]:
        """What everybody sees now, oldest first."""
        return [message for message in self.history if not message.deleted and message.only_for is None]

    @property
    def last(self) -> Message:
        """The newest message that everybody sees."""
        messages = self.messages
        assert messages, f"nothing stands in {self.name}\n{self.transcript()}"
        return messages[-1]

    def transcript(self) -> str:
        """The whole channel as people saw it come about: messages, buttons, edits, presses, what each saw alone."""
        return self.log.text()

    async def shows(self, expected: str | Callable[[list[Message]], object]) -> Message:
        """Wait until a message contains the text, or the condition on all messages holds; 10 s at most. The newest
        message that contains it, or the newest of all."""

        def look() -> Message | None:
            if isinstance(expected, str):
                return next((message for message in reversed(self.messages) if expected in message.text), None)
            return self.last if expected(self.messages) else None

        wanted = repr(expected) if isinstance(expected, str) else "what was waited for"
        return await self.world.changes.until(look, lambda: f"{self.name} does not show {wanted}\n{self.transcript()}")

    def write(self, person: Person, text: str) -> Message:
        """Somebody types; the bot is not told."""
        return self.add(Message(self, self.world.snowflakes.next(), person.json(), self.world.clock.now(), text))

    def add(self, message: Message) -> Message:
        self.history.append(message)
        self.world.messages[message.id] = message
        self.log.wrote(message)
        self.world.changes.notify()
        return message

    def delete_message(self, message: Message) -> None:
        """Somebody deletes it; the bot is not told."""
        message.deleted = True
        self.log.deleted(message)
        self.world.changes.notify()

    # What the bot may do

    def app_permissions(self) -> Permissions:
        return PRIVATE

    def permissions_of(self, person: Person) -> Permissions:
        return PRIVATE

    def check_reachable(self) -> None:
        """Raises what the API says when the bot can see nothing here."""
        if self.deleted:
            raise unknown_channel()

    def check_writable(self, *, files: bool) -> None:
        """Raises what the API says when the bot may not send here."""
        self.check_reachable()

    def check_editable(self) -> None:
        self.check_reachable()

    # As the API tells it

    def json(self) -> Json:
        last = self.history[-1].id if self.history else None
        return {"id": self.id, "type": self.kind, "name": self.name, "last_message_id": last, "flags": 0}

    def context_json(self) -> Json:
        """As interactions tell it."""
        return self.json()


class Direct(Channel):
    """The private messages of one person with the bot."""

    context = 1

    def __init__(self, world: World, person: Person) -> None:
        super().__init__(world, Kind.DIRECT, person.name)
        self.person = person

    def check_writable(self, *, files: bool) -> None:
        super().check_writable(files=files)
        if self.person.closed:
            raise closed_to_the_bot()

    def json(self) -> Json:
        said = super().json() | {"recipients": [self.person.json()]}
        return {key: value for key, value in said.items() if key != "name"}


class Group(Channel):
    """Private messages of several people, in which the bot is not."""

    context = 2

    def __init__(self, world: World, name: str, people: list[Person]) -> None:
        super().__init__(world, Kind.GROUP, name)
        self.people = people

    def check_reachable(self) -> None:
        raise missing_access()

    def json(self) -> Json:
        recipients = [person.json() for person in self.people]
        return super().json() | {"recipients": recipients, "icon": None, "owner_id": self.people[0].id}
