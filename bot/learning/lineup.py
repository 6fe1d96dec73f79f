"""What to practise next: reviews that are due, then questions that are new. Knows what is on offer only by its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.core.quiz import QuestionRef
from bot.learning.memory import Day, Memory

MOST = 10


@dataclass(frozen=True, slots=True)
class Lineup:
    """The questions to practise, in order: `reviews` of them and then `new` ones. `due` counts all reviews that are due
    today; `next_due` is the next day after it that has any, and how many."""

    refs: tuple[QuestionRef, ...]
    reviews: int
    new: int
    due: int
    next_due: tuple[Day, int] | None = None


def lineup(
    memories: Iterable[Memory],
    offered: Mapping[QuestionRef, str],
    fresh: Sequence[QuestionRef],
    today: Day,
    most: int = MOST,
) -> Lineup:
    """What one person practises on the learner's day `today`. `offered` are the fingerprints of the questions there are
    now: a memory of any other wording counts for nothing. `fresh` are the questions to take new ones from, in order."""
    valid = [memory for memory in memories if offered.get(memory.ref) == memory.fingerprint]
    due = due_on(valid, today)
    reviews = tuple(memory.ref for memory in due[:most])
    new = _new({memory.ref: memory for memory in valid}, offered, fresh)[: most - len(reviews)]
    return Lineup((*reviews, *new), len(reviews), len(new), len(due), _next(valid, due))


def due_on(memories: Iterable[Memory], today: Day) -> list[Memory]:
    """The reviews that are due by a day: what was missed first, the latest before all, then what has waited longest."""
    due = [memory for memory in memories if memory.missed or (memory.due is not None and memory.due <= today)]
    return sorted(due, key=_urgency)


def _urgency(memory: Memory) -> tuple[bool, Day, QuestionRef]:
    since = (-(memory.reviewed or 0)) if memory.missed else (memory.due or 0)
    return (not memory.missed, since, memory.ref)


def _new(
    known: Mapping[QuestionRef, Memory], offered: Mapping[QuestionRef, str], fresh: Sequence[QuestionRef]
) -> list[QuestionRef]:
    """Questions that are not in the queue: those never answered first, then those that were right in a quiz."""
    there = [ref for ref in dict.fromkeys(fresh) if ref in offered and (ref not in known or known[ref].due is None)]
    return sorted(there, key=lambda ref: ref in known)


def _next(memories: Iterable[Memory], due: Sequence[Memory]) -> tuple[Day, int] | None:
    waiting = {memory.ref for memory in due}
    days = Counter(memory.due for memory in memories if memory.due is not None and memory.ref not in waiting)
    return min(days.items(), default=None)
