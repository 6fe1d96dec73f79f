"""How long questions stay open and answers stay up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.quiz import LocalisedText, Option, Question
from bot.core.session import Pace
from bot.core.timing import Span, reading_time, time_limit
from tests.core.building import question, seconds, settings, text


def long_question(characters: int, explanation: int = 1) -> Question:
    """A question with this many characters to read before answering, and after it."""
    options = (Option(text("a"), right=True), Option(text("b")))
    return Question("long", text("s" * (characters - 2)), options, text("e" * explanation))


@pytest.mark.parametrize(
    ("pace", "characters", "expected"),
    [
        (Pace.STEADY, 3, 20),
        (Pace.STEADY, 300, 30),
        (Pace.STEADY, 3000, 120),
        (Pace.BRISK, 3, 10),
        (Pace.BRISK, 480, 25),
        (Pace.BRISK, 3000, 60),
    ],
)
def test_the_time_to_answer_follows_the_length_of_the_text(pace: Pace, characters: int, expected: int) -> None:
    assert time_limit(long_question(characters), settings(pace)) == seconds(expected)


@pytest.mark.parametrize(
    ("pace", "characters", "expected"),
    [
        (Pace.STEADY, 1, 6),
        (Pace.STEADY, 400, 24),
        (Pace.STEADY, 5000, 45),
        (Pace.BRISK, 1, 4),
        (Pace.BRISK, 300, 12),
        (Pace.BRISK, 5000, 20),
    ],
)
def test_the_time_to_read_follows_the_length_of_the_explanation(pace: Pace, characters: int, expected: int) -> None:
    assert reading_time(long_question(3, characters), settings(pace)) == seconds(expected)


@pytest.mark.parametrize("pace", [Pace.STEADY, Pace.BRISK])
def test_seconds_that_the_author_set_win_over_the_pace(pace: Pace) -> None:
    assert time_limit(question("q", seconds=7), settings(pace)) == seconds(7)


def test_a_relaxed_session_has_no_clock_whatever_the_author_set() -> None:
    assert time_limit(question("q", seconds=7), settings(Pace.RELAXED)) is None
    assert reading_time(question("q"), settings(Pace.RELAXED)) is None


def test_the_slowest_reader_of_a_mixed_room_sets_the_time() -> None:
    short = long_question(100)
    mixed = replace(short, stem=LocalisedText({"en": "s" * 98, "bg": "s" * 598}))
    assert time_limit(mixed, settings()) == seconds(50)


def test_a_span_is_in_whole_seconds_and_keeps_its_bounds() -> None:
    span = Span(base=1, speed=3, least=2, most=10)
    assert [span.of(count) for count in (0, 3, 4, 5, 1000)] == [seconds(number) for number in (2, 2, 2, 3, 10)]
