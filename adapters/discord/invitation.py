"""The links that add a bot to Discord, and the permissions that they ask for. Knows no bot but by its id."""

from __future__ import annotations

import discord

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,  # a session can have a thread of its own
    attach_files=True,  # pictures of questions
)
"""All that it needs, and no more: it reads nothing, answers without replying, and edits only what it wrote itself."""

GUILD_INSTALL, USER_INSTALL = 0, 1
"""What an application is added to, as Discord numbers it."""


def invite_url(application_id: int) -> str:
    """The page on which somebody adds the bot to a server; whoever does needs the permission to manage that server."""
    url = discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))
    return f"{url}&integration_type={GUILD_INSTALL}"


def user_install_url(application_id: int) -> str:
    """The page on which somebody adds its commands to their own apps, for every place where they write."""
    url = discord.utils.oauth_url(application_id, scopes=("applications.commands",))
    return f"{url}&integration_type={USER_INSTALL}"
