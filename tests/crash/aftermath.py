"""What is left after the killing, put together to be judged: what was acknowledged and shown while it lasted, and what
the database says. Kills nobody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot import codec, databases
from bot.core.session import Session
from bot.storage.driver import Connection
from tests.crash.killing import Killed
from tests.crash.stage import Shown, read_screen

ResponseKey = tuple[str, int, str]
"""Session, question, person."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A response as the database has it."""

    options: tuple[int, ...]
    right: bool
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """A player's score as the database has it."""

    answered: int
    right: int
    points: int


@dataclass(frozen=True)
class Aftermath:
    """`gone` is where the screen ended when each process had ended, in bytes."""

    killed: Killed
    complaints: str
    began: Sequence[str]
    skipped: Set[tuple[str, int]]
    acknowledged: Sequence[tuple[ResponseKey, tuple[int, ...]]]
    shown: Sequence[Shown]
    gone: Mapping[str, int]
    responses: dict[ResponseKey, Counted]
    scores: dict[tuple[str, str], Score]
    sessions: dict[str, Session]
    wakes: dict[str, datetime | None]
    undelivered: int

    def asked(self) -> Iterable[tuple[Session, int]]:
        """Every question that was ever asked: its session and position."""
        return ((session, at) for session in self.sessions.values() for at in range(session.at + 1))


async def gathered(folder: Path, database: str, killed: Killed) -> Aftermath:
    """Everything there is to judge."""
    words = [line.split() for line in killed.lines]
    driver = await databases.driver(database)
    try:
        async with driver.reading() as connection:
            rows = await connection.fetch("SELECT id, state, wake_at FROM session")
            return Aftermath(
                killed=killed,
                complaints=(folder / "complaints").read_text(),
                began=[session for kind, session, *_ in words if kind == "began"],
                skipped={(rest[0], int(rest[1])) for kind, *rest in words if kind == "skipped"},
                acknowledged=[_acknowledged(*rest) for kind, *rest in words if kind == "counted"],
                shown=read_screen(folder / "screen"),
                gone=killed.gone,
                responses=await _responses(connection),
                scores=await _scores(connection),
                sessions={id_: codec.load_session(state) for id_, state, _ in rows},
                wakes={id_: None if wake is None else codec.moment(wake) for id_, _, wake in rows},
                undelivered=len(await connection.fetch("SELECT id FROM outbox")),
            )
    finally:
        await driver.close()


def _acknowledged(session: str, question: str, person: str, *options: str) -> tuple[ResponseKey, tuple[int, ...]]:
    return (session, int(question), person), tuple(map(int, options))


async def _responses(connection: Connection) -> dict[ResponseKey, Counted]:
    rows = await connection.fetch("SELECT session, question, person, options, correct, points FROM response")
    return {
        (session, question, person): Counted(codec.load_options(options), bool(correct), points)
        for session, question, person, options, correct, points in rows
    }


async def _scores(connection: Connection) -> dict[tuple[str, str], Score]:
    rows = await connection.fetch("SELECT session, person, answered, correct, points FROM player")
    return {(session, person): Score(*score) for session, person, *score in rows}
