"""Where Discord can be pointed to: messages, channels, and the bot's own page. Asks Discord nothing."""

from __future__ import annotations

import re

import discord

from adapters.discord import chats
from adapters.discord.chats import Channel, Private

_REFERENCE = re.compile(r"(?P<number>[1-9]\d{0,19})[a-z]?", re.ASCII)


class DiscordAddresses:
    """The addresses that the bot of this client knows."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    def message(self, chat: str, reference: str) -> str | None:
        place, found = chats.place(chat), _REFERENCE.fullmatch(reference)
        if found is None:
            return None
        message = int(found["number"])
        if isinstance(place, Private):
            channel = self._private_channel(place.person)
            return chats.message_link(None, channel, message) if channel else None
        guild = self._guild(place)
        return chats.message_link(guild, place.target, message) if guild else None

    def chat(self, chat: str) -> str | None:
        """A channel or thread."""
        place = chats.place(chat)
        if isinstance(place, Private):
            return None
        guild = self._guild(place)
        return f"https://discord.com/channels/{guild}/{place.target}" if guild else None

    def private(self, payload: str) -> str | None:  # noqa: ARG002  # Discord's links carry none
        """The bot's page, where its private messages begin: `/practice` or `/quiz` goes on from there."""
        bot = self._client.application_id
        return f"https://discord.com/users/{bot}" if bot else None

    def group(self, payload: str) -> str | None:  # noqa: ARG002
        return None

    def _guild(self, place: Channel) -> int | None:
        channel = self._client.get_channel(place.channel)
        return channel.guild.id if isinstance(channel, discord.abc.GuildChannel) else None

    def _private_channel(self, person: int) -> int | None:
        """The few that the library remembers are those that were written to last."""
        for channel in self._client.private_channels:
            if isinstance(channel, discord.DMChannel) and channel.recipient and channel.recipient.id == person:
                return channel.id
        return None
