"""A bot of several shards: each guild is served by its own, and what happens to one is nothing to the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.discord.conversing import Study, on_the_clock, study_group
from tests.discord.playing import Playing, playing
from tests.discord.server import Discord, Person
from tests.discord.server.gateway import Session

SHARDS = 3


@pytest.fixture(autouse=True)
def _timed(clock: VirtualClock, server: Discord) -> Iterator[None]:
    server.gateway.shards = SHARDS
    with on_the_clock(clock):
        yield


def studies(bot: Playing, server: Discord) -> list[Study]:
    """A channel in a guild of each shard, in order."""
    made = []
    for number in range(SHARDS):
        channel, (host, _) = study_group(server, f"Host {number}", f"Guest {number}", title=f"Study {number}")
        made.append(Study(bot, channel, host))
    return made


def guest_of(study: Study) -> Person:
    assert study.channel.guild is not None
    return list(study.channel.guild.members.values())[1]


def heard(session: Session) -> list[str]:
    """The channels of the interactions that a session was told of."""
    return [data["channel_id"] for _, event, data in session.sent if event == "INTERACTION_CREATE"]


async def test_a_quiz_runs_in_the_guilds_of_each_shard_and_in_private_at_the_same_time(
    server: Discord, clock: VirtualClock
) -> None:
    async with playing(server, clock) as bot:
        groups = studies(bot, server)
        alone = Study(bot, groups[2].host.direct, groups[2].host)
        for study in (*groups, alone):
            await study.begin()
        for study in groups:
            assert (await study.answer(study.host)).startswith("✓ Right.")
            assert (await study.answer(guest_of(study), right=False)).startswith("✗ Wrong.")
        await alone.answer(alone.host)
        await bot.wait(LIMIT)
        assert all("1 of 2 got it right" in study.last.text for study in groups)
        await bot.wait(READING)
        for study in groups:
            assert study.question.text.startswith("Question 2 of 3")
        sessions = sorted(server.gateway.connected, key=lambda session: session.shard)
        for study in groups:
            assert study.channel.guild is not None
            assert study.channel.id in heard(sessions[(int(study.channel.guild.id) >> 22) % SHARDS])
        assert alone.channel.id in heard(sessions[0])
        assert len({channel for session in sessions for channel in heard(session)}) == SHARDS + 1
        assert await bot.rows("SELECT count(*) FROM response") == [(2 * SHARDS + 1,)]


@pytest.mark.parametrize("resumable", [True, False])
async def test_a_shard_that_loses_its_line_holds_up_no_other(
    resumable: bool, server: Discord, clock: VirtualClock
) -> None:
    async with playing(server, clock) as bot:
        groups = studies(bot, server)
        for study in groups:
            await study.begin_relaxed()
        lost = next(session for session in server.gateway.connected if session.shard == 1)
        cut_off = next(study for study in groups if study.channel.guild and lost.has(study.channel.guild.id))
        others = [study for study in groups if study is not cut_off]
        server.gateway.refuse(times=3)
        lost.resumable = resumable
        assert lost.connection is not None
        lost.connection.close(4000)
        await server.until(lambda: len(server.gateway.connected) == SHARDS - 1)
        missed = guest_of(cut_off).press(cut_off.question, "A")
        for study in others:
            assert (await study.answer(study.host)).startswith("✓ Right.")
        for _ in range(60):
            await bot.wait(1)
            if len(server.gateway.connected) == SHARDS:
                break
        await server.gateway.ready(SHARDS)
        await bot.quiet()
        responses = await bot.responses()
        assert len(responses) == len(others) + resumable
        assert (missed.kind is None) or resumable
        assert (await cut_off.answer(cut_off.host)).startswith("✓ Right.")
        await cut_off.press(guest_of(cut_off), "A", cut_off.question)
        assert len(await bot.responses()) == len(others) + 2


async def test_a_shard_that_has_to_pause_keeps_no_other_from_being_restored(
    server: Discord, clock: VirtualClock
) -> None:
    async with playing(server, clock) as bot:
        groups = studies(bot, server)
        for study in groups:
            await study.begin_relaxed()
        first, second, _ = sorted(server.gateway.connected, key=lambda session: session.shard)
        server.gateway.refuse(times=1)
        _cut(first)
        await server.until(lambda: len(server.gateway.connected) == SHARDS - 1)
        await bot.quiet()
        _cut(second)
        await server.until(lambda: second not in server.gateway.connected)
        # No time passes: the first is still in its pause.
        await server.until(lambda: any(session.shard == 1 for session in server.gateway.connected))
        assert not any(session.shard == 0 for session in server.gateway.connected)
        study = next(each for each in groups if each.channel.guild and second.has(each.channel.guild.id))
        assert (await study.answer(study.host)).startswith("✓ Right.")


def _cut(session: Session) -> None:
    assert session.connection is not None
    session.connection.close(4000)


async def test_where_the_library_gives_up_a_fresh_client_serves_all_shards_again(
    server: Discord, clock: VirtualClock
) -> None:
    async with playing(server, clock, supervised=True) as bot:
        groups = studies(bot, server)
        for study in groups:
            await study.begin_relaxed()
        server.gateway.drop(4010)
        await server.until(lambda: not server.gateway.connected)
        for _ in range(60):
            await bot.wait(1)
            if len(server.gateway.connected) == SHARDS:
                break
        await server.gateway.ready(SHARDS)
        for study in groups:
            assert (await study.answer(study.host)).startswith("✓ Right.")
        assert server.gateway.identified == 2 * SHARDS
