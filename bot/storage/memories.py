"""What is remembered of learners: memories of questions, their days, how they study. Knows no rule of reviews."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from bot.codec import moment
from bot.core.quiz import QuestionRef
from bot.learning.memory import Day, DayCount, Knowledge, Known, Learner, Memory, Studied
from bot.ports import platform_of
from bot.storage.driver import Connection, Dialect, first

MEMORY = """
    memory.person, memory.slug, memory.question_id, memory.fingerprint, memory.answered, memory.correct, memory.missed,
    memory.stability, memory.difficulty, memory.reviewed, memory.due
"""
LEARNER = "learner.person, learner.streak, learner.last, learner.paces"
WANTED_MEMORIES = f"""
    SELECT {MEMORY} FROM {{pairs}} JOIN memory ON memory.person = wanted.value ->> 0
        AND memory.slug = wanted.value ->> 1 AND memory.question_id = wanted.value ->> 2
"""
# Who has never learned anything has no row that could be held.
ENTER = """
    INSERT INTO learner (person, streak, last, paces) SELECT value, 0, NULL, '[]' FROM {people} WHERE true
    ON CONFLICT (person) DO NOTHING
"""
# Held until what they did is written, so that nothing else that they did is studied meanwhile.
WANTED_LEARNERS = f"""
    SELECT {LEARNER} FROM {{people}} JOIN learner ON learner.person = wanted.value ORDER BY learner.person {{held}}
"""
# A person's own, else that of the chat they answered in last of those that have one: a quiz in a chat that has none
# moves nobody's midnight.
ZONES = """
    SELECT wanted.value, COALESCE(
        (SELECT zone FROM preference WHERE id = wanted.value),
        (
            SELECT preference.zone FROM score JOIN preference ON preference.id = score.chat
            WHERE score.person = wanted.value AND score.quiz = '' AND preference.zone IS NOT NULL
            ORDER BY score.at DESC LIMIT 1
        )
    ) FROM {people}
"""
# Asked for each by itself: the first entry of an index. Grouped, it would be all that they ever learned.
EARLIEST = """
    SELECT wanted.value, (SELECT MIN(due) FROM memory WHERE person = wanted.value AND due IS NOT NULL) FROM {people}
"""
FAULTS = """
    SELECT since, until FROM {people} JOIN downtime ON downtime.platform = wanted.value ORDER BY since, until
"""
KEEP_MEMORY = """
    INSERT INTO memory (person, slug, question_id, fingerprint, answered, correct, missed, stability, difficulty,
        reviewed, due)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (person, slug, question_id) DO UPDATE SET fingerprint = excluded.fingerprint,
        answered = excluded.answered, correct = excluded.correct, missed = excluded.missed,
        stability = excluded.stability, difficulty = excluded.difficulty, reviewed = excluded.reviewed,
        due = excluded.due
"""
KEEP_LEARNER = """
    INSERT INTO learner (person, streak, last, paces) VALUES ($1, $2, $3, $4)
    ON CONFLICT (person) DO UPDATE SET streak = excluded.streak, last = excluded.last, paces = excluded.paces
"""
ADD_DAY = """
    INSERT INTO study_day (person, day, answered, correct) VALUES ($1, $2, $3, $4)
    ON CONFLICT (person, day) DO UPDATE SET
        answered = study_day.answered + excluded.answered, correct = study_day.correct + excluded.correct
"""

Fault = tuple[datetime, datetime]


async def known(connection: Connection, dialect: Dialect, wanted: Collection[tuple[str, QuestionRef]]) -> Known:
    """See `Lessons.known`."""
    if not wanted:
        return Known()
    # Learners first: whoever has them has their memories.
    people = json.dumps(sorted({person for person, _ in wanted}))
    if dialect.shared:
        await connection.fetch(ENTER.format(people=dialect.json_texts), people)
    learners = await connection.fetch(
        WANTED_LEARNERS.format(people=dialect.json_texts, held=dialect.held("learner")), people
    )
    pairs = json.dumps(sorted({(person, ref.slug, ref.question) for person, ref in wanted}))
    found = await connection.fetch(WANTED_MEMORIES.format(pairs=dialect.json_arrays), pairs)
    memories = [_memory(*row) for row in found]
    earliest = await connection.fetch(EARLIEST.format(people=dialect.json_texts), people)
    return Known(
        memories={(memory.person, memory.ref): memory for memory in memories},
        learners={row[0]: learner for row in learners if (learner := _learner(*row)) != Learner(row[0])},
        zones=await zones(connection, dialect, {person for person, _ in wanted}),
        earliest={person: day for person, day in earliest if day is not None},
        faults=await _faults(connection, dialect, {person for person, _ in wanted}),
    )


async def knowledge(connection: Connection, dialect: Dialect, person: str) -> Knowledge:
    """See `Store.knowledge`."""
    memories = await connection.fetch(
        f"SELECT {MEMORY} FROM memory WHERE person = $1 ORDER BY slug, question_id", person
    )
    learners = await connection.fetch(f"SELECT {LEARNER} FROM learner WHERE person = $1", person)
    days = await connection.fetch(
        "SELECT person, day, answered, correct FROM study_day WHERE person = $1 ORDER BY day", person
    )
    return Knowledge(
        memories=tuple(_memory(*row) for row in memories),
        learner=_learner(*learners[0]) if learners else Learner(person),
        days=tuple(DayCount(*row) for row in days),
        zone=(await zones(connection, dialect, [person]))[person],
        faults=await _faults(connection, dialect, [person]),
    )


async def zones(connection: Connection, dialect: Dialect, people: Collection[str]) -> dict[str, str | None]:
    """The time zone that holds for each of these people, None where nothing tells it."""
    rows = await connection.fetch(ZONES.format(people=dialect.json_texts), json.dumps(sorted(people)))
    return dict(rows)


async def _faults(connection: Connection, dialect: Dialect, people: Iterable[str]) -> tuple[Fault, ...]:
    """When the platforms of these people were not served."""
    platforms = json.dumps(sorted({platform_of(person) for person in people}))
    rows = await connection.fetch(FAULTS.format(people=dialect.json_texts), platforms)
    return tuple((moment(since), moment(until)) for since, until in rows)


async def due_reviews(connection: Connection, person: str, day: Day) -> int:
    """See `Store.due_reviews`."""
    count: int = await first(
        connection, "SELECT COUNT(*) FROM memory WHERE person = $1 AND due <= $2 AND due IS NOT NULL", person, day
    )
    return count


async def keep(connection: Connection, studied: Studied) -> None:
    """Write memories and learners as they are now, and add to days; in one order for all processes."""
    memories = sorted(studied.memories, key=lambda memory: (memory.person, memory.ref))
    await connection.write(KEEP_MEMORY, [_memory_row(memory) for memory in memories])
    learners = sorted(studied.learners, key=lambda learner: learner.person)
    await connection.write(
        KEEP_LEARNER,
        [(each.person, each.streak, each.last, json.dumps(each.paces, separators=(",", ":"))) for each in learners],
    )
    await connection.write(ADD_DAY, sorted((each.person, each.day, each.answered, each.right) for each in studied.days))


def _memory_row(memory: Memory) -> tuple[Any, ...]:
    return (
        memory.person,
        memory.ref.slug,
        memory.ref.question,
        memory.fingerprint,
        memory.answered,
        memory.right,
        int(memory.missed),
        memory.stability,
        memory.difficulty,
        memory.reviewed,
        memory.due,
    )


def _memory(
    person: str, slug: str, question: str, fingerprint: str, answered: int, right: int, missed: int, *schedule: Any
) -> Memory:
    return Memory(person, QuestionRef(slug, question), fingerprint, answered, right, bool(missed), *schedule)


def _learner(person: str, streak: int, last: Day | None, paces: str) -> Learner:
    return Learner(person, streak, last, _paces(paces))


def _paces(text: str) -> tuple[int, ...]:
    # How fast somebody used to be can be learned again; that another version wrote it differently stops nobody.
    try:
        numbers = json.loads(text)
    except ValueError:
        return ()
    fits = isinstance(numbers, list) and all(type(number) is int for number in numbers)
    return tuple(numbers) if fits else ()
