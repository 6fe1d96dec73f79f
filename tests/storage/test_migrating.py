"""The tables: made where there are none, left as they are where they fit, refused where they are newer."""

from __future__ import annotations

import pytest

from bot.ports import StoreError
from bot.storage.driver import Driver
from bot.storage.schema import MIGRATIONS
from bot.storage.sql import SqlStore
from tests.storage.building import CHAT, PLATFORM, a_session, begin


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
