"""What is remembered of choices: for a minute, not more than so many, and never what was true before a choice."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import cast

import pytest

from bot.desk import preferring
from bot.desk.preferring import Preferred
from bot.ports import Store, StoreError
from bot.preferences import Preferences
from tests.clock import VirtualClock
from tests.engine.running import until


@dataclass
class Drawer:
    """The part of a store that keeps choices. An answer of it is on its way until `open` is set."""

    languages: dict[str, str] = field(default_factory=dict)
    reads: list[str] = field(default_factory=list)
    times: int = 0
    failing: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def preferences(self, ids: Collection[str]) -> dict[str, Preferences]:
        self.reads += ids
        self.times += 1
        if self.times <= self.failing:
            raise StoreError("the disk is full")
        found = {id_: Preferences(language=self.languages.get(id_)) for id_ in ids}
        await self.open.wait()
        return found

    async def prefer(self, id_: str, name: str, value: str) -> None:
        self.languages[id_] = value


def preferred(drawer: Drawer, clock: VirtualClock | None = None) -> Preferred:
    return Preferred(cast(Store, drawer), clock or VirtualClock())


async def test_what_was_read_before_a_choice_is_not_remembered_after_it() -> None:
    drawer = Drawer()
    desk = preferred(drawer)
    reading = asyncio.create_task(desk.of("test:1"))
    await until(lambda: bool(drawer.reads))
    await desk.choose("test:1", "language", "bg")
    drawer.open.set()
    assert (await reading).language is None
    assert (await desk.of("test:1")).language == "bg"


async def test_the_longest_remembered_makes_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferring, "MOST_REMEMBERED", 2)
    drawer = Drawer()
    drawer.open.set()
    desk = preferred(drawer)
    for id_ in ("a", "b", "a", "c", "b", "c"):
        await desk.of(id_)
    assert drawer.reads == ["a", "b", "c"]
    await desk.of("a")
    assert drawer.reads == ["a", "b", "c", "a"]


async def test_what_was_looked_up_again_is_remembered_anew() -> None:
    drawer, clock = Drawer(), VirtualClock()
    drawer.open.set()
    desk = preferred(drawer, clock)
    await desk.of("a")
    clock.advance(60)
    await desk.of("a")
    clock.advance(59)
    await desk.of("a")
    assert drawer.reads == ["a", "a"]


async def test_everybody_who_asks_in_one_instant_is_looked_up_together() -> None:
    drawer = Drawer({"7": "bg"})
    drawer.open.set()
    desk = preferred(drawer)
    chosen = await asyncio.gather(*(desk.of(str(number)) for number in range(50)))
    assert [each.language for each in chosen] == [None] * 7 + ["bg"] + [None] * 42
    assert drawer.times == 1
    assert len(drawer.reads) == 50


async def test_somebody_who_leaves_takes_the_answer_from_nobody() -> None:
    drawer = Drawer({"a": "bg"})
    desk = preferred(drawer)
    leaving, staying = (asyncio.create_task(desk.of("a")) for _ in range(2))
    await until(lambda: bool(drawer.reads))
    leaving.cancel()
    drawer.open.set()
    assert (await staying).language == "bg"


async def test_what_cannot_be_read_is_said_to_all_and_read_again_for_the_next() -> None:
    drawer = Drawer({"a": "bg"}, failing=1)
    drawer.open.set()
    desk = preferred(drawer)
    failed = await asyncio.gather(desk.of("a"), desk.of("b"), return_exceptions=True)
    assert [type(error) for error in failed] == [StoreError, StoreError]
    assert (await desk.of("a")).language == "bg"
