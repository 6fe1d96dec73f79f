"""What a channel takes is limited where a test wants it, by the clock of the test."""

from __future__ import annotations

from tests.clock import VirtualClock
from tests.discord.server import Discord
from tests.discord.server.raw import Raw


async def test_a_sixth_message_waits_and_another_channel_does_not(
    raw: Raw, server: Discord, clock: VirtualClock
) -> None:
    server.floods.most = 5
    guild = server.guild("Study")
    one, other = guild.channel("one"), guild.channel("other")
    for _ in range(5):
        await raw.result("POST", f"/channels/{one.id}/messages", {"content": "x"})
    clock.advance(2)
    status, said = await raw("POST", f"/channels/{one.id}/messages", {"content": "x"})
    assert (status, said["retry_after"], server.floods.refused) == (429, 3.0, 1)
    await raw.result("POST", f"/channels/{other.id}/messages", {"content": "x"})
    await raw.result("PATCH", f"/channels/{one.id}/messages/{one.last.id}", {"content": "y"})
    clock.advance(3)
    await raw.result("POST", f"/channels/{one.id}/messages", {"content": "x"})
    assert len(one.messages) == 6
