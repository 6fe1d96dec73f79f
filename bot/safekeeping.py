"""`quizbot backup`: the database as it is at one moment, in a file that is whole and checked, or not there. The bot may
run meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from bot import databases
from bot.headway import Watch, headway
from bot.ports import StoreError
from bot.storage import copying, sqlite_copy
from bot.storage.copying import Headway
from bot.storage.driver import Driver
from bot.storage.migrating import SCHEMA
from bot.storage.sqlite import SqliteDriver
from bot.storage.sqlite_copy import Contents

PARTIAL = ".partial"


def back_up_here(url: str, file: Path, *, force: bool) -> None:
    """Write the backup, saying on stderr how far it is. Raises click's errors for what people can mend."""
    _check(url, file, force=force)
    watch = Watch()
    try:
        with sqlite_copy.unfinished(file, PARTIAL) as partial:
            with headway() as told:
                _write(url, partial, told)
            found = sqlite_copy.contents(partial)
            if file.exists() and not force:
                raise click.ClickException(f"{file} is there already: name another file, or add --force")
            sqlite_copy.put_in_place(partial, file)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    size = file.stat().st_size / 1_000_000
    click.echo(f"{file} is a whole backup ({size:,.1f} MB, checked): {watch.rate(found.total)}", err=True)


def _check(url: str, file: Path, *, force: bool) -> None:
    path = Path(databases.path_of(url))
    if databases.path_of(url) == databases.MEMORY:
        raise click.ClickException("the database is in memory: set QUIZBOT_DATABASE_URL to that of the bot")
    if not databases.is_there(url):
        raise click.ClickException(f"there is no {path} to back up: set QUIZBOT_DATABASE_URL to that of the bot")
    if not file.exists():
        return
    if not databases.is_shared(url) and file.samefile(path):
        raise click.ClickException(f"{file} is the database itself: name another file")
    if not force:
        raise click.ClickException(f"{file} is there already: name another file, or add --force")


def _write(url: str, partial: Path, told: Headway) -> None:
    wanted = (
        asyncio.run(_from_server(url, partial, told)) if databases.is_shared(url) else _from_file(url, partial, told)
    )
    found = sqlite_copy.settled(partial)
    if (found.version, found.rows) != (wanted.version, wanted.rows):
        raise StoreError("the backup has not the rows that the database has: try again, and look at the disk")


def _from_file(url: str, partial: Path, told: Headway) -> Contents:
    found = sqlite_copy.copied(Path(databases.path_of(url)), partial, told)
    if found.version == 0:
        raise StoreError(f"there is nothing to back up: {databases.path_of(url)} is no database of Quizbot")
    if not found.whole:
        raise StoreError("the database is not whole: a copy into it was interrupted; finish that first")
    return found


async def _from_server(url: str, partial: Path, told: Headway) -> Contents:
    source = await databases.driver(url)
    try:
        target = await SqliteDriver.open(str(partial), alone=False)
        try:
            return await _filled(source, target, told)
        finally:
            await target.close()
    finally:
        await source.close()


async def _filled(source: Driver, target: Driver, told: Headway) -> Contents:
    async with copying.snapshot(source) as origin:
        version = await copying.version(origin, source.dialect)
        if version == 0:
            raise StoreError("there is nothing to back up: it is no database of Quizbot")
        if version > SCHEMA.version:
            raise StoreError(
                f"the database has schema {version}, this version of Quizbot knows {SCHEMA.version}: update Quizbot"
            )
        if await copying.begun(origin, source.dialect) is not None:
            raise StoreError("the database is not whole: a copy into it was interrupted; finish that first")
        await copying.begin(target, "", SCHEMA.at(version))
        await copying.fill(origin, source.dialect, target, told)
        found = await copying.compare(origin, source.dialect, target, told)
        if found.differing:
            raise StoreError(f"the backup is not what the database is: {found.differences[0]}; try again")
        await copying.finish(target, await copying.numbers(origin, source.dialect))
        return Contents(version, found.counts, None)
