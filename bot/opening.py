"""How each platform's adapter is opened: its library, its settings, and what must not be read in the log. Knows nothing
of what is served."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from bot import platforms
from bot.platforms import DISCORD, TELEGRAM, Platform
from bot.ports import Clock
from bot.running import Adapter
from bot.settings import Settings
from bot.supervising import HopelessError

if TYPE_CHECKING:
    from adapters.telegram.webhook import Webhook

Opened = AbstractAsyncContextManager[Adapter]
"""An adapter that is connected while it is entered."""


def hindrance(platform: Platform) -> str | None:
    """Why the platform cannot be served here, whatever its token may be, and what to do about it, in a line."""
    missing = platforms.missing_for(platform)
    if missing:
        return missing
    try:
        import_module(f"adapters.{platform.name}.adapter")
    except ImportError as error:
        return f"its library cannot be loaded ({error}); run: pip install --force-reinstall 'quizbot[{platform.name}]'"
    return None


def foreseen(platform: Platform) -> tuple[type[Exception], ...]:
    """Errors of its library whose words are enough. Call it only where nothing hinders."""
    if platform == TELEGRAM:
        from telegram.error import TelegramError

        return (TelegramError,)
    from aiohttp import ClientError
    from discord import DiscordException

    return (DiscordException, ClientError)


def opened(platform: Platform, settings: Settings, clock: Clock) -> Opened:
    """Its adapter, not connected yet. Entering raises HopelessError where it cannot be served."""
    reason = hindrance(platform)
    token = platforms.token_of(platform, settings) or ""
    return _never(f"{platform.title}: {reason}") if reason else _OPENERS[platform](token, settings, clock)


@asynccontextmanager
async def _never(reason: str) -> AsyncIterator[Adapter]:
    raise HopelessError(reason)
    yield  # type: ignore[unreachable]  # it makes a generator of this


def _telegram(token: str, settings: Settings, clock: Clock) -> Opened:
    from adapters.telegram.adapter import opened
    from adapters.telegram.redaction import install

    webhook = _webhook(settings, token, clock)
    install(token, *([webhook.secret] if webhook else []))
    return opened(token, api_url=settings.telegram_api_url, webhook=webhook, pictures=settings.content_dir, clock=clock)


def _webhook(settings: Settings, token: str, clock: Clock) -> Webhook | None:
    from adapters.telegram.webhook import Webhook, generated_secret

    wanted = settings.telegram_webhook
    return Webhook(wanted.url, wanted.listen, wanted.secret or generated_secret(token), clock) if wanted else None


def _discord(token: str, settings: Settings, clock: Clock) -> Opened:
    from adapters.discord.adapter import opened
    from adapters.discord.redaction import install

    install(token)
    return opened(
        token,
        api_url=settings.discord_api_url,
        gateway_url=settings.discord_gateway_url,
        pictures=settings.content_dir,
        clock=clock,
        shards=settings.discord_shards,
    )


_OPENERS: Mapping[Platform, Callable[[str, Settings, Clock], Opened]] = {TELEGRAM: _telegram, DISCORD: _discord}
