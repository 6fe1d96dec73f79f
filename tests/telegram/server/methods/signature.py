"""The shape of a method of the Bot API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.telegram.server.wire import Request
from tests.telegram.server.world import World

Method = Callable[[World, Request], Any]
"""Returns the result, or something to await for it; raises ApiError."""
