"""`quizbot doctor`: puts the findings of all parts together and prints them. Knows what there is, not what is wrong."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import click

from bot import doctor, platforms, settings
from bot.clock import SystemClock
from bot.doctor import Finding, Severity
from bot.offering import counted
from bot.ports import StoreError
from bot.settings import Settings
from bot.storage.schema import MIGRATIONS
from bot.storage.sqlite import SqliteDriver

NEWER = "update Quizbot, or set QUIZBOT_DATABASE_URL to another file"


def examine(file: Path | None) -> int:
    """Print every finding, and a summary on stderr; the exit code, 1 when there is a problem. Settings as `load`."""
    return asyncio.run(_examine(file))


async def _examine(file: Path | None) -> int:
    found = []
    async for finding in _findings(file):
        click.echo(str(finding))
        found.append(finding.severity)
    problems, warnings = found.count(Severity.PROBLEM), found.count(Severity.WARNING)
    click.echo(f"{counted(problems, 'problem')}, {counted(warnings, 'warning')}", err=True)
    return int(problems > 0)


async def _findings(file: Path | None) -> AsyncIterator[Finding]:
    try:
        there = settings.load(file)
    except settings.SettingsError as error:
        for finding in doctor.settings_refused(error.problems):
            yield finding
        return  # nothing else is known before
    for finding in doctor.settings_used(settings.suspicions(os.environ)):
        yield finding
    yield await doctor.database(there.database_path, _attempt)
    for finding in doctor.content(there.content_dir):
        yield finding
    for finding in await _telegram(there):
        yield finding
    if there.discord_token:
        yield doctor.warning(f"Discord: {platforms.NO_DISCORD}", "Leave it out, or leave it as it is.")


async def _telegram(there: Settings) -> list[Finding]:
    missing = platforms.missing_for_telegram()
    if missing:
        return [doctor.problem("Telegram: cannot be served", missing)]
    from adapters.telegram.doctor import NO_TOKEN, findings

    if there.telegram_token is None:
        return [NO_TOKEN]
    token = there.telegram_token.get_secret_value()
    return await findings(token, there.telegram_api_url, there.telegram_webhook, SystemClock().now())


async def _attempt(path: str) -> None:
    """Open the database as serving does and begin to write; its tables stay as they are."""
    driver = await SqliteDriver.open(path)
    try:
        async with driver.transaction() as connection:
            tables = await connection.fetch("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'")
            rows = await connection.fetch("SELECT MAX(version) FROM schema_version") if tables else []
    finally:
        await driver.close()
    version = rows[0][0] if rows else None
    if version and version > len(MIGRATIONS):
        raise StoreError(f"it is of a newer Quizbot, with schema {version}: {NEWER}")
