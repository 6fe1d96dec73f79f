"""Asks whether anything is known against the pinned versions. What cannot be asked is said, and is no failure."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds that all the questions may take."""

_ON_THE_WAY = re.compile(r"connect|time-?d? ?out|resol|proxy|HTTPError|SSLError", re.IGNORECASE)

UNREACHABLE = "not audited: the advisory service cannot be reached"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Something known against a package that does no harm here, `until` when that is to be thought over, and why."""

    advisory: str
    until: date
    reason: str


ACCEPTED: Sequence[Accepted] = ()
"""In order of `until`; it is a failure from that day on."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What came of it: a line to read, and what has to be mended."""

    said: str
    faults: Sequence[str] = ()


def asked(lock: Path, today: date) -> Audit:
    """What is known against the pins of this lock."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(lock), "--disable-pip", "--format", "json"]
    command += ["--progress-spinner", "off", "--desc", "off", "--timeout", "5"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return Audit(UNREACHABLE)
    return audit(done.stdout, done.stderr, today, ACCEPTED)


def audit(answer: str, complaint: str, today: date, accepted: Sequence[Accepted]) -> Audit:
    """What the JSON of pip-audit says; without one, why there is none."""
    try:
        packages: list[Mapping[str, Any]] = list(json.loads(answer)["dependencies"])
    except (ValueError, KeyError, TypeError):
        return _failed(complaint)
    looked_at = [package for package in packages if "skip_reason" not in package]
    if not looked_at:
        return Audit(UNREACHABLE)
    known = [(package, found) for package in looked_at for found in package["vulns"]]
    excused = {each.advisory for each in accepted if today < each.until}
    faults = [
        _fault(package, found) for package, found in known if excused.isdisjoint({found["id"], *found["aliases"]})
    ]
    left = len(packages) - len(looked_at)
    said = f"{len(looked_at)} packages audited" + (
        f", {left} not: the advisory service does not know them" if left else ""
    )
    return Audit(said, faults)


def _failed(complaint: str) -> Audit:
    """Whether it was the way or the tool: one that does not run must not pass for a service that is away."""
    if _ON_THE_WAY.search(complaint):
        return Audit(UNREACHABLE)
    last = complaint.strip().rpartition("\n")[2]
    return Audit("not audited", [f"pip-audit has failed, which `make check` runs: {last}"])


def _fault(package: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    mended = ", ".join(found.get("fix_versions") or ()) or "no version yet"
    return (
        f"{package['name']} {package['version']}: {found['id']} is known against it; mended in {mended}: run make "
        "lock, or say in tests/hygiene/advisories.py why it does no harm here"
    )
