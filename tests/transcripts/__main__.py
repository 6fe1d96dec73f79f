"""Plays every conversation and writes down what people see."""

from __future__ import annotations

import asyncio

from tests.transcripts import discord, telegram


async def main() -> None:
    for platform in (discord, telegram):
        for name, play in platform.TRANSCRIPTS.items():
            (platform.HERE / f"{name}.txt").write_text(await play(), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
