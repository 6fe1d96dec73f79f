"""The tables: made where there are none, left as they are where they fit, refused where they are newer."""

from __future__ import annotations

import pytest

from bot import codec
from bot.codec import millis
from bot.core.session import Session, wake_at
from bot.learning.memory import Studied
from bot.ports import Due, StoreError
from bot.preferences import Preferences
from bot.storage.driver import Driver
from bot.storage.schema import MIGRATIONS
from bot.storage.sql import SqlStore
from tests.storage.building import CHAT, OTHER, PLATFORM, a_player, a_session, after, asked, begin, claim, ended, save


async def versions(driver: Driver) -> list[int]:
    async with driver.reading() as connection:
        return [row[0] for row in await connection.fetch("SELECT version FROM schema_version ORDER BY version")]


async def test_an_empty_database_gets_every_migration_in_order(driver: Driver) -> None:
    await SqlStore(driver, [PLATFORM]).migrate()
    assert await versions(driver) == list(range(1, len(MIGRATIONS) + 1))


async def test_a_database_that_is_up_to_date_is_left_alone(store: SqlStore, driver: Driver) -> None:
    await begin(store)
    before = await versions(driver)
    await store.migrate()
    assert await versions(driver) == before
    assert await store.session(CHAT) == a_session()


async def test_a_newer_database_is_refused_in_words_that_say_what_to_do(store: SqlStore, driver: Driver) -> None:
    newer = len(MIGRATIONS) + 1
    async with driver.transaction() as connection:
        await connection.write("INSERT INTO schema_version (version) VALUES ($1)", [(newer,)])
    with pytest.raises(StoreError, match=rf"schema {newer}.*update Quizbot, or point QUIZBOT_DATABASE_URL"):
        await store.migrate()
    await begin(store)


async def test_a_migration_that_fails_leaves_the_tables_as_they_were(driver: Driver) -> None:
    async with driver.transaction() as connection:
        await connection.fetch("CREATE TABLE response (something TEXT)")
    with pytest.raises(StoreError, match="response"):
        await SqlStore(driver, [PLATFORM]).migrate()
    assert await versions(driver) == []
    with pytest.raises(StoreError, match="chat"):
        await SqlStore(driver, [PLATFORM]).session(CHAT)


# From version to version


async def version(driver: Driver, number: int) -> None:
    """The tables as this version made them."""
    async with driver.transaction() as connection:
        await connection.fetch("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)")
        for made, statements in enumerate(MIGRATIONS[:number], 1):
            for statement in statements:
                await connection.fetch(driver.dialect.spell(statement))
            await connection.write("INSERT INTO schema_version (version) VALUES ($1)", [(made,)])


async def put(driver: Driver, table: str, *rows: tuple[object, ...]) -> None:
    places = ", ".join(f"${number}" for number in range(1, len(rows[0]) + 1))
    async with driver.transaction() as connection:
        await connection.write(f"INSERT INTO {table} VALUES ({places})", list(rows))  # noqa: S608  # names of ours


def row_of(session: Session, chat: str) -> tuple[object, ...]:
    wake = wake_at(session)
    state = codec.dump_session(session)
    return (session.id, PLATFORM, chat, session.quiz, state, wake and millis(wake))


async def test_a_database_of_the_first_version_comes_through_with_everything_in_it(driver: Driver) -> None:
    running, over = a_session("s1"), ended(a_session("s2"))
    await version(driver, 1)
    await put(driver, "chat", (CHAT, "s1", "bg"), (OTHER, "s2", None), ("test:3", None, "ro"), ("test:4", None, None))
    await put(driver, "session", row_of(running, CHAT), row_of(over, OTHER))
    await put(driver, "player", ("s1", *codec.dump_player(a_player())))
    await put(driver, "response", ("s1", 0, "test:bob", "q0", 1, 1, 100, 1000))
    body = codec.dump_post(asked(0, answered=1))
    await put(driver, "outbox", (5, PLATFORM, CHAT, "s1", "q0", body, millis(after(0)), 0, 3, 0, 0, None))
    await put(driver, "message", ("s1", "q0", "m1"))

    store = SqlStore(driver, [PLATFORM])
    await store.migrate()

    assert await versions(driver) == list(range(1, len(MIGRATIONS) + 1))
    found = await store.preferences([CHAT, OTHER, "test:3", "test:4"])
    assert {id_: each.language for id_, each in found.items()} == {
        CHAT: "bg",
        OTHER: None,
        "test:3": "ro",
        "test:4": None,
    }
    assert found[OTHER] == Preferences()
    assert await store.session(CHAT) == running
    assert await store.session(OTHER) == over
    assert await store.due(after(20), 9) == [Due(CHAT, "s1", after(20))]
    (outgoing,) = await claim(store)
    assert (outgoing.id, outgoing.revision, outgoing.language, outgoing.message) == (5, 3, "bg", "m1")
    assert codec.load_post(outgoing.body) == asked(0, answered=1)
    async with store.turns({CHAT: ["test:bob"]}) as turns:
        assert turns.chats[CHAT].players == {"test:bob": a_player()}
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT id FROM chat ORDER BY id") == [(CHAT,), (OTHER,)]
        assert await connection.fetch("SELECT COUNT(*) FROM response") == [(1,)]


async def test_a_database_that_came_through_is_used_as_one_that_was_made_new(driver: Driver) -> None:
    await version(driver, 1)
    await put(driver, "chat", (CHAT, None, "bg"))
    store = SqlStore(driver, [PLATFORM])
    await store.migrate()
    await store.migrate()
    await begin(store)
    await save(store, ended(a_session()))
    await store.prefer(CHAT, "language", "ro")
    assert (await store.preferences([CHAT]))[CHAT].language == "ro"


async def test_a_database_of_the_third_version_learns_from_what_was_played_before(driver: Driver) -> None:
    await version(driver, 3)
    sessions = {
        "live": a_session("live", players=1),
        "later": ended(a_session("later", players=1)),
        "first": ended(a_session("first", players=1, host="test:cat")),
        "silent": ended(a_session("silent")),
    }
    await put(driver, "session", *(row_of(session, f"test:{id_}") for id_, session in sessions.items()))
    await put(driver, "session", ("odd", PLATFORM, "test:odd", "digest", "{not json", None))
    for session, at in (("live", 1), ("later", 3000), ("first", 2000), ("odd", 1000)):
        await put(driver, "player", (session, *codec.dump_player(a_player())))
        await put(driver, "response", (session, 0, "test:bob", "q0", 1, 1, 100, at))
    await put(driver, "preference", (CHAT, "bg", None, None, None, None, None, 1))

    store = SqlStore(driver, [PLATFORM])
    await store.migrate()

    async with driver.reading() as connection:
        hosts = dict(await connection.fetch("SELECT id, host FROM session"))
    expected = {id_: session.host for id_, session in sessions.items()}
    assert hosts == {**expected, "odd": None}
    assert (await store.preferences([CHAT]))[CHAT] == Preferences(language="bg", thread=True)
    learned = []
    while True:
        async with store.lesson(100) as lesson:
            if lesson is None:
                break
            learned.append((lesson.session.id, [each.question_id for each in lesson.responses]))
            await lesson.keep(Studied())
    assert learned == [("first", ["q0"]), ("later", ["q0"])]


async def test_who_hosts_a_session_is_kept_beside_it(store: SqlStore, driver: Driver) -> None:
    await begin(store)
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT host FROM session") == [("test:ann",)]
    await save(store, a_session(host=""))
    async with driver.reading() as connection:
        assert await connection.fetch("SELECT host FROM session") == [("",)]
