"""What people see on Discord is what was read aloud and checked in."""

from __future__ import annotations

import pytest

from tests.transcripts.discord import HERE, TRANSCRIPTS


@pytest.mark.parametrize("name", TRANSCRIPTS)
async def test_a_conversation_reads_as_it_was_checked_in(name: str) -> None:
    """After a change that is meant: `python -m tests.transcripts`, and read what it wrote."""
    expected = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert await TRANSCRIPTS[name]() == expected


def test_every_transcript_that_is_checked_in_is_played() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(TRANSCRIPTS)
