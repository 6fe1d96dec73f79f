"""What is known against a pinned version fails the check, and a service that is away is said and fails nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date

import pytest

from tests.hygiene.advisories import ACCEPTED, UNREACHABLE, Accepted, Audit, audit

TODAY = date(2026, 3, 3)
NO_WAY = "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='example.org'): Max retries exceeded"
KNOWN = {"id": "PYSEC-2026-1", "aliases": ["CVE-2026-1"], "fix_versions": ["8.3.2"]}


def package(name: str, *known: Mapping[str, object]) -> dict[str, object]:
    return {"name": name, "version": "8.3.1", "vulns": known}


def heard(*packages: Mapping[str, object], accepted: tuple[Accepted, ...] = ()) -> Audit:
    return audit(json.dumps({"dependencies": packages, "fixes": []}), "", TODAY, accepted)


def test_nothing_known_is_no_fault() -> None:
    assert heard(package("click"), package("rich")) == Audit("2 packages audited", [])


def test_what_is_known_is_a_fault_with_the_version_that_mends_it() -> None:
    (fault,) = heard(package("click", KNOWN), package("rich")).faults
    assert fault.startswith("click 8.3.1: PYSEC-2026-1 is known against it; mended in 8.3.2: run make lock")


def test_what_is_mended_nowhere_is_a_fault_too() -> None:
    (fault,) = heard(package("click", KNOWN | {"fix_versions": []})).faults
    assert "mended in no version yet" in fault


@pytest.mark.parametrize("name", ["PYSEC-2026-1", "CVE-2026-1"])
def test_what_does_no_harm_here_passes_by_either_name_until_its_day(name: str) -> None:
    known = package("click", KNOWN)
    assert not heard(known, accepted=(Accepted(name, date(2026, 3, 4), "no pager is used"),)).faults
    assert heard(known, accepted=(Accepted(name, TODAY, "no pager is used"),)).faults
    assert heard(known, accepted=(Accepted("CVE-2026-2", date(2026, 3, 4), "another"),)).faults


def test_a_service_that_knows_no_package_has_not_audited() -> None:
    assert heard({"name": "click", "skip_reason": "not found"}) == Audit(UNREACHABLE)


def test_what_it_does_not_know_is_counted() -> None:
    said = heard(package("click"), {"name": "rich", "skip_reason": "not found"}).said
    assert said == "1 packages audited, 1 not: the advisory service does not know them"


@pytest.mark.parametrize("answer", ["", "<html>", "[]", '{"dependencies": null}'])
def test_a_service_that_is_away_is_said_and_no_fault(answer: str) -> None:
    assert audit(answer, NO_WAY, TODAY, ()) == Audit(UNREACHABLE)


def test_an_audit_that_does_not_run_is_a_fault() -> None:
    (fault,) = audit("", "usage\npython: No module named pip_audit", TODAY, ()).faults
    assert fault.endswith("No module named pip_audit")


def test_every_exception_says_why() -> None:
    assert all(accepted.reason for accepted in ACCEPTED)
