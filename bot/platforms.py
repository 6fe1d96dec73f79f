"""The chat platforms that settings ask for, and what keeps one from being served. Imports no platform's library."""

from __future__ import annotations

from importlib.util import find_spec

from bot.settings import Settings

TELEGRAM = "telegram"
"""What the ids of its chats and people begin with."""

FIRST_STEPS = """\
No bot to run: no token is set.

Write /newbot to @BotFather in Telegram, and set QUIZBOT_TELEGRAM_TOKEN to the token it gives you: in the environment,
or in a file that you name with --settings FILE. The README has it step by step.
To play here in the terminal no token is needed: quizbot play"""

NO_DISCORD = "QUIZBOT_DISCORD_TOKEN is set, but this version cannot serve Discord yet"
NO_LIBRARY = "Telegram cannot be served, because {module} is not installed; run: pip install 'quizbot[telegram]'"
TELEGRAM_LIBRARIES = {"telegram": "python-telegram-bot", "aiohttp": "aiohttp"}


def missing_for_telegram() -> str | None:
    """What has to be installed before Telegram can be served, in a line."""
    missing = (name for module, name in TELEGRAM_LIBRARIES.items() if find_spec(module) is None)
    return next((NO_LIBRARY.format(module=name) for name in missing), None)


def has_token(settings: Settings) -> bool:
    """Whether any platform is asked for, be it one that cannot be served yet."""
    return bool(settings.telegram_token or settings.discord_token)
