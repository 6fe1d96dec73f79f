"""How far somebody is: sums over what is remembered of them, by quiz and topic, and what is due when. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.core.quiz import Question, QuestionRef, Quiz
from bot.learning.memory import Day, Knowledge, Memory
from bot.learning.streaks import streak_now

DAYS_BACK, DAYS_AHEAD = 30, 14
"""How many days of answers, and of reviews, are told one by one; today is one of both."""

WEEK = 7

Offered = Callable[[QuestionRef], tuple[Quiz, Question] | None]
"""A question as it is on offer now, in its quiz."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many answers of a kind there were, and how many of them were right."""

    answered: int
    right: int

    @property
    def rate(self) -> float:
        """The share of right ones, from 0 to 1."""
        return self.right / self.answered if self.answered else 0.0


@dataclass(frozen=True, slots=True)
class Reviews:
    """How many reviews are due: `today` or since before, `tomorrow`, on one of the five days that follow (`week`), and
    `later`."""

    today: int
    tomorrow: int
    week: int
    later: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody is on their day `today`.

    `quizzes` and `topics` are those on offer that they have met, the lowest share of right answers first; `gone` sums
    up questions that are not on offer any more. `days` are the last DAYS_BACK, the last of them today; `ahead` says how
    many reviews are due on each of DAYS_AHEAD, from today on.
    """

    today: Day
    total: Share
    streak: int
    quizzes: tuple[tuple[Quiz, Share], ...]
    topics: tuple[tuple[str, Share], ...]
    gone: Share
    reviews: Reviews
    days: tuple[Share, ...]
    ahead: tuple[int, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether nothing was ever answered, and nothing waits."""
        return not self.total.answered and self.reviews == Reviews(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Met:
    """How far somebody is with one quiz: how many of its questions they have met, the share of right answers, and how
    many reviews are due today."""

    questions: int
    share: Share
    due: int


def progress(knowledge: Knowledge, today: Day, offered: Offered) -> Progress:
    """How far the person of this knowledge is on their day `today`."""
    placed = [(memory, offered(memory.ref)) for memory in knowledge.memories if memory.answered]
    here = [(memory, *found) for memory, found in placed if found]
    due = [due for memory in knowledge.memories if (due := due_day(memory, today, offered)) is not None]
    return Progress(
        today=today,
        total=_sum((day.answered, day.right) for day in knowledge.days),
        streak=streak_now(knowledge, today),
        quizzes=_by_quiz(here),
        topics=_by_topic(here),
        gone=_sum((memory.answered, memory.right) for memory, found in placed if not found),
        reviews=_reviews(due, today),
        days=_days(knowledge, today),
        ahead=tuple(map(Counter(due).__getitem__, range(today, today + DAYS_AHEAD))),
    )


def met(knowledge: Knowledge, today: Day, offered: Offered) -> dict[str, Met]:
    """How far the person is with each quiz on offer that they have met, by its slug."""
    memories: dict[str, list[Memory]] = {}
    for memory in knowledge.memories:
        if memory.answered and offered(memory.ref):
            memories.setdefault(memory.ref.slug, []).append(memory)
    return {
        slug: Met(
            len(of_quiz),
            _sum((memory.answered, memory.right) for memory in of_quiz),
            sum(due_day(memory, today, offered) == today for memory in of_quiz),
        )
        for slug, of_quiz in memories.items()
    }


def due_day(memory: Memory, today: Day, offered: Offered) -> Day | None:
    """The day on which a question is asked again: today, if that has passed already; None if it is not, for it is not
    in the queue, is not on offer any more, or is another question by now."""
    found = offered(memory.ref)
    if memory.due is None or found is None or found[0].fingerprint(found[1]) != memory.fingerprint:
        return None
    return max(memory.due, today)


def _sum(counts: Iterable[tuple[int, int]]) -> Share:
    listed = list(counts)
    return Share(sum(answered for answered, _ in listed), sum(right for _, right in listed))


def _by_quiz(here: Iterable[tuple[Memory, Quiz, Question]]) -> tuple[tuple[Quiz, Share], ...]:
    quizzes: dict[str, tuple[Quiz, list[Memory]]] = {}
    for memory, quiz, _ in here:
        quizzes.setdefault(quiz.slug, (quiz, []))[1].append(memory)
    shares = ((quiz, _of(memories)) for quiz, memories in quizzes.values())
    return tuple(sorted(shares, key=lambda entry: (entry[1].rate, entry[0].slug)))


def _by_topic(here: Iterable[tuple[Memory, Quiz, Question]]) -> tuple[tuple[str, Share], ...]:
    topics: dict[str, list[Memory]] = {}
    for memory, _, question in here:
        for topic in question.topics:
            topics.setdefault(topic, []).append(memory)
    shares = ((topic, _of(memories)) for topic, memories in topics.items())
    return tuple(sorted(shares, key=lambda entry: (entry[1].rate, entry[0])))


def _of(memories: Iterable[Memory]) -> Share:
    return _sum((memory.answered, memory.right) for memory in memories)


def _reviews(due: Iterable[Day], today: Day) -> Reviews:
    counts = Counter(min(day - today, WEEK) for day in due)
    week = sum(counts[distance] for distance in range(2, WEEK))
    return Reviews(counts[0], counts[1], week, counts[WEEK])


def _days(knowledge: Knowledge, today: Day) -> tuple[Share, ...]:
    counted = {day.day: Share(day.answered, day.right) for day in knowledge.days}
    return tuple(counted.get(day, Share(0, 0)) for day in range(today - DAYS_BACK + 1, today + 1))
