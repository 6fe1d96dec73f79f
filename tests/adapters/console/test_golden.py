"""Whole plays, word for word: what changes in them shows as changed lines."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.adapters.console.room import Room
from tests.adapters.console.scenes import GOLDEN, SCENES


@pytest.mark.parametrize("scene", SCENES)
async def test_a_play_reads_as_its_golden_text(scene: str, tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        assert await SCENES[scene](Room(tmp_path)) == (GOLDEN / f"{scene}.txt").read_text(encoding="utf-8"), (
            f"{scene} reads differently; if that is meant: python -m tests.adapters.console.scenes"
        )


def test_every_golden_text_has_a_play() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(SCENES)
