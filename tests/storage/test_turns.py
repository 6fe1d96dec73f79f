"""A transaction over chats: what was written is there, all of it or nothing, and an answer is there once."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from bot.core.session import Player
from bot.ports import Changes, StoreError
from bot.storage.driver import Driver
from bot.storage.sql import SqlStore
from tests.cancelling import cancelled_everywhere
from tests.clock import NOON
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


async def players(store: SqlStore, chat: str, *people: str) -> dict[str, Player]:
    async with store.turns({chat: people}) as turns:
        return dict(turns.chats[chat].players)


async def rows(driver: Driver, sql: str) -> list[tuple[object, ...]]:
    async with driver.reading() as connection:
        return [tuple(row) for row in await connection.fetch(sql)]


async def everything(driver: Driver) -> list[list[tuple[object, ...]]]:
    tables = ("chat", "session", "player", "response", "quiz", "outbox", "message")
    return [await rows(driver, f"SELECT * FROM {table}") for table in tables]  # noqa: S608  # names of this line


async def test_a_session_comes_back_as_it_was_written(store: SqlStore) -> None:
    session = a_session(handled=("a", "b"), tally=(1, 0, 2, 0), answered=3, right=1, players=3)
    await begin(store, session)
    assert await store.session(CHAT) == session
    async with store.turns({CHAT: ()}) as turns:
        assert turns.chats[CHAT].session == session


async def test_a_chat_that_never_played_has_no_session(store: SqlStore) -> None:
    assert await store.session(CHAT) is None
    async with store.turns({CHAT: ["test:bob"]}) as turns:
        assert turns.chats[CHAT].session is None


async def test_players_come_back_as_they_were_written(store: SqlStore) -> None:
    bob = a_player(options=(0, 3))
    cat = a_player("test:cat", name="Cat \U0001f431", selecting=1, selection=(0, 2), toggles=("k1", "k2"))
    await begin(store)
    await write(store, Changes(players=[("s1", bob), ("s1", cat)]))
    assert await players(store, CHAT, "test:bob", "test:cat") == {"test:bob": bob, "test:cat": cat}


async def test_only_the_players_that_were_asked_for_and_exist_are_loaded(store: SqlStore) -> None:
    await begin(store)
    await write(store, Changes(players=[("s1", a_player()), ("s1", a_player("test:cat"))]))
    assert set(await players(store, CHAT, "test:bob", "test:nobody")) == {"test:bob"}


async def test_a_player_of_another_session_is_another_player(store: SqlStore) -> None:
    await begin(store)
    await begin(store, a_session("s2"), OTHER)
    await write(store, Changes(players=[("s1", a_player()), ("s2", a_player(points=900))]))
    async with store.turns({CHAT: ["test:bob"], OTHER: ["test:bob"]}) as turns:
        points = {chat: state.players["test:bob"].points for chat, state in turns.chats.items()}
    assert points == {CHAT: 100, OTHER: 900}


async def test_a_player_who_answers_again_is_kept_under_the_last_name(store: SqlStore) -> None:
    await begin(store)
    await write(store, Changes(players=[("s1", a_player())]))
    bobby = a_player(name="Bobby", points=200)
    await write(store, Changes(players=[("s1", bobby)]))
    assert (await players(store, CHAT, "test:bob"))["test:bob"] == bobby


async def test_everyone_of_a_session_can_be_listed_within_a_turn(store: SqlStore) -> None:
    everyone = [a_player(f"test:{number}") for number in range(3)]
    await begin(store)
    await write(store, Changes(players=[("s1", player) for player in everyone]))
    async with store.turns({CHAT: ()}) as turns:
        assert sorted(await turns.players("s1"), key=lambda player: player.person) == everyone


async def test_a_response_is_kept_with_everything_that_it_says(store: SqlStore, driver: Driver) -> None:
    await write(store, Changes(responses=[replace(a_response(), options=(0, 2))]))
    at = int(after(1).timestamp() * 1000)
    columns = "session, question, person, question_id, options, correct, points, at"
    assert await rows(driver, f"SELECT {columns} FROM response") == [("s1", 0, "test:bob", "q0", 0b101, 1, 100, at)]  # noqa: S608


async def test_a_second_response_to_the_same_question_is_refused_by_the_database_itself(store: SqlStore) -> None:
    await write(store, Changes(responses=[a_response()]))
    with pytest.raises(StoreError):
        await write(store, Changes(responses=[a_response()]))


async def test_the_same_person_may_answer_other_questions_and_in_other_sessions(
    store: SqlStore, driver: Driver
) -> None:
    await write(store, Changes(responses=[a_response(), a_response(question=1), a_response(session="s2")]))
    assert len(await rows(driver, "SELECT 1 FROM response")) == 3


async def test_a_pinned_quiz_can_be_read_and_is_never_written_over(store: SqlStore) -> None:
    await write(store, Changes(quizzes={"digest": TEXT}))
    await write(store, Changes(quizzes={"digest": "another"}))
    async with store.turns({CHAT: ()}) as turns:
        assert await turns.quiz("digest") == TEXT
        assert await turns.quiz("unknown") is None
    assert await store.quiz("digest") == TEXT
    assert await store.quiz("unknown") is None


def one_of_everything(session: str) -> Changes:
    return Changes(
        sessions=[(CHAT, a_session(session))],
        started=[(CHAT, session)],
        quizzes={"digest": TEXT},
        players=[(session, a_player())],
        responses=[a_response(session=session)],
    )


async def write_and_fail(store: SqlStore) -> None:
    async with store.turns({CHAT: ()}) as turns:
        await turns.write(one_of_everything("s1"))
        raise ZeroDivisionError


async def test_an_error_within_a_turn_leaves_nothing_behind(store: SqlStore, driver: Driver) -> None:
    before = await everything(driver)
    with pytest.raises(ZeroDivisionError):
        await write_and_fail(store)
    assert await everything(driver) == before


async def test_what_the_database_refuses_takes_the_whole_turn_with_it(store: SqlStore, driver: Driver) -> None:
    changes = one_of_everything("s1")
    changes.responses.append(changes.responses[0])
    with pytest.raises(StoreError):
        await write(store, changes)
    assert await rows(driver, "SELECT 1 FROM session") == []
    await write(store, one_of_everything("s1"))
    assert await store.session(CHAT) is not None


async def test_a_turn_that_is_cancelled_anywhere_is_there_as_a_whole_or_not_at_all(
    store: SqlStore, driver: Driver
) -> None:
    sessions = count()
    points = 0
    async for points in cancelled_everywhere(lambda: write(store, one_of_everything(f"s{next(sessions)}"))):
        counts = {
            len(await rows(driver, f"SELECT 1 FROM {table} WHERE {column} = 's{points}'"))  # noqa: S608  # of this line
            for table, column in (("session", "id"), ("player", "session"), ("response", "session"))
        }
        assert counts in ({0}, {1})
    # How often PostgreSQL is waited for depends on how soon it answers.
    assert points > (0 if driver.dialect.shared else 5)
    assert await rows(driver, f"SELECT 1 FROM response WHERE session = 's{points + 1}'")  # noqa: S608


async def test_reads_and_claims_that_are_cancelled_anywhere_do_not_lock_the_store(store: SqlStore) -> None:
    await begin(store)
    async for _ in cancelled_everywhere(lambda: store.claim(PLATFORM, NOON, NOON, 1)):
        assert await store.session(CHAT) == a_session()
    async for _ in cancelled_everywhere(lambda: store.session(CHAT)):
        await store.sign_in(NOON)
    async for _ in cancelled_everywhere(lambda: store.recover(NOON)):
        await store.sign_in(NOON)


# Deadlines


async def test_deadlines_are_due_from_their_moment_on_the_oldest_first(store: SqlStore) -> None:
    await begin(store, a_session("s1", deadline=after(30)))
    await begin(store, a_session("s2", deadline=after(20)), OTHER)
    assert await store.due(after(19.999), 10) == []
    assert [due.session for due in await store.due(after(20), 10)] == ["s2"]
    assert [(due.chat, due.deadline) for due in await store.due(after(60), 10)] == [
        (OTHER, after(20)),
        (CHAT, after(30)),
    ]
    assert len(await store.due(after(60), 1)) == 1


async def test_the_next_wake_is_the_earliest_deadline_of_a_session_that_is_live(store: SqlStore) -> None:
    assert await store.next_wake(NOON) is None
    session = a_session()
    await begin(store, session)
    await begin(store, a_session("s2", deadline=after(60)), OTHER)
    assert await store.next_wake(NOON) == after(20)
    await save(store, ended(session))
    assert await store.next_wake(NOON) == after(60)


async def test_sessions_of_other_platforms_are_left_to_those_who_serve_them(store: SqlStore, driver: Driver) -> None:
    foreign = SqlStore(driver, ["other"])
    await begin(store)
    await begin(foreign, a_session("s2", deadline=after(5)), "other:1")
    assert await store.next_wake(NOON) == after(20)
    assert [due.session for due in await store.due(after(60), 10)] == ["s1"]
    assert [due.session for due in await foreign.due(after(60), 10)] == ["s2"]


async def test_unfinished_sessions_are_the_live_ones_whose_chat_begins_so(store: SqlStore) -> None:
    session = a_session()
    await begin(store, session, "test:ann/colours")
    await begin(store, ended(a_session("s2")), "test:ann/done")
    await begin(store, a_session("s3"), "test:ann%")
    await begin(store, a_session("s4"), "test:bob/colours")
    assert await store.unfinished("test:ann/") == [("test:ann/colours", session)]


# What cannot be read


async def spoil(driver: Driver, session: str) -> None:
    async with driver.transaction() as connection:
        await connection.write("UPDATE session SET state = '{' WHERE id = $1", [(session,)])


async def test_a_session_that_cannot_be_read_is_let_go_so_that_its_chat_is_free(
    store: SqlStore, driver: Driver
) -> None:
    await begin(store)
    await spoil(driver, "s1")
    assert await store.session(CHAT) is None
    async with store.turns({CHAT: ["test:bob"]}) as turns:
        assert turns.chats[CHAT].session is None
    assert await store.due(after(60), 10) == []
    await begin(store, a_session("s2"))
    assert await store.session(CHAT) == a_session("s2")


async def test_a_session_that_cannot_be_read_hides_no_other(store: SqlStore, driver: Driver) -> None:
    await begin(store)
    await begin(store, a_session("s2"), OTHER)
    await spoil(driver, "s1")
    assert await store.unfinished("test:") == [(OTHER, a_session("s2"))]
