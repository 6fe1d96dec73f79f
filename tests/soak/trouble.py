"""What goes wrong meanwhile, at random moments: on the platforms, with the database, with a process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.discord.server import Discord
from tests.postgres.server import Server
from tests.soak.installation import Installation, Process
from tests.telegram.server import BotApi, Hold

SENDING = ("sendMessage", "editMessageText", "answerCallbackQuery")
MESSAGES, CALLBACKS = "/messages", "/callback$"
HELD = 8.0
"""Seconds for which a platform does not answer."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """Seconds between two of a kind, about. A gateway that breaks down every few seconds would make clients wait for
    minutes, as it should."""

    platform: float = 15.0
    gateway: float = 200.0
    server: float = 180.0
    process: float = 120.0


@dataclass
class Trouble:
    """All of it. `made` is how often which kind was made."""

    installations: Sequence[Installation]
    lots: Random
    server: Server | None = None
    pauses: Pauses = Pauses()
    made: Counter[str] = field(default_factory=Counter)

    async def make(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as group:
            for each in self.installations:
                group.create_task(self._again(self.pauses.platform, self._on_telegram(each.telegram)))
                group.create_task(self._again(self.pauses.platform, self._on_discord(each.discord)))
                group.create_task(self._again(self.pauses.gateway, self._on_gateway(each.discord)))
                for process in each.processes:
                    if not process.steady:
                        group.create_task(self._again(self.pauses.process, self._kill(process)))
            if self.server:
                group.create_task(self._again(self.pauses.server, self._kill_server(self.server)))

    async def _again(self, pause: float, one: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            await asyncio.sleep(pause * self.lots.uniform(0.5, 1.5))
            await one()

    def _on_telegram(self, telegram: BotApi) -> Callable[[], Coroutine[Any, Any, None]]:
        async def one() -> None:
            kind = self.lots.choice(("429", "500", "502", "lost", "cut", "held"))
            method, times = self.lots.choice(SENDING), self.lots.randint(1, 8)
            telegram.mend()
            self.made[f"Telegram {kind}"] += 1
            match kind:
                case "429":
                    wait = self.lots.randint(1, 5)
                    said = f"Too Many Requests: retry after {wait}"
                    telegram.fail(method, 429, said, times=times, parameters={"retry_after": wait})
                case "500":
                    telegram.fail(method, 500, "Internal Server Error", times=times)
                case "502":
                    telegram.garbage(method, times=times)
                case "lost":
                    telegram.lose(method, times=times)
                case "cut":
                    telegram.drop(method, times=times)
                case _:
                    await self._held(telegram.hold(method, answer_only=self.lots.random() < 0.5))

        return one

    def _on_discord(self, discord: Discord) -> Callable[[], Coroutine[Any, Any, None]]:
        async def one() -> None:
            kind = self.lots.choice(("429", "500", "502", "lost", "cut", "held"))
            path, times = self.lots.choice((MESSAGES, CALLBACKS)), self.lots.randint(1, 8)
            discord.mend()
            self.made[f"Discord {kind}"] += 1
            match kind:
                case "429":
                    discord.throttle("*", path, self.lots.uniform(0.5, 4), times=times)
                case "500":
                    discord.fail("*", path, 500, times=times)
                case "502":
                    discord.garbage("*", path, times=times)
                case "lost":
                    discord.lose("*", path, times=times)
                case "cut":
                    discord.drop("*", path, times=times)
                case _:
                    await self._held(discord.hold("*", path, answer_only=self.lots.random() < 0.5))

        return one

    def _on_gateway(self, discord: Discord) -> Callable[[], Coroutine[Any, Any, None]]:
        async def one() -> None:
            kind = self.lots.choice(("dropped", "reconnect", "invalid", "refused"))
            self.made[f"gateway {kind}"] += 1
            match kind:
                case "dropped":
                    discord.gateway.drop(resumable=self.lots.random() < 0.7)
                case "reconnect":
                    discord.gateway.ask_to_reconnect()
                case "invalid":
                    discord.gateway.invalidate(resumable=self.lots.random() < 0.5)
                case _:
                    discord.gateway.refuse()
                    discord.gateway.drop()

        return one

    async def _held(self, hold: Hold) -> None:
        """Nobody is answered for a while, which is always as long: how many wait at once is the most that a process
        needs room for, and by chance that would be late."""
        with hold:
            await asyncio.sleep(HELD)

    def _kill(self, process: Process) -> Callable[[], Coroutine[Any, Any, None]]:
        async def one() -> None:
            self.made["process killed"] += 1
            await process.kill()
            try:
                await asyncio.sleep(self.lots.uniform(0, 12))
            finally:
                await process.start()

        return one

    def _kill_server(self, server: Server) -> Callable[[], Coroutine[Any, Any, None]]:
        async def one() -> None:
            self.made["database killed"] += 1
            server.kill()
            try:
                await asyncio.sleep(self.lots.uniform(0, 4))
            finally:
                await asyncio.shield(asyncio.to_thread(server.start))

        return one
