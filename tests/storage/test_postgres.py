"""What is PostgreSQL's own: a server that stops, several processes at once, a pooler between; and words that keep the
password to themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from random import Random

import pytest

from bot.core.effects import Post, Told
from bot.ports import Changes, Delivered, Outgoing, StoreError, StoreUnavailableError
from bot.storage import outbox, postgres
from bot.storage.driver import first
from bot.storage.holding import hold_free
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from tests.engine.world import opened
from tests.postgres.databases import at
from tests.postgres.pooler import pooler
from tests.postgres.server import Server, begin
from tests.storage.building import (
    CHAT,
    OTHER,
    PLATFORM,
    a_player,
    a_session,
    after,
    asked,
    claim,
    closed,
    queue,
    save,
    write,
)
from tests.storage.building import begin as begin_session

HERE = "database postgresql://127.0.0.1"
CHATS = [f"test:{number}" for number in range(8)]


@asynccontextmanager
async def store_on(url: str, connections: int = 2, worker: str = "alone") -> AsyncIterator[SqlStore]:
    driver = await PostgresDriver.open(url, connections)
    try:
        made = SqlStore(driver, [PLATFORM], worker)
        await made.migrate()
        yield made
    finally:
        await driver.close()


@asynccontextmanager
async def driver_on(url: str, connections: int = 2) -> AsyncIterator[PostgresDriver]:
    driver = await PostgresDriver.open(url, connections)
    try:
        yield driver
    finally:
        await driver.close()


@pytest.fixture
async def processes(postgres_url: str) -> AsyncIterator[tuple[SqlStore, SqlStore]]:
    """Two on one database."""
    async with store_on(postgres_url, worker="one") as one, store_on(postgres_url, worker="two") as two:
        yield one, two


WAITING = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
ADVISORY = """
    SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND datname = current_database()
"""


async def waiting(url: str, number: int = 1) -> None:
    """Return once so many transactions wait for a lock that others hold."""
    async with driver_on(url) as driver:
        while True:
            async with driver.reading() as connection:
                if await first(connection, WAITING) == number:
                    return


# Tables


async def test_every_text_sorts_by_its_code_points_as_in_sqlite(postgres_url: str) -> None:
    async with store_on(postgres_url), driver_on(postgres_url) as driver, driver.reading() as connection:
        others = await connection.fetch(
            """
            SELECT table_name, column_name, collation_name FROM information_schema.columns
            WHERE table_schema = 'public' AND data_type IN ('text', 'character varying')
              AND collation_name IS DISTINCT FROM 'C'
            """
        )
    assert others == []


async def test_processes_that_begin_at_once_make_the_tables_once(postgres_url: str) -> None:
    async with AsyncExitStack() as stack:
        stores = await asyncio.gather(*(stack.enter_async_context(store_on(postgres_url)) for _ in range(4)))
        await begin_session(stores[0])
        assert [await store.session(CHAT) for store in stores] == [a_session()] * 4


# A transaction and its limits


async def test_a_transaction_brings_its_limits_and_leaves_none_behind(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_isolation")
    async with driver_on(postgres_url, connections=1) as driver:
        async with driver.transaction() as connection:
            assert [await first(connection, f"SHOW {name}") for name in names] == ["15s", "5s", "30s", "read committed"]
        async with driver.reading() as connection:
            assert [await first(connection, f"SHOW {name}") for name in names[:3]] == ["15s", "5s", "30s"]
        monkeypatch.setattr(postgres, "WRITING", "BEGIN")
        async with driver.transaction() as connection:
            assert [await first(connection, f"SHOW {name}") for name in names[:3]] == ["0", "0", "0"]


async def test_what_is_only_read_cannot_be_written(postgres_url: str) -> None:
    async with driver_on(postgres_url) as driver:
        with pytest.raises(StoreError, match="read-only"):
            async with driver.reading() as connection:
                await connection.fetch("CREATE TABLE mine (id INTEGER)")


async def test_a_statement_that_takes_too_long_is_given_up(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "WRITING", "BEGIN; SET LOCAL statement_timeout = 30")
    async with driver_on(postgres_url, connections=1) as driver:
        with pytest.raises(StoreError, match="statement timeout: it took too long"):
            async with driver.transaction() as connection:
                await connection.fetch("SELECT pg_sleep(3600)")
        async with driver.transaction() as connection:
            assert await first(connection, "SELECT 1") == 1


async def test_a_lock_that_others_keep_is_not_waited_for_for_ever(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with store_on(postgres_url) as store:
        await begin_session(store)
        monkeypatch.setattr(postgres, "WRITING", "BEGIN; SET LOCAL lock_timeout = 30")
        async with store.turns({CHAT: ()}):
            with pytest.raises(StoreError, match="lock timeout: something else holds"):
                await save(store, a_session(at=1))
        await save(store, a_session(at=2))
        assert await store.session(CHAT) == a_session(at=2)


# A server that goes and comes back


@pytest.fixture(scope="module")
def server(postgres_server: str) -> Iterator[Server]:
    """One that these tests may stop; where the run can have none, there is none here either."""
    made = begin()
    yield made
    made.close()


async def test_a_restart_between_two_transactions_is_noticed_by_nobody(server: Server) -> None:
    async with driver_on(server.url(), connections=3) as driver:
        async with driver.reading(), driver.reading(), driver.reading():
            pass  # now there are three connections to lose
        await asyncio.to_thread(server.restart)
        async with driver.reading() as one, driver.transaction() as two, driver.reading() as three:
            assert [await first(each, "SELECT 1") for each in (one, two, three)] == [1, 1, 1]


async def interrupted(driver: PostgresDriver, what: Callable[[], None]) -> None:
    """A transaction in the middle of which this happens."""
    async with driver.transaction() as connection:
        await connection.write("INSERT INTO kept (id) VALUES ($1)", [(1,), (2,)])
        await first(connection, "SELECT 1")
        await asyncio.to_thread(what)
        while True:  # after a kill the one at the other end goes on for a moment, and could commit
            await first(connection, "SELECT 1")


@pytest.mark.parametrize("end", [Server.kill, Server.restart], ids=lambda end: end.__name__)
async def test_a_server_lost_in_the_middle_was_unavailable_and_nothing_of_it_is_there(
    server: Server, end: Callable[[Server], None]
) -> None:
    async with driver_on(server.url()) as driver:
        async with driver.transaction() as connection:
            await connection.fetch("DROP TABLE IF EXISTS kept")
            await connection.fetch("CREATE TABLE kept (id INTEGER)")
        with pytest.raises(StoreUnavailableError, match=HERE):
            await interrupted(driver, lambda: end(server))
        if end is Server.kill:
            await asyncio.to_thread(server.start)
        async with driver.transaction() as connection:
            assert await first(connection, "SELECT COUNT(*) FROM kept") == 0
            await connection.write("INSERT INTO kept (id) VALUES ($1)", [(4,)])
        async with driver.reading() as connection:
            assert await connection.fetch("SELECT id FROM kept") == [(4,)]


async def test_while_there_is_no_server_it_is_said_what_to_do(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "PATIENCE", 0.1)
    async with driver_on(server.url()) as driver:
        await asyncio.to_thread(server.stop)
        try:
            for _ in range(2):
                with pytest.raises(StoreUnavailableError, match="check that the server runs"):
                    async with driver.transaction():
                        pass
        finally:
            await asyncio.to_thread(server.start)


# What cannot be stored, and what is not said


@pytest.mark.parametrize("name", ["Bo\0b", "Bo\ud800b"], ids=["nul", "surrogate"])
async def test_a_name_that_no_adapter_lets_in_harms_nothing_but_its_own_turn(postgres_url: str, name: str) -> None:
    async with store_on(postgres_url, connections=1) as store:
        await begin_session(store)
        with pytest.raises((StoreError, UnicodeEncodeError)):
            await write(store, Changes(players=[("s1", a_player("test:a")), ("s1", a_player(name=name))]))
        assert await store.players("s1") == []
        await write(store, Changes(players=[("s1", a_player())]))
        assert await store.players("s1") == [a_player()]


@pytest.mark.parametrize("wrong", ["user", "database", "port"])
async def test_no_error_says_the_password(postgres_url: str, wrong: str) -> None:
    url = {
        "user": postgres_url.replace("//quizbot:", "//nobody:hunter2"),
        "database": at(postgres_url, "no_such"),
        "port": "postgresql://quizbot:hunter2@127.0.0.1:1/quizbot",
    }[wrong]
    with pytest.raises(StoreError, match=HERE) as caught:
        await PostgresDriver.open(url, 1)
    error: BaseException | None = caught.value
    while error:
        assert "hunter2" not in f"{error} {error!r}"
        assert url.split(":")[2].split("@")[0] not in f"{error} {error!r}"
        error = error.__cause__ or error.__context__


# Several processes


async def test_a_chat_that_another_process_is_at_is_left_for_later(processes: tuple[SqlStore, SqlStore]) -> None:
    one, two = processes
    await begin_session(one)
    async with one.turns({CHAT: ()}), two.turns({CHAT: (), OTHER: ()}) as turns:
        assert set(turns.chats) == {OTHER}
    async with two.turns({CHAT: (), OTHER: ()}) as turns:
        assert set(turns.chats) == {CHAT, OTHER}


async def test_where_there_is_nothing_else_to_do_a_turn_waits_and_sees_what_the_other_did(
    processes: tuple[SqlStore, SqlStore], postgres_url: str
) -> None:
    one, two = processes
    async with one.turns({CHAT: ()}) as turns:
        later = asyncio.create_task(seen(two))
        await waiting(postgres_url)
        await turns.write(Changes(sessions=[(CHAT, a_session())], started=[(CHAT, "s1")]))
    assert await later == a_session()


async def seen(store: SqlStore) -> object:
    async with store.turns({CHAT: ()}) as turns:
        return turns.chats[CHAT].session


async def test_two_starts_in_one_chat_in_one_moment_are_one_session(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url, updates=1000) as two:
        replies = await asyncio.gather(
            *(world.engine.handle(chat, world.starting()) for chat in CHATS for world in (one, two))
        )
        sessions = await one.rows("SELECT chat FROM session ORDER BY chat")
    assert sessions == [(chat,) for chat in CHATS]
    assert [isinstance(reply, Told) for reply in replies].count(True) == len(CHATS)


async def test_a_post_goes_to_one_process_and_no_chat_gets_two_at_a_time(
    processes: tuple[SqlStore, SqlStore],
) -> None:
    for chat in CHATS:
        await begin_session(processes[0], a_session(chat), chat)
        await queue(processes[0], asked(0, chat), closed(1, chat), chat=chat)
    claimed = [
        one for each in await asyncio.gather(*(claim(store, limit=3) for store in processes * 3)) for one in each
    ]
    assert sorted(outgoing.chat for outgoing in claimed) == CHATS


async def test_who_claims_posts_waits_for_another_who_does_and_sees_what_they_took(
    processes: tuple[SqlStore, SqlStore], postgres_url: str
) -> None:
    await begin_session(processes[0])
    await queue(processes[0], asked(0, answered=1), lazy=5)
    await queue(processes[0], closed(1))
    async with driver_on(postgres_url) as driver:
        async with driver.transaction() as connection:
            taken = await outbox.claim(connection, driver.dialect, "one", PLATFORM, after(0), after(120), 9)
            later = asyncio.create_task(claim(processes[1], at=6))
            held = asyncio.create_task(waiting(postgres_url))
            await asyncio.wait({later, held}, return_when=asyncio.FIRST_COMPLETED)
            held.cancel()
        assert [outgoing.slot for outgoing in taken] == ["q1"]
        assert await later == []


async def test_a_chat_that_moves_does_not_wait_in_a_circle_with_a_turn_in_a_new_chat(
    processes: tuple[SqlStore, SqlStore], postgres_url: str
) -> None:
    await begin_session(processes[0], chat=OTHER)
    async with driver_on(postgres_url, connections=3) as driver:
        async with driver.transaction() as connection:
            await hold_free(connection, driver.dialect, [OTHER])
            moving = asyncio.create_task(processes[1].move_chat(OTHER, CHAT))
            await waiting(postgres_url)
            assert await hold_free(connection, driver.dialect, [OTHER, CHAT]) == {OTHER, CHAT}
        await moving
        assert await processes[0].session(CHAT) == a_session()


async def test_a_deadline_of_a_chat_that_another_process_is_at_is_left_to_it(
    processes: tuple[SqlStore, SqlStore],
) -> None:
    one, two = processes
    await begin_session(one)
    async with one.turns({CHAT: ()}) as turns:
        await turns.write(Changes(sessions=[(CHAT, a_session(at=1))]))
        async with one.turns({OTHER: ()}):
            assert await two.due(after(20), 9) == []
    assert [due.session for due in await two.due(after(20), 9)] == ["s1"]


async def work(store: SqlStore, random: Random, batches: int) -> int:
    """Turns over some chats each, in any order, each of which adds to what it found, and between them deliveries; how
    many turns chats have had."""
    served = 0
    for _ in range(batches):
        wanted = random.sample(CHATS, random.randint(1, 5))
        async with store.turns(dict.fromkeys(wanted, ())) as turns:
            found = [(chat, state.session) for chat, state in turns.chats.items() if state.session]
            more = [(chat, replace(session, tally=(session.tally[0] + 1, 0, 0, 0))) for chat, session in found]
            await turns.write(Changes(sessions=more))
            served += len(more)
        await deliver(store, await claim(store))
        posts: list[Post] = [asked(0, wanted[0]), closed(1, wanted[0])]
        await queue(store, *random.sample(posts, 2), chat=wanted[0])
    return served


async def deliver(store: SqlStore, claimed: list[Outgoing]) -> None:
    await store.settle([Delivered(outgoing, "m1") for outgoing in claimed], after(0))


async def test_no_batch_waits_for_ever_for_another_and_none_is_lost(processes: tuple[SqlStore, SqlStore]) -> None:
    for chat in CHATS:
        await begin_session(processes[0], a_session(chat), chat)
    workers = [(store, Random(f"{number}")) for number, store in enumerate(processes * 2)]
    served = await asyncio.gather(*(work(store, random, 50) for store, random in workers))
    sessions = [await processes[0].session(chat) for chat in CHATS]
    assert sum(session.tally[0] for session in sessions if session) == sum(served)


# Through a pooler


async def test_nothing_is_left_in_a_connection_that_another_transaction_needs(postgres_url: str) -> None:
    async with pooler(postgres_url, 3) as between, store_on(between.url, worker="one") as store:
        for chat in CHATS:
            await begin_session(store, a_session(chat), chat)
        await asyncio.gather(work(store, Random("a"), 5), work(store, Random("b"), 5))
        await store.sign_in(after(0), ["test"])
        await store.sign_out(after(1))
        served = [behind.served for behind in between.behind]
    assert min(served) > 10
    async with driver_on(postgres_url) as driver, driver.reading() as connection:
        held = await connection.fetch(ADVISORY)
    assert held == []
