"""What time a platform's server says it is, as every HTTP answer does. Knows no platform."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import aiohttp
from yarl import URL

PATIENCE = 5.0
"""Seconds; who does not answer by then is asked no more."""


async def ahead(server: str) -> timedelta | None:
    """How far the clock of the server at this address is ahead of this machine's, to a second or two; None where it
    does not say. Nothing of the address but its host is asked for."""
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    try:
        async with aiohttp.ClientSession(timeout=timeout, trust_env=True) as session:
            began = datetime.now(UTC)
            async with session.head(URL(server).origin(), allow_redirects=False) as answer:
                said = parsedate_to_datetime(answer.headers["Date"])
                middle = began + (datetime.now(UTC) - began) / 2
    except (aiohttp.ClientError, OSError, TimeoutError, KeyError, ValueError):
        return None
    # It says whole seconds, of which half a one has passed in the middle.
    return said.astimezone(UTC) + timedelta(seconds=0.5) - middle
