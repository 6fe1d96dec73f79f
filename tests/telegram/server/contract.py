"""Holds every request against the machine-readable Bot API, when QUIZBOT_CONTRACTS names the folder that has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests import contracts
from tests.telegram.server.wire import Upload

FILE = "telegram_contract.py"

checked = 0
"""How many requests were checked in this process."""

Validate = Callable[[str, dict[str, Any]], list[str]]


def load() -> Validate | None:
    """`validate(method, params)`, which lists violations; None when no folder is named."""
    module = contracts.load(FILE)
    return module.validate if module else None


def violations(validate: Validate, method: str, raw: Mapping[str, Any]) -> list[str]:
    """What is wrong with a request. Files that a value refers to are no parameters of their own."""
    global checked
    checked += 1
    attached = {str(value).removeprefix("attach://") for value in raw.values() if str(value).startswith("attach://")}
    sent = {name: value for name, value in raw.items() if name not in attached}
    files = {name: f"file {value.name}" for name, value in sent.items() if isinstance(value, Upload)}
    return [f"{method}: {problem}" for problem in validate(method, sent | files)]


def problem() -> str | None:
    """Why a run that was to check requests did not, None if all is well."""
    return contracts.problem("Telegram", checked)


def summary() -> str:
    """What became of checking, in a line."""
    return contracts.summary(FILE, "Telegram", checked)
