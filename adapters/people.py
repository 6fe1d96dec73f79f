"""What people are called and what they write, as it may go in: what a store takes, and no more of it than is of use.

Names and texts come from outside and are kept, searched for and shown again. Knows no platform.
"""

from __future__ import annotations

from adapters.characters import clean

LONGEST_NAME = 150
"""Characters; no platform lets a person or a chat be called by more."""

LONGEST_TEXT = 6000
"""Characters after a command, in a form or in a search; no platform lets more be written there."""


def called(name: str) -> str:
    """A name on one line, at most 150 characters, without what a database refuses."""
    return clean(name[:LONGEST_NAME]).replace("\n", " ")


def written(text: str) -> str:
    """What somebody wrote, at most 6,000 characters, without what a database refuses."""
    return clean(text[:LONGEST_TEXT])
