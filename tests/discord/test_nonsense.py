"""A Discord that says yes and then talks nonsense: a post is tried again under the same nonce, and that is all."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.discord.transport import DiscordTransport
from bot.messages import Block, Card, Role
from bot.ports import UnavailableError
from tests.discord.server import Discord, GuildChannel
from tests.discord.test_transport import EDIT, SEND, channel, client, pictures, transport

__all__ = ["channel", "client", "pictures", "transport"]

CARD = Card((Block(Role.LINE, "Hello"),))
NONSENSE: dict[str, Any] = {
    "page": "<html>It works!</html>",
    "nothing": None,
    "yes": True,
    "number": 7,
    "list": [],
    "empty": {},
    "id-of-words": {"id": "seven"},
    "id-of-nothing": {"id": None},
    "content-missing": {"id": "7", "channel_id": "8"},
}


@pytest.mark.parametrize("name", NONSENSE)
async def test_a_message_that_nobody_can_find_again_is_tried_again(
    name: str, server: Discord, transport: DiscordTransport, channel: GuildChannel
) -> None:
    server.garbage(*SEND, status=200, body=NONSENSE[name])
    with pytest.raises(UnavailableError, match="no sense"):
        await transport.send(f"discord:#{channel.id}", CARD, "1-1-q0")
    await transport.send(f"discord:#{channel.id}", CARD, "1-1-q0")
    assert len(channel.messages) == 1


@pytest.mark.parametrize("name", NONSENSE)
async def test_an_edit_is_made_again_for_that_does_no_harm(
    name: str, server: Discord, transport: DiscordTransport, channel: GuildChannel
) -> None:
    message = await transport.send(f"discord:#{channel.id}", CARD, "1-1-q0")
    server.garbage(*EDIT, status=200, body=NONSENSE[name])
    with pytest.raises(UnavailableError, match="no sense"):
        await transport.edit(f"discord:#{channel.id}", message, CARD)
