"""Keeps the bot's token out of every log line and error text. Knows how a token looks, not who logs.

The Bot API has the token in the path of its addresses, so that any layer which mentions an address gives it away. It is
taken out where a log record is made: that covers every logger and every handler, those of libraries and those added
later included.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

REDACTED = "bot<redacted>"
SHORTEST = 8
"""Characters; what is shorter is no secret, and would be found in innocent words."""

CHATTY = ("httpx", "httpcore", "aiohttp.access")
"""Loggers that have a line to say at INFO about every single request."""

_AUTHORITY = re.compile(r"[^/?#]*//([^/?#]*)")
_COLON = r"(?::|%3[aA])"
_TOKEN = re.compile(rf"bot\d+{_COLON}[\w-]+|(?<![\w-])\d{{5,}}{_COLON}[\w-]{{20,}}", re.ASCII)


def redact(text: str, *secrets: str) -> str:
    """`text` without anything that looks like a token, and without these secrets, if they have 8 characters or more."""
    for secret in secrets:
        if len(secret) >= SHORTEST:
            text = text.replace(f"bot{secret}", REDACTED).replace(secret, REDACTED)
    return _TOKEN.sub(REDACTED, text)


def words_of(error: Exception, url: str) -> str:
    """Type and text of an error met on the way to `url`, without the part of the path that holds the token."""
    hidden = [part for part in url.split("/") if part.startswith("bot")]
    return redact(f"{type(error).__name__}: {error}".replace(url, endpoint_of(url)), *hidden)


def host_of(url: str) -> str:
    """Host and port of an address, without what may be secret in it: path, query, name and password."""
    found = _AUTHORITY.match(url)
    return (found and found[1].rpartition("@")[2]) or "an address without a host"


def endpoint_of(url: str) -> str:
    """The method that the address names, or the file."""
    return url.rpartition("/")[2]


class Redaction:
    """Makes log records as `make` does, and takes the secrets out: of message, arguments, traceback and stack."""

    def __init__(self, make: Callable[..., logging.LogRecord], secrets: frozenset[str]) -> None:
        self.make = make
        self.secrets = secrets

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self.make(*args, **kwargs)
        self._redact_message(record)
        if record.exc_info and record.exc_info[0] is not None:
            # A formatter writes a traceback only where there is no text of it yet.
            record.exc_text = redact(logging.Formatter().formatException(record.exc_info), *self.secrets)
        if record.stack_info:
            record.stack_info = redact(record.stack_info, *self.secrets)
        return record

    def _redact_message(self, record: logging.LogRecord) -> None:
        try:
            message = record.getMessage()
        except Exception:
            # The handler would print message and arguments as they are, to say that they do not fit.
            message = f"{record.msg} {record.args!r}"
            record.msg, record.args = message, ()
        clean = redact(message, *self.secrets)
        if clean != message:
            record.msg, record.args = clean, ()


def install(*secrets: str) -> None:
    """From now on no log record holds a token or one of these secrets, and nobody logs a line per request.

    Call it before the first object is made that knows the token. Again adds to what is kept out.
    """
    current = logging.getLogRecordFactory()
    if isinstance(current, Redaction):
        logging.setLogRecordFactory(Redaction(current.make, current.secrets.union(secrets)))
    else:
        logging.setLogRecordFactory(Redaction(current, frozenset(secrets)))
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
