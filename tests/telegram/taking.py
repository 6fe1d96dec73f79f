"""Somebody who takes updates as a test wants it: at once, late, or never."""

from __future__ import annotations

import asyncio

from adapters.telegram.intake import Update
from bot.ports import StoreError


class Desk:
    """Takes updates: at once, or holds those it is told to until they are released, or fails."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.taken: list[int] = []
        self.held: dict[int, asyncio.Event] = {}
        self.faults: dict[int, Exception] = {}
        self.store_fails = False

    def hold(self, *numbers: int) -> None:
        self.held |= {number: asyncio.Event() for number in numbers}

    def release(self) -> None:
        for held in self.held.values():
            held.set()

    async def take(self, update: Update) -> None:
        number = update["update_id"]
        self.begun.append(number)
        if number in self.held:
            await self.held[number].wait()
        if self.store_fails:
            raise StoreError("database quiz.sqlite3: the disk is full")
        if number in self.faults:
            raise self.faults[number]
        self.taken.append(number)
