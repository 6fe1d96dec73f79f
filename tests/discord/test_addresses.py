"""Where Discord can be pointed to."""

from __future__ import annotations

import pytest

from adapters.discord.addresses import DiscordAddresses
from adapters.discord.client import QuizbotClient
from tests.clock import VirtualClock
from tests.discord.payloads import client
from tests.discord.server import Discord
from tests.discord.talking import card, study, talking


async def test_a_message_is_pointed_to_in_its_guild(server: Discord, clock: VirtualClock) -> None:
    here = study(server, "Ann")
    thread = here.thread("Colours")
    async with talking(server, clock) as talk:
        addresses = DiscordAddresses(talk.client)
        site = f"https://discord.com/channels/{here.guild.id}"
        assert addresses.message(f"discord:#{here.id}", "77") == f"{site}/{here.id}/77"
        assert addresses.message(f"discord:#{here.id}", "77p") == f"{site}/{here.id}/77"
        assert addresses.message(f"discord:#{here.id}/{thread.id}", "77") == f"{site}/{thread.id}/77"


async def test_a_channel_or_thread_is_pointed_to_in_its_guild(server: Discord, clock: VirtualClock) -> None:
    here = study(server, "Ann")
    async with talking(server, clock) as talk:
        addresses = DiscordAddresses(talk.client)
        site = f"https://discord.com/channels/{here.guild.id}"
        assert addresses.chat(f"discord:#{here.id}") == f"{site}/{here.id}"
        assert addresses.chat(f"discord:#{here.id}/5") == f"{site}/5"


async def test_in_private_a_message_is_pointed_to_once_its_channel_is_known(
    server: Discord, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    chat = f"discord:{ann.id}"
    async with talking(server, clock) as talk:
        addresses = DiscordAddresses(talk.client)
        assert addresses.message(chat, "77") is None
        await talk.post(server.person("Bob").direct, card("Hello"))
        assert addresses.message(chat, "77") is None
        await talk.post(ann.direct, card("Hello"))
        assert addresses.message(chat, "77") == f"https://discord.com/channels/@me/{ann.direct.id}/77"
        assert addresses.chat(chat) is None


async def test_what_is_not_known_is_not_pointed_to() -> None:
    addresses = DiscordAddresses(client())
    assert addresses.message("discord:#5", "77") is None
    assert addresses.chat("discord:#5") is None
    assert addresses.message("discord:5", "77") is None


@pytest.mark.parametrize("reference", ["", "x", "77pp", "-1", "../7"])
async def test_what_is_no_reference_leads_nowhere(server: Discord, clock: VirtualClock, reference: str) -> None:
    here = study(server, "Ann")
    async with talking(server, clock) as talk:
        assert DiscordAddresses(talk.client).message(f"discord:#{here.id}", reference) is None


async def test_private_messages_begin_on_the_page_of_the_bot(server: Discord, clock: VirtualClock) -> None:
    async with talking(server, clock) as talk:
        addresses = DiscordAddresses(talk.client)
        assert addresses.private("practice") == f"https://discord.com/users/{server.bot['id']}"
        assert addresses.group("quiz_colours") is None
    assert DiscordAddresses(QuizbotClient()).private("practice") is None
