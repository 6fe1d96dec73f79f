"""How much there is of what waits and what runs, counted for whoever watches. Reads no row's content."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.codec import moment
from bot.ports import Backlog
from bot.storage.driver import Connection

POSTS = """
    SELECT platform, COUNT(*), MIN(ready_at) FROM outbox WHERE refused IS NULL GROUP BY platform
"""
REFUSED = "SELECT platform, COUNT(*) FROM outbox WHERE refused IS NOT NULL GROUP BY platform"
LIVE = "SELECT platform, COUNT(*) FROM session WHERE wake_at IS NOT NULL GROUP BY platform"


async def count(connection: Connection, platforms: Collection[str]) -> dict[str, Backlog]:
    """See `Store.backlog`; of these platforms, each with an entry."""
    found = {platform: Backlog() for platform in platforms}
    for platform, waiting, ready in await connection.fetch(POSTS):
        if platform in found:
            found[platform] = replace(found[platform], waiting=waiting, oldest=moment(ready))
    for platform, refused in await connection.fetch(REFUSED):
        if platform in found:
            found[platform] = replace(found[platform], refused=refused)
    for platform, sessions in await connection.fetch(LIVE):
        if platform in found:
            found[platform] = replace(found[platform], sessions=sessions)
    return found
