"""`quizbot db copy`: takes a whole installation from one database into another, and compares what arrived. Knows which
databases may be used for that, not how rows get from one into the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from bot import databases, forms
from bot.clock import SystemClock
from bot.headway import Watch, headway
from bot.ports import StoreError
from bot.storage import copying
from bot.storage.copying import Compared, Headway
from bot.storage.driver import Connection, Driver, queue
from bot.storage.migrating import SCHEMA
from bot.storage.within import Within

AGAIN = "the same command again goes on where it stopped"


@dataclass(frozen=True, slots=True)
class Route:
    """From where to where, as addresses and as they may be said; `replace`: what the target holds goes."""

    source: str
    target: str
    replace: bool

    @property
    def origin(self) -> str:
        """The source, by a name that is the same from every folder."""
        name = databases.name_of(self.source)
        return name if databases.is_shared(self.source) else str(Path(name).resolve())


def copy_here(source: str, target: str, *, replace: bool) -> int:
    """Copy, saying on stderr how far it is; the exit code, 1 when the two differ in the end. Raises click's errors for
    what people can mend."""
    for name, url in (("SOURCE", source), ("TARGET", target)):
        _check_address(name, url)
    if not databases.is_there(source):
        raise click.ClickException(f"there is no {databases.path_of(source)}: SOURCE has to be a database of Quizbot")
    if _same_file(source, target):
        raise click.UsageError("SOURCE and TARGET are the same database; name two")
    try:
        return asyncio.run(_copy(Route(source, target, replace)))
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo(f"stopped; {AGAIN}", err=True)
        raise


def _check_address(name: str, url: str) -> None:
    try:
        forms.database(url)
    except ValueError as error:
        raise click.UsageError(f"{name}: {error}") from error
    if databases.path_of(url) == databases.MEMORY:
        raise click.UsageError(f"{name}: what is in memory cannot be copied; name a file or a server")


def _same_file(source: str, target: str) -> bool:
    if databases.is_shared(source) or databases.is_shared(target):
        return False
    one, other = (Path(databases.path_of(url)) for url in (source, target))
    return one.resolve() == other.resolve() or (other.exists() and one.samefile(other))


async def _copy(route: Route) -> int:
    watch = Watch()
    async with _closing(await databases.driver_to_read(route.source)) as source:
        await _check_source(source)
        async with _closing(await databases.driver(route.target)) as target:
            with headway() as told:
                found, filled = await _moved(route, source, target, told)
    _say_cleaned(found)
    if found.differing:
        _say_differences(found)
        return 1
    click.echo(f"copied and compared {watch.rate(found.rows)}", err=True)
    if filled < found.rows:
        click.echo(f"{found.rows - filled:,} of them were there from a copy that had been interrupted", err=True)
    return 0


@asynccontextmanager
async def _closing(driver: Driver) -> AsyncIterator[Driver]:
    try:
        yield driver
    finally:
        await driver.close()


async def _check_source(source: Driver) -> None:
    async with source.reading() as connection:
        refusal = copying.same_everywhere(await copying.version(connection, source.dialect))
        if refusal:
            raise refusal
        if await copying.begun(connection, source.dialect) is not None:
            raise StoreError("the source is not whole: a copy into it was interrupted; finish that first")
        await check_unused(connection, source, "the source")


async def check_unused(connection: Connection, driver: Driver, name: str) -> None:
    """Raises StoreError where a bot serves from it."""
    alive = await copying.workers(connection, driver.dialect, SystemClock().now())
    if alive:
        raise StoreError(f"a bot is using {name} ({alive} of its processes are alive): stop it first, wait 10 s")


async def _moved(route: Route, source: Driver, target: Driver, told: Headway) -> tuple[Compared, int]:
    """What the comparison found, and how many rows were copied now."""
    async with copying.snapshot(source) as origin:
        await _prepare(route, origin, source, target)
        before, given = await copying.heartbeats(origin), await copying.numbers(origin, source.dialect)
        filled = await copying.fill(origin, source.dialect, target, told)
        found = await copying.compare(origin, source.dialect, target, told)
    async with source.reading() as connection:
        await check_unused(connection, source, "the source")
        if await copying.heartbeats(connection) != before:
            raise StoreError("a bot has used the source meanwhile: stop it, and copy anew with --replace")
    if not found.differing:
        await copying.finish(target, given)
    return found, filled


async def _prepare(route: Route, origin: Connection, source: Driver, target: Driver) -> None:
    """The target is empty and has its tables, or a copy from the same source goes on in it."""
    async with target.transaction() as connection:
        if await _identity(origin, source) == await _identity(connection, target):
            raise StoreError("SOURCE and TARGET are the same database: name two")
        await queue(connection, target.dialect, "workers")
        await check_unused(connection, target, "the target")
        if not route.replace and await _goes_on(route, connection, target):
            click.echo("a copy had been interrupted here, and goes on", err=True)
            return
        await make_room(connection, target, replace=route.replace)
        await copying.begin(Within(connection, target.dialect), route.origin, SCHEMA)


async def _identity(connection: Connection, driver: Driver) -> object:
    (identity,) = await connection.fetch(driver.dialect.catalog.identity)
    return identity


async def _goes_on(route: Route, connection: Connection, target: Driver) -> bool:
    """Whether a copy from the same source was begun in the target. Raises StoreError where it is another's."""
    begun = await copying.begun(connection, target.dialect)
    if begun is None:
        return False
    if begun != route.origin or await copying.version(connection, target.dialect) != SCHEMA.version:
        raise StoreError(
            f"a copy from {begun} was begun in the target and is not whole: finish it with the version that began it, "
            "or begin anew with --replace"
        )
    return True


async def make_room(connection: Connection, target: Driver, *, replace: bool) -> None:
    """See to it that nothing is in the target. Raises StoreError where something is and `replace` does not say that it
    may go."""
    held = await copying.holds(connection, target.dialect)
    if held and not replace:
        raise StoreError(
            f"the target holds an installation already ({', '.join(held)}): name an empty database, or add --replace, "
            "and everything in it is lost"
        )
    if await copying.version(connection, target.dialect) > SCHEMA.version:
        raise StoreError("the target is of a newer version of Quizbot: update Quizbot, or name an empty database")
    if held or await copying.version(connection, target.dialect):
        await copying.clear(connection, target.dialect)


def _say_cleaned(found: Compared) -> None:
    for line in found.cleaned:
        click.echo(
            f"the target cannot hold the character NUL, and has \N{REPLACEMENT CHARACTER} instead: {line}", err=True
        )


def _say_differences(found: Compared) -> None:
    for line in found.differences:
        click.echo(line, err=True)
    click.echo(
        f"{found.differing:,} of {found.rows:,} rows differ: the target is not to be used; if the source was used "
        "since the copy was begun, stop its bot and copy anew with --replace",
        err=True,
    )
