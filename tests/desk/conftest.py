"""The lobby that most tests meet in."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.desk.lobby import Lobby, open_lobby


@pytest.fixture
async def lobby() -> AsyncIterator[Lobby]:
    async with open_lobby() as made:
        yield made
