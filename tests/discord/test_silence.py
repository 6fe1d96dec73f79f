"""Shut out by what stands before Discord: whoever meets it, nothing goes out by any way until it is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.discord.commands import build_tree
from adapters.discord.permissions import thread_opener
from adapters.discord.registration import register
from adapters.discord.transport import DiscordTransport
from bot.commands import COMMANDS
from bot.desk import Answer
from tests.clock import VirtualClock
from tests.discord.payloads import EVERYTHING, client
from tests.discord.server import Asked, Discord, Interaction, asking
from tests.discord.server.plain import connected
from tests.discord.talking import Clerk, Talk, card, channel_of, comes, talking
from tests.discord.test_adapter import supervised
from tests.discord.test_commands import REPORT
from tests.discord.test_commands import Clerk as Handler

CALLBACK = ("POST", "/callback$")
QUARTER = 15 * 60


@pytest.fixture
async def talk(server: Discord, clock: VirtualClock) -> AsyncIterator[Talk]:
    clerk = Clerk(Answer(card("Help")), quizzes=[("colours", "Colours")])
    async with talking(server, clock, clerk) as made:
        yield made


def unreadable(server: Discord) -> Interaction:
    """A command of Ann's that the library cannot read, so that nobody but the tree answers it."""
    (here, *_), (ann, *_) = server.world.guilds[0].channels, server.world.people
    told = {"id": "5", "name": REPORT, "type": 3, "target_id": "1", "resolved": {"messages": {}}}
    return asking.ask(ann, here, Asked.COMMAND, told, REPORT)


async def test_nothing_is_suggested_meanwhile(server: Discord, talk: Talk) -> None:
    here, ann = channel_of(server)
    server.ban(*CALLBACK)
    ann.slash(here, "help")
    await server.called(*CALLBACK)
    await comes(talk.transport.is_silenced)
    ann.autocomplete(here, "quiz", quiz="col")
    await comes(lambda: ("found", "col", "en-US", 25) in talk.clerk.asked)
    await server.gateway.heard()
    assert len(server.calls(*CALLBACK)) == 1


async def test_a_suggestion_that_is_shut_out_silences_everything(server: Discord, talk: Talk) -> None:
    here, ann = channel_of(server)
    server.ban(*CALLBACK)
    ann.autocomplete(here, "quiz", quiz="col")
    await comes(talk.transport.is_silenced)


async def test_suggestions_that_come_too_late_are_no_error(
    server: Discord, talk: Talk, caplog: pytest.LogCaptureFixture
) -> None:
    here, ann = channel_of(server)
    server.fail(*CALLBACK, 404, 10062)
    ann.autocomplete(here, "quiz", quiz="col")
    await server.called(*CALLBACK)
    assert [choice for choice, _ in (await ann.autocomplete(here, "quiz", quiz="col")).choices or ()] == ["Colours"]
    assert caplog.messages == []


async def test_nobody_is_apologised_to_meanwhile(server: Discord, talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    channel_of(server)
    server.ban(*CALLBACK)
    unreadable(server)
    await comes(talk.transport.is_silenced)
    unreadable(server)
    await comes(lambda: caplog.text.count("a command failed") == 2)
    await server.gateway.heard()
    assert len(server.calls(*CALLBACK)) == 1


async def test_a_thread_that_is_shut_out_silences_everything_and_no_other_is_tried(
    server: Discord, clock: VirtualClock
) -> None:
    transport = DiscordTransport(Path(), clock)
    async with connected(server, client()) as bot:
        transport.listen(bot)
        here, _ = channel_of(server)
        await server.gateway.heard()
        server.ban("POST", "/threads$")
        for _ in range(2):
            opened = thread_opener(bot.get_channel(int(here.id)), EVERYTHING)
            assert opened is not None
            assert await opened("Colours") is None
            assert transport.is_silenced()
        assert len(server.calls("POST", "/threads$")) == 1
        clock.advance(QUARTER)
        opened = thread_opener(bot.get_channel(int(here.id)), EVERYTHING)
        assert opened is not None
        assert await opened("Colours") is not None


async def test_commands_are_not_registered_meanwhile(server: Discord, clock: VirtualClock) -> None:
    transport = DiscordTransport(Path(), clock)
    async with connected(server, client()) as bot:
        tree = build_tree(bot, Handler())
        transport.listen(bot)
        server.ban("GET", "/commands$")
        for _ in range(2):
            assert not await register(tree)
        assert len(server.calls("*", "/commands$")) == 1
        clock.advance(QUARTER)
        assert await register(tree)
        assert len(server.commands) == len(COMMANDS) + 2


async def test_shut_out_at_the_log_in_nothing_is_tried_until_it_is_over(
    server: Discord, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.ban("GET", "/users/@me")
    async with supervised(server, clock) as watched:
        await comes(lambda: "it is started again in" in caplog.text)
        assert "Discord has shut this machine out" in caplog.text
        clock.advance(QUARTER - 1)
        await comes(lambda: any((alarm - clock.now()).total_seconds() == 1 for alarm in clock.alarms))
        assert [str(call.path) for call in server.requests] == ["/users/@me"]
        clock.advance(1)
        await server.gateway.ready()
        assert not watched.failed
