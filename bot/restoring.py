"""`quizbot restore`: puts a backup in the place of the database, whole or not at all. Nobody may serve from it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from bot import databases
from bot.headway import Watch, headway
from bot.ports import StoreError
from bot.relocating import check_unused, make_room
from bot.storage import copying, migrating, sqlite_copy
from bot.storage.copying import Headway
from bot.storage.driver import Connection, Driver, queue
from bot.storage.migrating import SCHEMA
from bot.storage.sqlite import SqliteDriver, locked
from bot.storage.sqlite_copy import Contents
from bot.storage.within import Within

RESTORING = ".restoring"


def restore_here(url: str, file: Path, *, replace: bool) -> None:
    """Restore, saying on stderr how far it is. Raises click's errors for what people can mend."""
    if databases.path_of(url) == databases.MEMORY:
        raise click.ClickException("the database is in memory: set QUIZBOT_DATABASE_URL to that of the bot")
    if not file.exists():
        raise click.ClickException(f"there is no {file}: name a file that `quizbot backup` wrote")
    watch = Watch()
    try:
        with headway() as told:
            if databases.is_shared(url):
                found = asyncio.run(into_server(url, file, told, replace=replace))
            else:
                found = into_file(Path(databases.path_of(url)).resolve(), file, told, replace=replace)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    served = f", served until {found.served:%Y-%m-%d %H:%M} UTC" if found.served else ""
    click.echo(f"restored and checked {watch.rate(found.total)}{served}; now start the bot (quizbot run)", err=True)


def _usable(found: Contents, file: Path) -> Contents:
    if found.version == 0:
        raise StoreError(f"{file} is no backup of Quizbot")
    if found.version > SCHEMA.version:
        raise StoreError(
            f"{file} has schema {found.version}, this version of Quizbot knows {SCHEMA.version}: update Quizbot"
        )
    if not found.whole:
        raise StoreError(f"{file} is not whole: it is a database into which a copy was interrupted")
    return found


# Into a file


def into_file(path: Path, file: Path, told: Headway, *, replace: bool) -> Contents:
    """A new file is made ready beside the one there is, and takes its place. Raises StoreError."""
    lock = locked(path)
    try:
        if path.exists():
            _check_there(path, file, replace=replace)
        with sqlite_copy.unfinished(path, RESTORING) as fresh:
            found = _made_ready(fresh, file, told)
            sqlite_copy.owned_like(fresh, path if path.exists() else path.parent)
            if path.exists():
                sqlite_copy.close_journal(path)
            sqlite_copy.remove_journals(path)
            sqlite_copy.put_in_place(fresh, path)
        return found
    finally:
        lock.release()


def _check_there(path: Path, file: Path, *, replace: bool) -> None:
    if path.samefile(file):
        raise StoreError(f"{file} is the database itself: name a backup")
    if replace or path.stat().st_size == 0:
        return
    try:
        rows = sqlite_copy.contents(path).rows
    except StoreError as error:
        raise StoreError(f"{error}. To put the backup in its place, add --replace, and it is gone") from error
    held = [name for name, count in rows.items() if count]
    if held:
        raise StoreError(
            f"{path} holds an installation already ({', '.join(sorted(held))}): move it away, or add --replace, and "
            "everything in it is lost"
        )


def _made_ready(fresh: Path, file: Path, told: Headway) -> Contents:
    wanted = _usable(sqlite_copy.copied(file, fresh, told), file)
    try:
        found = sqlite_copy.settled(fresh)
    except StoreError as error:
        raise StoreError(str(error).replace(str(fresh), str(file))) from error
    if found.rows != wanted.rows:
        raise StoreError(f"what was read from {file} is not what is in it: try again, and look at the disk")
    asyncio.run(_bring_up_to_date(fresh))
    return sqlite_copy.settled(fresh)


async def _bring_up_to_date(fresh: Path) -> None:
    driver = await SqliteDriver.open(str(fresh), alone=False)
    try:
        await migrating.migrate(driver, SCHEMA)
    finally:
        await driver.close()


# Into a server


async def into_server(url: str, file: Path, told: Headway, *, replace: bool) -> Contents:
    """Everything happens in one transaction. Raises StoreError."""
    source = await SqliteDriver.open_to_read(str(file))
    try:
        await _check_whole(source, file)
        found = _usable(sqlite_copy.contents(file), file)
        target = await databases.driver(url)
        try:
            async with target.transaction() as connection:
                await _replace(connection, target, source, found, told, replace=replace)
        finally:
            await target.close()
    finally:
        await source.close()
    return found


async def _check_whole(source: Driver, file: Path) -> None:
    async with source.reading() as connection:
        (said, *_) = await connection.fetch("PRAGMA integrity_check(1)")
    if said != ("ok",):
        raise StoreError(f"database {file}: {' '.join(str(said[0]).split())}: it is damaged; take an older backup")


async def _replace(
    connection: Connection, target: Driver, source: Driver, found: Contents, told: Headway, *, replace: bool
) -> None:
    await copying.patient(connection, target.dialect)
    await queue(connection, target.dialect, "workers")
    await check_unused(connection, target, "the database")
    await make_room(connection, target, replace=replace)
    within = Within(connection, target.dialect)
    await copying.begin(within, "", SCHEMA.at(found.version))
    async with source.reading() as origin:
        await copying.fill(origin, source.dialect, within, told)
        compared = await copying.compare(origin, source.dialect, within, told)
        if compared.differing:
            raise StoreError(f"what was restored is not what is in the backup: {compared.differences[0]}; try again")
        await copying.finish(within, await copying.numbers(origin, source.dialect))
    await migrating.migrate(within, SCHEMA)
