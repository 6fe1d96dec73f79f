"""The world that most tests play in."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.engine.world import World, opened


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as made:
        yield made
