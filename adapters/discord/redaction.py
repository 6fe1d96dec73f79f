"""How Discord's secrets look, and where they turn up: a bot's token in headers and in the first gateway payload, the
token of an interaction in addresses and payloads. Whoever holds the latter can answer in the bot's name for 15 minutes.
Knows not who logs."""

from __future__ import annotations

import re

import discord

from adapters import redaction
from adapters.redaction import Rule

REDACTED = "<redacted>"

CHATTY = ("discord", "discord.gateway", "discord.http", "discord.client", "discord.webhook.async_", "aiohttp.access")
"""Loggers that say whole payloads at DEBUG, or a line per connection at INFO."""

_SHAPES: tuple[Rule, ...] = (
    # Three parts: the bot's id in base64, which begins like that for every digit; a time; a signature.
    (re.compile(r"(?<![\w-])[MNO][\w-]{22,}\.[\w-]{6}\.[\w-]{27,}", re.ASCII), REDACTED),
    (re.compile(r"(?<![\w-])aW50ZXJhY3Rpb2[\w-]+={0,2}", re.ASCII), REDACTED),  # "interaction" in base64
    (re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/?#\s'\"]+"), rf"\1{REDACTED}"),
    (re.compile(r"(['\"]token['\"]\s*:\s*['\"])[^'\"]+"), rf"\1{REDACTED}"),
)


def _rules(*secrets: str) -> list[Rule]:
    return [*redaction.named(secrets, REDACTED), *_SHAPES]


def redact(text: str, *secrets: str) -> str:
    """`text` without anything that looks like a token of a bot or of an interaction, and without these secrets, if they
    have 8 characters or more."""
    return redaction.without(text, _rules(*secrets))


def install(*secrets: str) -> None:
    """From now on no log record holds a token or one of these secrets, and of the library only warnings are heard, but
    for those about voice.

    Call it before the first object is made that knows the token. Again adds to what is kept out.
    """
    redaction.install(_rules(*secrets), CHATTY)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
