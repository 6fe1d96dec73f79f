"""Channels and threads: told, opened, changed, deleted by the bot."""

from __future__ import annotations

from tests.discord.server.channels import Kind
from tests.discord.server.errors import (
    ApiError,
    Json,
    invalid_form,
    missing_permissions,
    unknown_user,
)
from tests.discord.server.places import GuildChannel, Thread
from tests.discord.server.rest.messages import channel_of, message_of
from tests.discord.server.wire import Request
from tests.discord.server.world import World


def open_direct(world: World, call: Request) -> Json:
    """The private messages with somebody, whether or not they want any."""
    wanted = str(call.data.get("recipient_id"))
    found = next((person for person in world.people if person.id == wanted), None)
    if found is None:
        raise unknown_user()
    return found.direct.json()


def guild(world: World, call: Request, id: str) -> Json:  # noqa: A002 - its name in the API
    found = next((guild for guild in world.guilds if guild.id == id and guild.has_bot), None)
    if found is None:
        raise ApiError(404, 10004, "Unknown Guild")
    return found.json()


def get(world: World, call: Request, id: str) -> Json:  # noqa: A002 - as above
    return channel_of(world, id).json()


def typing(world: World, call: Request, id: str) -> None:  # noqa: A002 - as above
    channel_of(world, id).check_writable(files=False)


def change(world: World, call: Request, id: str) -> Json:  # noqa: A002 - as above
    """Archive a thread, take that back, call it otherwise."""
    thread = channel_of(world, id)
    if not isinstance(thread, Thread):
        raise missing_permissions()
    manages = thread.app_permissions().manage_threads or thread.owner == world.bot["id"]
    archived, locked, name = (call.data.get(key) for key in ("archived", "locked", "name"))
    unarchives = archived is False and not thread.locked and thread.app_permissions().send_messages_in_threads
    if not manages and not (unarchives and locked is None and name is None):
        raise missing_permissions()
    if thread.locked and not thread.app_permissions().manage_threads:
        raise missing_permissions()
    thread.change(archived=archived, locked=locked, name=name)
    return thread.json()


def delete(world: World, call: Request, id: str) -> Json:  # noqa: A002 - as above
    channel = channel_of(world, id)
    needed = "manage_threads" if isinstance(channel, Thread) else "manage_channels"
    if not isinstance(channel, GuildChannel) or not getattr(channel.app_permissions(), needed):
        raise missing_permissions()
    channel.delete()
    return channel.json()


def start_thread(world: World, call: Request, id: str) -> Json:  # noqa: A002 - as above
    parent = _parent(world, id)
    if call.data.get("type", Kind.THREAD) != Kind.THREAD:
        raise invalid_form(["type: only public threads are started here"])
    return _started(world, call, parent).json()


def start_thread_under(world: World, call: Request, id: str, message_id: str) -> Json:  # noqa: A002 - as above
    parent = _parent(world, id)
    message_of(world, parent, message_id)
    return _started(world, call, parent).json()


def _parent(world: World, id: str) -> GuildChannel:  # noqa: A002 - as above
    parent = channel_of(world, id)
    if not isinstance(parent, GuildChannel) or parent.kind not in (Kind.TEXT, Kind.NEWS):
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    if not parent.app_permissions().create_public_threads:
        raise missing_permissions()
    return parent


def _started(world: World, call: Request, parent: GuildChannel) -> Thread:
    name = call.data.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= 100:
        raise invalid_form(["name: Must be between 1 and 100 in length."])
    if call.data.get("auto_archive_duration", 1440) not in (60, 1440, 4320, 10080):
        raise invalid_form(["auto_archive_duration: 60, 1440, 4320 or 10080"])
    thread = parent.thread(name, by_bot=True)
    thread.duration = call.data.get("auto_archive_duration", 1440)
    return thread
