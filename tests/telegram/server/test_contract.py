"""Whether requests were checked is said at the end of a run, and one that was to check them and did not fails."""

from __future__ import annotations

import pytest

from tests import contracts
from tests.telegram.server import contract


@pytest.mark.parametrize(
    ("folder", "checked", "said", "fails"),
    [
        ("", 0, "no request was checked, because QUIZBOT_CONTRACTS names no folder", False),
        ("contracts", 1234, "1,234 requests checked", False),
        ("contracts", 0, "no request to Telegram was checked", True),
    ],
)
def test_a_run_says_whether_requests_were_checked(
    monkeypatch: pytest.MonkeyPatch, folder: str, checked: int, said: str, *, fails: bool
) -> None:
    monkeypatch.setenv(contracts.VARIABLE, folder)
    monkeypatch.setattr(contract, "checked", checked)
    assert said in contract.summary()
    assert (contract.problem() is not None) is fails
