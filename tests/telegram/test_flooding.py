"""One person who asks without end: so much of it is taken and no more, nothing piles up, and nobody else waits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from telegram import Bot

from adapters.crowding import MOST_OF_ONE
from adapters.telegram.conversation import Conversation
from adapters.telegram.render import Popup
from bot.desk import Answer, Request, Show
from bot.messages import Block, Card, Role
from tests.clock import VirtualClock
from tests.telegram.feeding import calm
from tests.telegram.test_hostile import message, press, somebody

TOO_MUCH = "too much"
FLOOD = 5 * MOST_OF_ONE


def card(text: str) -> Card:
    return Card((Block(Role.LINE, text),))


@dataclass
class Clerk:
    """A desk that takes everything at once, once it is `open`."""

    taken: Counter[str] = field(default_factory=Counter)
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def press(self, request: Request, data: str) -> Answer:
        return await self._take(request)

    async def command(self, request: Request, name: str, argument: str) -> Answer:
        return await self._take(request)

    async def _take(self, request: Request) -> Answer:
        await self.open.wait()
        self.taken[request.by.name] += 1
        return Answer(card("taken"), Show.ASIDE)

    def too_much(self, locale: str | None) -> Card:
        return card(TOO_MUCH)


@dataclass
class Line:
    """A way to people that lets nothing through before it is `open`. `waiting` is what has been handed in."""

    waiting: list[str] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, query: str, popup: Popup | None, opens: str | None = None) -> bool:
        self.waiting.append(popup.text if popup else "")
        await self.open.wait()
        return True

    async def say(self, *said: Any) -> bool:
        self.waiting.append("said")
        await self.open.wait()
        return True


@dataclass
class Scene:
    """A conversation of which nothing gets through yet."""

    clock: VirtualClock
    clerk: Clerk = field(default_factory=Clerk)
    line: Line = field(default_factory=Line)
    number: int = 0

    def __post_init__(self) -> None:
        self.clerk.open.set()
        line, clerk = cast("Any", self.line), cast("Any", self.clerk)
        self.conversation = Conversation(Bot("1:a"), "quizbot", line, clerk, self.clock)

    async def updates(self, made: Callable[[], dict[str, Any]], times: int = 1) -> list[asyncio.Task[None]]:
        """So many updates in one tick."""
        tasks = []
        for _ in range(times):
            self.number += 1
            update = made() | {"update_id": self.number}
            tasks.append(asyncio.create_task(self.conversation.take(update)))
        await calm()
        return tasks


def pressing(name: str = "Ann") -> dict[str, Any]:
    return press("1:l", somebody(name) | {"id": len(name)})


def commanding(name: str = "Ann") -> dict[str, Any]:
    return message("/export", somebody(name) | {"id": len(name)})


@pytest.fixture
def scene(clock: VirtualClock) -> Scene:
    return Scene(clock)


async def test_presses_without_end_are_taken_up_to_a_number_then_told_then_passed_over(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    tasks = await scene.updates(pressing, FLOOD)
    assert scene.clerk.taken == {"Ann": MOST_OF_ONE}
    assert Counter(scene.line.waiting) == {"taken": MOST_OF_ONE, TOO_MUCH: MOST_OF_ONE}
    assert all(task.done() and not task.exception() for task in tasks), "what is passed over has to be confirmed"
    assert caplog.text.count("more at once than anybody means") == 1
    assert "Ann" not in caplog.text


async def test_others_are_heard_meanwhile_and_so_is_the_same_person_in_another_way(scene: Scene) -> None:
    await scene.updates(pressing, FLOOD)
    await scene.updates(lambda: pressing("Boris"))
    await scene.updates(commanding)
    assert scene.clerk.taken == {"Ann": MOST_OF_ONE + 1, "Boris": 1}


async def test_when_the_answers_are_out_the_same_person_is_heard_again(scene: Scene) -> None:
    await scene.updates(pressing, FLOOD)
    scene.line.open.set()
    await scene.conversation.finish()
    await scene.updates(pressing)
    assert scene.clerk.taken == {"Ann": MOST_OF_ONE + 1}


async def test_answers_that_wait_for_room_in_a_full_chat_do_not_pile_up(scene: Scene) -> None:
    for _ in range(FLOOD):
        await scene.updates(commanding)
    assert scene.clerk.taken == {"Ann": MOST_OF_ONE}
    assert scene.line.waiting == ["said"] * MOST_OF_ONE


async def test_what_waits_for_the_store_counts_as_well(scene: Scene) -> None:
    scene.clerk.open.clear()
    tasks = await scene.updates(pressing, FLOOD)
    assert sum(not task.done() for task in tasks) == MOST_OF_ONE
    scene.clerk.open.set()
    await asyncio.gather(*tasks)
    assert scene.clerk.taken == {"Ann": MOST_OF_ONE}
