"""What follows an answered interaction, by its token: the first answer changed or deleted, more messages."""

from __future__ import annotations

from tests.discord.server.errors import Json, unknown_message, unknown_webhook
from tests.discord.server.interactions import Interaction
from tests.discord.server.messages import EPHEMERAL, LOADING, Message
from tests.discord.server.rest.bodies import fill
from tests.discord.server.rest.messages import change, new_message
from tests.discord.server.wire import Request
from tests.discord.server.world import World


def _answered(world: World, token: str) -> Interaction:
    found = world.interactions_by_token.get(token)
    if found is None or found.kind is None:
        raise unknown_webhook()
    found.check_token()
    return found


def _message(world: World, token: str, id: str) -> Message:  # noqa: A002 - its name in the API
    interaction = _answered(world, token)
    own = [interaction.answer] if id == "@original" else interaction.followups
    found = next((message for message in own if message and id in ("@original", message.id)), None)
    if found is None or found.deleted:
        raise unknown_message()
    return found


def follow_up(world: World, call: Request, application: str, token: str) -> Json:
    interaction = _answered(world, token)
    message = new_message(world, interaction.channel)
    message.flags = (call.data.get("flags") or 0) & EPHEMERAL
    message.only_for = interaction.person if message.flags else None
    fill(message, call.data, call.files, new=True)
    interaction.followups.append(message)
    return interaction.channel.add(message).json()


def get(world: World, call: Request, application: str, token: str, id: str) -> Json:  # noqa: A002 - as above
    return _message(world, token, id).json()


def edit(world: World, call: Request, application: str, token: str, id: str) -> Json:  # noqa: A002 - as above
    message = _message(world, token, id)
    change(message, call)
    message.flags &= ~LOADING
    return message.json()


def delete(world: World, call: Request, application: str, token: str, id: str) -> None:  # noqa: A002 - as above
    message = _message(world, token, id)
    message.channel.delete_message(message)
