"""Interactions as the library makes them of what Discord sends, for tests without a server. Knows no answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

import discord

from adapters.discord.client import QuizbotClient
from tests.clock import NOON

Json = dict[str, Any]

GUILD, CHANNEL, THREAD, BOT, PERSON = (str(discord.utils.time_snowflake(NOON) + number) for number in range(5))
TEXT, DIRECT, VOICE, GROUP, NEWS, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 1, 2, 3, 5, 11, 12, 15
IN_GUILD, WITH_BOT, AMONG_PEOPLE = 0, 1, 2
BUTTON, SELECT = 2, 3

EVERYTHING = discord.Permissions.all_channel()


def client() -> QuizbotClient:
    """A client that is connected to nothing and belongs to the bot."""
    made = QuizbotClient()
    account: Json = {"id": BOT, "username": "quizbot", "discriminator": "0", "avatar": None, "bot": True}
    made._connection.user = discord.ClientUser(state=made._connection, data=cast("Any", account))
    return made


def user(name: str = "ana", **more: Any) -> Json:
    return {"id": PERSON, "username": name, "discriminator": "0", "avatar": None, "global_name": None, **more}


def member(who: Json, permissions: discord.Permissions = EVERYTHING, nick: str | None = None) -> Json:
    told: Json = {"user": who, "roles": [], "nick": nick, "joined_at": NOON.isoformat(), "deaf": False, "mute": False}
    return told | {"flags": 0, "permissions": str(permissions.value)}


def channel(kind: int = TEXT, **more: Any) -> Json:
    told: Json = {"id": CHANNEL, "type": kind, "name": "quiz", "position": 0, "permission_overwrites": []}
    return told | {"bitrate": 64000, "user_limit": 0, "available_tags": [], "flags": 0, "recipients": [user()]} | more


def thread(kind: int = PUBLIC_THREAD, *, archived: bool = False, locked: bool = False) -> Json:
    archive: Json = {"archived": archived, "locked": locked, "auto_archive_duration": 1440}
    archive |= {"archive_timestamp": NOON.isoformat()}
    told: Json = {"id": THREAD, "type": kind, "parent_id": CHANNEL, "owner_id": PERSON, "name": "a post"}
    return told | {"thread_metadata": archive, "member_count": 1, "message_count": 1, "guild_id": GUILD}


def message(*components: Json, by: str = BOT) -> Json:
    author = user("quizbot", id=by, bot=True)
    told: Json = {"id": THREAD, "channel_id": CHANNEL, "author": author, "content": "", "type": 0, "flags": 1 << 15}
    told |= {"timestamp": NOON.isoformat(), "edited_timestamp": None, "tts": False, "mention_everyone": False}
    told |= {name: [] for name in ("mentions", "mention_roles", "attachments", "embeds")}
    return told | {"pinned": False, "components": list(components)}


def button(data: str) -> Json:
    return {"type": BUTTON, "style": 2, "label": "A", "custom_id": data, "id": 1}


def link() -> Json:
    return {"type": BUTTON, "style": 5, "label": "A", "url": "https://example.org", "id": 1}


def select(data: str, *values: str) -> Json:
    options = [{"label": value, "value": value} for value in values]
    return {"type": SELECT, "custom_id": data, "options": options, "id": 1}


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts), "id": 1}


def container(*parts: Json) -> Json:
    return {"type": 17, "components": list(parts), "id": 1}


def words(text: str) -> Json:
    return {"type": 10, "content": text, "id": 1}


def interaction(
    data: Json | None = None,
    *,
    type: int = 3,  # noqa: A002 - its name in the API
    among: QuizbotClient | None = None,
    of: Json | None = None,
    at: datetime = NOON,
    app_permissions: discord.Permissions = EVERYTHING,
    **more: Any,
) -> discord.Interaction[Any]:
    """What somebody (`of`, else a member) asks in a guild, unless `more` says otherwise; None there leaves it out."""
    connection = (among or client())._connection
    told: Json = {"id": str(discord.utils.time_snowflake(at)), "application_id": BOT, "type": type, "token": "secret"}
    told |= {"version": 1, "data": data or {}, "locale": "bg", "entitlements": [], "attachment_size_limit": 1}
    told |= {"guild_id": GUILD, "guild": {"id": GUILD, "features": []}, "member": of or member(user())}
    told |= {"channel": channel(), "context": IN_GUILD, "app_permissions": str(app_permissions.value)} | more
    return discord.Interaction(data=cast("Any", _without_none(told)), state=connection)


def private(**more: Any) -> discord.Interaction[Any]:
    """The same in somebody's private messages with the bot."""
    nowhere: Json = dict.fromkeys(("guild_id", "guild", "member"))
    return interaction(**{**nowhere, "user": user(), "channel": channel(DIRECT), "context": WITH_BOT, **more})


def _without_none(told: Json) -> Json:
    return {name: value for name, value in told.items() if value is not None}


def pressed(data: str, *, under: Sequence[Json] = (), values: Sequence[str] | None = None) -> discord.Interaction[Any]:
    """A button, or with `values` choices in a list, pressed under a message with these components."""
    said: Json = {"custom_id": data, "component_type": BUTTON if values is None else SELECT}
    said |= {} if values is None else {"values": list(values)}
    return interaction(said, message=message(*under))
