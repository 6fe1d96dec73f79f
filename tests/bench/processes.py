"""What processes use, as Linux tells it: time on the processor, memory, handles. Knows no program."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
PROC = Path("/proc")


def processor_seconds(process: int, *, family: bool = False) -> float:
    """Seconds on a processor until now; with `family`, of its children as well, also of those that have ended."""
    own = _stat(process)
    if own is None:
        return 0.0
    user, system, ended_user, ended_system = map(int, own[11:15])
    if not family:
        return (user + system) / TICKS
    return (user + system + ended_user + ended_system) / TICKS + sum(map(processor_seconds, children(process)))


def resident(process: int) -> float:
    """Megabytes of memory."""
    return int((PROC / str(process) / "statm").read_text().split()[1]) * PAGE / 2**20


def handles(process: int) -> int:
    """Open files, sockets and pipes."""
    return sum(1 for _ in (PROC / str(process) / "fd").iterdir())


def children(process: int) -> Iterator[int]:
    """Those that it has started and that have not ended."""
    for each in PROC.iterdir():
        if each.name.isdigit():
            stat = _stat(int(each.name))
            if stat and int(stat[1]) == process:
                yield int(each.name)


def _stat(process: int) -> list[str] | None:
    """The fields of `stat` behind the name, which may contain anything."""
    with contextlib.suppress(OSError):
        return (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    return None
