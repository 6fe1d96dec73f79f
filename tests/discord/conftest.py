"""The Discord that the tests of the adapter play on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.clock import VirtualClock
from tests.discord.server import Discord
from tests.discord.server.raw import Raw


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
async def server(clock: VirtualClock) -> AsyncIterator[Discord]:
    """A Discord on the test's clock."""
    async with Discord(clock) as running:
        yield running


@pytest.fixture
async def raw(server: Discord) -> AsyncIterator[Raw]:
    """Any request to the server, however wrong."""
    async with Raw(server) as client:
        yield client
