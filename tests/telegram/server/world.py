"""Everything there is on this Telegram: the bot's account, people, chats, open questions. Speaks no HTTP."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Protocol

from tests.telegram.server.changes import Changes
from tests.telegram.server.chats import Chat, Private
from tests.telegram.server.errors import Json, bad
from tests.telegram.server.floods import Floods, Limits
from tests.telegram.server.groups import Group
from tests.telegram.server.messages import Message
from tests.telegram.server.people import Person
from tests.telegram.server.queries import InlineAsk, Press
from tests.telegram.server.updates import Updates
from tests.telegram.server.webhook import Webhook


class Now(Protocol):
    """All that is wanted of a clock."""

    def now(self) -> datetime: ...


class RealTime:
    def now(self) -> datetime:
        return datetime.now(UTC)


class World:
    """What people and methods act on. With `privacy` the bot hears in groups only what is meant for it."""

    def __init__(self, clock: Now, limits: Limits, username: str, name: str, *, privacy: bool) -> None:
        self.clock = clock
        self.floods = Floods(limits)
        self.bot: Json = {"id": 700000001, "is_bot": True, "first_name": name, "username": username}
        self.privacy = privacy
        self.inline_enabled = True
        self.inline_feedback = False
        self.changes = Changes()
        self.updates = Updates(self.changes)
        self.webhook = Webhook(self.updates, clock)
        self.chats: dict[int, Chat] = {}
        self.people: dict[int, Person] = {}
        self.presses: dict[str, Press] = {}
        self.asks: dict[str, InlineAsk] = {}
        self.inline_messages: dict[str, Message] = {}
        self.photos: dict[str, bytes] = {}
        self.profile: dict[tuple[str, str, str], object] = {}
        self.message_ids = itertools.count(1)
        self._query_ids = itertools.count(1)
        self._person_ids = itertools.count(50_000_001)
        self._group_ids = itertools.count(4_000_001)

    def seconds(self) -> int:
        """Unix time."""
        return int(self.clock.now().timestamp())

    def next_query_id(self) -> str:
        return str(3_000_000_000_000_000_000 + next(self._query_ids))

    # People and chats

    def person(self, name: str, language: str | None = "en", username: str | None = None) -> Person:
        """Somebody new. Their private chat is not open before they write."""
        made = Person(self, next(self._person_ids), name, language, username)
        self.people[made.id] = made
        self.chats[made.id] = made.private
        return made

    def group(
        self,
        title: str,
        members: Iterable[Person] = (),
        admins: Iterable[Person] = (),
        *,
        kind: str = "group",
        bot: str | None = "member",
    ) -> Group:
        """A basic group. `bot` is the bot's status in it: member, administrator, or None if it is not there yet."""
        number = next(self._group_ids)
        made = Group(
            self, -1_000_000_000_000 - number if kind == "supergroup" else -number, title, kind, members, admins
        )
        made.bot = bot
        self.chats[made.id] = made
        return made

    def supergroup(
        self,
        title: str,
        members: Iterable[Person] = (),
        admins: Iterable[Person] = (),
        *,
        topics: Sequence[str] = (),
        username: str | None = None,
        bot: str | None = "member",
    ) -> Group:
        """A supergroup; a forum if there are topics, besides which it has General."""
        made = self.group(title, members, admins, kind="supergroup", bot=bot)
        made.username = username
        for topic in topics:
            made.add_topic(topic)
        return made

    def chat(self, named: object) -> Chat:
        """The chat with this id or @username, if the bot can be in it."""
        if isinstance(named, int) and named in self.chats:
            return self.chats[named]
        for chat in self.chats.values():
            if isinstance(chat, Group) and chat.username and named == f"@{chat.username}":
                return chat
        raise bad("chat_id is empty" if named in (None, "") else "chat not found")

    # What the bot hears

    def hears(self, message: Message) -> bool:
        """Whether the bot is told of what somebody wrote."""
        chat = message.chat
        if isinstance(chat, Private):
            return not chat.blocked
        if not isinstance(chat, Group) or chat.bot in (None, "left", "kicked") or chat.upgraded:
            return False
        return not self.privacy or chat.bot == "administrator" or self._is_meant(message)

    def _is_meant(self, message: Message) -> bool:
        if message.extra.get("via_bot") == self.bot:
            return True
        if message.reply_to and message.reply_to.author["id"] == self.bot["id"]:
            return True
        addressed = (command.partition("@")[2].lower() for command in message.covered("bot_command"))
        return any(name in ("", str(self.bot["username"]).lower()) for name in addressed)
