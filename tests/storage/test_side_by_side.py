"""What two processes do at the same time: neither loses what the other did, none waits for another in a circle, and
whoever is forgotten stays so. Every order is forced: by rows that a third one holds, and by what waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.boards import Scored
from bot.core.effects import CardState, Reminded, StartCard
from bot.core.quiz import QuestionRef
from bot.learning.memory import Memory, Studied
from bot.ports import Changes, Deferred, Delivered, Queued, StoreError
from bot.storage import moving, personal, postgres, preferences, reminders, scores
from bot.storage.driver import Connection
from bot.storage.migrating import COPYING
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from tests.cancelling import cancelled_everywhere
from tests.core.building import settings
from tests.storage.boards import a_board, add, gained, read
from tests.storage.building import (
    CHAT,
    OTHER,
    a_player,
    a_response,
    a_session,
    after,
    asked,
    begin,
    claim,
    ended,
    queue,
    slots,
    write,
)
from tests.storage.test_postgres import driver_on, store_on, waiting

BOB = "test:bob"
RED = QuestionRef("colours", "red")
REMINDER = Reminded("r1", 1)


class Side:
    """Two processes on one database, and transactions between theirs."""

    def __init__(self, url: str, one: SqlStore, two: SqlStore, driver: PostgresDriver) -> None:
        self.url = url
        self.one = one
        self.two = two
        self.driver = driver
        self.dialect = driver.dialect

    async def waits(self, *tasks: asyncio.Task[Any], number: int = 1) -> None:
        """Return once so many wait for what others hold, or one of the tasks is done."""
        held = asyncio.create_task(waiting(self.url, number))
        await asyncio.wait({*tasks, held}, return_when=asyncio.FIRST_COMPLETED)
        held.cancel()
        await asyncio.wait({held})

    @asynccontextmanager
    async def holding(self, sql: str, *rows: tuple[Any, ...]) -> AsyncIterator[None]:
        """While others do not get past what this writes, which nobody ever sees."""
        async with self.driver.transaction() as connection:
            await connection.fetch("SAVEPOINT before")
            await connection.write(sql, rows)
            await connection.fetch("SELECT 1")
            yield
            await connection.fetch("ROLLBACK TO SAVEPOINT before")

    async def around(self, do: Callable[[Connection], Awaitable[Any]], other: Awaitable[Any]) -> Any:
        """What comes of another that begins after this was done, in a transaction that ends when the other waits for
        it, or is done itself."""
        async with self.driver.transaction() as connection:
            await do(connection)
            await connection.fetch("SELECT 1")
            task = start(other)
            await self.waits(task)
        return await task

    async def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        async with self.driver.reading() as connection:
            return list(await connection.fetch(sql, *values))


@pytest.fixture
async def side(postgres_url: str) -> AsyncIterator[Side]:
    async with (
        store_on(postgres_url, worker="one") as one,
        store_on(postgres_url, worker="two") as two,
        driver_on(postgres_url, connections=3) as driver,
    ):
        yield Side(postgres_url, one, two, driver)


def start(awaitable: Awaitable[Any]) -> asyncio.Task[Any]:
    return asyncio.ensure_future(awaitable)


# In no circle


async def test_two_that_pin_the_same_quizzes_do_not_wait_for_each_other(side: Side) -> None:
    held = "INSERT INTO quiz (digest, body) VALUES ($1, 'x')"
    async with side.holding(held, ("g1",), ("g2",)):
        first = start(write(side.one, Changes(quizzes={"a": "A", "g1": "G", "b": "B"}), CHAT))
        await side.waits(first)
        second = start(write(side.two, Changes(quizzes={"b": "B", "g2": "G", "a": "A"}), OTHER))
        await side.waits(first, second, number=2)
    await asyncio.gather(first, second)
    assert await side.rows("SELECT digest FROM quiz ORDER BY digest") == [("a",), ("b",), ("g1",), ("g2",)]


def on_days(*people: str) -> list[Scored]:
    """What these people gain, each a day after the one before."""
    return [replace(gained(100, person), at=after(0) + timedelta(days=day)) for day, person in enumerate(people)]


async def test_two_that_add_to_the_same_scores_of_several_days_do_not_wait_for_each_other(side: Side) -> None:
    await add(side.one, gained(1, "test:g1"), gained(1, "test:g2"))
    async with side.holding("UPDATE score SET at = at WHERE person = $1", ("test:g1",), ("test:g2",)):
        first = start(write(side.one, Changes(scores=on_days("test:x", "test:g1", "test:a"))))
        await side.waits(first)
        second = start(write(side.two, Changes(scores=on_days("test:a", "test:g2", "test:x")), OTHER))
        await side.waits(first, second, number=2)
    await asyncio.gather(first, second)
    board = await read(side.one)
    assert {line.person: line.points for line in board.lines} == {
        "test:a": 200,
        "test:g1": 101,
        "test:g2": 101,
        "test:x": 200,
    }


async def queued(store: SqlStore, *sessions: str) -> None:
    """The first question of each, in a chat of its own, queued in this order."""
    for session in sessions:
        await begin(store, a_session(session), f"test:{session}")
        await queue(store, asked(0, session), chat=f"test:{session}")


async def requeued(store: SqlStore, *sessions: str) -> None:
    """One turn replaces these posts."""
    async with store.turns(dict.fromkeys((f"test:{session}" for session in sessions), ())) as turns:
        counters = [(session, asked(0, session, answered=1)) for session in sessions]
        posts = [Queued(f"test:{session}", post, after(3), lazy=True) for session, post in counters]
        await turns.write(Changes(posts=posts))


async def test_who_frees_the_posts_of_one_that_is_gone_does_not_wait_in_a_circle_with_a_turn(side: Side) -> None:
    async with store_on(side.url, worker="gone") as gone:
        await gone.sign_in(after(0))
        await queued(gone, "z", "g1", "a")
        assert len(await claim(gone)) == 3
        await queued(gone, "g2")
    async with side.holding("UPDATE outbox SET lazy = lazy WHERE session = $1", ("g1",), ("g2",)):
        turn = start(requeued(side.one, "a", "g2", "z"))
        await side.waits(turn)
        signing = start(side.two.sign_in(after(60)))
        await side.waits(turn, signing, number=2)
    await asyncio.gather(turn, signing)
    assert len(await claim(side.two, at=60)) == 4


async def test_who_forgets_somebody_does_not_wait_in_a_circle_with_delivery(side: Side) -> None:
    for session in ("z", "g1", "a"):
        await begin(side.one, a_session(session, host=BOB, host_name="Bob"), f"test:{session}")
        card = StartCard(session, "Bob", settings(), 3, private=False, state=CardState.WAITING)
        await queue(side.one, card, chat=f"test:{session}")
    await queued(side.one, "g2")
    claimed = await claim(side.one)
    to_note = [Delivered(outgoing, "m") for outgoing in claimed if outgoing.session in ("a", "g2", "z")]
    async with side.holding("UPDATE outbox SET lazy = lazy WHERE session = $1", ("g1",), ("g2",)):
        settling = start(side.one.settle(to_note, after(1)))
        await side.waits(settling)
        forgetting = start(side.two.forget(BOB))
        await side.waits(settling, forgetting, number=2)
    await asyncio.gather(settling, forgetting)
    assert await side.rows("SELECT session FROM outbox") == [("g1",)]
    assert "Bob" not in str(await side.rows("SELECT body FROM outbox"))


async def test_a_chat_that_moves_does_not_wait_in_a_circle_with_its_delivery(side: Side) -> None:
    await begin(side.one)
    await queue(side.one, asked(0))
    (shown,) = await claim(side.one)
    await side.one.settle([Delivered(shown, "m1")], after(0))
    await queue(side.one, asked(0, answered=1))
    (anew,) = await claim(side.one, at=5)
    async with side.holding("UPDATE message SET slot = slot WHERE session = $1", ("s1",)):
        move = start(side.two.move_chat(CHAT, OTHER))
        await side.waits(move)
        settling = start(side.one.settle([Delivered(anew, "m2")], after(5)))
        await side.waits(move, settling, number=2)
    await asyncio.gather(move, settling)
    assert await side.one.session(OTHER) == a_session()


# Nothing lost


def a_memory(right: int) -> Memory:
    return Memory(BOB, RED, "f1", answered=right, right=right)


async def test_what_two_learn_at_once_of_somebody_new_is_learned_of_both(side: Side) -> None:
    for number, chat in enumerate((CHAT, OTHER)):
        session = ended(a_session(f"s{number}", players=1))
        given = Changes(
            sessions=[(chat, session)],
            started=[(chat, session.id)],
            players=[(session.id, a_player(BOB))],
            responses=[a_response(BOB, session.id)],
        )
        await write(side.one, given, chat)
    async with side.one.lesson(9) as lesson:
        assert lesson is not None
        assert (await lesson.known([(BOB, RED)])).memories == {}
        other = start(learn_one_more(side.two))
        await side.waits(other)
        await lesson.keep(Studied((a_memory(1),)))
    await other
    assert (await side.one.knowledge(BOB)).memories == (a_memory(2),)


async def learn_one_more(store: SqlStore) -> None:
    async with store.lesson(9) as lesson:
        assert lesson is not None
        found = (await lesson.known([(BOB, RED)])).memories.get((BOB, RED), a_memory(0))
        await lesson.keep(Studied((a_memory(found.right + 1),)))


async def test_who_has_learned_nothing_yet_is_as_unknown_as_before_when_they_are_looked_for(side: Side) -> None:
    async with side.one.turns({CHAT: ()}) as turns:
        assert (await turns.known([(BOB, RED)])).learners == {}
    assert await side.one.due_reviews(BOB, 30000) == 0


async def test_a_worker_that_stood_still_has_no_say_about_what_another_has_claimed_since(side: Side) -> None:
    await begin(side.one)
    await queue(side.one, asked(0))
    (old,) = await claim(side.one)
    (new,) = await claim(side.two, at=121)
    await side.one.settle([Deferred(old, after(122))], after(121))
    assert await slots(side.one, at=125) == []
    await side.two.settle([Deferred(new, after(130))], after(125))
    assert await slots(side.one, at=130) == [(CHAT, "q0")]


async def test_what_a_worker_that_stood_still_has_sent_is_not_sent_again(side: Side) -> None:
    await begin(side.one)
    await queue(side.one, asked(0))
    (old,) = await claim(side.one)
    (new,) = await claim(side.two, at=121)
    await side.one.settle([Delivered(old, "m1")], after(121))
    await side.two.settle([Deferred(new, after(130))], after(125))
    assert await slots(side.one, at=130) == []
    assert await side.one.message("s1", "q0") == "m1"


async def test_two_that_forget_the_same_person_at_once_leave_nothing(side: Side) -> None:
    await begin(side.one, chat=BOB)

    async def forget(connection: Connection) -> None:
        await personal.forget(connection, side.dialect, BOB)

    await side.around(forget, side.two.forget(BOB))
    assert await side.rows("SELECT id FROM chat") == []


# Forgotten


async def plays(store: SqlStore, chat: str, session: str) -> None:
    """Bob has answered in a session there."""
    live = a_session(session, players=1)
    given = Changes(sessions=[(chat, live)], started=[(chat, session)], players=[(session, a_player(BOB))])
    await write(store, given, chat)


async def test_who_begins_to_play_elsewhere_while_they_are_forgotten_is_forgotten_there_too(side: Side) -> None:
    await plays(side.one, CHAT, "s1")
    async with side.one.turns({CHAT: ()}):
        forgetting = start(side.two.forget(BOB))
        await side.waits(forgetting)
        await plays(side.one, OTHER, "s2")
        playing = side.one.turns({OTHER: [BOB]})
        turns = await playing.__aenter__()
    await side.waits(forgetting)
    await turns.write(Changes(players=[("s2", a_player(BOB))], responses=[a_response(BOB, "s2")]))
    await playing.__aexit__(None, None, None)
    await forgetting
    assert await side.one.players("s2") == []
    assert await side.rows("SELECT * FROM response") == []


async def wants_reminders(store: SqlStore) -> None:
    await store.prefer(BOB, "reminders", "morning")


async def left(side: Side) -> list[int]:
    """Rows about Bob that a reminder could have left."""
    tables = ("preference", "learner", "outbox", "chat")
    return [(await side.rows(f"SELECT COUNT(*) FROM {table}"))[0][0] for table in tables]  # noqa: S608


async def test_who_is_forgotten_while_a_reminder_is_queued_gets_none(side: Side) -> None:
    await wants_reminders(side.one)

    async def remind(connection: Connection) -> None:
        assert await reminders.queue(connection, side.dialect, BOB, 20000, REMINDER, after(0))

    await side.around(remind, side.two.forget(BOB))
    assert await left(side) == [0, 0, 0, 0]


async def test_nobody_is_reminded_who_is_just_being_forgotten(side: Side) -> None:
    await wants_reminders(side.one)

    async def forget(connection: Connection) -> None:
        await personal.forget(connection, side.dialect, BOB)

    assert not await side.around(forget, side.two.remind(BOB, 20000, REMINDER, after(0)))
    assert await left(side) == [0, 0, 0, 0]


# Hidden


async def test_who_hides_while_their_chat_moves_is_hidden_where_it_went(side: Side) -> None:
    await add(side.one, gained(100, BOB))

    async def move(connection: Connection) -> None:
        await moving.move(connection, side.dialect, CHAT, OTHER)

    await side.around(move, side.two.prefer(BOB, "hidden", True))  # the port's values
    assert (await read(side.one, a_board(chat=OTHER))).lines == ()


async def test_who_hides_while_they_gain_something_is_hidden(side: Side) -> None:
    async def gain(connection: Connection) -> None:
        await scores.add(connection, side.dialect, [gained(100, BOB)])

    await side.around(gain, side.two.prefer(BOB, "hidden", True))
    assert (await read(side.one)).lines == ()


async def test_who_gains_something_while_they_hide_is_hidden(side: Side) -> None:
    async def hide(connection: Connection) -> None:
        await preferences.keep(connection, side.dialect, BOB, "hidden", value=True)

    await side.around(hide, add(side.two, gained(100, BOB)))
    assert (await read(side.one)).lines == ()


# The start


async def test_nobody_serves_from_what_a_copy_has_begun_to_fill_since_they_looked(side: Side) -> None:
    async def copy(connection: Connection) -> None:
        await connection.fetch("SELECT pg_advisory_xact_lock(hashtextextended('quizbot workers', 0))")
        await connection.fetch(f"CREATE TABLE {COPYING} (name TEXT)")

    with pytest.raises(StoreError, match="not whole yet"):
        await side.around(copy, side.two.recover(after(0)))
    assert await side.rows("SELECT id FROM worker") == []


# One connection


async def test_a_transaction_that_cannot_begin_gives_its_connection_back_wherever_it_is_cancelled(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with driver_on(postgres_url, connections=1) as driver:
        points = 0

        async def refused() -> None:
            with monkeypatch.context() as patch:
                patch.setattr(postgres, "WRITING", "BEGIN; SELECT 1 / 0")
                with pytest.raises(StoreError, match="division by zero"):
                    async with driver.transaction():
                        pass

        async for points in cancelled_everywhere(refused):  # noqa: B007  # used below
            async with driver.transaction() as connection:
                assert await connection.fetch("SELECT 1") == [(1,)]
        assert points > 0


async def swallowing(driver: PostgresDriver) -> None:
    """A transaction in which somebody takes no notice of an error."""
    async with driver.transaction() as connection:
        await connection.write("UPDATE chat SET session = $1", [("s9",)])
        with suppress(StoreError):
            await connection.fetch("SELECT 1 / 0")


async def test_an_error_that_somebody_swallows_lets_nothing_of_its_transaction_through(side: Side) -> None:
    await begin(side.one)
    with pytest.raises(StoreError):
        await swallowing(side.driver)
    assert await side.one.session(CHAT) == a_session()


async def failing(driver: PostgresDriver) -> None:
    """A transaction that writes on after what cannot be written."""
    async with driver.transaction() as connection:
        await connection.write("INSERT INTO nowhere VALUES ($1)", [(1,)])
        await connection.write("UPDATE chat SET session = $1", [("s9",)])


async def test_the_first_error_of_a_transaction_is_told_and_not_what_came_of_it(side: Side) -> None:
    with pytest.raises(StoreError, match='relation "nowhere" does not exist'):
        await failing(side.driver)
