"""The real program as a process, with an environment, a folder and a database of its own."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE = 60.0
"""Seconds after which a process that should have ended hangs."""

AT_A_TERMINAL = """
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn([sys.executable, "-m", "bot", *sys.argv[1:]])))
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process printed, and its exit code."""

    out: str
    err: str
    code: int

    @property
    def complaints(self) -> list[str]:
        """The lines on stderr."""
        return self.err.splitlines()


@dataclass(frozen=True, slots=True)
class Program:
    """`quizbot` for somebody whose files are in `folder`."""

    folder: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        foreign = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("QUIZBOT_", "LC_", "LANG", "PYTHONUNBUFFERED"))
        }
        return foreign | {
            "QUIZBOT_DATABASE_URL": f"sqlite:///{self.folder.as_posix()}/quizbot.sqlite3",
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "LOGNAME": "ann",
            **self.variables,
        }

    def run(self, *arguments: str, typed: str | bytes = "", out: int = subprocess.PIPE) -> Ran:
        """Run to the end with this on standard input, and standard output to this file."""
        done = subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            input=typed.encode() if isinstance(typed, str) else typed,
            stdout=out,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
            timeout=PATIENCE,
            check=False,
        )
        return Ran((done.stdout or b"").decode(), done.stderr.decode(), done.returncode)

    @contextmanager
    def running(self, *arguments: str, at_a_terminal: bool = False) -> Iterator[Running]:
        """A process to talk with, through pipes or a terminal; killed at the end if it is still there."""
        with subprocess.Popen(
            [sys.executable, *(("-c", AT_A_TERMINAL) if at_a_terminal else ("-m", "bot")), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
        ) as process:
            try:
                yield Running(process)
            finally:
                process.kill()


class Running:
    """A process under way."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError("a process without pipes cannot be talked with")
        self._process = process
        self._keyboard = process.stdin
        self._screen = process.stdout.fileno()
        self._raw = b""
        self._seen = 0

    @property
    def printed(self) -> str:
        """Everything so far."""
        return self._raw.decode(errors="ignore")

    def type(self, keys: str) -> None:
        """Type this; a line ends with the newline that is in it."""
        self._keyboard.write(keys.encode())
        self._keyboard.flush()

    def until(self, text: str) -> None:
        """Return when this is printed, after what was waited for before. Fails when the output ends or stops first."""
        while (at := self._raw.find(text.encode(), self._seen)) < 0:
            waiting, _, _ = select.select([self._screen], [], [], PATIENCE)
            more = os.read(self._screen, 65536) if waiting else b""
            if not more:
                raise AssertionError(f"{text!r} was never printed:\n{self.printed}")
            self._raw += more
        self._seen = at + len(text.encode())

    def end(self) -> Ran:
        """Wait for the end."""
        out, err = self._process.communicate(timeout=PATIENCE)
        return Ran((self._raw + out).decode(), err.decode(), self._process.returncode)

    def signal(self, number: signal.Signals) -> Ran:
        """Send a signal and wait for the end."""
        self._process.send_signal(number)
        return self.end()
