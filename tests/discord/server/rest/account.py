"""The bot's account: who it is, where its gateway is, which commands it has."""

from __future__ import annotations

from collections.abc import Iterable

from tests.discord.server import limits
from tests.discord.server.commands import Invocable, registered
from tests.discord.server.errors import ApiError, Json, entry_point_missing, invalid_form, missing_access, unknown_user
from tests.discord.server.wire import Request
from tests.discord.server.world import World


def me(world: World, call: Request) -> Json:
    return world.bot


def user(world: World, call: Request, id: str) -> Json:  # noqa: A002 - its name in the API
    found = next((person for person in world.people if person.id == id), None)
    if found is None:
        raise unknown_user()
    return found.json()


def application(world: World, call: Request) -> Json:
    install = {"oauth2_install_params": {"scopes": ["applications.commands", "bot"], "permissions": "0"}}
    told: Json = {"id": world.bot["id"], "name": world.bot["username"], "description": "", "icon": None, "flags": 0}
    told |= {"bot_public": True, "bot_require_code_grant": False, "owner": world.owner, "verify_key": "0" * 64}
    told |= {"team": None, "integration_types_config": {"0": install, "1": {}}, "bot": world.bot}
    told |= {"approximate_guild_count": sum(guild.has_bot for guild in world.guilds)}
    return told | world.application


def gateway(world: World, call: Request) -> Json:
    return {"url": world.gateway.url}


def gateway_of_bot(world: World, call: Request) -> Json:
    return world.gateway.info()


def commands(world: World, call: Request, application: str) -> list[Json]:
    _own(world, application)
    whole = call.query.get("with_localizations") == "true"
    return [command.json if whole else _without_localizations(command.json) for command in world.commands]


def _without_localizations(command: Json) -> Json:
    return {name: value for name, value in command.items() if not name.endswith("_localizations")}


def register(world: World, call: Request, application: str) -> list[Json]:
    """All commands at once, in place of those there were. One with the name of an old one keeps its id."""
    _own(world, application)
    if not isinstance(call.body, list):
        raise ApiError(400, 50035, "Invalid Form Body")
    if problems := limits.found(limits.commands(call.body)):
        raise invalid_form(problems)
    if _entry_points(command.json for command in world.commands) - _entry_points(call.body):
        raise entry_point_missing()
    ids = {(command.name, command.kind): command.json["id"] for command in world.commands}
    version = world.snowflakes.next()
    world.commands = [
        registered(
            payload, ids.get((payload["name"], payload.get("type", 1))) or world.snowflakes.next(), version, application
        )
        for payload in call.body
    ]
    return [command.json for command in world.commands]


def _entry_points(commands: Iterable[Json]) -> set[str]:
    return {command["name"] for command in commands if command.get("type") == Invocable.ENTRY}


def _own(world: World, application: str) -> None:
    if application != world.bot["id"]:
        raise missing_access()
