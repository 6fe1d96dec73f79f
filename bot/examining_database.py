"""What `quizbot doctor` finds out about the database: asks it, and changes and disturbs nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot import databases, diagnosing, doctor
from bot.clock import SystemClock
from bot.doctor import Finding, Severity
from bot.ports import StoreError
from bot.storage import inspecting
from bot.storage.inspecting import Server
from bot.storage.sqlite import SqliteDriver


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found, and how far the clock of the database is ahead of this machine's, where it has one."""

    findings: list[Finding]
    ahead: timedelta | None = None


async def found(url: str, connections: int) -> Examined:
    """Everything about the database at this address, with so many connections for each process."""
    if databases.is_shared(url):
        return await _server(url, connections)
    path = databases.path_of(url)
    return Examined([await _file(path), *_disk(path)])


# A file


async def _file(path: str) -> Finding:
    finding = await doctor.database(path, _attempt)
    if finding.severity is Severity.PROBLEM or not _size(path):
        return finding
    try:
        driver = await SqliteDriver.open_to_read(path)
        try:
            return await _looked_through(path, driver, finding)
        finally:
            await driver.close()
    except StoreError as error:
        return doctor.refused(path, str(error))


async def _looked_through(path: str, driver: SqliteDriver, finding: Finding) -> Finding:
    """What is wrong inside a file that can be opened, or else what was found before."""
    made = await _made(driver)
    if made.refusal:
        return diagnosing.refused(path, made.refusal)
    damage = await inspecting.damage(driver) if _size(path) <= inspecting.SOON_CHECKED else None
    if damage:
        return diagnosing.damaged(path, damage)
    return finding if finding.advice else doctor.ok(finding.said + diagnosing.tables(made))


def _size(path: str) -> int:
    return Path(path).stat().st_size if Path(path).exists() else 0


async def _made(driver: SqliteDriver) -> inspecting.Made:
    async with driver.reading() as connection:
        return await inspecting.made(connection, driver)


async def _attempt(path: str) -> None:
    """Open the database as serving does and begin to write; everything in it stays as it is."""
    driver = await SqliteDriver.open(path)
    try:
        async with driver.transaction():
            pass
    finally:
        await driver.close()


def _disk(path: str) -> list[Finding]:
    if path == databases.MEMORY:
        return []
    try:
        return list(diagnosing.disk(inspecting.room(Path(path))))
    except OSError:
        return []  # the finding about the file says why


# A server


async def _server(url: str, connections: int) -> Examined:
    try:
        name = databases.name_of(url)
    except StoreError as error:
        what, _, remedy = str(error).partition("; run: ")
        return Examined([doctor.problem(f"Database: {what}", f"Run: {remedy}")])
    try:
        seen = await _seen(url)
    except StoreError as error:
        return Examined([doctor.refused(name, str(error))])
    return Examined(list(diagnosing.server(name, seen, connections)), seen.ahead)


async def _seen(url: str) -> Server:
    driver = await databases.driver(url)
    try:
        return await inspecting.server(driver, SystemClock())
    finally:
        await driver.close()
