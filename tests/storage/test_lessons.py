"""Sessions that have ended are learned from once, a part of their players at a time, and nothing stops over one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.quiz import QuestionRef
from bot.core.session import Session
from bot.learning.memory import DayCount, Learner, Memory, Studied
from bot.ports import Changes, Lesson
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from tests.storage.building import (
    CHAT,
    OTHER,
    PLATFORM,
    TEXT,
    a_player,
    a_response,
    a_session,
    after,
    begin,
    ended,
    save,
    write,
)

NOTHING = Studied()


async def evening(store: SqlStore, *people: str, session: str = "s1", chat: str = CHAT, minute: int = 0) -> Session:
    """A session that has ended, in which all these people answered two questions."""
    running = a_session(session, players=len(people), opened=after(60 * minute))
    await begin(store, running, chat)
    players = [(session, a_player(person)) for person in people]
    responses = [a_response(person, session, question) for question in (0, 1) for person in people]
    await write(store, Changes(players=players, responses=responses), chat)
    await save(store, ended(running), chat)
    return ended(running)


async def learn(store: SqlStore, most: int = 100) -> tuple[str, list[str]] | None:
    """Take the next part and be done with it: session and people."""
    async with store.lesson(most) as lesson:
        if lesson is None:
            return None
        await lesson.keep(NOTHING)
        return lesson.session.id, list(lesson.people)


async def everything(store: SqlStore, most: int = 100) -> list[tuple[str, list[str]]]:
    parts = []
    while part := await learn(store, most):
        parts.append(part)
    return parts


async def test_where_nothing_has_ended_there_is_nothing_to_learn(store: SqlStore) -> None:
    assert await learn(store) is None
    await begin(store)
    await write(store, Changes(players=[("s1", a_player())], responses=[a_response()]))
    assert await learn(store) is None


async def test_a_session_that_has_ended_is_learned_from_once(store: SqlStore) -> None:
    session = await evening(store, "test:bob", "test:cat")
    async with store.lesson(100) as lesson:
        assert lesson is not None
        assert lesson.session == session
        assert list(lesson.people) == ["test:bob", "test:cat"]
        assert sorted(lesson.responses, key=lambda each: (each.question, each.person)) == [
            a_response(person, question=question) for question in (0, 1) for person in ("test:bob", "test:cat")
        ]
        await lesson.keep(NOTHING)
    assert await learn(store) is None


async def test_what_came_of_it_is_kept_with_it(store: SqlStore) -> None:
    await evening(store, "test:bob")
    ref = QuestionRef("colours", "q0")
    memory, learner = Memory("test:bob", ref, "f1", 1, 1), Learner("test:bob", 1, 20000)
    async with store.lesson(100) as lesson:
        assert lesson is not None
        assert (await lesson.known([("test:bob", ref)])).memories == {}
        await lesson.keep(Studied((memory,), (learner,), (DayCount("test:bob", 20000, 1, 1),)))
        assert (await lesson.known([("test:bob", ref)])).memories == {("test:bob", ref): memory}
    found = await store.knowledge("test:bob")
    assert (found.memories, found.learner, found.days) == (
        (memory,),
        learner,
        (DayCount("test:bob", 20000, 1, 1),),
    )


async def test_a_lesson_that_is_left_comes_again(store: SqlStore) -> None:
    await evening(store, "test:bob")
    async with store.lesson(100) as lesson:
        assert lesson is not None
    with pytest.raises(RuntimeError):
        await fail_within(store)
    assert (await store.knowledge("test:bob")).memories == ()
    assert await everything(store) == [("s1", ["test:bob"])]


async def fail_within(store: SqlStore) -> None:
    async with store.lesson(100) as lesson:
        assert lesson is not None
        await lesson.keep(Studied((Memory("test:bob", QuestionRef("colours", "q0"), "f1"),)))
        raise RuntimeError("the power is gone")


@pytest.mark.parametrize(("most", "parts"), [(1, 5), (2, 3), (4, 2), (5, 1), (6, 1)])
async def test_many_players_come_in_parts_each_of_them_once_with_all_they_answered(
    store: SqlStore, most: int, parts: int
) -> None:
    people = [f"test:p{number}" for number in (3, 1, 5, 2, 4)]
    await evening(store, *people)
    taken: list[str] = []
    for _ in range(parts):
        async with store.lesson(most) as lesson:
            assert lesson is not None
            assert_only_theirs(lesson)
            taken += lesson.people
            await lesson.keep(NOTHING)
    assert taken == sorted(people)
    assert await learn(store, most) is None


def assert_only_theirs(lesson: Lesson) -> None:
    answered = [(each.person, each.question) for each in lesson.responses]
    assert sorted(answered) == [(person, question) for person in lesson.people for question in (0, 1)]


async def test_a_part_that_fails_comes_again_without_those_before_it(store: SqlStore) -> None:
    await evening(store, *[f"test:p{number}" for number in range(4)])
    assert await learn(store, 2) == ("s1", ["test:p0", "test:p1"])
    async with store.lesson(2) as lesson:
        assert lesson is not None
    assert await learn(store, 1) == ("s1", ["test:p2"])
    assert await learn(store, 2) == ("s1", ["test:p3"])
    assert await learn(store, 2) is None


async def test_what_ended_first_is_learned_from_first(store: SqlStore) -> None:
    for session, minute in (("s2", 3), ("s9", 1), ("s1", 2)):
        await evening(store, "test:bob", session=session, minute=minute)
    assert [session for session, _ in await everything(store)] == ["s9", "s1", "s2"]


async def test_practice_and_sessions_that_nobody_answered_in_have_nothing_left_to_learn(store: SqlStore) -> None:
    practice = a_session("s1", practice=True, players=1)
    await begin(store, practice)
    await write(store, Changes(players=[("s1", a_player())], responses=[a_response()]))
    await save(store, ended(practice))
    await begin(store, a_session("s2"), OTHER)
    await save(store, ended(a_session("s2")), OTHER)
    assert await learn(store) is None


async def test_a_session_is_learned_from_only_by_a_process_of_its_platform(store: SqlStore, driver: Driver) -> None:
    await evening(store, "test:bob")
    assert await learn(SqlStore(driver, ["other"])) is None
    assert await learn(SqlStore(driver, [])) is None
    assert await learn(SqlStore(driver, ["other", PLATFORM])) == ("s1", ["test:bob"])


async def test_a_session_that_gave_way_to_one_that_moved_in_is_learned_from_too(store: SqlStore) -> None:
    running = a_session("s2", players=1)
    await begin(store, running, OTHER)
    await write(store, Changes(players=[("s2", a_player())], responses=[a_response(session="s2")]), OTHER)
    await begin(store, a_session("s1"))
    await store.move_chat(CHAT, OTHER)
    assert await everything(store) == [("s2", ["test:bob"])]


async def test_a_session_that_cannot_be_read_is_let_go_with_a_line_in_the_log(
    store: SqlStore, driver: Driver, caplog: pytest.LogCaptureFixture
) -> None:
    await evening(store, "test:bob", session="s1", minute=1)
    await evening(store, "test:cat", session="s2", minute=2)
    async with driver.transaction() as connection:
        await connection.write("UPDATE session SET state = $1 WHERE id = $2", [('{"future": 1}', "s1")])
    assert await learn(store) == ("s2", ["test:cat"])
    assert "session s1 cannot be read" in caplog.text
    caplog.clear()
    assert await learn(store) is None
    assert caplog.text == ""


async def test_players_who_were_forgotten_since_are_not_waited_for(store: SqlStore, driver: Driver) -> None:
    await evening(store, "test:bob", session="s1", minute=1)
    await evening(store, "test:cat", session="s2", minute=2)
    async with driver.transaction() as connection:
        await connection.write("DELETE FROM player WHERE person = $1", [("test:bob",)])
    assert await everything(store) == [("s2", ["test:cat"])]


async def test_a_lesson_reads_the_quiz_that_its_session_ran(store: SqlStore) -> None:
    await write(store, Changes(quizzes={"digest": TEXT}))
    await evening(store, "test:bob")
    async with store.lesson(1) as lesson:
        assert lesson is not None
        assert await lesson.quiz(lesson.session.quiz) == TEXT
        assert await lesson.quiz("another") is None


async def test_a_session_that_is_saved_again_after_it_was_learned_from_stays_so(store: SqlStore) -> None:
    session = await evening(store, "test:bob")
    assert await learn(store) is not None
    await save(store, replace(session, handled=("late",)))
    assert await learn(store) is None


async def test_everything_that_was_answered_is_there_within_the_turn_that_ends_a_session(store: SqlStore) -> None:
    await evening(store, "test:cat", "test:bob")
    async with store.turns({CHAT: ()}) as turns:
        assert await turns.responses("s1") == [
            a_response(person, question=question) for question in (0, 1) for person in ("test:bob", "test:cat")
        ]
        assert await turns.responses("s2") == []
