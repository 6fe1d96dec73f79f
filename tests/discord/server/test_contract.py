"""Whether requests were checked is said at the end of a run, and one that was to check them and did not fails."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import pytest

from tests.contracts import VARIABLE
from tests.discord.server import Discord, contract
from tests.discord.server.plain import Bot, logged_in
from tests.discord.server.wire import Request


@pytest.mark.parametrize(
    ("folder", "checked", "said", "fails"),
    [
        ("", 0, "no request was checked, because QUIZBOT_CONTRACTS names no folder", False),
        ("contracts", 1234, "1,234 requests checked", False),
        ("contracts", 0, "no request to Discord was checked", True),
    ],
)
def test_a_run_says_whether_requests_were_checked(
    monkeypatch: pytest.MonkeyPatch, folder: str, checked: int, said: str, *, fails: bool
) -> None:
    monkeypatch.setenv(VARIABLE, folder)
    monkeypatch.setattr(contract, "checked", checked)
    assert said in contract.summary()
    assert (contract.problem() is not None) is fails


async def test_what_the_contract_does_not_allow_is_refused_and_fails_the_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / contract.FILE).write_text(
        "def problems(method, path, body):\n    return [f'{path}: no'] if body else []\n"
    )
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(contract, "checked", 0)
    with pytest.raises(AssertionError, match="does not allow"):
        async with Discord() as server, logged_in(server, bot := Bot()):
            status = await _status(bot, server.guild("Study").channel("quiz").id)
    assert (status, contract.checked) == (400, 3)


async def _status(bot: Bot, channel: str) -> Any:
    try:
        await bot.get_partial_messageable(int(channel)).send("hello")
    except discord.HTTPException as error:
        return error.status


def test_a_request_is_told_by_its_path_and_body() -> None:
    call = Request("POST", "/channels/1/messages", {}, datetime.now(UTC), {"content": "x"})
    assert contract.violations(lambda *told: [str(told)], call) == [
        "('POST', '/channels/1/messages', {'content': 'x'})"
    ]
