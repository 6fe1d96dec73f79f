"""Telegram and Discord in one process, a quiz on each: one platform fails in the middle, and the other goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from adapters.discord import adapter as on_discord
from adapters.telegram import adapter as on_telegram
from bot import present
from bot.library import Library
from bot.ports import Transport
from bot.running import Adapter, serving
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from bot.supervising import Supervised
from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.discord import playing as discord_playing
from tests.discord.conversing import Study, on_the_clock, study_group
from tests.discord.server import Discord
from tests.telegram import playing as telegram_playing
from tests.telegram import study as telegram_study
from tests.telegram.server import BotApi

PLATFORMS = ("telegram", "discord")


@pytest.fixture
async def telegram(clock: VirtualClock) -> AsyncIterator[BotApi]:
    async with BotApi(clock) as running:
        yield running


@dataclass
class Both:
    """One service with two adapters, as each of the two sees it."""

    discord: discord_playing.Playing
    telegram: telegram_playing.Playing
    tasks: dict[str, asyncio.Task[None]]

    async def quiet(self) -> None:
        await self.discord.quiet()
        await self.telegram.quiet()
        await self.discord.quiet()

    async def wait(self, seconds: float) -> None:
        """Let this many seconds pass on both."""
        clock = self.discord.clock
        until = clock.now() + timedelta(seconds=seconds)
        while clock.now() < until:
            await self.quiet()
            step = min([until, *(alarm for alarm in clock.alarms if alarm > clock.now())])
            await self.discord.wait((step - clock.now()).total_seconds())
        await self.quiet()


@asynccontextmanager
async def both(discord: Discord, telegram: BotApi, clock: VirtualClock) -> AsyncIterator[Both]:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    driver = await SqliteDriver.open(MEMORY)
    store = SqlStore(driver, PLATFORMS)
    await store.migrate()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        there = await stack.enter_async_context(
            on_telegram.opened(telegram.token, api_url=telegram.url, webhook=None, pictures=Path(), clock=clock)
        )
        here = await stack.enter_async_context(
            on_discord.opened(
                discord.token,
                api_url=discord.api_url,
                gateway_url=discord.gateway_url,
                pictures=Path(),
                clock=clock,
            )
        )
        transports: dict[str, Transport] = {"telegram": there.transport, "discord": here.transport}
        library = Library([plain_quiz()])
        service = await stack.enter_async_context(serving(store, library, clock, present.post, transports, Random(1)))
        stack.enter_context(discord_playing.without_waiting())
        adapters: list[Adapter] = [there, here]
        tasks = {each.platform: asyncio.create_task(Supervised(each).run(service)) for each in adapters}
        stack.push_async_callback(_ended, list(tasks.values()))
        yield Both(
            discord_playing.Playing(clock, driver, store, service, tasks["discord"], discord, here),
            telegram_playing.Playing(clock, driver, store, service, tasks["telegram"], telegram, there),
            tasks,
        )


async def _ended(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def begun(bots: Both) -> tuple[Study, telegram_study.Study]:
    """A quiz on each platform, at its first question."""
    await bots.discord.server.gateway.ready()
    await bots.discord.server.until(lambda: bots.discord.server.commands)
    await bots.telegram.server.until(lambda: bots.telegram.server.calls("getUpdates"))
    channel, (ann,) = study_group(bots.discord.server, "Ann")
    bob = bots.telegram.server.person("Bob")
    here = Study(bots.discord, channel, ann)
    there = telegram_study.Study(bots.telegram, telegram_study.study_group(bots.telegram.server, "Study", [bob]), bob)
    await here.begin()
    await there.begin()
    return here, there


def _discord_is_gone(discord: Discord, telegram: BotApi) -> None:
    discord.fail("*", "", 503, times=10_000)
    discord.gateway.refuse(times=10_000)
    discord.gateway.drop()


def _discord_refuses_the_token(discord: Discord, telegram: BotApi) -> None:
    discord.fail("*", "", 401, times=10_000)
    discord.gateway.drop(4004)


def _discord_shuts_out(discord: Discord, telegram: BotApi) -> None:
    discord.ban(times=10_000)


def _telegram_is_gone(discord: Discord, telegram: BotApi) -> None:
    telegram.garbage("*", times=10_000)


def _telegram_refuses_the_token(discord: Discord, telegram: BotApi) -> None:
    telegram.fail("*", 401, "Unauthorized", times=10_000)


Fault = Callable[[Discord, BotApi], None]


@pytest.mark.parametrize("fault", [_discord_is_gone, _discord_refuses_the_token, _discord_shuts_out])
async def test_a_quiz_on_telegram_goes_on_whatever_happens_to_discord(
    fault: Fault, server: Discord, telegram: BotApi, clock: VirtualClock
) -> None:
    with on_the_clock(clock):
        async with both(server, telegram, clock) as bots:
            _, there = await begun(bots)
            fault(server, telegram)
            for number in (1, 2, 3):
                assert there.question.said.text.startswith(f"Question {number} of 3")
                assert (await there.answer(there.host)).startswith("✓ Right.")
                await bots.wait(READING if number > 1 else LIMIT + READING)
            assert "Bob — 3 of 3 right" in there.last.said.text
            assert not bots.tasks["telegram"].done()


@pytest.mark.parametrize("fault", [_telegram_is_gone, _telegram_refuses_the_token])
async def test_a_quiz_on_discord_goes_on_whatever_happens_to_telegram(
    fault: Fault, server: Discord, telegram: BotApi, clock: VirtualClock
) -> None:
    async with both(server, telegram, clock) as bots:
        here, _ = await begun(bots)
        fault(server, telegram)
        for number in (1, 2, 3):
            assert here.question.text.startswith(f"Question {number} of 3")
            assert (await here.answer(here.host)).startswith("✓ Right.")
            await bots.wait(READING if number > 1 else LIMIT + READING)
        assert "Ann — 3 of 3 right" in here.last.text
        assert not bots.tasks["discord"].done()


async def test_a_platform_that_comes_back_goes_on_where_it_was(
    server: Discord, telegram: BotApi, clock: VirtualClock
) -> None:
    with on_the_clock(clock):
        async with both(server, telegram, clock) as bots:
            here, there = await begun(bots)
            await here.answer(here.host)
            await there.answer(there.host)
            _discord_is_gone(server, telegram)
            await bots.wait(LIMIT + READING + 60)
            assert "Bob — 1 of 3 right" in there.last.said.text
            assert "A" in here.question.buttons
            server.mend()
            server.gateway.refusals.clear()
            question = await bots.discord.shows(here.channel, "Question 2 of 3")
            for _ in range(60):
                await bots.wait(5)
                if server.gateway.connected:
                    break
            assert "1 of 1 got it right" in here.texts[1]
            assert question.text.startswith("Question 2 of 3")
