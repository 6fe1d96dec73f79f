"""What people and the bot may do where an interaction comes from, as the interaction itself says. Looks nothing up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
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
"""Seconds that a thread may take to be made: whoever asked for it has to be answered in three."""


def is_moderator(permissions: discord.Permissions) -> bool:
    """Whether somebody who may do this in a channel may also steer what others have started there."""
    return permissions.administrator or permissions.manage_messages or permissions.manage_guild


def lacking(permissions: discord.Permissions, *, thread: bool) -> tuple[Lacking, ...]:
    """What the bot, which may do this in a channel or `thread`, cannot do there and needs."""
    if permissions.administrator:
        return ()
    needed = (
        (Lacking.VIEW, permissions.view_channel),
        (Lacking.SEND_IN_THREADS, permissions.send_messages_in_threads)
        if thread
        else (Lacking.SEND, permissions.send_messages),
        (Lacking.ATTACH, permissions.attach_files),
    )
    return tuple(right for right, given in needed if not given)


def thread_opener(channel: object, permissions: discord.Permissions) -> Callable[[str], Awaitable[str | None]] | None:
    """What makes a thread with a title in `channel` and returns its chat, None where it could not. None where there are
    no threads, or the bot may not make one or write in it. It is visible to all who see the channel."""
    rights = permissions.create_public_threads and permissions.send_messages_in_threads
    if not isinstance(channel, discord.TextChannel) or not (rights or permissions.administrator):
        return None

    async def opened(title: str) -> str | None:
        kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
        try:
            async with asyncio.timeout(PATIENCE):
                thread = await channel.create_thread(
                    name=shortened(title, LONGEST_TITLE), type=kind, auto_archive_duration=ARCHIVED_AFTER
                )
        except FAILURES as error:
            log.warning("no thread could be made in %s: %s", chats.name(Channel(channel.id)), redact(repr(error)))
            return None
        return chats.name(Channel(channel.id, thread.id))

    return opened


def first_writable(guild: discord.Guild) -> discord.TextChannel | None:
    """Where newcomers are announced, else the first channel that the bot can write to."""
    for channel in filter(None, (guild.system_channel, *guild.text_channels)):
        permissions = channel.permissions_for(guild.me)
        if permissions.view_channel and permissions.send_messages:
            return channel
    return None
