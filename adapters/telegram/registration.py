"""Tells Telegram which commands there are and what the bot is, in every language, where that has changed.

It is best effort: what cannot be registered is said in the log, and nothing waits for it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeDefault,
)
from telegram.error import BadRequest, TelegramError

from adapters.telegram.limiter import flood_wait
from adapters.telegram.redaction import redact
from bot import commands, words
from bot.clock import SystemClock
from bot.ports import Clock

log = logging.getLogger(__name__)

EVERYBODY = ""
"""The language code of those for whose language there is nothing."""

SCOPES: Sequence[tuple[BotCommandScope, Sequence[commands.Command]]] = (
    (BotCommandScopeDefault(), commands.menu(private=False)),
    (BotCommandScopeAllPrivateChats(), commands.menu(private=True)),
    (BotCommandScopeAllGroupChats(), commands.menu(private=False)),
    (BotCommandScopeAllChatAdministrators(), commands.menu(private=False, moderator=True)),
)
"""Who is shown what. Of several scopes that fit, Telegram takes the narrowest."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that Telegram keeps: how to ask for it, what it should be, and how to say so."""

    name: str
    ask: Callable[[], Awaitable[Any]]
    wanted: object
    say: Callable[[], Awaitable[bool]]


async def register(bot: Bot, clock: Clock | None = None) -> None:
    """Bring commands and descriptions up to date. Raises nothing that Telegram may answer."""
    clock, changed = clock or SystemClock(), 0
    for entry in _entries(bot, words.languages()):
        try:
            changed += await _updated(entry, clock)
        except BadRequest as error:
            log.warning("Telegram does not accept %s: %s", entry.name, redact(error.message))
        except TelegramError as error:
            log.warning(
                "commands and descriptions are not up to date in Telegram (%s); the next start tries again",
                redact(str(error)),
            )
            return
    if changed:
        log.info("Telegram: commands and descriptions brought up to date")


def languages_of(tags: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Tag and language code of each language that Telegram can tell apart (it knows codes of two letters)."""
    for tag in tags:
        if tag == words.SOURCE:
            yield tag, EVERYBODY
        elif re.fullmatch(r"[a-z]{2}", tag):
            yield tag, tag


def _entries(bot: Bot, tags: Iterable[str]) -> Iterator[Entry]:
    for tag, code in languages_of(tags):
        yield from (_commands(bot, scope, listed, tag, code) for scope, listed in SCOPES)
        yield Entry(
            f"the description in {tag}",
            partial(_text, bot.get_my_description, "description", code),
            commands.about(tag),
            partial(bot.set_my_description, commands.about(tag), code),
        )
        yield Entry(
            f"the short description in {tag}",
            partial(_text, bot.get_my_short_description, "short_description", code),
            commands.tagline(tag),
            partial(bot.set_my_short_description, commands.tagline(tag), code),
        )


def _commands(bot: Bot, scope: BotCommandScope, listed: Sequence[commands.Command], tag: str, code: str) -> Entry:
    wanted = tuple(BotCommand(command.name, commands.description(command, tag)) for command in listed)
    return Entry(
        f"the commands for {scope.type} in {tag}",
        partial(bot.get_my_commands, scope, code),
        wanted,
        partial(bot.set_my_commands, wanted, scope, code),
    )


async def _text(ask: Callable[[str], Awaitable[object]], attribute: str, code: str) -> str:
    return str(getattr(await ask(code), attribute))


async def _updated(entry: Entry, clock: Clock) -> bool:
    """Whether it had to be changed."""
    if await _patiently(entry.ask, clock) == entry.wanted:
        return False
    await _patiently(entry.say, clock)
    return True


async def _patiently(call: Callable[[], Awaitable[Answer]], clock: Clock) -> Answer:
    """The answer to a call, which is made once more after the wait that Telegram asks for."""
    try:
        return await call()
    except TelegramError as error:
        wait = flood_wait(error)
        if wait is None:
            raise
    await clock.sleep_until(clock.now() + wait)
    return await call()
