"""`quizbot doctor`: puts the findings of all parts together and prints them. Knows what there is, not what is wrong."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path

import click

from bot import diagnosing, doctor, examining_database, opening, platforms, settings
from bot.clock import SystemClock
from bot.doctor import Finding, Severity
from bot.offering import counted
from bot.platforms import DISCORD, TELEGRAM, Platform
from bot.settings import Settings


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
    database = await examining_database.found(there.database_url, there.database_connections)
    for finding in database.findings:
        yield finding
    for finding in doctor.content(there.content_dir):
        yield finding
    for platform in platforms.PLATFORMS:
        for finding in await _about(platform, there):
            yield finding
    for finding in await _clocks(there, database.ahead):
        yield finding


async def _about(platform: Platform, there: Settings) -> list[Finding]:
    """What is found about a platform. It is no problem that one is not asked for, as long as another is."""
    if platforms.token_of(platform, there) is None:
        if platforms.asked_for(there):
            return [doctor.ok(f"{platform.title}: not served, for {platform.variable} is not set")]
        return [doctor.problem(f"{platform.title}: no token is set", platform.first_step)]
    reason = opening.hindrance(platform)
    if reason:
        return [doctor.problem(f"{platform.title}: it cannot be served", reason)]
    return await _EXAMINATIONS[platform](there)


async def _telegram(there: Settings) -> list[Finding]:
    from adapters.telegram.doctor import findings

    token = platforms.token_of(TELEGRAM, there) or ""
    return await findings(token, there.telegram_api_url, there.telegram_webhook, SystemClock().now())


async def _discord(there: Settings) -> list[Finding]:
    from adapters.discord.doctor import findings

    return await findings(
        platforms.token_of(DISCORD, there) or "", there.discord_api_url, there.discord_gateway_url, SystemClock().now()
    )


_EXAMINATIONS: Mapping[Platform, Callable[[Settings], Awaitable[list[Finding]]]] = {
    TELEGRAM: _telegram,
    DISCORD: _discord,
}


async def _clocks(there: Settings, database: timedelta | None) -> Iterable[Finding]:
    """This machine's clock beside the others'."""
    usable = [platform for platform in platforms.asked_for(there) if not opening.hindrance(platform)]
    found = {platform.title: await _ahead(platform, there) for platform in usable}
    return diagnosing.clock(
        SystemClock().now(), database, {title: ahead for title, ahead in found.items() if ahead is not None}
    )


async def _ahead(platform: Platform, there: Settings) -> timedelta | None:
    from adapters.telling_time import ahead

    servers = {
        TELEGRAM: there.telegram_api_url or "https://api.telegram.org",
        DISCORD: there.discord_api_url or "https://discord.com",
    }
    return await ahead(servers[platform])
