"""From the first connection to the last: what ends the bot, what it comes back from, and what stopping leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import discord
import pytest
import simcord

from adapters.discord import adapter as module
from adapters.discord.adapter import DiscordAdapter, opened
from adapters.discord.chats import PLATFORM
from bot import present
from bot.library import Library
from bot.ports import UnavailableError
from bot.running import Service, serving
from bot.storage.sql import SqlStore
from bot.storage.sqlite import MEMORY, SqliteDriver
from bot.supervising import HopelessError, Supervised
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.discord.playing import Playing, playing, without_waiting
from tests.discord.server import Answer, Channel, Discord, Message, Person
from tests.discord.talking import card, comes, study

QUIZ = plain_quiz()


@asynccontextmanager
async def served(
    server: Discord, clock: VirtualClock, token: str = ""
) -> AsyncIterator[tuple[DiscordAdapter, Service]]:
    """An adapter that does not run yet, and what it would serve."""
    driver = await SqliteDriver.open(MEMORY)
    store = SqlStore(driver, [PLATFORM])
    await store.migrate()
    library, lots = Library([QUIZ]), Random(1)
    async with opened(
        token or server.token, api_url=server.api_url, gateway_url=server.gateway_url, pictures=Path(), clock=clock
    ) as adapter:
        transports = {PLATFORM: adapter.transport}
        async with serving(store, library, clock, present.post, transports, lots) as service:
            yield adapter, service
    await store.close()


@asynccontextmanager
async def supervised(server: Discord, clock: VirtualClock) -> AsyncIterator[Supervised]:
    """An adapter that runs, and begins again when it fails."""
    async with served(server, clock) as (adapter, service):
        watched = Supervised(adapter)
        running = asyncio.create_task(watched.run(service))
        try:
            with without_waiting():
                yield watched
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def begun(bot: Playing, host: Person) -> Message:
    """The first question of a quiz that somebody has started in the only channel."""
    (here,) = bot.server.world.guilds[0].channels
    await host.slash(here, "quiz", quiz=QUIZ.slug)
    await bot.quiet()
    started = host.press(_with_button(here, "Start"), "Start")
    await bot.quiet()
    await started
    return _with_button(here, "A")


def _with_button(channel: Channel, label: str) -> Message:
    """The newest message with this button."""
    return next(message for message in reversed(channel.messages) if label in message.buttons)


# What comes in, and goes out


async def test_a_session_is_played(server: Discord, clock: VirtualClock) -> None:
    study(server, "Ann", "Bob")
    ann, bob = server.world.people
    async with playing(server, clock) as bot:
        question = await begun(bot, ann)
        pressed = await bob.press(question, "A")
        assert pressed.ephemeral
        assert [(question, person) for question, person, _ in await bot.responses()] == [(0, f"discord:{bob.id}")]


async def test_alone_each_press_is_one_edit_of_the_card(server: Discord, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    async with playing(server, clock) as bot:
        await ann.slash(ann.direct, "quiz", quiz=QUIZ.slug)
        await bot.quiet()
        started = ann.press(_with_button(ann.direct, "Start"), "Start")
        await bot.quiet()
        assert (await started).kind is Answer.EDIT
        question = ann.direct.last
        pressed = ann.press(question, "A")
        await bot.quiet()
        assert (pressed.kind, pressed.answer) == (Answer.EDIT, question)
        assert "Next" in question.buttons
        assert server.calls("PATCH") == []


async def test_the_last_posts_go_out_when_nothing_comes_in_any_more(server: Discord, clock: VirtualClock) -> None:
    study(server, "Ann")
    (ann,) = server.world.people
    (here,) = server.world.guilds[0].channels

    async def release() -> None:
        await server.until(lambda: not server.gateway.connected)
        hold.release()

    async with playing(server, clock) as bot:
        await ann.slash(here, "quiz", quiz=QUIZ.slug)
        await bot.quiet()
        hold = server.hold("POST", "/messages$")
        ann.press(_with_button(here, "Start"), "Start")
        await hold.reached()
        releasing = asyncio.create_task(release())
    await releasing
    assert "A" in here.last.buttons


async def test_answers_that_take_too_long_are_given_up_when_stopping(
    server: Discord, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "FAREWELL", 0.05)
    study(server, "Ann")
    (ann,) = server.world.people
    (here,) = server.world.guilds[0].channels
    async with playing(server, clock):
        hold = server.hold("POST", "/callback$")
        ann.slash(here, "help")
        await hold.reached()
    assert [record.getMessage() for record in caplog.records] == ["not every answer could be given before the end"]


async def test_a_second_bot_takes_over_where_the_first_one_stopped(
    server: Discord, clock: VirtualClock, tmp_path: Path
) -> None:
    study(server, "Ann")
    (ann,) = server.world.people
    async with playing(server, clock, path=tmp_path / "quiz.sqlite3") as bot:
        question = await begun(bot, ann)
    async with playing(server, clock, path=tmp_path / "quiz.sqlite3") as bot:
        assert (await ann.press(question, "A")).ephemeral
        assert len(await bot.responses()) == 1


async def test_the_library_simulator_can_play_it_too(clock: VirtualClock) -> None:
    """Whoever tests with a simulator gets a client that has everything, and starts it."""
    driver = await SqliteDriver.open(MEMORY)
    store = SqlStore(driver, [PLATFORM])
    await store.migrate()
    async with opened("a.b.c", api_url=None, gateway_url=None, pictures=Path(), clock=clock) as adapter:
        transports = {PLATFORM: adapter.transport}
        async with (
            serving(store, Library([QUIZ]), clock, present.post, transports, Random(1)) as service,
            adapter.equipped(service) as client,
            simcord.run(client, shard_count=1) as env,
        ):
            guild = env.create_guild("Study")
            here, ann = guild.create_text_channel("quiz"), guild.add_member(env.create_user("Ann"))
            answer = await ann.slash(here, "help")
            assert answer.ephemeral
    await store.close()


# What ends it


async def test_a_token_that_discord_does_not_know_is_hopeless(server: Discord, clock: VirtualClock) -> None:
    async with served(server, clock, "wrong.token.here") as (adapter, service):
        with pytest.raises(HopelessError, match="press Reset Token, and set QUIZBOT_DISCORD_TOKEN"):
            await adapter.run(service)


@pytest.mark.parametrize(("code", "advice"), [(4004, "Reset Token"), (4013, "intents"), (4014, "intents")])
async def test_a_gateway_that_closes_for_good_is_hopeless(
    server: Discord, clock: VirtualClock, code: int, advice: str
) -> None:
    server.gateway.close_identified(code)
    async with served(server, clock) as (adapter, service):
        with pytest.raises(HopelessError, match=advice) as raised:
            await adapter.run(service)
        assert server.token not in str(raised.value)


async def test_after_a_token_was_refused_nothing_is_tried_any_more(server: Discord, clock: VirtualClock) -> None:
    server.gateway.close_identified(4004)
    async with supervised(server, clock) as watched:
        await comes(lambda: watched.failed)
        assert server.gateway.identified == 0


# What it comes back from


async def test_while_discord_is_down_it_is_tried_again_and_again(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail("GET", "/users/@me", 403, times=3)
    async with supervised(server, clock) as watched:
        for tries in range(1, 4):
            await starts_again(caplog, clock, tries)
        await server.gateway.ready()
        assert not watched.failed


async def test_a_connection_that_cannot_be_restored_is_begun_anew_with_a_fresh_client(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    study(server, "Ann")
    (ann,) = server.world.people
    (here,) = server.world.guilds[0].channels
    async with supervised(server, clock):
        await server.gateway.ready()
        await server.until(lambda: server.commands)
        server.gateway.drop(4010)
        await server.until(lambda: not server.gateway.connected)
        await starts_again(caplog, clock, 1)
        await server.gateway.ready()
        assert (await ann.slash(here, "help")).ephemeral
        assert server.gateway.identified == 2


async def starts_again(caplog: pytest.LogCaptureFixture, clock: VirtualClock, times: int) -> None:
    """Wait for so many failures, and let the time pass after which it is tried again."""
    await comes(lambda: caplog.text.count("it is started again in") == times)
    clock.advance(300)


async def test_posts_wait_while_there_is_no_client(server: Discord, clock: VirtualClock) -> None:
    async with served(server, clock) as (adapter, _):
        with pytest.raises(UnavailableError):
            await adapter.transport.send("discord:#1", card("?"), "1-x")


@pytest.mark.parametrize(("shards", "remaining"), [(1, 5), (3, 7)])
async def test_the_last_log_ins_of_the_day_are_saved(
    shards: int, remaining: int, server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """A start takes one for each shard, and some are left for whoever looks what is wrong."""
    server.gateway.shards, server.gateway.remaining, server.gateway.reset_after = shards, remaining, 3600.0
    async with supervised(server, clock):
        await comes(lambda: f"Discord allows only {remaining} of 1000 log-ins" in caplog.text)
        await comes(lambda: any((alarm - clock.now()).total_seconds() == 3600 for alarm in clock.alarms))
        assert server.gateway.identified == 0
        clock.advance(3600)
        await server.gateway.ready(shards)


async def test_with_enough_log_ins_for_every_shard_nothing_waits(server: Discord, clock: VirtualClock) -> None:
    server.gateway.shards, server.gateway.remaining = 3, 8
    async with supervised(server, clock):
        await server.gateway.ready(3)


async def test_several_shards_serve_all_guilds(server: Discord, clock: VirtualClock) -> None:
    server.gateway.shards = 2
    people = server.people("Ann", "Bob")
    channels = [server.guild(name, *people).channel() for name in ("One", "Two")]
    async with playing(server, clock):
        for channel in channels:
            assert (await people[0].slash(channel, "help")).ephemeral
        assert sorted(len(session.sent) > 2 for session in server.gateway.connected) == [True, True]


async def test_nothing_is_sent_to_another_discord_when_it_is_over(server: Discord, clock: VirtualClock) -> None:
    usual = discord.http.Route.BASE
    async with served(server, clock):
        assert server.api_url == discord.http.Route.BASE
    assert usual == discord.http.Route.BASE
