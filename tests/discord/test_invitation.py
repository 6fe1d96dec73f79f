"""The links that add the bot: what they ask for, and nothing beside it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from adapters.discord.invitation import PERMISSIONS, invite_url, user_install_url

APPLICATION = 1187450238420148285


def asked(url: str) -> dict[str, str]:
    """What the page is asked for."""
    assert url.startswith("https://discord.com/oauth2/authorize?")
    return {name: value for name, (value,) in parse_qs(urlsplit(url).query, strict_parsing=True).items()}


def test_the_link_adds_bot_and_commands_to_a_server_with_the_permissions() -> None:
    assert asked(invite_url(APPLICATION)) == {
        "client_id": str(APPLICATION),
        "scope": "bot applications.commands",
        "permissions": str(PERMISSIONS.value),
        "integration_type": "0",
    }


def test_the_permissions_are_those_that_are_needed_and_no_other() -> None:
    view_channel, send_messages, attach_files, create_public_threads, send_messages_in_threads = 10, 11, 15, 35, 38
    needed = (view_channel, send_messages, attach_files, create_public_threads, send_messages_in_threads)
    assert PERMISSIONS.value == sum(1 << bit for bit in needed)


def test_the_other_link_adds_the_commands_to_the_apps_of_a_person() -> None:
    assert asked(user_install_url(APPLICATION)) == {
        "client_id": str(APPLICATION),
        "scope": "applications.commands",
        "integration_type": "1",
    }
