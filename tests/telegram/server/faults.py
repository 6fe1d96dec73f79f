"""What is made to go wrong on purpose: answers that say no, get lost, come late, or are no answers. Knows no method."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tests.telegram.server.changes import Changes
from tests.telegram.server.errors import ApiError, Json

if TYPE_CHECKING:
    from tests.telegram.server.chats import Chat

BAD_GATEWAY = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The request is not carried out, and this is the answer."""

    error: ApiError


@dataclass(frozen=True, slots=True)
class Garbage:
    """The request is not carried out, and a page comes that is no answer of the API."""

    status: int
    body: str


@dataclass(frozen=True, slots=True)
class Loss:
    """The connection is cut instead of an answer; the request was carried out, or never read."""

    done: bool


Fault = Refusal | Garbage | Loss


@dataclass(slots=True, eq=False)
class Hold:
    """Requests wait until it is released; also a context manager. `waiting` is how many wait. With `answer_only` they
    are carried out at once and only their answers wait."""

    changes: Changes
    answer_only: bool
    waiting: int = 0
    _released: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self._released.set()

    async def reached(self, number: int = 1) -> None:
        """Wait until so many requests wait, 10 s at most."""
        await self.changes.until(lambda: self.waiting >= number, lambda: f"{self.waiting} of {number} requests came")

    async def wait(self) -> None:
        if self._released.is_set():
            return
        self.waiting += 1
        self.changes.notify()
        await self._released.wait()
        self.waiting -= 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()


@dataclass(slots=True, eq=False)
class _Planned:
    """A fault for requests of a method ("*": of any), perhaps in one chat only; `left` is how often."""

    method: str
    chat: int | None
    fault: Fault
    left: int


@dataclass(slots=True, eq=False)
class _Held:
    method: str
    chat: int | None
    hold: Hold


class Faults:
    """All that is planned, met in the order in which it was."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._planned: list[_Planned] = []
        self._held: list[_Held] = []

    def plan(self, method: str, fault: Fault, times: int, chat: Chat | None) -> None:
        self._planned.append(_Planned(method, chat.id if chat else None, fault, times))

    def hold(self, method: str, chat: Chat | None, *, answer_only: bool) -> Hold:
        held = Hold(self._changes, answer_only)
        self._held.append(_Held(method, chat.id if chat else None, held))
        return held

    @property
    def waiting(self) -> int:
        """How many requests are held now, those for updates apart."""
        return sum(held.hold.waiting for held in self._held if held.method != "getUpdates")

    def next(self, method: str, chat: object) -> Fault | None:
        """The fault that a request meets, which is used up by that."""
        if not self._planned:
            return None
        for planned in self._planned:
            if planned.method in (method, "*") and planned.chat in (None, chat) and planned.left > 0:
                planned.left -= 1
                return planned.fault
        return None

    async def wait(self, method: str, chat: object, *, answer_only: bool) -> None:
        for held in list(self._held):
            if held.method in (method, "*") and held.chat in (None, chat) and held.hold.answer_only is answer_only:
                await held.hold.wait()

    def clear(self) -> None:
        """Nothing goes wrong any more; what waits goes on."""
        self._planned.clear()
        for held in self._held:
            held.hold.release()
        self._held.clear()


def refusal(code: int, description: str, parameters: Json | None) -> Refusal:
    return Refusal(ApiError(code, description, parameters))
