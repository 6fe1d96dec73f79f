"""Holds the locks against pyproject: all that is asked for is pinned, with hashes, and nothing else is. No network."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

USED, DEVELOPED = "requirements.lock", "requirements-dev.lock"
ANEW = "run: make lock"

_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?P<rest>(?:.|\n(?=[ \t]))*)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")
_OTHER = re.compile(r"^(?!#)(?:-|[^\s=]+(?:[^=\s]|$))(?!.*==).*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pin:
    """One version of a package. `ours`: pyproject asks for it by name, be it among others."""

    version: Version
    hashes: int
    ours: bool


def pins(lock: str) -> dict[str, Pin]:
    """The pins of a lock, by normalised name."""
    return {
        canonicalize_name(found["name"]): Pin(
            Version(found["version"]), len(_HASH.findall(found["rest"])), "(pyproject.toml" in found["rest"]
        )
        for found in _PIN.finditer(lock)
    }


def faults(root: Path) -> Iterator[str]:
    """What is wrong with the locks and pyproject in this folder, a line each."""
    text = (root / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)
    locks = {name: (root / name).read_text("utf-8") for name in (USED, DEVELOPED)}
    used, groups = _used(project), project.get("dependency-groups", {})
    developed = used | {requirement for group in groups.values() for requirement in group}
    yield from _without_reason(text, developed)
    yield from _unfit(USED, locks[USED], used | set(groups.get("build", ())))
    yield from _unfit(DEVELOPED, locks[DEVELOPED], developed)
    yield from _different(pins(locks[USED]), pins(locks[DEVELOPED]))


def _used(project: Mapping[str, Any]) -> set[str]:
    extras = project["project"].get("optional-dependencies", {}).values()
    return {*project["project"]["dependencies"], *(each for extra in extras for each in extra)}


def _without_reason(text: str, requirements: Iterable[str]) -> Iterator[str]:
    """Each requirement has a comment on its line that says what it is there for."""
    for requirement in sorted(requirements):
        lines = [line for line in text.splitlines() if f'"{requirement}"' in line]
        if not all(re.search(r"#\s*\w", line.rpartition('"')[2]) for line in lines):
            yield f"pyproject.toml: {requirement} has no reason: say in a comment beside it what it is there for"


def _unfit(name: str, lock: str, requirements: Iterable[str]) -> Iterator[str]:
    pinned = pins(lock)
    asked: dict[str, Requirement] = {canonicalize_name(each.name): each for each in map(Requirement, requirements)}
    for package, requirement in sorted(asked.items()):
        pin = pinned.get(package)
        if pin is None or not requirement.specifier.contains(pin.version, prereleases=True):
            has = f"has {pin.version}" if pin else "lacks it"
            yield f"{name}: pyproject.toml asks for {requirement}, and the lock {has}: {ANEW}"
    for package, pin in pinned.items():
        if not pin.hashes:
            yield f"{name}: {package} has no hash, so that anything could be installed by that name: {ANEW}"
        if pin.ours and package not in asked:
            yield f"{name}: {package} is pinned, and pyproject.toml asks for it no more: {ANEW}"
    yield from (f"{name}: {line.strip()!r} is no pin of one version: {ANEW}" for line in _OTHER.findall(lock))


def _different(used: Mapping[str, Pin], developed: Mapping[str, Pin]) -> Iterator[str]:
    """What is tested is what is installed."""
    for package, pin in sorted(used.items()):
        other = developed.get(package)
        if other is None or other.version != pin.version:
            has = f"as {other.version}" if other else "nowhere"
            yield f"{DEVELOPED}: {package} is {pin.version} in {USED}, and {has} here: {ANEW}"
