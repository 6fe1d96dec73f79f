"""One installation of Quizbot: its processes, as `quizbot run`, on one database, and a Telegram and a Discord of its
own with groups on them. Makes nothing go wrong by itself."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.bench.telegram_contenders import free_port
from tests.discord.server import Discord
from tests.program import ROOT
from tests.soak.balancer import Balancer
from tests.soak.crowds import QUIZ, Crowd, OnDiscord, OnTelegram, Seen
from tests.telegram.server import BotApi

PEOPLE = 5
QUESTIONS = 12
SECONDS = 12
"""How long a question stays open."""

START_UP = 60.0
FAREWELL = 30.0
RETRY = 3.0
"""Seconds after which Telegram tries an update again that the webhook did not take."""


def quiz() -> str:
    """A quiz file of short questions."""
    lines = ["title: {en: A long evening}", "languages: [en]", "questions:"]
    for number in range(QUESTIONS):
        lines += [f"  - id: s-{number}", f"    seconds: {SECONDS}", f"    stem: {{en: Which one is number {number}?}}"]
        lines += ["    options:", "      - {text: {en: This one}, right: true}"]
        lines += [f"      - {{text: {{en: Another one {other}}}}}" for other in range(3)]
    return "\n".join(lines) + "\n"


@dataclass
class Process:
    """One `quizbot run`, started as often as wanted; what it prints is added to the file `log`."""

    name: str
    settings: Mapping[str, str]
    log: Path
    steady: bool = True  # never killed
    process: asyncio.subprocess.Process | None = None
    exits: list[int] = field(default_factory=list)

    @property
    def id(self) -> int | None:
        """Of the process that runs now."""
        return self.process.pid if self.process and self.process.returncode is None else None

    async def start(self) -> None:
        foreign = {name: value for name, value in os.environ.items() if not name.startswith("QUIZBOT_")}
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "run"),
                stdout=log,
                stderr=log,
                cwd=ROOT,
                env={**foreign, **self.settings},
            )

    async def kill(self) -> None:
        """At once, as a crash does."""
        if self.process and self.process.returncode is None:
            self.process.kill()
            self.exits.append(await self.process.wait())

    async def stop(self) -> None:
        """In order."""
        if self.process and self.process.returncode is None:
            self.process.terminate()
            try:
                self.exits.append(await asyncio.wait_for(self.process.wait(), FAREWELL))
            except TimeoutError:
                await self.kill()


@dataclass
class Installation:
    """Processes, platforms and groups. Made by `opened`; `seen` is what people see, by platform."""

    name: str
    database: str
    folder: Path
    telegram: BotApi
    discord: Discord
    processes: list[Process] = field(default_factory=list)
    crowds: list[Crowd] = field(default_factory=list)
    seen: dict[str, Seen] = field(default_factory=lambda: {"telegram": Seen(), "discord": Seen()})
    heard: dict[str, float] = field(default_factory=dict)

    def gather(self, groups: int, lots: Random) -> None:
        """So many groups on each platform."""
        for number in range(groups):
            people = [self.telegram.person(f"Player {number}.{each}", "en") for each in range(PEOPLE)]
            group = self.telegram.supergroup(f"Group {number}", people, people[:1])
            self._add("telegram", OnTelegram(group, people, self.heard), lots)
            others = [self.discord.person(f"Player {number}.{each}", "en-US") for each in range(PEOPLE)]
            guild = self.discord.guild(f"Guild {number}", *others)
            self._add("discord", OnDiscord(guild.channel("quiz"), others), lots)

    def _add(self, platform: str, place: OnTelegram | OnDiscord, lots: Random) -> None:
        self.crowds.append(Crowd(place, PEOPLE, Random(lots.random()), self.seen[platform]))

    async def begin(self) -> None:
        """Start the processes, and wait until they serve."""
        for process in self.processes:
            await process.start()
        async with asyncio.timeout(START_UP):
            while not (self.discord.commands and self.discord.gateway.connected and self._updates()):  # noqa: ASYNC110
                await asyncio.sleep(0.1)

    def _updates(self) -> bool:
        return bool(self.telegram.world.webhook.url or self.telegram.calls("getUpdates"))

    async def keep(self) -> None:
        """Note what the platforms heard, and forget it; retry what a webhook did not take. Until cancelled."""
        while True:
            await asyncio.sleep(0.5)
            self.note()
            self.telegram.retry_webhook()

    def note(self) -> None:
        """Note when presses on Telegram were answered."""
        done = [call for call in self.telegram.requests if call.status]
        for call in done:
            if call.method == "answerCallbackQuery" and call.status == 200:
                self.heard.setdefault(str(call.params.get("callback_query_id")), call.at.timestamp())
        self.telegram.requests[:] = [call for call in self.telegram.requests if not call.status]
        self.discord.requests[:] = [call for call in self.discord.requests if not call.status]
        self.telegram.world.updates.sent.clear()


async def opened(
    stack: AsyncExitStack, name: str, database: str, folder: Path, processes: int, *, shared: bool
) -> Installation:
    """Servers and settings; `shared` is whether several processes serve, the first of which may be killed."""
    telegram, discord = BotApi(), Discord()
    telegram.contracts = discord.contracts = None
    discord.strict = False
    discord.gateway.remaining = 10**6
    await stack.enter_async_context(telegram)
    await stack.enter_async_context(discord)
    content = folder / "content"
    content.mkdir(parents=True)
    (content / f"{QUIZ}.yaml").write_text(quiz())
    made = Installation(name, database, folder, telegram, discord)
    ports = [free_port() for _ in range(processes)] if shared else []
    balancer = await stack.enter_async_context(Balancer(ports)) if shared else None
    for number in range(processes):
        settings = _settings(made, content) | (_webhook(balancer, ports[number]) if balancer else {})
        log = folder / f"log.{number}"
        made.processes.append(Process(f"{name}-{number}", settings, log, steady=not shared or number > 0))
    return made


def _settings(made: Installation, content: Path) -> dict[str, str]:
    return {
        "QUIZBOT_DATABASE_URL": made.database,
        "QUIZBOT_CONTENT_DIR": str(content),
        "QUIZBOT_TELEGRAM_TOKEN": made.telegram.token,
        "QUIZBOT_TELEGRAM_API_URL": made.telegram.url,
        "QUIZBOT_DISCORD_TOKEN": made.discord.token,
        "QUIZBOT_DISCORD_API_URL": made.discord.api_url,
        "QUIZBOT_DISCORD_GATEWAY_URL": made.discord.gateway_url,
    }


def _webhook(balancer: Balancer, port: int) -> dict[str, str]:
    return {
        "QUIZBOT_TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{balancer.port}/telegram",
        "QUIZBOT_TELEGRAM_WEBHOOK_LISTEN": f"127.0.0.1:{port}",
        "QUIZBOT_DISCORD_SHARDS": "2",
    }


def stopped(installations: Sequence[Installation]) -> bool:
    """Whether every process that has ended did so because it was told to, or was killed."""
    return all(code in (0, -9) for each in installations for process in each.processes for code in process.exits)
