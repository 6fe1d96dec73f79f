"""The Telegram that the tests of the adapter play on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.clock import VirtualClock
from tests.telegram.server import BotApi
from tests.telegram.server.raw import Raw


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
async def server(clock: VirtualClock) -> AsyncIterator[BotApi]:
    """A Bot API server on the test's clock."""
    async with BotApi(clock) as running:
        yield running


@pytest.fixture
async def raw(server: BotApi) -> AsyncIterator[Raw]:
    """Any request to the server, however wrong."""
    async with Raw(server) as client:
        yield client
