"""Plays every conversation and writes down what people see."""

from __future__ import annotations

import asyncio

from tests.transcripts.telegram import HERE, TRANSCRIPTS


async def main() -> None:
    for name, play in TRANSCRIPTS.items():
        (HERE / f"{name}.txt").write_text(await play(), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
