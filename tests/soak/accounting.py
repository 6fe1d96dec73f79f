"""Whether every answer that somebody was told counts is in the database, once. Knows how it is stored, nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot import databases
from tests.soak.crowds import ResponseKey
from tests.soak.installation import Installation


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database has: responses, how many answers each player of a session is said to have given, and how many
    sessions, posts that wait and posts that were refused there are."""

    responses: Sequence[ResponseKey]
    answered: dict[tuple[str, str], int]
    sessions: int
    waiting: int
    refused: int


async def settled(installation: Installation) -> Iterator[tuple[str, bool]]:
    """What was found, in lines, and whether each is as it should be."""
    return _judged(installation, await _stored(installation.database))


async def _stored(database: str) -> Stored:
    driver = await databases.driver(database)
    try:
        async with driver.reading() as connection:
            responses = await connection.fetch("SELECT session, question, person FROM response")
            players = await connection.fetch("SELECT session, person, answered FROM player WHERE answered > 0")
            (sessions,), *_ = await connection.fetch("SELECT COUNT(*) FROM session")
            posts = [refused for (refused,) in await connection.fetch("SELECT refused FROM outbox")]
    finally:
        await driver.close()
    return Stored(
        [(session, question, person) for session, question, person in responses],
        {(session, person): answered for session, person, answered in players},
        sessions,
        waiting=posts.count(None),
        refused=len(posts) - posts.count(None),
    )


def _judged(installation: Installation, found: Stored) -> Iterator[tuple[str, bool]]:
    name, kept = installation.name, set(found.responses)
    said = {key for seen in installation.seen.values() for key in seen.acknowledged}
    lost, twice = len(said - kept), len(found.responses) - len(kept)
    given = Counter((session, person) for session, _, person in kept)
    yield f"{name}: {len(said):,} answers were acknowledged, {lost} of them are not in the database", not lost
    yield f"{name}: {len(kept):,} responses in {found.sessions:,} sessions, {twice} of them twice", not twice
    yield f"{name}: the scores of {len(given):,} players are the sums of them", found.answered == dict(given)
    yield f"{name}: {found.waiting} posts wait, {found.refused} were refused", not found.refused
