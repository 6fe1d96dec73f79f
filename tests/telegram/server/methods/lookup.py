"""getMe, getChat…: what the bot can ask about itself, chats and people; and leaveChat."""

from __future__ import annotations

from tests.telegram.server.chats import Chat
from tests.telegram.server.errors import Json, bad
from tests.telegram.server.groups import Group
from tests.telegram.server.members import member
from tests.telegram.server.wire import Request
from tests.telegram.server.world import World

_GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
_CANNOT = ("can_connect_to_business", "has_main_web_app", "has_topics_enabled", "allows_users_to_create_topics")


def get_me(world: World, request: Request) -> Json:
    can = {"can_join_groups": True, "can_read_all_group_messages": not world.privacy}
    return world.bot | can | {"supports_inline_queries": world.inline_enabled} | dict.fromkeys(_CANNOT, False)


def get_chat(world: World, request: Request) -> Json:
    chat = _open(world, request)
    known = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": dict.fromkeys(_GIFTS, False)}
    return chat.json() | known


def get_chat_member(world: World, request: Request) -> Json:
    chat, user = _open(world, request), request.integer("user_id")
    if user == world.bot["id"]:
        return member(world.bot, (chat.bot if isinstance(chat, Group) else None) or "member")
    if user not in world.people:
        raise bad("user not found")
    person = world.people[user]
    return chat.member_json(person) if isinstance(chat, Group) else member(person.json(), "member")


def get_chat_administrators(world: World, request: Request) -> list[Json]:
    chat = _group(world, request)
    own = [member(world.bot, "administrator")] if chat.bot == "administrator" else []
    return [chat.member_json(person) for person in chat.admins] + own


def get_chat_member_count(world: World, request: Request) -> int:
    chat = _open(world, request)
    return len(chat.members) + 1 if isinstance(chat, Group) else 2


def leave_chat(world: World, request: Request) -> bool:
    chat = _group(world, request)
    chat.bot = "left"
    chat.log.said("the bot leaves")
    world.changes.notify()
    return True


METHODS = {
    "getMe": get_me,
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getChatAdministrators": get_chat_administrators,
    "getChatMemberCount": get_chat_member_count,
    "leaveChat": leave_chat,
}


def _open(world: World, request: Request) -> Chat:
    chat = world.chat(request.chat)
    chat.check_open()
    return chat


def _group(world: World, request: Request) -> Group:
    chat = _open(world, request)
    if not isinstance(chat, Group):
        raise bad("method is available only for groups, supergroups and channels")
    return chat
