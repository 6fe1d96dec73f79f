"""`quizbot doctor` and a Discord bot: what is found, what to do about it, and that nothing is disturbed or told."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.discord import registration
from adapters.discord.client import QuizbotClient, pointed_to
from adapters.discord.commands import build_tree
from adapters.discord.doctor import Nobody, findings
from adapters.discord.invitation import invite_url, user_install_url
from bot.doctor import Finding, Severity
from tests.clock import VirtualClock
from tests.discord.server import TOKEN, Discord
from tests.program import Program, Ran

SECRET = TOKEN.rpartition(".")[2]


@pytest.fixture
async def registered(server: Discord) -> Discord:
    """The server, with the commands that the bot has."""
    with pointed_to(server.api_url):
        async with QuizbotClient() as client:
            await client.login(server.token)
            assert await registration.register(build_tree(client, Nobody()))
    server.requests.clear()
    return server


async def examined(server: Discord, clock: VirtualClock, *, gateway_url: str | None = None) -> list[Finding]:
    found = await findings(server.token, server.api_url, gateway_url, clock.now())
    assert SECRET not in "\n".join(map(str, found))
    return found


def wrong(found: list[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.severity is not Severity.OK]


def host(url: str) -> str:
    return url.split("/")[2]


async def test_a_bot_that_is_set_up_well_is_fine(registered: Discord, clock: VirtualClock) -> None:
    found = await examined(registered, clock)
    bot = int(registered.bot["id"])
    assert wrong(found) == []
    assert [finding.said for finding in found] == [
        f"Discord: quizbot#0001, at {host(registered.api_url)}; add it to a server: {invite_url(bot)}",
        f"Installation: to servers, and by people to their own apps: {user_install_url(bot)}",
        "Intents: no privileged one; it cannot read messages, and need not",
        "Commands: registered, in every language",
        f"Events: by websocket from {host(registered.gateway_url)}",
    ]


async def test_it_only_asks_and_begins_no_session(registered: Discord, clock: VirtualClock) -> None:
    await examined(registered, clock)
    assert {call.method for call in registered.requests} == {"GET"}
    assert registered.gateway.identified == 0


@pytest.mark.parametrize(
    ("application", "severity", "said", "advised"),
    [
        ({"bot_public": False}, Severity.WARNING, "not public", "Public Bot"),
        ({"bot_require_code_grant": True}, Severity.PROBLEM, "code grant", "Requires OAuth2 Code Grant"),
        (
            {"interactions_endpoint_url": "https://old.example.org/hidden"},
            Severity.PROBLEM,
            "Interactions: they are sent to old.example.org, and none comes here",
            "Clear Interactions Endpoint URL",
        ),
        ({"integration_types_config": {"1": {}}}, Severity.PROBLEM, "cannot be added to servers", "Guild Install"),
        ({"integration_types_config": {"0": {}}}, Severity.WARNING, "to their own apps", "User Install"),
        ({"flags": 1 << 19}, Severity.WARNING, "Intents: Message Content on", "Privileged Gateway Intents"),
        (
            {"flags": 1 << 12 | 1 << 15 | 1 << 18},
            Severity.WARNING,
            "Intents: Presence, Server Members, Message Content on",
            "Privileged Gateway Intents",
        ),
    ],
)
async def test_each_thing_to_set_in_the_developer_portal_is_named(
    application: dict[str, Any], severity: Severity, said: str, advised: str, registered: Discord, clock: VirtualClock
) -> None:
    registered.world.application.update(application)
    (finding,) = wrong(await examined(registered, clock))
    assert finding.severity is severity
    assert said in finding.said
    assert "hidden" not in str(finding)
    assert advised in finding.advice
    assert "in the Developer Portal, page " in finding.advice


async def test_where_discord_does_not_say_what_it_can_be_added_to_nothing_is_guessed(
    registered: Discord, clock: VirtualClock
) -> None:
    registered.world.application["integration_types_config"] = None
    assert [finding.said for finding in await examined(registered, clock) if "Installation" in finding.said] == []


async def test_commands_that_are_not_registered_are_told(server: Discord, clock: VirtualClock) -> None:
    (finding,) = wrong(await examined(server, clock))
    assert finding.severity is Severity.WARNING
    assert finding.said == "Commands: not registered as they should be"
    assert "`quizbot run` registers them" in finding.advice
    assert server.commands == []


async def test_a_refused_token_is_to_be_taken_anew(server: Discord, clock: VirtualClock) -> None:
    (finding,) = await findings(f"{TOKEN}x", server.api_url, None, clock.now())
    assert finding.severity is Severity.PROBLEM
    assert "does not accept the token" in finding.said
    assert "Reset Token" in finding.advice
    assert "QUIZBOT_DISCORD_API_URL" in finding.advice
    assert SECRET not in str(finding)


async def test_no_connection_is_a_problem(clock: VirtualClock) -> None:
    (finding,) = await findings(TOKEN, "http://127.0.0.1:1", None, clock.now())
    assert finding.severity is Severity.PROBLEM
    assert "no answer from 127.0.0.1:1: " in finding.said
    assert "QUIZBOT_DISCORD_API_URL" in finding.advice


@pytest.mark.parametrize("path", ["users/@me", "oauth2/applications/@me", "/commands", "gateway/bot"])
async def test_a_server_that_fails_is_named_wherever_it_does(
    path: str, registered: Discord, clock: VirtualClock
) -> None:
    registered.fail("GET", path, 503, message="Service Unavailable", times=5)
    (finding,) = await examined(registered, clock)
    assert finding.severity is Severity.PROBLEM
    assert f"no answer from {host(registered.api_url)}: " in finding.said


@pytest.mark.parametrize("path", ["users/@me", "oauth2/applications/@me", "/commands", "gateway/bot"])
@pytest.mark.parametrize("body", ["<html>Welcome</html>", [{}], 7])
async def test_a_server_that_is_no_discord_is_told_as_that(
    path: str, body: Any, registered: Discord, clock: VirtualClock
) -> None:
    registered.garbage("GET", path, status=200, body=body, times=5)
    (finding,) = wrong(await examined(registered, clock))
    assert finding.said == f"Discord: no answer from {host(registered.api_url)}: it does not speak as Discord does"


async def test_a_gateway_that_does_not_answer_is_a_problem(registered: Discord, clock: VirtualClock) -> None:
    registered.gateway.refuse()
    (finding,) = wrong(await examined(registered, clock))
    assert finding.severity is Severity.PROBLEM
    assert f"no websocket from {host(registered.gateway_url)}: " in finding.said
    assert "firewall" in finding.advice


async def test_a_gateway_of_ones_own_is_asked_instead(registered: Discord, clock: VirtualClock) -> None:
    assert wrong(await examined(registered, clock, gateway_url=registered.gateway_url)) == []
    (finding,) = wrong(await examined(registered, clock, gateway_url="ws://127.0.0.1:1"))
    assert "no websocket from 127.0.0.1:1: " in finding.said
    assert "QUIZBOT_DISCORD_GATEWAY_URL" in finding.advice


@pytest.mark.parametrize(
    ("shards", "remaining", "told"), [(1, 51, False), (1, 50, True), (8, 58, False), (8, 57, True)]
)
async def test_few_starts_that_are_left_are_told_with_the_time_of_the_next(
    shards: int, remaining: int, told: bool, registered: Discord, clock: VirtualClock
) -> None:
    """Each shard takes one whenever the bot starts."""
    registered.gateway.shards, registered.gateway.remaining = shards, remaining
    registered.gateway.reset_after = timedelta(hours=3).total_seconds()
    found = wrong(await examined(registered, clock))
    again = clock.now() + timedelta(hours=3)
    assert [finding.said.partition(";")[0] for finding in found] == [
        f"Starts: {remaining} are left until {again:%Y-%m-%d %H:%M} UTC"
    ] * told


async def test_shards_are_told(registered: Discord, clock: VirtualClock) -> None:
    registered.gateway.shards = 3
    assert (await examined(registered, clock))[-1].said.endswith(", in 3 shards")


async def printed(server: Discord, folder: Path, token: str = TOKEN) -> Ran:
    """What the program itself prints about the bot on this server."""
    program = Program(folder, {"QUIZBOT_DISCORD_TOKEN": token, "QUIZBOT_DISCORD_API_URL": server.api_url})
    return await asyncio.to_thread(program.run, "doctor")


async def test_the_program_prints_it_and_a_warning_is_no_failure(server: Discord, tmp_path: Path) -> None:
    ran = await printed(server, tmp_path)
    assert "✓ ok       Discord: quizbot#0001, at " in ran.out
    assert (ran.err, ran.code) == ("0 problems, 1 warning\n", 0)


async def test_a_problem_at_discord_is_exit_code_1(server: Discord, tmp_path: Path) -> None:
    ran = await printed(server, tmp_path, f"{TOKEN}x")
    assert "✗ problem  Discord: " in ran.out
    assert SECRET not in ran.out + ran.err
    assert (ran.err, ran.code) == ("1 problem, 0 warnings\n", 1)
