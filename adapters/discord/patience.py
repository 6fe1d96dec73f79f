"""How long Discord waits for the answer to an interaction. Knows no answer.

It takes none that comes three seconds after somebody asked, however long the bot has known of it by then.
"""

from __future__ import annotations

from datetime import datetime

LATEST = 2.8
"""Seconds, from when somebody asks, until an answer has to be there."""

PATIENCE = 2.5
"""Seconds that any answer may be on its way."""

EDITING = 1.5
"""Seconds that an edit may be, so that something else can be said in its place: where a message may be edited no more
for a while, the library waits for that."""

LEAST = 1.0
"""Seconds without which no answer is tried, late as it is: the clock of this machine may be fast."""


def patience(asked: datetime, now: datetime, most: float = PATIENCE) -> float:
    """Seconds that an answer may be on its way now, at most so many, to what was `asked` then by Discord's clock."""
    left = LATEST - (now - asked).total_seconds()
    return min(most, max(left, LEAST))
