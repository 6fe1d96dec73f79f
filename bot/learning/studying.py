"""What answers come to: counts, reviews, days and the days in a row. Pure; what is known before is handed in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fsrs import Rating

from bot.core.quiz import QuestionRef
from bot.learning.days import learning_day
from bot.learning.memory import Attempt, Day, DayCount, Known, Learner, Memory, Studied
from bot.learning.reviews import MOST_PACES, rate, review
from bot.learning.streaks import studied_on


def study(attempts: Sequence[Attempt], known: Known) -> Studied:
    """What these attempts come to for people of whom so much is known. They may come in any order."""
    everyone: dict[str, _Progress] = {}
    for attempt in sorted(attempts, key=lambda each: (each.at, each.person, each.ref, each.right)):
        one = everyone.get(attempt.person)
        if one is None:
            one = everyone[attempt.person] = _Progress(attempt.person, known)
        one.take(attempt)
    return Studied(
        memories=tuple(memory for one in everyone.values() for memory in one.memories.values()),
        learners=tuple(one.learner for one in everyone.values() if one.learner != one.before),
        days=tuple(count for one in everyone.values() for count in one.days),
    )


def together(parts: Iterable[Studied]) -> Studied:
    """What was studied apart, of different people."""
    parts = tuple(parts)
    return Studied(
        memories=tuple(memory for part in parts for memory in part.memories),
        learners=tuple(learner for part in parts for learner in part.learners),
        days=tuple(day for part in parts for day in part.days),
    )


class _Progress:
    """One person's attempts, one after the other."""

    def __init__(self, person: str, known: Known) -> None:
        self._person = person
        self._known = known
        self._zone = known.zones.get(person)
        self._counts: defaultdict[Day, list[bool]] = defaultdict(list)
        self.memories: dict[QuestionRef, Memory] = {}
        self.before = self.learner = known.learners.get(person) or Learner(person)

    def take(self, attempt: Attempt) -> None:
        day = learning_day(attempt.at, self._zone)
        memory = self._memory(attempt)
        # A session may end, and be learned from, long after its answers; a review of today is not undone by them.
        late = not attempt.practice and memory.reviewed is not None and day < memory.reviewed
        if memory.fingerprint != attempt.fingerprint:
            memory = memory if late else Memory(self._person, attempt.ref, attempt.fingerprint)
        if memory.fingerprint == attempt.fingerprint:
            memory = replace(memory, answered=memory.answered + 1, right=memory.right + attempt.right)
            memory = memory if late else self._review(memory, attempt, day)
        self.memories[attempt.ref] = memory
        if not attempt.let_pass:
            self._count(attempt, day)

    @property
    def days(self) -> list[DayCount]:
        """What is to be added to each day."""
        return [DayCount(self._person, day, len(rights), sum(rights)) for day, rights in sorted(self._counts.items())]

    def _memory(self, attempt: Attempt) -> Memory:
        found = self.memories.get(attempt.ref) or self._known.memories.get((self._person, attempt.ref))
        return found or Memory(self._person, attempt.ref, attempt.fingerprint)

    def _review(self, memory: Memory, attempt: Attempt, day: Day) -> Memory:
        """The memory after what counts as a review: any miss, any answer in practice, and what was due."""
        if not attempt.right:
            return review(memory, Rating.Again, day)
        if attempt.practice:
            return self._practise(memory, attempt, day)
        due = memory.due is not None and memory.due <= day
        return review(memory, Rating.Good, day) if due else memory

    def _practise(self, memory: Memory, attempt: Attempt, day: Day) -> Memory:
        if memory.reviewed is not None and day <= memory.reviewed:
            return review(memory, Rating.Good, day)  # seen today: how fast it was says nothing
        reviewed = review(memory, rate(attempt.pace, self.learner.paces), day)
        if attempt.pace is not None:
            self.learner = replace(self.learner, paces=(*self.learner.paces, attempt.pace)[-MOST_PACES:])
        return reviewed

    def _count(self, attempt: Attempt, day: Day) -> None:
        self._counts[day].append(attempt.right)
        self.learner = studied_on(
            self.learner,
            day,
            earliest=self._known.earliest.get(self._person),
            faults=self._known.faults,
            zone=self._zone,
        )
