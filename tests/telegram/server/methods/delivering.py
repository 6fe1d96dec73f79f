"""getUpdates and the webhook methods: how updates come to the bot."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from tests.telegram.server.errors import Json, bad, conflict
from tests.telegram.server.webhook import is_local
from tests.telegram.server.wire import Request
from tests.telegram.server.world import World

PORTS = (None, 80, 88, 443, 8443)
_SECRET = re.compile(r"[A-Za-z0-9_-]{0,256}")


async def get_updates(world: World, request: Request) -> list[Json]:
    """Waits real time, at most `timeout` seconds."""
    if world.webhook.url:
        raise conflict(
            "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
        )
    _allow(world, request)
    limit = request.integer("limit", 100)
    most = limit if 1 <= limit <= 100 else 100
    return await world.updates.poll(request.integer("offset"), most, request.integer("timeout"))


def set_webhook(world: World, request: Request) -> bool:
    url, secret, most = request.text("url"), request.text("secret_token"), request.integer("max_connections", 40)
    if not url:
        return delete_webhook(world, request)
    _check_url(url)
    if not _SECRET.fullmatch(secret):
        raise bad("secret token contains unallowed characters")
    if not 1 <= most <= 100:
        raise bad("invalid max_connections specified")
    _allow(world, request)
    if request.flag("drop_pending_updates"):
        world.updates.drop()
    world.webhook.set(url, secret, most)
    return True


def delete_webhook(world: World, request: Request) -> bool:
    if request.flag("drop_pending_updates"):
        world.updates.drop()
    world.webhook.clear()
    return True


def get_webhook_info(world: World, request: Request) -> Json:
    return world.webhook.info(world.updates.allowed)


METHODS: dict[str, Any] = {
    "getUpdates": get_updates,
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
}


def _allow(world: World, request: Request) -> None:
    """Kept until it is given again; what is queued already stays."""
    if "allowed_updates" in request.params:
        world.updates.allowed = tuple(request.items("allowed_updates"))


def _check_url(url: str) -> None:
    """Addresses of this machine are allowed as with a self-hosted server."""
    address = urlsplit(url)
    if address.scheme != "https" and not is_local(url):
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    if address.scheme == "https" and address.port not in PORTS:
        raise bad("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
