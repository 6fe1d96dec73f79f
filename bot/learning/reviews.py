"""When a question comes back: FSRS, counted in whole days of the learner. Knows no session and no text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time

from fsrs import Card, Rating, Scheduler, State

from bot.learning.days import date_of, day_of
from bot.learning.memory import Day, Memory

LONGEST = 365
"""Days: what one knows well is asked once a year all the same."""

FEWEST_PACES = 8
"""How many paces of a learner have to be known before one can be slow."""

MOST_PACES = 40

_SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=LONGEST, enable_fuzzing=False)

_CARD = 1
"""FSRS names every card by the time it is made, and waits for the clock to do so, unless it is given a name."""


def rate(pace: int | None, paces: Sequence[int]) -> Rating:
    """What a right answer says of a memory. Nothing is Easy: what was right may have been luck."""
    return Rating.Hard if is_slow(pace, paces) else Rating.Good


def is_slow(pace: int | None, paces: Sequence[int]) -> bool:
    """Whether a pace is slower than three quarters of these: milliseconds for a hundred characters."""
    if pace is None or len(paces) < FEWEST_PACES:
        return False
    return pace > sorted(paces)[len(paces) * 3 // 4 - 1]


def review(memory: Memory, rating: Rating, today: Day) -> Memory:
    """The memory after a review on the learner's day `today`; counts stay. What was not known stays due that day.

    A day before the last review, as after a flight to the west, is taken for the day of that review.
    """
    day = today if memory.reviewed is None else max(today, memory.reviewed)
    card, _ = _SCHEDULER.review_card(_card(memory, day), rating, _midnight(day))
    missed = rating is Rating.Again
    return replace(
        memory,
        missed=missed,
        stability=card.stability,
        difficulty=card.difficulty,
        reviewed=day,
        due=day if missed else day_of(card.due.date()),
    )


def _card(memory: Memory, day: Day) -> Card:
    if memory.stability is None or memory.difficulty is None or memory.reviewed is None:
        return Card(card_id=_CARD, due=_midnight(day))
    return Card(
        card_id=_CARD,
        state=State.Review,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_midnight(day if memory.due is None else memory.due),
        last_review=_midnight(memory.reviewed),
    )


def _midnight(day: Day) -> datetime:
    return datetime.combine(date_of(day), time(), UTC)
