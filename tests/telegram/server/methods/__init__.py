"""The methods of the Bot API, by name. Each takes the world and a request, and returns a result or raises ApiError."""

from __future__ import annotations

from tests.telegram.server.methods import answering, delivering, editing, lookup, profile, sending
from tests.telegram.server.methods.signature import Method

METHODS: dict[str, Method] = {
    **answering.METHODS,
    **delivering.METHODS,
    **editing.METHODS,
    **lookup.METHODS,
    **profile.METHODS,
    **sending.METHODS,
}
NAMES = {name.lower(): name for name in METHODS}
"""Methods by their names in lower case: the API does not care for the case."""
