"""Holds every request against the machine-readable Bot API, when QUIZBOT_CONTRACTS names the folder that has it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

from tests.telegram.server.wire import Upload

VARIABLE = "QUIZBOT_CONTRACTS"
FILE = "telegram_contract.py"

checked = 0
"""How many requests were checked in this process."""

Validate = Callable[[str, dict[str, Any]], list[str]]


class _Loader(SourceFileLoader):
    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Nothing is written into a folder of others."""


def load() -> Validate | None:
    """`validate(method, params)`, which lists violations; None when no folder is named. A named folder without it is
    an error."""
    folder = os.environ.get(VARIABLE)
    return _loaded(Path(folder) / FILE) if folder else None


@cache
def _loaded(path: Path) -> Validate:
    spec = spec_from_loader("telegram_contract", _Loader("telegram_contract", str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    validate: Validate = module.validate
    return validate


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
    if os.environ.get(VARIABLE) and not checked:
        return f"{VARIABLE} names a folder, but no request to Telegram was checked: run the tests in tests/telegram"
    return None


def summary() -> str:
    """What became of checking, in a line."""
    if not os.environ.get(VARIABLE):
        return f"no request was checked, because {VARIABLE} names no folder with {FILE}"
    return problem() or f"{checked:,} requests checked"
