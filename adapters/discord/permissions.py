"""What people and the bot may do where an interaction comes from, as the interaction itself says. Looks nothing up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

import discord

from adapters.discord import chats
from adapters.discord.chats import Channel
from adapters.discord.errors import FAILURES
from adapters.discord.redaction import redact
from adapters.fitting import shortened
from bot.desk import Lacking

log = logging.getLogger(__name__)

LONGEST_TITLE = 100
"""Units of a thread's name."""

ARCHIVED_AFTER: Final = 1440
"""Minutes of silence after which Discord puts a thread away: a day, which is as long as a paused session lasts."""

PATIENCE = 1.5
"""Seconds, from when somebody asks, that their thread may take to be made: they have to be answered in three."""

LEAST = 0.5
"""Seconds without which it is not tried: a thread that comes too late is there for nothing."""


def is_moderator(permissions: discord.Permissions) -> bool:
    """Whether somebody who may do this in a channel may also steer what others have started there."""
    return permissions.administrator or permissions.manage_messages or permissions.manage_guild


def lacking(permissions: discord.Permissions, channel: object) -> tuple[Lacking, ...]:
    """What the bot, which may do this in `channel`, cannot do there and may need."""
    if permissions.administrator:
        return ()
    needed = {
        Lacking.VIEW: permissions.view_channel,
        **_needed_to_write(permissions, channel),
        Lacking.ATTACH: permissions.attach_files,
    }
    return tuple(right for right, given in needed.items() if not given)


def _needed_to_write(permissions: discord.Permissions, channel: object) -> dict[Lacking, bool]:
    in_threads = {Lacking.SEND_IN_THREADS: permissions.send_messages_in_threads}
    if isinstance(channel, discord.Thread):
        return in_threads if permissions.manage_threads else in_threads | _needed_to_enter(channel)
    send = {Lacking.SEND: permissions.send_messages}
    if isinstance(channel, discord.TextChannel):
        return send | in_threads | {Lacking.OPEN_THREADS: permissions.create_public_threads}
    return send


def _needed_to_enter(thread: discord.Thread) -> dict[Lacking, bool]:
    """What else a thread needs where the bot does not manage them."""
    # Of private threads Discord tells the bot, before somebody asks in them, only those that it is in.
    known = thread.me is not None or thread.guild.get_thread(thread.id) is not None
    return {Lacking.LOCKED: not thread.locked, Lacking.ENTRY: known or not thread.is_private()}


def thread_opener(
    channel: object, permissions: discord.Permissions, time: Callable[[], float] = monotonic
) -> Callable[[str], Awaitable[str | None]] | None:
    """What makes a thread with a title in `channel` and returns its chat, None where it could not in time. None where
    there are no threads, or the bot may not make one or write in it. It is visible to all who see the channel, where
    Discord itself announces it. Whoever asked waits from now on, by `time` in seconds, whatever else they wait for."""
    rights = permissions.create_public_threads and permissions.send_messages_in_threads
    if not isinstance(channel, discord.TextChannel) or not (rights or permissions.administrator):
        return None
    until = time() + PATIENCE

    async def opened(title: str) -> str | None:
        left = until - time()
        if left < LEAST:
            log.info("no thread was made in %s: too little time was left", chats.name(Channel(channel.id)))
            return None
        try:
            async with asyncio.timeout(left):
                thread = await _made(channel, title)
        except FAILURES as error:
            log.warning("no thread could be made in %s: %s", chats.name(Channel(channel.id)), redact(repr(error)))
            return None
        return chats.name(Channel(channel.id, thread.id))

    return opened


async def _made(channel: discord.TextChannel, title: str) -> discord.Thread:
    kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
    return await channel.create_thread(
        name=shortened(title, LONGEST_TITLE), type=kind, auto_archive_duration=ARCHIVED_AFTER
    )


def first_writable(guild: discord.Guild) -> discord.TextChannel | None:
    """Where newcomers are announced, else the first channel that the bot can write to."""
    for channel in filter(None, (guild.system_channel, *guild.text_channels)):
        permissions = channel.permissions_for(guild.me)
        if permissions.view_channel and permissions.send_messages:
            return channel
    return None
