"""What the simulator does not let people do, since Discord's own apps would not: made-up components and commands, menus
in private, and interactions from where the bot is not. It puts them together as the gateway brings them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simcord.backend import serializers
from simcord.builders import ChannelHandle, GuildHandle
from simcord.enums import AppCommandType, ComponentType, InteractionType
from simcord.env import Env
from simcord.interactions import base_payload
from simcord.results import InteractionResult

from tests.discord.sim.seen import Seen

Json = dict[str, Any]


async def interact(
    env: Env,
    person: int,
    kind: InteractionType,
    data: Json,
    at: ChannelHandle,
    on: Seen | None,
    changed: Mapping[str, Any],
    times: int = 1,
) -> InteractionResult:
    """An interaction with this data; `changed` is what the gateway says otherwise than for one in `at`, `times` how
    often it brings it, as it may when a connection is resumed."""
    guild = at.guild.id if at.guild else None
    record, payload = base_payload(env.backend, type=kind, channel_id=at.id, guild_id=guild, user_id=person, data=data)
    if on is not None:
        record.source_message_id = on.id
        payload["message"] = dict(serializers.message_payload(env.backend, on.stored))
    for _ in range(times):
        env.backend.emit("INTERACTION_CREATE", {**payload, **changed})
    await env.settle()
    return InteractionResult(env, record)


def pressed(data: str) -> Json:
    return {"custom_id": data, "component_type": ComponentType.BUTTON}


def chosen(data: str, *values: str) -> Json:
    return {"custom_id": data, "component_type": ComponentType.STRING_SELECT, "values": list(values)}


def command(env: Env, name: str, **options: str) -> Json:
    """A command, whether or not it is registered."""
    given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
    return {
        "id": str(env.backend.application_id + 1),
        "name": name,
        "type": AppCommandType.CHAT_INPUT,
        "options": given,
    }


def menu_of_message(env: Env, name: str, on: Seen) -> Json:
    resolved = {"messages": {str(on.id): dict(serializers.message_payload(env.backend, on.stored))}}
    return {
        "id": str(env.backend.application_id + 2),
        "name": name,
        "type": AppCommandType.MESSAGE,
        "target_id": str(on.id),
        "resolved": resolved,
    }


def among_friends(group: int) -> Json:
    """Interactions of somebody who brings the bot along into a group of friends."""
    channel = {"id": str(group), "type": 3, "name": None, "recipients": [], "last_message_id": None, "flags": 0}
    return {"context": 2, "channel_id": str(group), "channel": channel}


async def forget(env: Env, guild: GuildHandle) -> None:
    """Let the bot be in a guild no more, where people can still bring it along. The simulator has it in all of them."""
    env.backend.emit("GUILD_DELETE", {"id": str(guild.id)})
    await env.settle()


async def join(env: Env, guild: GuildHandle) -> None:
    """Let the bot come into a guild that it has not been in."""
    told = dict(serializers.guild_create_payload(env.backend, env.backend.guilds[guild.id]))
    # That it is available again is what the simulator says of every guild; Discord does not of a new one.
    env.backend.emit("GUILD_CREATE", {name: value for name, value in told.items() if name != "unavailable"})
    await env.settle()
