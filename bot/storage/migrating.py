"""Brings the tables up to date, and says whether this version may use those that there are. Knows no table but the one
that tells."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.ports import OutdatedError, StoreError
from bot.storage.driver import Connection, Dialect, Driver, first, queue
from bot.storage.schema import BESIDE, MIGRATIONS

SINCE_BESIDE = 5
"""The migration from which on it is stored which older versions go on."""

VERSIONS = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)"

COPYING = "copying"
"""The table that is there as long as an installation is being copied into this database."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables as a version of the program knows them: numbered `migrations`, each with the oldest schema whose
    program goes on `beside` it, where that is another than its own."""

    migrations: Sequence[Sequence[str]]
    beside: Mapping[int, int]

    @property
    def version(self) -> int:
        """The last migration."""
        return len(self.migrations)

    def at(self, version: int) -> Schema:
        """As it was with this one as the last."""
        return Schema(self.migrations[:version], self.beside)


SCHEMA = Schema(MIGRATIONS, BESIDE)


async def migrate(driver: Driver, schema: Schema) -> None:
    """Bring the tables up to this schema, one transaction a step, of however many processes that begin at once. Raises
    StoreError when they are newer, unless this schema goes on beside them."""
    async with _in_turn(driver) as connection:
        await refuse_half(connection, driver.dialect)
        await connection.fetch(VERSIONS)
    while await _step(driver, schema):
        pass


@asynccontextmanager
async def _in_turn(driver: Driver) -> AsyncIterator[Connection]:
    """A transaction that changes tables after those of others who do, however long they take, and takes as long as it
    needs. A table that somebody uses it waits for only shortly: behind it waits everybody else who wants that table."""
    async with driver.transaction() as connection:
        for statement in driver.dialect.catalog.waiting:
            await connection.fetch(statement)
        await queue(connection, driver.dialect, "schema")
        for statement in driver.dialect.catalog.waited:
            await connection.fetch(statement)
        yield connection


async def refuse_half(connection: Connection, dialect: Dialect) -> None:
    """Raises StoreError while an installation is being copied into this database."""
    if any(table == COPYING for table, *_ in await connection.fetch(dialect.catalog.columns)):
        raise StoreError(
            "the database is not whole yet: `quizbot db copy` fills it; wait until it has ended, or call it again, "
            "and it goes on where it was interrupted"
        )


async def check(driver: Driver, schema: Schema) -> None:
    """Whether the tables are those of this schema, for whoever may not change them. Raises StoreError."""
    async with driver.reading() as connection:
        version = await version_of(connection, schema)
    if version < schema.version:
        raise StoreError(
            f"the database has schema {version}, this version of Quizbot needs {schema.version}: "
            "start the bot once, which brings it up to date (quizbot run)"
        )


async def _step(driver: Driver, schema: Schema) -> bool:
    """Make the next migration; whether there was one."""
    async with _in_turn(driver) as connection:
        number = await version_of(connection, schema) + 1
        if number > schema.version:
            return False
        for statement in schema.migrations[number - 1]:
            await connection.fetch(driver.dialect.spell(statement))
        if number < SINCE_BESIDE:
            await connection.write("INSERT INTO schema_version (version) VALUES ($1)", [(number,)])
        else:
            noted = (number, schema.beside.get(number, number))
            await connection.write("INSERT INTO schema_version (version, oldest) VALUES ($1, $2)", [noted])
    return True


async def version_of(connection: Connection, schema: Schema) -> int:
    """The last migration that was made. Raises OutdatedError when it is newer than this schema, and does not say that
    this one goes on beside it."""
    found: int = await first(connection, "SELECT COALESCE(MAX(version), 0) FROM schema_version") or 0
    if found > schema.version and not await _goes_on(connection, schema):
        raise OutdatedError(
            f"the database has schema {found}, this version of Quizbot knows {schema.version}: "
            "update Quizbot, or point QUIZBOT_DATABASE_URL at another database"
        )
    return found


async def _goes_on(connection: Connection, schema: Schema) -> bool:
    if schema.version < SINCE_BESIDE:
        return False
    oldest = await first(
        connection, "SELECT MAX(COALESCE(oldest, version)) FROM schema_version WHERE version > $1", schema.version
    )
    return oldest is not None and oldest <= schema.version
