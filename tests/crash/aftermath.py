"""Kills the player again and again on one file, lets it finish once, and gathers what is left to be judged."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Sequence, Set
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random

from bot import codec
from bot.core.session import Session
from tests.crash.stage import Shown, read_screen

ROOT = Path(__file__).parents[2]
KILLS = 8
MOST_LINES = (20, 200, 600)
"""A process is killed after at most one of these numbers of lines: while starting, soon, or in the thick of it."""

ResponseKey = tuple[str, int, str]
"""Session, question, person."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A response as the file has it."""

    options: tuple[int, ...]
    right: bool
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """A player's score as the file has it."""

    answered: int
    right: int
    points: int


@dataclass(frozen=True)
class Aftermath:
    """What was acknowledged and shown while it lasted, and what the file says afterwards."""

    exits: Sequence[int]
    complaints: str
    began: Sequence[str]
    skipped: Set[tuple[str, int]]
    acknowledged: Sequence[tuple[ResponseKey, tuple[int, ...]]]
    shown: Sequence[Shown]
    responses: dict[ResponseKey, Counted]
    scores: dict[tuple[str, str], Score]
    sessions: dict[str, Session]
    wakes: dict[str, datetime | None]
    undelivered: int

    def asked(self) -> Iterable[tuple[Session, int]]:
        """Every question that was ever asked: its session and position."""
        return ((session, at) for session in self.sessions.values() for at in range(session.at + 1))


def kill_and_finish(folder: Path, seed: int) -> Aftermath:
    """KILLS processes on one file, one after the other, each killed after a random line; then one that finishes.

    A process that did not live to be killed is the last before that one: something is wrong, and stays so.
    """
    lots = Random(seed)
    exits: list[int] = []
    lines: list[str] = []
    for number in range(KILLS):
        last = lots.randint(1, lots.choice(MOST_LINES))
        exits.append(_run(folder, f"{seed}.{number}", lines, last))
        if exits[-1] != -signal.SIGKILL:
            break
    exits.append(_run(folder, f"{seed}.{KILLS}", lines))
    words = [line.split() for line in lines]
    with closing(sqlite3.connect(folder / "sessions.sqlite3")) as file:
        return Aftermath(
            exits=exits,
            complaints=(folder / "complaints").read_text(),
            began=[session for kind, session, *_ in words if kind == "began"],
            skipped={(rest[0], int(rest[1])) for kind, *rest in words if kind == "skipped"},
            acknowledged=[_acknowledged(*rest) for kind, *rest in words if kind == "counted"],
            shown=read_screen(folder / "screen"),
            responses=_responses(file),
            scores=_scores(file),
            sessions={id_: codec.load_session(state) for id_, state in file.execute("SELECT id, state FROM session")},
            wakes={
                id_: None if wake is None else codec.moment(wake)
                for id_, wake in file.execute("SELECT id, wake_at FROM session")
            },
            undelivered=file.execute("SELECT COUNT(*) FROM outbox").fetchone()[0],
        )


def _run(folder: Path, run: str, lines: list[str], last: int | None = None) -> int:
    """Let one process play, kill it when it has said its `last` line; keeps all that it said. Its exit code."""
    command = [
        sys.executable,
        "-m",
        "tests.crash.player",
        str(folder / "sessions.sqlite3"),
        str(folder / "screen"),
        run,
    ]
    with (
        (folder / "complaints").open("ab") as complaints,
        subprocess.Popen(
            command if last else [*command, "finish"], cwd=ROOT, stdout=subprocess.PIPE, stderr=complaints, text=True
        ) as process,
    ):
        try:
            for number, line in enumerate(process.stdout or (), 1):
                lines.append(line)
                if number == last:
                    process.send_signal(signal.SIGKILL)
        finally:
            process.kill()
    return process.returncode


def _acknowledged(session: str, question: str, person: str, *options: str) -> tuple[ResponseKey, tuple[int, ...]]:
    return (session, int(question), person), tuple(map(int, options))


def _responses(file: sqlite3.Connection) -> dict[ResponseKey, Counted]:
    rows = file.execute("SELECT session, question, person, options, correct, points FROM response")
    return {
        (session, question, person): Counted(codec.load_options(options), bool(correct), points)
        for session, question, person, options, correct, points in rows
    }


def _scores(file: sqlite3.Connection) -> dict[tuple[str, str], Score]:
    rows = file.execute("SELECT session, person, answered, correct, points FROM player")
    return {(session, person): Score(*score) for session, person, *score in rows}
