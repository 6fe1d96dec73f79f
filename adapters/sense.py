"""Tells an answer of a platform that its library cannot make sense of from a fault of ours. Knows no platform."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

STUMBLES = (AttributeError, LookupError, OverflowError, TypeError, ValueError)
"""What a library raises that takes an answer for what it should have been."""


@contextmanager
def making_sense(nonsense: type[Exception]) -> Iterator[None]:
    """A request, with whatever is made of its answer: what the library stumbles over is raised as `nonsense`."""
    try:
        yield
    except STUMBLES as error:
        raise nonsense(f"the answer makes no sense: {type(error).__name__} where it was read") from error
