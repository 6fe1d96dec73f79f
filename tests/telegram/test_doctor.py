"""`quizbot doctor` and a Telegram bot: what is found, what to do about it, and that nothing is disturbed or told."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.telegram.doctor import findings
from bot.doctor import Finding, Severity
from bot.settings import WebhookSettings
from tests.clock import VirtualClock
from tests.program import Program, Ran
from tests.telegram.server import BotApi

URL = "https://quiz.example.org/telegram-3f9a"
WEBHOOK = WebhookSettings(URL, "127.0.0.1:0")


async def examined(server: BotApi, clock: VirtualClock, webhook: WebhookSettings | None = None) -> list[Finding]:
    found = await findings(server.token, server.url, webhook, clock.now())
    printed = "\n".join(map(str, found))
    assert server.token.partition(":")[2] not in printed
    assert "telegram-3f9a" not in printed, "whoever knows the path of a webhook can knock at it"
    return found


def wrong(found: list[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.severity is not Severity.OK]


async def test_a_bot_that_is_set_up_well_is_fine(server: BotApi, clock: VirtualClock) -> None:
    found = await examined(server, clock)
    assert wrong(found) == []
    assert found[0].said == (
        f"Telegram: @quiz_test_bot, at {server.url.removeprefix('http://')}; "
        "add it to a group: https://t.me/quiz_test_bot?startgroup=new"
    )
    assert [finding.said.partition(":")[0] for finding in found[1:]] == [
        *("Groups", "Privacy mode", "Inline mode", "Updates"),
    ]


async def test_it_only_asks_and_never_for_updates(server: BotApi, clock: VirtualClock) -> None:
    await examined(server, clock, WEBHOOK)
    assert {call.method for call in server.calls()} == {"getMe", "getWebhookInfo"}


@pytest.mark.parametrize(
    ("ability", "value", "severity", "advised"),
    [
        ("can_join_groups", False, Severity.PROBLEM, "/setjoingroups"),
        ("can_read_all_group_messages", True, Severity.WARNING, "/setprivacy"),
        ("supports_inline_queries", False, Severity.WARNING, "/setinline"),
    ],
)
async def test_each_thing_to_set_at_botfather_is_named(
    ability: str, value: bool, severity: Severity, advised: str, server: BotApi, clock: VirtualClock
) -> None:
    able = {"can_join_groups": True, "can_read_all_group_messages": False, "supports_inline_queries": True}
    body = json.dumps({"ok": True, "result": {**server.bot, **able, ability: value}})
    server.garbage("getMe", status=200, body=body)
    (finding,) = wrong(await examined(server, clock))
    assert finding.severity is severity
    assert advised in finding.advice
    assert "@BotFather" in finding.advice


@pytest.mark.parametrize(("code", "said"), [(401, "Unauthorized"), (404, "Not Found")])
async def test_a_refused_token_is_to_be_taken_anew(code: int, said: str, server: BotApi, clock: VirtualClock) -> None:
    server.fail("getMe", code, said)
    (finding,) = await examined(server, clock)
    assert finding.severity is Severity.PROBLEM
    assert "does not accept the token" in finding.said
    assert "@BotFather" in finding.advice
    assert "QUIZBOT_TELEGRAM_API_URL" in finding.advice


async def test_the_address_of_a_server_may_end_with_a_slash(server: BotApi, clock: VirtualClock) -> None:
    assert wrong(await findings(server.token, f"{server.url}/", None, clock.now())) == []


@pytest.mark.parametrize("method", ["getMe", "getWebhookInfo"])
async def test_a_server_that_fails_is_named_with_its_reason(method: str, server: BotApi, clock: VirtualClock) -> None:
    server.garbage(method)
    (finding,) = await examined(server, clock)
    assert finding.severity is Severity.PROBLEM
    assert f"no answer from {server.url.removeprefix('http://')}: " in finding.said
    assert "502" in finding.said


async def test_no_connection_is_a_problem(server: BotApi, clock: VirtualClock) -> None:
    (finding,) = await findings(server.token, "http://127.0.0.1:1", None, clock.now())
    assert finding.severity is Severity.PROBLEM
    assert "no connection" in finding.said
    assert server.token.partition(":")[2] not in str(finding)


async def test_a_webhook_that_is_left_over_is_said_when_polling(server: BotApi, clock: VirtualClock) -> None:
    server.world.webhook.set(URL, "", 40)
    (finding,) = wrong(await examined(server, clock))
    assert "a webhook to quiz.example.org is set" in finding.said
    assert "`quizbot run` removes it" in finding.advice


@pytest.mark.parametrize(
    ("registered", "said"),
    [
        ("", "Updates: by webhook to quiz.example.org, but it is not set yet"),
        (
            "https://old.example.org/x",
            "Updates: by webhook to quiz.example.org, but it is set to another address, at old.",
        ),
    ],
)
async def test_a_webhook_that_is_not_registered_is_said(
    registered: str, said: str, server: BotApi, clock: VirtualClock
) -> None:
    server.world.webhook.set(registered, "", 40)
    (finding,) = wrong(await examined(server, clock, WEBHOOK))
    assert finding.said.startswith(said)
    assert "`quizbot run` sets it" in finding.advice


async def test_a_webhook_that_works_is_fine(server: BotApi, clock: VirtualClock) -> None:
    server.world.webhook.set(URL, "", 40)
    assert wrong(await examined(server, clock, WEBHOOK)) == []


async def failed_delivery(server: BotApi) -> None:
    """Nobody can be reached at the webhook's address, and Telegram notices."""
    server.world.webhook.set(URL, "", 40)
    await server.person("Ann").start_bot()
    await server.until(lambda: server.world.webhook.refused or None)


@pytest.mark.parametrize(("minutes", "told"), [(0, True), (59, True), (61, False)])
async def test_a_recent_failure_of_the_webhook_is_told_with_its_time(
    minutes: float, told: bool, server: BotApi, clock: VirtualClock
) -> None:
    await failed_delivery(server)
    clock.advance(timedelta(minutes=minutes).total_seconds())
    found = wrong(await examined(server, clock, WEBHOOK))
    assert [finding.said for finding in found] == [
        "Updates: Telegram could not deliver at 12:00 UTC: Connection refused"
    ] * told
    assert all("127.0.0.1:0" in finding.advice for finding in found)


async def test_many_updates_that_wait_are_told(server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    for _ in range(100):
        server.push_raw({})
    assert wrong(await examined(server, clock)) == []
    await ann.start_bot()
    (finding,) = wrong(await examined(server, clock))
    assert finding.said == "Updates: 101 wait"


async def test_an_address_that_is_listened_at_already_may_be_the_bot_itself(
    server: BotApi, clock: VirtualClock
) -> None:
    server.world.webhook.set(URL, "", 40)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (finding,) = wrong(await examined(server, clock, WebhookSettings(URL, f"127.0.0.1:{port}")))
    assert finding.severity is Severity.WARNING
    assert finding.said == f"Webhook: somebody listens at 127.0.0.1:{port} already"


async def test_an_address_of_another_machine_cannot_be_listened_at(server: BotApi, clock: VirtualClock) -> None:
    server.world.webhook.set(URL, "", 40)
    (finding,) = wrong(await examined(server, clock, WebhookSettings(URL, "192.0.2.1:8080")))
    assert finding.severity is Severity.PROBLEM
    assert "QUIZBOT_TELEGRAM_WEBHOOK_LISTEN" in finding.advice


@pytest.mark.parametrize("listen", [":0", "[::1]:0", "localhost:0"])
async def test_every_form_of_an_address_can_be_listened_at(listen: str, server: BotApi, clock: VirtualClock) -> None:
    if "[" in listen and not _has_ipv6():
        pytest.skip("this machine has no IPv6")
    server.world.webhook.set(URL, "", 40)
    assert wrong(await examined(server, clock, WebhookSettings(URL, listen))) == []


def _has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


async def printed(server: BotApi, folder: Path) -> Ran:
    """What the program itself prints about the bot on this server."""
    program = Program(folder, {"QUIZBOT_TELEGRAM_TOKEN": server.token, "QUIZBOT_TELEGRAM_API_URL": server.url})
    return await asyncio.to_thread(program.run, "doctor")


@pytest.mark.skipif(sys.platform == "win32", reason="other words for errors")
async def test_a_problem_at_telegram_is_exit_code_1(server: BotApi, tmp_path: Path) -> None:
    server.fail("getMe", 401, "Unauthorized")
    ran = await printed(server, tmp_path)
    assert "✗ problem  Telegram: " in ran.out
    assert server.token.partition(":")[2] not in ran.out + ran.err
    assert (ran.err, ran.code) == ("1 problem, 0 warnings\n", 1)
