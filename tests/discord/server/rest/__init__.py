"""The routes of the API, and which function answers each. Knows no HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.discord.server.errors import not_found
from tests.discord.server.rest import account, callbacks, channels, messages, webhooks
from tests.discord.server.wire import Request
from tests.discord.server.world import World

_ROUTES: dict[tuple[str, str], Callable[..., Any]] = {
    ("GET", "/users/@me"): account.me,
    ("POST", "/users/@me/channels"): channels.open_direct,
    ("GET", "/users/{}"): account.user,
    ("GET", "/oauth2/applications/@me"): account.application,
    ("GET", "/applications/@me"): account.application,
    ("GET", "/gateway"): account.gateway,
    ("GET", "/gateway/bot"): account.gateway_of_bot,
    ("GET", "/applications/{}/commands"): account.commands,
    ("PUT", "/applications/{}/commands"): account.register,
    ("GET", "/guilds/{}"): channels.guild,
    ("GET", "/channels/{}"): channels.get,
    ("PATCH", "/channels/{}"): channels.change,
    ("DELETE", "/channels/{}"): channels.delete,
    ("POST", "/channels/{}/threads"): channels.start_thread,
    ("POST", "/channels/{}/messages/{}/threads"): channels.start_thread_under,
    ("POST", "/channels/{}/typing"): channels.typing,
    ("POST", "/channels/{}/messages"): messages.send,
    ("GET", "/channels/{}/messages/{}"): messages.get,
    ("PATCH", "/channels/{}/messages/{}"): messages.edit,
    ("DELETE", "/channels/{}/messages/{}"): messages.delete,
    ("POST", "/interactions/{}/{}/callback"): callbacks.answer,
    ("POST", "/webhooks/{}/{}"): webhooks.follow_up,
    ("GET", "/webhooks/{}/{}/messages/{}"): webhooks.get,
    ("PATCH", "/webhooks/{}/{}/messages/{}"): webhooks.edit,
    ("DELETE", "/webhooks/{}/{}/messages/{}"): webhooks.delete,
}
_FOUND = [(method, re.compile(path.replace("{}", "([^/]+)")), answer) for (method, path), answer in _ROUTES.items()]


def answer(world: World, call: Request) -> Any:
    """What a request is answered, None where nothing is to be said. Raises ApiError."""
    for method, path, function in _FOUND:
        if method == call.method and (found := path.fullmatch(call.path)):
            return function(world, call, *found.groups())
    raise not_found()
