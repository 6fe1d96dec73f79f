"""The chat platforms that settings ask for, and what keeps one from being served. Imports no platform's library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from bot.settings import PREFIX, Settings


@dataclass(frozen=True, slots=True)
class Platform:
    """A platform: what the ids of its chats and people begin with, how it is written, and how to get a token.
    `libraries` are the modules that it needs, each with the name under which it is installed."""

    name: str
    title: str
    first_step: str
    libraries: tuple[tuple[str, str], ...]

    @property
    def variable(self) -> str:
        """The setting that holds the token."""
        return f"{PREFIX}{self.name}_token".upper()


TELEGRAM = Platform(
    "telegram",
    "Telegram",
    "Write /newbot to @BotFather in Telegram, and set QUIZBOT_TELEGRAM_TOKEN to the token it gives you.",
    (("telegram", "python-telegram-bot"), ("aiohttp", "aiohttp")),
)
DISCORD = Platform(
    "discord",
    "Discord",
    "Make a New Application at https://discord.com/developers/applications, press Reset Token on its page Bot, "
    "and set QUIZBOT_DISCORD_TOKEN to the token it shows.",
    (("discord", "discord.py"), ("aiohttp", "aiohttp")),
)
PLATFORMS = (TELEGRAM, DISCORD)

FIRST_STEPS = """\
No bot to run: no token is set. Set one, or both:

Telegram  Write /newbot to @BotFather, and set QUIZBOT_TELEGRAM_TOKEN to the token it gives you.
Discord   Make a New Application at https://discord.com/developers/applications, press Reset Token on its page Bot,
          and set QUIZBOT_DISCORD_TOKEN to the token it shows.

Set it in the environment, or in a file that you name with --settings FILE. The README has it step by step.
To play here in the terminal no token is needed: quizbot play"""


def asked_for(settings: Settings) -> Sequence[Platform]:
    """Those with a token, in a fixed order."""
    return [platform for platform in PLATFORMS if token_of(platform, settings)]


def token_of(platform: Platform, settings: Settings) -> str | None:
    """The token of its bot, a secret; None where the platform is not to be served."""
    token = {TELEGRAM: settings.telegram_token, DISCORD: settings.discord_token}[platform]
    return token.get_secret_value() if token else None


def missing_for(platform: Platform) -> str | None:
    """What has to be installed before it can be served, in a line."""
    missing = (name for module, name in platform.libraries if find_spec(module) is None)
    return next((f"{name} is not installed; run: pip install 'quizbot[{platform.name}]'" for name in missing), None)
