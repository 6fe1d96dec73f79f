"""Messages of the bot in channels: sent, read, changed, deleted."""

from __future__ import annotations

from tests.discord.server.channels import Channel
from tests.discord.server.errors import (
    Json,
    missing_permissions,
    of_another_author,
    unknown_channel,
    unknown_message,
)
from tests.discord.server.messages import EPHEMERAL, Message
from tests.discord.server.rest.bodies import fill
from tests.discord.server.wire import Request
from tests.discord.server.world import World


def channel_of(world: World, id: str) -> Channel:  # noqa: A002 - its name in the API
    """The channel, which the bot can see. Raises ApiError."""
    if id not in world.channels:
        raise unknown_channel()
    world.channels[id].check_reachable()
    return world.channels[id]


def message_of(world: World, channel: Channel, id: str) -> Message:  # noqa: A002 - as above
    """A message that stands in the channel for all. Raises ApiError."""
    found = world.messages.get(id)
    if found is None or found.deleted or found.channel is not channel or found.only_for is not None:
        raise unknown_message()
    return found


def new_message(world: World, channel: Channel) -> Message:
    return Message(channel, world.snowflakes.next(), world.bot, world.clock.now())


def send(world: World, call: Request, channel_id: str) -> Json:
    channel = channel_of(world, channel_id)
    channel.check_writable(files=bool(call.files))
    nonce = call.data.get("nonce")
    if call.data.get("enforce_nonce") and (earlier := _earlier(channel, nonce)):
        return earlier.json()
    message = new_message(world, channel)
    fill(message, call.data, call.files, new=True)
    message.flags &= ~EPHEMERAL
    message.nonce = None if nonce is None else str(nonce)
    return channel.add(message).json()


def _earlier(channel: Channel, nonce: object) -> Message | None:
    """The message that was sent with this nonce not long ago."""
    recent = reversed(channel.history[-100:])
    return next((message for message in recent if nonce is not None and message.nonce == str(nonce)), None)


def get(world: World, call: Request, channel_id: str, id: str) -> Json:  # noqa: A002 - as above
    return message_of(world, channel_of(world, channel_id), id).json()


def edit(world: World, call: Request, channel_id: str, id: str) -> Json:  # noqa: A002 - as above
    channel = channel_of(world, channel_id)
    message = message_of(world, channel, id)
    if message.author["id"] != world.bot["id"]:
        raise of_another_author()
    channel.check_editable()
    change(message, call)
    return message.json()


def change(message: Message, call: Request, body: Json | None = None) -> None:
    """Change a message in place, and let everybody know who looks."""
    fill(message, call.data if body is None else body, call.files, new=False)
    world = message.channel.world
    message.edits += 1
    message.edited = world.clock.now()
    message.channel.log.edited(message)
    world.changes.notify()


def delete(world: World, call: Request, channel_id: str, id: str) -> None:  # noqa: A002 - as above
    channel = channel_of(world, channel_id)
    message = message_of(world, channel, id)
    if message.author["id"] != world.bot["id"] and not channel.app_permissions().manage_messages:
        raise missing_permissions()
    channel.delete_message(message)
