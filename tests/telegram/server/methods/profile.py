"""Commands, names and descriptions of the bot, per scope and language."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.telegram.server.errors import bad
from tests.telegram.server.methods.signature import Method
from tests.telegram.server.wire import Request
from tests.telegram.server.world import World

MOST_COMMANDS, MOST_EXPLANATION = 100, 256
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_SCOPES = {
    "default": 0,
    "all_private_chats": 0,
    "all_group_chats": 0,
    "all_chat_administrators": 0,
    "chat": 1,
    "chat_administrators": 1,
    "chat_member": 2,
}
_Key = tuple[str, str, str]


def set_my_commands(world: World, request: Request) -> bool:
    commands = request.items("commands")
    if len(commands) > MOST_COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        _check(command)
    key = _commands_key(world, request)
    if commands:
        world.profile[key] = commands
    else:
        world.profile.pop(key, None)
    return True


def get_my_commands(world: World, request: Request) -> Any:
    return world.profile.get(_commands_key(world, request), [])


def delete_my_commands(world: World, request: Request) -> bool:
    world.profile.pop(_commands_key(world, request), None)
    return True


def _setter(field: str, most: int) -> Method:
    def set_text(world: World, request: Request) -> bool:
        text = request.text(field)
        if len(text) > most:
            raise bad(f"{field.upper()}_TOO_LONG")
        world.profile[field, "", _language(request)] = text
        return True

    return set_text


def _getter(field: str) -> Method:
    """A language without a text of its own has that of all languages."""

    def get_text(world: World, request: Request) -> Any:
        own = world.profile.get((field, "", _language(request)))
        missing = world.bot["first_name"] if field == "name" else ""
        return {field: own or world.profile.get((field, "", "")) or missing}

    return get_text


METHODS: dict[str, Method] = {
    "setMyCommands": set_my_commands,
    "getMyCommands": get_my_commands,
    "deleteMyCommands": delete_my_commands,
    "setMyName": _setter("name", 64),
    "getMyName": _getter("name"),
    "setMyDescription": _setter("description", 512),
    "getMyDescription": _getter("description"),
    "setMyShortDescription": _setter("short_description", 120),
    "getMyShortDescription": _getter("short_description"),
}


def _check(command: Any) -> None:
    if not isinstance(command, dict) or not _COMMAND.fullmatch(str(command.get("command", ""))):
        raise bad("BOT_COMMAND_INVALID")
    if not 1 <= len(str(command.get("description", "")).strip()) <= MOST_EXPLANATION:
        raise bad("BOT_COMMAND_DESCRIPTION_INVALID")


def _commands_key(world: World, request: Request) -> _Key:
    scope = request.structure("scope") or {"type": "default"}
    if scope.get("type") not in _SCOPES:
        raise bad("can't parse BotCommandScope: unsupported type specified")
    if _SCOPES[scope["type"]]:
        world.chat(scope.get("chat_id")).check_open()
    return "commands", json.dumps(scope, sort_keys=True), _language(request)


def _language(request: Request) -> str:
    code = request.text("language_code")
    if code and not re.fullmatch(r"[a-z]{2}", code):
        raise bad("invalid language code specified")
    return code
