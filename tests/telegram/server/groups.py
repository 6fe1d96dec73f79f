"""Groups: members and rights, topics, and what becomes of the bot in them. Knows no method of the API."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING

from tests.telegram.server.chats import Chat
from tests.telegram.server.errors import Json, bad, forbidden
from tests.telegram.server.members import ADMINISTRATOR, member
from tests.telegram.server.messages import Message, Topic

if TYPE_CHECKING:
    from tests.telegram.server.people import Person
    from tests.telegram.server.world import World

ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}


class Group(Chat):
    """A basic group or a supergroup, with topics if it is a forum. `bot` is the bot's status in it; None: it never was
    in it."""

    def __init__(
        self,
        world: World,
        id: int,  # noqa: A002 - its name everywhere else
        title: str,
        kind: str,
        members: Iterable[Person],
        admins: Iterable[Person],
    ) -> None:
        super().__init__(world, id, title)
        self.kind = kind
        self.username: str | None = None
        self.admins = list(admins)
        self.members = [*self.admins, *(person for person in members if person not in self.admins)]
        self.bot: str | None = "member"
        self.forum = False
        self.topics: list[Topic] = []
        self.upgraded: Group | None = None
        self._own_ids = count(2)  # 1 is the founding of the group, and the id of General

    def json(self) -> Json:
        extra: Json = {"is_forum": True} if self.forum else {}
        return super().json() | extra | ({"username": self.username} if self.username else {})

    @property
    def owner(self) -> Person:
        """Who does what nobody is named for."""
        everyone = [*self.admins, *self.members]
        return everyone[0] if everyone else self.world.person("Owner")

    def _next_id(self) -> int:
        return next(self._own_ids) if self.kind == "supergroup" else super()._next_id()

    # What the bot may do

    def check_open(self) -> None:
        kind = "supergroup chat" if self.kind == "supergroup" else "group chat"
        if self.upgraded:
            raise bad("group chat was upgraded to a supergroup chat", migrate_to_chat_id=self.upgraded.id)
        if self.bot is None:
            raise bad("chat not found")
        if self.bot == "kicked":
            raise forbidden(f"bot was kicked from the {kind}")
        if self.bot == "left":
            raise forbidden(f"bot is not a member of the {kind}")

    @property
    def may_write(self) -> bool:
        return self.bot != "restricted"

    def topic_of(self, thread: int | None) -> Topic | None:
        if thread is None:
            return None
        found = next((topic for topic in self.topics if topic.id == thread and not topic.deleted), None)
        if found is None:
            raise bad("message thread not found")
        if found.closed and self.bot != "administrator":
            raise bad("TOPIC_CLOSED")
        return found

    # What people do

    def named_topic(self, name: str) -> Topic:
        return next(topic for topic in self.topics if topic.name == name and not topic.deleted)

    def add_topic(self, name: str) -> Topic:
        """Begin a topic; the chat is a forum from then on."""
        self.forum = True
        begun = self.add(self.owner.json(), extra={"forum_topic_created": {"name": name, "icon_color": 7322096}})
        begun.in_topic = Topic(begun.id, name)
        self.topics.append(begun.in_topic)
        return begun.in_topic

    def delete_topic(self, name: str) -> None:
        """The topic and every message in it; the bot is not told."""
        self.named_topic(name).deleted = True
        self.log.said(f"the topic {name} is deleted")
        self.world.changes.notify()

    def close_topic(self, name: str) -> None:
        topic = self.named_topic(name)
        topic.closed = True
        self.announce(self.add(self.owner.json(), in_topic=topic, extra={"forum_topic_closed": {}}))

    def add_bot(self, by: Person | None = None, payload: str = "") -> None:
        """Somebody adds the bot, with a payload through a `startgroup` link."""
        by = by or self.owner
        self._set_bot("member", by)
        self.announce(self.add(by.json(), extra={"new_chat_members": [self.world.bot]}))
        if payload:
            by.say(self, f"/start@{self.world.bot['username']} {payload}")

    def kick_bot(self, by: Person | None = None) -> None:
        self._set_bot("kicked", by)

    def mute_bot(self, by: Person | None = None) -> None:
        """The bot may no longer send. A basic group, which has permissions for all only, does not tell it."""
        self._set_bot("restricted", by, told=self.kind == "supergroup")

    def unmute_bot(self, by: Person | None = None) -> None:
        self._set_bot("member", by, told=self.kind == "supergroup")

    def promote_bot(self, by: Person | None = None) -> None:
        self._set_bot("administrator", by)

    def _set_bot(self, status: str, by: Person | None, *, told: bool = True) -> None:
        old, self.bot = self.bot or "left", status
        self.log.said(f"the bot was {old} and is {status} now")
        if told:
            self.announce_bot(by or self.owner, member(self.world.bot, old), member(self.world.bot, status))

    def join(self, person: Person) -> None:
        self.members.append(person)
        self.announce(self.add(person.json(), extra={"new_chat_members": [person.json()]}))

    def leave(self, person: Person) -> None:
        self.members.remove(person)
        self.admins = [admin for admin in self.admins if admin is not person]
        self.announce(self.add(person.json(), extra={"left_chat_member": person.json()}))

    def promote(self, person: Person) -> None:
        """Make an administrator; the bot is told if it asked for `chat_member` updates."""
        old = self.member_json(person)
        self.admins.append(person)
        self._announce_member(person, old)

    def demote(self, person: Person) -> None:
        old = self.member_json(person)
        self.admins.remove(person)
        self._announce_member(person, old)

    def _announce_member(self, person: Person, old: Json) -> None:
        change = {"chat": self.json(), "from": self.owner.json(), "date": self.world.seconds()}
        change |= {"old_chat_member": old, "new_chat_member": self.member_json(person)}
        self.world.updates.push("chat_member", change, f"chat{self.id}")

    def member_json(self, person: Person) -> Json:
        """What the API says a person is here. The first administrator owns the chat."""
        if self.admins and person is self.admins[0]:
            return member(person.json(), "creator")
        if person in self.admins:
            return member(person.json(), ADMINISTRATOR)
        return member(person.json(), "member" if person in self.members else "left")

    def upgrade(self) -> Group:
        """The group becomes a supergroup with a new id; both say so. Messages of the old one are out of reach."""
        new = self.world.group(self.title, self.members, self.admins, kind="supergroup")
        new.bot, self.upgraded = self.bot, new
        self.announce(self.add(self.owner.json(), extra={"migrate_to_chat_id": new.id}))
        origin = {"sender_chat": new.json(), "migrate_from_chat_id": self.id}
        new.announce(new.add(ANONYMOUS, extra=origin))
        return new

    def forgotten(self, id: int) -> Message:  # noqa: A002 - its name everywhere else
        """A message of long ago, which only the phone of somebody still shows."""
        return Message(self, id, self.world.bot, 0, removed=True)
