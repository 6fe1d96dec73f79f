"""The checks of requests against machine-readable APIs, from the folder that QUIZBOT_CONTRACTS names. Knows no API."""

from __future__ import annotations

import os
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

VARIABLE = "QUIZBOT_CONTRACTS"


def problem(platform: str, checked: int) -> str | None:
    """Why a run that was to check requests to a platform did not, None if all is well. `checked`: how many it did."""
    if os.environ.get(VARIABLE) and not checked:
        tests = f"tests/{platform.lower()}"
        return f"{VARIABLE} names a folder, but no request to {platform} was checked: run the tests in {tests}"
    return None


def summary(file: str, platform: str, checked: int) -> str:
    """What became of checking, in a line."""
    if not os.environ.get(VARIABLE):
        return f"no request was checked, because {VARIABLE} names no folder with {file}"
    return problem(platform, checked) or f"{checked:,} requests checked"


class _Loader(SourceFileLoader):
    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Nothing is written into a folder of others."""


def load(file: str) -> ModuleType | None:
    """The module `file` of the folder; None when no folder is named. A named folder without it is an error."""
    folder = os.environ.get(VARIABLE)
    return _loaded(Path(folder) / file) if folder else None


@cache
def _loaded(path: Path) -> ModuleType:
    spec = spec_from_loader(path.stem, _Loader(path.stem, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
