"""A bot whose servers its operator has divided into shards: which roles these are, how they log in one after another,
what Discord may say against it, and what several processes have of the limits that are of the bot."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.discord.adapter import DiscordAdapter
from adapters.discord.budget import ALL, Budget
from adapters.discord.client import QuizbotClient
from adapters.discord.sharding import PAUSE, Shard, Turnstile, roles_of, standing
from adapters.discord.transport import DiscordTransport
from adapters.places import Urgency
from bot.vitals import Connection
from tests.clock import VirtualClock
from tests.discord.conversing import on_the_clock
from tests.discord.many import many
from tests.discord.server import Discord
from tests.discord.talking import comes

CONNECTED, CONNECTING, UNREACHABLE = Connection.CONNECTED, Connection.CONNECTING, Connection.UNREACHABLE


def adapter_of(server: Discord, clock: VirtualClock, shards: int | None) -> DiscordAdapter:
    return DiscordAdapter(server.token, server.gateway_url, None, Path(), clock, shards)


# Roles


def test_each_shard_is_a_role_that_says_how_many_there_are_and_without_a_number_one_role_is_all() -> None:
    assert roles_of(2) == {"discord/0 of 2": Shard(0, 2), "discord/1 of 2": Shard(1, 2)}
    assert roles_of(None) == {"discord": None}
    assert not roles_of(2).keys() & roles_of(3).keys()


def test_what_one_process_can_take_are_all_of_them(server: Discord, clock: VirtualClock) -> None:
    assert adapter_of(server, clock, 3).duties.roles == roles_of(3).keys()


@pytest.mark.parametrize(
    ("connections", "all_in_all"),
    [
        ((), Connection.STANDING_BY),
        ((CONNECTED, CONNECTED), CONNECTED),
        ((CONNECTED, CONNECTING), CONNECTING),
        ((CONNECTING, UNREACHABLE, CONNECTED), UNREACHABLE),
    ],
)
def test_a_process_stands_as_the_worst_of_its_shards_does(
    connections: tuple[Connection, ...], all_in_all: Connection
) -> None:
    assert standing(connections) is all_in_all


# Logging in


async def test_shards_log_in_one_after_the_other_and_pause_unless_it_was_long_ago() -> None:
    now, order = 0.0, []
    turnstile = Turnstile(lambda: now)
    first = asyncio.Event()

    async def log_in(name: str) -> None:
        async with turnstile.turn() as free:
            order.append((name, free))
            if name == "a":
                await first.wait()

    tasks = [asyncio.create_task(log_in(name)) for name in "ab"]
    for _ in range(5):
        await asyncio.sleep(0)
    assert order == [("a", True)]
    first.set()
    await asyncio.gather(*tasks)
    now += PAUSE - 0.1
    await log_in("c")
    now += PAUSE
    await log_in("d")
    assert order == [("a", True), ("b", False), ("c", False), ("d", True)]


async def test_a_client_pauses_after_another_of_the_same_process(clock: VirtualClock) -> None:
    turnstile = Turnstile()
    one, two = QuizbotClient(turnstile=turnstile), QuizbotClient(turnstile=turnstile)
    with on_the_clock(clock):
        await one.before_identify_hook(0, initial=True)
        waiting = asyncio.create_task(two.before_identify_hook(1, initial=True))
        await comes(lambda: clock.alarms)
        assert (clock.alarms[0] - clock.now()).total_seconds() == PAUSE
        clock.advance(PAUSE)
        await waiting


@pytest.mark.parametrize(("remaining", "identified"), [(6, 0), (7, 2)])
async def test_log_ins_are_counted_for_the_shards_that_a_process_has(
    remaining: int,
    identified: int,
    server: Discord,
    clock: VirtualClock,
    postgres_url: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.gateway.shards, server.gateway.remaining, server.gateway.reset_after = 9, remaining, 3600.0
    async with many(server, clock, postgres_url, 1, shards=2):
        assert server.gateway.identified == identified
        said = f"Discord allows only {remaining} of 1000 log-ins until it counts anew, and a start takes 2"
        assert (said in caplog.text) == (not identified)


async def test_fewer_shards_than_discord_takes_are_hopeless_and_the_words_say_what_to_set(
    server: Discord, clock: VirtualClock, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.gateway.close_identified(4011)
    async with many(server, clock, postgres_url, 0, shards=1) as bots:
        process = await bots.begin()
        await comes(process.task.done)
        assert "discord is not served any more: Discord wants the bot's servers divided into more shards" in caplog.text
        assert "QUIZBOT_DISCORD_SHARDS" in caplog.text


# Limits


@pytest.mark.parametrize(("workers", "most"), [(1, ALL.places), (2, 22), (3, 15), (100, 1)])
async def test_what_all_channels_may_have_is_shared_evenly_by_the_processes(
    workers: int, most: int, clock: VirtualClock
) -> None:
    budget = Budget(clock, lambda: workers)
    entered = 0

    async def enter(channel: int) -> None:
        nonlocal entered
        async with budget.place(channel, Urgency.SEND):
            entered += 1

    tasks = [asyncio.create_task(enter(channel)) for channel in range(ALL.places + 10)]
    for _ in range(200):
        await asyncio.sleep(0)
    assert entered == most
    budget.close()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_process_that_is_gone_leaves_its_part_to_the_others_at_once(clock: VirtualClock) -> None:
    workers = ALL.places
    budget = Budget(clock, lambda: workers)
    for channel in range(2):
        async with asyncio.timeout(5), budget.place(channel, Urgency.SEND):
            workers = 1


# Posts


async def test_the_way_out_is_open_while_there_is_a_client_and_no_silence(server: Discord, clock: VirtualClock) -> None:
    adapter = adapter_of(server, clock, 2)
    assert not adapter.duties.is_open()
    async with QuizbotClient() as client:
        with adapter.transport.through(client):
            assert adapter.duties.is_open()
            adapter.transport._silence.fall()
            assert not adapter.duties.is_open()
            clock.advance(timedelta(hours=1).total_seconds())
            assert adapter.duties.is_open()
        assert not adapter.duties.is_open()


def test_a_chat_is_awaited_while_anybody_there_waits(clock: VirtualClock) -> None:
    transport = DiscordTransport(Path(), clock)
    with transport.awaiting("discord:1"):
        with suppress(ValueError), transport.awaiting("discord:1"):
            raise ValueError
        assert transport.is_awaited("discord:1")
        assert not transport.is_awaited("discord:2")
    assert not transport.is_awaited("discord:1")
