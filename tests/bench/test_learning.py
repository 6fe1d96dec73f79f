"""What the bench of learning measures is what it says; how fast it is, no test asks."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from bot.core.session import Feedback
from bot.learning.memory import Knowledge
from bot.storage.sqlite import open_sqlite
from tests.bench import ceiling, learning_boards, learning_pictures, learning_practice, learning_writing
from tests.bench.answering import rows_of_answers
from tests.bench.learning_boards import Crowd
from tests.bench.world import PLATFORM, QUESTIONS
from tests.clock import NOON

SMALL = Crowd(answers=1_000, people=20)


async def test_the_leaderboards_hold_all_that_was_answered(tmp_path: Path) -> None:
    store = await open_sqlite(str(tmp_path / "boards.sqlite3"), [PLATFORM])
    try:
        await learning_boards.fill(store, SMALL, NOON)
        boards = {
            name: await store.leaderboard(board, 0, 100, f"{PLATFORM}:7")
            for name, board in learning_boards.boards(NOON).items()
        }
    finally:
        await store.close()
    answered = {name: sum(line.answered for line in board.lines) for name, board in boards.items()}
    assert answered["all"] == SMALL.answers
    assert answered["one quiz"] == SMALL.answers // len(learning_boards.SLUGS)
    assert 0 < answered["today"] <= answered["month"] < SMALL.answers
    assert boards["all"].count == SMALL.people
    assert boards["all"].own is not None


async def test_each_leaderboard_is_read_as_often_as_its_ceiling(tmp_path: Path) -> None:
    found = await learning_boards.measure(tmp_path, SMALL, reads=5)
    assert set(found.warm) == {"today", "week", "month", "all", "one quiz"}
    for readings in (*found.warm.values(), found.cold):
        assert len(readings.reads) == len(readings.ceiling) == 5


@pytest.mark.parametrize(("feedback", "rows"), [(Feedback.AT_ONCE, 2), (Feedback.AT_CLOSE, 0)])
async def test_the_ceiling_writes_what_the_store_writes(feedback: Feedback, rows: int) -> None:
    written = await ceiling.written(rows_of_answers(3, 2, feedback))
    by_table = {sql.split("INTO ")[1].split()[0]: len(rows) for sql, rows in written}
    assert by_table == {"session": 3, "player": 6, "response": 6, "outbox": 3} | ({"score": 6 * rows} if rows else {})


async def test_the_ceiling_has_all_tables(tmp_path: Path) -> None:
    assert await ceiling.answers_per_second(tmp_path / "raw.sqlite3", rows_of_answers(3, 2)) > 0


async def test_answers_are_measured_with_and_without_what_they_count_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.bench.answering.SESSIONS", 2)
    monkeypatch.setattr("tests.bench.learning_writing.SESSIONS", 2)
    found = await learning_writing.measure((tmp_path / f"{number}.sqlite3" for number in count()), rounds=1)
    assert [(len(rates.engine), len(rates.ceiling)) for rates in found.values()] == [(1, 1), (1, 1), (1, 0)]


async def test_every_learner_answers_everything_once_in_practice_and_once_in_a_quiz(tmp_path: Path) -> None:
    figures = await learning_practice.measure(tmp_path, alone=1, together=2, rounds=1)
    assert {name: len(latencies) for name, latencies in figures.alone.items()} == {
        learning_practice.PRACTICE: QUESTIONS,
        learning_practice.PLAIN: QUESTIONS,
    }
    assert {len(latencies) for latencies in figures.together.values()} == {2 * QUESTIONS}
    knowledge = await _knowledge(tmp_path / "practice.sqlite3", f"{PLATFORM}:2")
    assert knowledge.days[-1].answered == QUESTIONS
    assert len(knowledge.memories) == learning_practice.MEMORIES + QUESTIONS


async def _knowledge(path: Path, person: str) -> Knowledge:
    store = await open_sqlite(str(path), [PLATFORM])
    try:
        return await store.knowledge(person)
    finally:
        await store.close()


async def test_pictures_are_drawn_while_people_press(tmp_path: Path) -> None:
    figures = await learning_pictures.measure(tmp_path, presses=5, rounds=2)
    assert len(figures.quiet) == len(figures.drawing) == 10
    assert len(figures.drawn) >= 2


def test_each_picture_is_another() -> None:
    assert learning_pictures.chart(1) == learning_pictures.chart(1) != learning_pictures.chart(2)
