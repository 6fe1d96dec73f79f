"""A learner with a memory of their own, who practises day after day; what they forget follows no schedule."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from bot.core.quiz import QuestionRef
from bot.learning.days import learning_day, zone
from bot.learning.lineup import Lineup, lineup
from bot.learning.memory import Attempt, Day, DayCount, Knowledge, Known, Learner, Memory
from bot.learning.streaks import streak_now
from bot.learning.studying import study
from tests.learning.building import ANN, WORDING, ref

QUESTIONS = [ref(number) for number in range(60)]
OFFERED = dict.fromkeys(QUESTIONS, WORDING)
BETWEEN = 3
MOST_RETURNS = 2
KNOWN_BEFORE = 0.4
"""How many of the questions are known to somebody who sees them for the first time."""


@dataclass(frozen=True)
class Sitting:
    """One session of practice: what was offered, and each answer with whether it was right, in order; the memories and
    the days in a row that it left."""

    day: Day
    offered: Lineup
    answers: tuple[tuple[QuestionRef, bool], ...]
    memories: tuple[Memory, ...]
    streak: int

    @property
    def at_first(self) -> dict[QuestionRef, bool]:
        """Whether each question was right when it came first."""
        return dict(reversed(self.answers))


@dataclass
class Pupil:
    """Somebody who practises in a time zone. `strengths` are days after which they still know nine of ten."""

    zone: str = "Europe/Sofia"
    lots: Random = field(default_factory=lambda: Random("a year of practice"))
    memories: dict[QuestionRef, Memory] = field(default_factory=dict)
    learner: Learner = field(default_factory=lambda: Learner(ANN))
    days: defaultdict[Day, int] = field(default_factory=lambda: defaultdict(int))
    faults: tuple[tuple[datetime, datetime], ...] = ()
    sittings: list[Sitting] = field(default_factory=list)
    strengths: dict[QuestionRef, float] = field(default_factory=dict)
    seen: dict[QuestionRef, datetime] = field(default_factory=dict)

    def at(self, on: date, clock: time) -> datetime:
        """When the clock on their wall shows that, in UTC."""
        return datetime.combine(on, clock, zone(self.zone)).astimezone(UTC)

    def offered(self, now: datetime) -> Lineup:
        return lineup(self.memories.values(), OFFERED, QUESTIONS, learning_day(now, self.zone))

    def streak(self, now: datetime) -> int:
        counts = tuple(DayCount(ANN, day, count, 0) for day, count in sorted(self.days.items()))
        knowledge = Knowledge(tuple(self.memories.values()), self.learner, counts, self.zone, self.faults)
        return streak_now(knowledge, learning_day(now, self.zone))

    def practise(self, now: datetime) -> Sitting:
        """All that is offered now, an answer every twenty seconds; what was missed comes back as in a session."""
        offered, answers = self.offered(now), []
        waiting, asked = list(offered.refs), defaultdict[QuestionRef, int](int)
        while waiting:
            question = waiting.pop(0)
            right = self._answer(question, now)
            self._study(question, now, right=right)
            answers.append((question, right))
            asked[question] += 1
            if not right and asked[question] <= MOST_RETURNS and len(waiting) >= BETWEEN:
                waiting.insert(BETWEEN, question)
            now += timedelta(seconds=20)
        sitting = Sitting(
            learning_day(now, self.zone), offered, tuple(answers), tuple(self.memories.values()), self.streak(now)
        )
        self.sittings.append(sitting)
        return sitting

    def _answer(self, question: QuestionRef, now: datetime) -> bool:
        """Whether they know it; they know it better afterwards, and far less long when they had forgotten it."""
        before, strength = self.seen.get(question), self.strengths.get(question, 1.0)
        self.seen[question] = now
        waited = (now - before) / timedelta(days=1) if before else 0.0
        right = self.lots.random() < (0.9 ** (waited / strength) if before else KNOWN_BEFORE)
        self.strengths[question] = strength + 1.5 * waited if right else max(1.0, strength / 4)
        return right

    def _study(self, question: QuestionRef, now: datetime, *, right: bool) -> None:
        dues = [memory.due for memory in self.memories.values() if memory.due is not None]
        known = Known(
            memories={(ANN, question): self.memories[question]} if question in self.memories else {},
            learners={ANN: self.learner},
            zones={ANN: self.zone},
            earliest={ANN: min(dues)} if dues else {},
            faults=self.faults,
        )
        pace = self.lots.randrange(2_000, 6_000)
        studied = study([Attempt(ANN, question, WORDING, right, now, practice=True, pace=pace)], known)
        self.memories |= {memory.ref: memory for memory in studied.memories}
        self.learner = next(iter(studied.learners), self.learner)
        for count in studied.days:
            self.days[count.day] += count.answered
