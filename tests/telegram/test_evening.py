"""Some groups through part of an evening: what a question costs in requests, and that nobody is kept waiting for it."""

from __future__ import annotations

from datetime import timedelta

from tests.bench.telegram_evening import evening
from tests.bench.telegram_lateness import CLOSING, QUESTION

NOT_AT_ALL = timedelta(0)
QUICK = 96
"""With this seed all eight of the group have answered within four seconds."""


async def test_a_question_is_one_send_one_closing_edit_and_few_counters_and_nothing_is_refused_or_late() -> None:
    found = await evening(groups=3, minutes=10)
    assert found.questions > 50
    assert found.sends == found.questions
    assert set(found.closings.values()) == {1}
    assert found.questions - len(found.closings) <= 3  # those that are still open
    assert found.shortest_gap >= timedelta(seconds=5)
    assert found.refused == 0
    assert found.latest(QUESTION) == NOT_AT_ALL
    assert found.latest(CLOSING) == NOT_AT_ALL


async def test_where_everybody_is_quick_and_writes_as_well_nothing_is_refused_and_the_quiz_goes_first() -> None:
    found = await evening(groups=1, minutes=5, seed=QUICK, chatter=0.25)
    assert found.calls["sendMessage"] + found.calls["editMessageText"] > 5 * 15
    assert found.refused == 0
    assert found.sends == found.questions
    assert found.latest(QUESTION) < timedelta(seconds=20)
    assert found.latest(CLOSING) < timedelta(seconds=20)
