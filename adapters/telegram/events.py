"""Updates in, as what somebody asks. Pure: one update, our own name and the time; no request, no rule, no wording."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from telegram import (
    Bot,
    Chat,
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    Message,
    Update,
    User,
)
from telegram.constants import ChatMemberStatus, ChatType, MessageEntityType

from adapters.people import called, written
from adapters.telegram.chats import PLATFORM, Place
from bot.core.session import Actor

GROUPS = frozenset({ChatType.GROUP, ChatType.SUPERGROUP})
GONE = frozenset({ChatMemberStatus.LEFT, ChatMemberStatus.BANNED})


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, where and when. `user` is their id where they are a person whose rights can be asked for; `key` names
    the update; `message` is the message that they wrote, or whose button they pressed."""

    place: Place
    private: bool
    by: Actor
    user: int | None
    locale: str | None
    key: str
    at: datetime
    message: int

    @property
    def is_unknown(self) -> bool:
        """Whether nobody can tell which person it is: whoever writes as a channel presses buttons as themselves."""
        return self.user is None and not self.by.moderator


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command that was meant for us, or without a name some other text. `addressed`: by our name, or where nobody
    else could be meant."""

    asker: Asker
    name: str
    argument: str
    addressed: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button under a message of ours. `offered`: the message has that button now, so that it was neither made up nor
    has gone since."""

    asker: Asker
    query: str
    data: str
    offered: bool


@dataclass(frozen=True, slots=True)
class PressedElsewhere:
    """A button under a message that is in no chat of ours."""

    query: str


@dataclass(frozen=True, slots=True)
class Searched:
    """Somebody looks for a quiz to share into any chat."""

    person: str
    query: str
    text: str
    locale: str | None


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody brought us into a group."""

    asker: Asker


@dataclass(frozen=True, slots=True)
class Lost:
    """We can no longer write to this chat."""

    chat: int


@dataclass(frozen=True, slots=True)
class Migrated:
    """A group has become a supergroup."""

    old: int
    new: int


Asked = Commanded | Pressed | PressedElsewhere | Searched | Joined | Lost | Migrated


def understood(raw: Mapping[str, Any], bot: Bot, username: str, now: datetime) -> Asked | None:
    """What an update, as it came, asks of the bot called `username`; None when nothing. `now` is the time of what has
    none. Raises whatever the library does with what it cannot read."""
    if "callback_query" in raw:
        return _pressed(raw["callback_query"], bot, now)
    update = Update.de_json(dict(raw), bot)
    if update.message:
        return _written(update.message, username)
    if update.inline_query:
        query = update.inline_query
        locale = query.from_user.language_code
        return Searched(_person(query.from_user).person, query.id, written(query.query), locale)
    if update.my_chat_member:
        return _membership(update.my_chat_member)
    return None


def _pressed(query: Mapping[str, Any], bot: Bot, now: datetime) -> Asked:
    """A press, read without the library, for which the message, our own, is dearer than all the rest of the press."""
    message, data, user = query.get("message"), query.get("data"), User.de_json(query["from"], bot)
    if message is None or data is None:
        return PressedElsewhere(str(query["id"]))
    chat, is_topic = message["chat"], message.get("is_topic_message", False)
    asker = Asker(
        place=Place(int(chat["id"]), int(message["message_thread_id"]) if is_topic else None),
        private=chat["type"] == ChatType.PRIVATE,
        by=_person(user),
        user=user.id,
        locale=user.language_code,
        key=f"{PLATFORM}:press:{query['id']}",
        at=now,
        message=int(message["message_id"]),
    )
    return Pressed(asker, str(query["id"]), str(data), offered=_has_button(message, data))


def _has_button(message: Mapping[str, Any], data: str) -> bool:
    """Whoever speaks to the platform by themselves can press what no message offers."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", ())
    return any(button.get("callback_data") == data for row in rows for button in row)


def _person(user: User) -> Actor:
    return Actor(f"{PLATFORM}:{user.id}", called(user.full_name or ""))


def _written(message: Message, username: str) -> Asked | None:
    if message.migrate_to_chat_id:
        return Migrated(message.chat.id, message.migrate_to_chat_id)
    if message.migrate_from_chat_id:
        return Migrated(message.migrate_from_chat_id, message.chat.id)
    if message.text is None or message.via_bot or message.is_automatic_forward:
        return None
    asker = _writer(message)
    if asker is None:
        return None
    name, bot, argument = _command(message)
    if bot and bot.casefold() != username.casefold():
        return None
    if name is None:
        # In private nobody else can be meant, and whoever only talks does not know yet what to say.
        return Commanded(asker, "", "", addressed=True) if asker.private else None
    return Commanded(asker, name.lower(), argument, addressed=bool(bot) or asker.private)


def _command(message: Message) -> tuple[str | None, str, str]:
    """The command that the message begins with: its name, the bot it is addressed to, and what follows."""
    first = next((entity for entity in message.entities if entity.offset == 0), None)
    found = re.fullmatch(r"/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+(.*))?", message.text or "", re.ASCII | re.DOTALL)
    if first is None or first.type != MessageEntityType.BOT_COMMAND or found is None:
        return None, "", ""
    return found[1], found[2] or "", written(found[3] or "").strip()


def _writer(message: Message) -> Asker | None:
    by, user = _author(message)
    if by is None:
        return None
    return Asker(
        place=Place(message.chat.id, message.message_thread_id if message.is_topic_message else None),
        private=message.chat.type == ChatType.PRIVATE,
        by=by,
        user=user,
        locale=message.from_user.language_code if message.from_user else None,
        key=f"{PLATFORM}:{message.chat.id}:{message.message_id}:{int(message.date.timestamp())}",
        at=message.date,
        message=message.message_id,
    )


def _author(message: Message) -> tuple[Actor | None, int | None]:
    """Who wrote it, and the id to ask for their rights with. Whoever writes as the group is one of its
    administrators; whoever writes as another chat has no rights here that could be known."""
    sender = message.sender_chat
    if sender is not None:
        anonymous = sender.id == message.chat.id
        return Actor(f"{PLATFORM}:{sender.id}", called(message.author_signature or _title(sender)), anonymous), None
    if message.from_user is None:
        return None, None
    return _person(message.from_user), message.from_user.id


def _title(chat: Chat) -> str:
    return chat.title or chat.full_name or ""


def _membership(change: ChatMemberUpdated) -> Asked | None:
    if not _may_write(change.new_chat_member):
        return Lost(change.chat.id)
    if _is_inside(change.old_chat_member) or change.chat.type not in GROUPS:
        return None
    user = change.from_user
    asker = Asker(
        place=Place(change.chat.id, None),
        private=False,
        by=_person(user),
        user=user.id,
        locale=user.language_code,
        key=f"{PLATFORM}:{change.chat.id}:joined:{int(change.date.timestamp())}",
        at=change.date,
        message=0,
    )
    return Joined(asker)


def _is_inside(member: ChatMember) -> bool:
    return member.is_member if isinstance(member, ChatMemberRestricted) else member.status not in GONE


def _may_write(member: ChatMember) -> bool:
    return _is_inside(member) and (not isinstance(member, ChatMemberRestricted) or member.can_send_messages)
