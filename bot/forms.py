"""The forms that values of settings have to have, and how to say what is wrong. Knows no setting and opens nothing.

Each check returns the value that is used, or raises ValueError with what to write instead; it never repeats the value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

SQLITE = re.compile(r"sqlite://(/.+|:memory:)")
"""A file, relative to the current folder or absolute; or nothing but memory."""

POSTGRES = ("postgresql", "postgres")
UNESCAPED = re.compile(r"%(?![0-9A-Fa-f]{2})")
DATABASES = "sqlite:///relative.sqlite3, sqlite:////absolute.sqlite3 or postgresql://user:password@host/name"
MOST_CONNECTIONS = 100

LISTEN = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]*):(\d{1,5})", re.ASCII)
LAST_PORT = 65535
MOST_SHARDS = 16_384
WEBHOOK_PORTS = (443, 80, 88, 8443)
"""The only ports to which Telegram delivers."""


def database(url: str) -> str:
    """An address of a database that there is a driver for."""
    if url.partition("://")[0] in POSTGRES:
        parts = _parts(url, POSTGRES)
        if parts is None or not parts.path.strip("/"):
            raise ValueError("not a database; write postgresql://user:password@host:5432/name")
        if parts.netloc.count("@") > 1 or UNESCAPED.search(url):
            # The driver would take a part of the password for something else, and say it.
            raise ValueError("not a database; write % in a user or password as %25, @ as %40, / as %2F, # as %23")
        return url
    if not SQLITE.fullmatch(url):
        raise ValueError(f"not a database; write {DATABASES}")
    return url


def connections(text: object) -> str:
    """How many connections to the database one process makes at most."""
    return _whole(text, 2, MOST_CONNECTIONS)


def shards(text: object) -> str:
    """Into how many shards the servers of a Discord bot are divided."""
    return _whole(text, 1, MOST_SHARDS)


def folder(path: Path) -> Path:
    """A folder that is there."""
    path = path.expanduser()
    if not path.is_dir():
        raise ValueError("there is no such folder; name the folder that holds the quiz files")
    return path


def telegram_token(token: SecretStr) -> SecretStr:
    """A token as @BotFather writes it."""
    if not re.fullmatch(r"\d+:[\w-]+", token.get_secret_value(), re.ASCII):
        raise ValueError("not a token of a Telegram bot; copy it whole from @BotFather: digits, a colon, letters")
    return token


DISCORD_OTHERS = (
    (re.compile(r"\d{17,20}"), "the id of the application"),
    (re.compile(r"[0-9a-f]{64}"), "the public key of the application"),
    (re.compile(r"[\w-]{32}", re.ASCII), "the client secret"),
    (re.compile(r"\d+:[\w-]+", re.ASCII), "the token of a Telegram bot"),
)
"""What else has been pasted in place of a token."""


def discord_token(token: SecretStr) -> SecretStr:
    """A token as the Developer Portal writes it."""
    text = token.get_secret_value()
    if not re.fullmatch(r"[\w-]+(\.[\w-]+){2}", text, re.ASCII):
        other = next((f": it looks like {name}" for shape, name in DISCORD_OTHERS if shape.fullmatch(text)), "")
        raise ValueError(
            f"not a token of a Discord bot{other}; copy it whole from the Developer Portal, page Bot, Reset Token: "
            "three parts with dots"
        )
    return token


def http(url: str) -> str:
    """An address for requests."""
    return _address(url, ("http", "https"))


def websocket(url: str) -> str:
    """An address of a gateway."""
    return _address(url, ("ws", "wss"))


def webhook(url: str) -> str:
    """An address at which a Bot API server delivers: scheme, host and path, and nothing after it."""
    parts = _parts(url, ("http", "https"))
    if parts is None or parts.query or parts.fragment or parts.username is not None:
        raise ValueError("not an address; write it as https://host/path")
    return url


def public_webhook(url: str) -> str:
    """An address at which Telegram itself delivers."""
    parts = urlsplit(url)
    if parts.scheme != "https":
        raise ValueError("Telegram delivers to https only; write https://host/path, for a proxy that ends TLS")
    if parts.port not in (None, *WEBHOOK_PORTS):
        raise ValueError("Telegram delivers to the ports 443, 80, 88 and 8443 only; use one of them or write no port")
    return url


def listening(address: str) -> str:
    """An address of this machine to listen at."""
    place(address)
    return address


def place(address: str) -> tuple[str | None, int]:
    """Host (None: every address of this machine) and port of an address to listen at: `host:8080`, `:8080`,
    `[::1]:8080`."""
    found = LISTEN.fullmatch(address)
    if not found or int(found[2]) > LAST_PORT:
        raise ValueError("not an address to listen at; write it as host:port, such as 127.0.0.1:8080 or 0.0.0.0:8080")
    return found[1].strip("[]") or None, int(found[2])


def log_format(form: str) -> str:
    """How log lines are written."""
    if form not in ("text", "json"):
        raise ValueError("no format of the log; write text or json")
    return form


def webhook_secret(secret: SecretStr) -> SecretStr:
    """A secret that Telegram accepts."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret.get_secret_value()):
        raise ValueError("not a secret that Telegram accepts; write 1 to 256 of the characters A-Z, a-z, 0-9, _ and -")
    return secret


def _whole(value: object, least: int, most: int) -> str:
    text = str(value)
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not least <= int(text) <= most:
        raise ValueError(f"not possible; write a whole number from {least} to {most}")
    return text


def _address(url: str, schemes: Sequence[str]) -> str:
    if _parts(url, schemes) is None:
        raise ValueError(f"not an address; write it as {schemes[-1]}://host or {schemes[0]}://host:port")
    return url


def _parts(url: str, schemes: Sequence[str]) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    usable = parts.scheme in schemes and bool(parts.hostname) and not re.search(r"\s", url)
    return parts if usable else None
