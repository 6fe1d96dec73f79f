"""What is made to go wrong on purpose: answers that say no, get lost, come late, or are no answers. Knows no route."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.discord.server.changes import Changes
from tests.discord.server.wire import Request
from tests.telegram.server.faults import Hold

BAD_GATEWAY = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The request is not carried out, and this is the answer: JSON, or a page where `body` is a text."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)
    via: bool = True


@dataclass(frozen=True, slots=True)
class Loss:
    """The connection is cut instead of an answer; the request was carried out, or not."""

    done: bool


Fault = Refusal | Loss


@dataclass(slots=True, eq=False)
class _Planned:
    """A fault for requests of a method ("*": any) to paths that match; `left` is how often."""

    method: str
    path: re.Pattern[str]
    fault: Fault
    left: int

    def meets(self, call: Request) -> bool:
        return self.left > 0 and self.method in (call.method, "*") and bool(self.path.search(call.path))


@dataclass(slots=True, eq=False)
class _Held:
    method: str
    path: re.Pattern[str]
    hold: Hold


class Faults:
    """All that is planned, met in the order in which it was."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._planned: list[_Planned] = []
        self._held: list[_Held] = []

    def plan(self, method: str, path: str, fault: Fault, times: int) -> None:
        self._planned.append(_Planned(method, re.compile(path), fault, times))

    def hold(self, method: str, path: str, *, answer_only: bool) -> Hold:
        held = Hold(self._changes, answer_only)
        self._held.append(_Held(method, re.compile(path), held))
        return held

    @property
    def waiting(self) -> int:
        """How many requests are held now."""
        return sum(held.hold.waiting for held in self._held)

    def next(self, call: Request) -> Fault | None:
        """The fault that a request meets, which is used up by that."""
        for planned in self._planned:
            if planned.meets(call):
                planned.left -= 1
                return planned.fault
        return None

    async def wait(self, call: Request, *, answer_only: bool) -> None:
        for held in list(self._held):
            meets = held.method in (call.method, "*") and held.path.search(call.path)
            if meets and held.hold.answer_only is answer_only:
                await held.hold.wait()

    def clear(self) -> None:
        """Nothing goes wrong any more; what waits goes on."""
        self._planned.clear()
        for held in self._held:
            held.hold.release()
        self._held.clear()
