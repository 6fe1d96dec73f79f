"""A program on the bare library, to measure beside: it acknowledges every press and does nothing else.

Its arguments are the addresses of an API and of a gateway, and the token.
"""

from __future__ import annotations

import sys
from typing import Any

import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL


class Bare(discord.Client):
    """Knows guilds alone, as Quizbot does."""

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """The least that a press needs, seen by its author alone."""
        await interaction.response.send_message("Noted.", ephemeral=True)


if __name__ == "__main__":
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = sys.argv[1], URL(sys.argv[2])
    Bare(intents=discord.Intents(guilds=True), max_messages=None).run(sys.argv[3])
