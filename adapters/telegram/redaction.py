"""How a Telegram bot's token looks, and where it turns up: the Bot API has it in the path of its addresses, so that any
layer which mentions one gives it away. Knows not who logs."""

from __future__ import annotations

import re

from adapters import redaction
from adapters.redaction import Rule

REDACTED = "bot<redacted>"

CHATTY = ("httpx", "httpcore", "aiohttp.access")
"""Loggers that have a line to say at INFO about every single request."""

_COLON = r"(?::|%3[aA])"
_TOKEN = re.compile(rf"bot\d+{_COLON}[\w-]+|(?<![\w-])\d{{5,}}{_COLON}[\w-]{{20,}}", re.ASCII)


def _rules(*secrets: str) -> list[Rule]:
    return [*redaction.named(secrets, REDACTED, before="bot"), (_TOKEN, REDACTED)]


def redact(text: str, *secrets: str) -> str:
    """`text` without anything that looks like a token, and without these secrets, if they have 8 characters or more."""
    return redaction.without(text, _rules(*secrets))


def words_of(error: Exception, url: str) -> str:
    """Type and text of an error met on the way to `url`, without the part of the path that holds the token."""
    hidden = [part for part in url.split("/") if part.startswith("bot")]
    return redact(f"{type(error).__name__}: {error}".replace(url, endpoint_of(url)), *hidden)


def endpoint_of(url: str) -> str:
    """The method that the address names, or the file."""
    return url.rpartition("/")[2]


def install(*secrets: str) -> None:
    """From now on no log record holds a token or one of these secrets, and nobody logs a line per request.

    Call it before the first object is made that knows the token. Again adds to what is kept out.
    """
    redaction.install(_rules(*secrets), CHATTY)
