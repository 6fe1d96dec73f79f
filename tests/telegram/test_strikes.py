"""Which update is given up, and which is only one of many that fail."""

from __future__ import annotations

import logging

import pytest

from adapters.telegram.strikes import MOST_REMEMBERED, Strikes
from bot.engine import StoppingError
from bot.ports import StoreError
from tests.clock import VirtualClock

FAULT = StoreError("database quiz.sqlite3: the disk is full")


def failures(strikes: Strikes, number: int, others: int = 1, fault: Exception = FAULT) -> int:
    """How often an update fails until it is passed over, with so many others taken before each time; at most 50."""
    for failed in range(1, 51):
        for _ in range(others):
            strikes.succeeded(number + 1)
        if strikes.failed(number, fault):
            return failed
    return 50


@pytest.mark.parametrize("others", [1, 7])
def test_what_fails_while_others_are_taken_is_passed_over_at_the_fifth_time(clock: VirtualClock, others: int) -> None:
    assert failures(Strikes(clock), 7, others) == 5


@pytest.mark.parametrize("fault", [FAULT, TypeError("no such thing")])
def test_while_nothing_is_taken_nothing_is_passed_over(clock: VirtualClock, fault: Exception) -> None:
    assert failures(Strikes(clock), 7, others=0, fault=fault) == 50


def test_that_the_engine_stops_counts_never(clock: VirtualClock) -> None:
    assert failures(Strikes(clock), 7, fault=StoppingError("Quizbot is stopping")) == 50


def test_what_was_taken_or_passed_over_begins_anew_when_it_comes_once_more(clock: VirtualClock) -> None:
    strikes = Strikes(clock)
    for _ in range(4):
        strikes.succeeded(8)
        assert not strikes.failed(7, FAULT)
    strikes.succeeded(7)
    assert failures(strikes, 7) == 5
    assert failures(strikes, 7) == 5


def test_of_updates_that_failed_and_never_came_again_only_so_many_are_remembered(clock: VirtualClock) -> None:
    strikes = Strikes(clock)

    def fail(*numbers: int) -> list[bool]:
        strikes.succeeded(-1)
        return [strikes.failed(number, FAULT) for number in numbers]

    for _ in range(4):
        assert fail(0, 1) == [False, False]
    fail(*range(2, MOST_REMEMBERED))
    assert fail(1) == [True]
    fail(*range(MOST_REMEMBERED, MOST_REMEMBERED + 2))
    assert fail(0) == [False], "it was forgotten"


def test_a_time_in_which_nothing_is_taken_is_said_once_a_minute(
    clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    strikes = Strikes(clock)
    for second in range(120):
        strikes.failed(second, FAULT)
        clock.advance(1)
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.ERROR, f"updates cannot be stored; they wait and are tried again: {FAULT}")
    ] * 2
