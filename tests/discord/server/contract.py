"""Holds every request against the machine-readable API, when QUIZBOT_CONTRACTS names the folder that has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests import contracts
from tests.discord.server.wire import Request

FILE = "discord_contract.py"

checked = 0
"""How many requests were checked in this process."""

Problems = Callable[[str, str, Any], list[str]]


def load() -> Problems | None:
    """`problems(method, path, body)`, which lists violations; None when no folder is named."""
    module = contracts.load(FILE)
    return module.problems if module else None


def violations(problems: Problems, call: Request) -> list[str]:
    """What is wrong with a request."""
    global checked
    checked += 1
    return problems(call.method, call.path, call.body)


def problem() -> str | None:
    """Why a run that was to check requests did not, None if all is well."""
    return contracts.problem("Discord", checked)


def summary() -> str:
    """What became of checking, in a line."""
    return contracts.summary(FILE, "Discord", checked)
