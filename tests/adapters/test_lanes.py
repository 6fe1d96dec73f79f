"""The order within a chat: commands one by one, presses together, and no press overtakes a command that is at work."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from adapters.lanes import Lanes
from tests.cancelling import CancelledAt

HERE, THERE = "telegram:-1", "telegram:-2"


class Room:
    """Writes down in which order commands and presses get to work. A command works until it is released."""

    def __init__(self) -> None:
        self.lanes = Lanes()
        self.heard: list[str] = []
        self.released: dict[str, asyncio.Event] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def command(self, name: str, chat: str = HERE) -> asyncio.Task[None]:
        self.released[name] = asyncio.Event()
        return self._begin(self._command(name, chat))

    def press(self, name: str, chat: str = HERE) -> asyncio.Task[None]:
        return self._begin(self._press(name, chat))

    async def _command(self, name: str, chat: str) -> None:
        async with self.lanes.exclusive(chat):
            self.heard.append(name)
            await self.released[name].wait()

    async def _press(self, name: str, chat: str) -> None:
        await self.lanes.shared(chat)
        self.heard.append(name)

    def _begin(self, part: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        self.tasks.append(asyncio.create_task(part))
        return self.tasks[-1]

    async def end(self) -> None:
        """Release everything, and see that nothing is left behind."""
        for released in self.released.values():
            released.set()
        async with asyncio.timeout(10):
            await asyncio.wait(self.tasks)
        assert len(self.lanes) == 0


async def calm() -> None:
    """Let everybody do what they can do by now."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_fifty_presses_are_heard_in_one_tick_and_nothing_is_kept() -> None:
    room = Room()
    names = [str(number) for number in range(50)]
    for name in names:
        room.press(name)
    await asyncio.sleep(0)
    assert room.heard == names
    assert len(room.lanes) == 0


async def test_commands_of_a_chat_are_heard_one_by_one_in_their_order() -> None:
    room = Room()
    for name in ("quiz", "next", "stop"):
        room.command(name)
    await calm()
    assert room.heard == ["quiz"]
    room.released["quiz"].set()
    await calm()
    assert room.heard == ["quiz", "next"]
    await room.end()
    assert room.heard == ["quiz", "next", "stop"]


async def test_a_command_of_one_chat_delays_nobody_in_another() -> None:
    room = Room()
    room.command("quiz here")
    room.command("quiz there", THERE)
    room.press("press there", THERE)
    room.press("press elsewhere", "telegram:-3")
    await calm()
    assert room.heard == ["quiz here", "quiz there", "press elsewhere"]
    await room.end()


async def test_presses_wait_for_the_commands_before_them_and_not_for_those_after() -> None:
    room = Room()
    room.command("stop")
    room.press("early 1")
    room.press("early 2")
    room.command("quiz")
    room.press("late")
    await calm()
    assert room.heard == ["stop"]
    room.released["stop"].set()
    await calm()
    assert room.heard == ["stop", "early 1", "early 2", "quiz"]
    await room.end()
    assert room.heard == ["stop", "early 1", "early 2", "quiz", "late"]


async def test_who_comes_while_others_are_just_let_in_does_not_overtake_them() -> None:
    room = Room()
    room.command("quiz")
    room.press("before 1")
    room.press("before 2")
    await calm()
    room.released["quiz"].set()
    # Begun now, they reach the lane in the very tick in which those before are let in but have not run yet.
    late = [room.command("stop"), room.press("after")]
    await calm()
    assert room.heard == ["quiz", "before 1", "before 2", "stop"]
    await room.end()
    assert room.heard[-1] == "after"
    assert all(task.done() for task in late)


@pytest.mark.parametrize("cancelled", ["stop", "early", "quiz", "late"])
async def test_whoever_is_cancelled_lets_the_others_pass_in_their_order(cancelled: str) -> None:
    room = Room()
    tasks = {
        "stop": room.command("stop"),
        "early": room.press("early"),
        "quiz": room.command("quiz"),
        "late": room.press("late"),
    }
    await calm()
    tasks[cancelled].cancel()
    await calm()
    # A waiter that goes away opens the chat to nobody while somebody is alone in it.
    assert room.heard[:2] == (["stop", "early"] if cancelled == "stop" else ["stop"])
    await room.end()
    assert room.heard == [name for name in tasks if name == "stop" or name != cancelled]


@pytest.mark.parametrize("point", range(3))
@pytest.mark.parametrize("kind", ["command", "press"])
async def test_whoever_is_cancelled_as_soon_as_they_are_let_in_blocks_nobody(kind: str, point: int) -> None:
    room = Room()
    room.command("first")
    await calm()
    room.released["second"] = asyncio.Event()
    second = room._command("second", HERE) if kind == "command" else room._press("second", HERE)

    async def cancelled() -> None:
        await CancelledAt(second, point)

    task = room._begin(cancelled())
    room.press("third")
    room.command("fourth")
    await calm()
    room.released["first"].set()
    await asyncio.sleep(0)
    task.cancel()
    await room.end()
    assert [name for name in room.heard if name != "second"] == ["first", "third", "fourth"]


async def test_while_a_command_steps_aside_presses_pass_commands_that_wait_and_commands_do_not() -> None:
    room = Room()
    room.command("stop")
    room.press("waiting")
    room.command("quiz")
    room.press("behind")
    await calm()
    assert room.heard == ["stop"]
    with room.lanes.aside(HERE):
        room.press("new")
        await calm()
        assert sorted(room.heard[1:]) == ["behind", "new", "waiting"]
    room.press("late")
    await calm()
    assert len(room.heard) == 4
    await room.end()
    assert room.heard[4:] == ["quiz", "late"]


async def test_a_command_that_fails_leaves_the_chat() -> None:
    lanes = Lanes()

    async def fail() -> None:
        async with lanes.exclusive(HERE):
            raise ValueError("no such quiz")

    with pytest.raises(ValueError, match="no such quiz"):
        await fail()
    assert len(lanes) == 0


async def test_a_command_that_steps_aside_lets_presses_pass_and_no_other_command() -> None:
    room = Room()
    asked, answered = asyncio.Event(), asyncio.Event()

    async def stop() -> None:
        async with room.lanes.exclusive(HERE):
            await asked.wait()
            with room.lanes.aside(HERE):
                await answered.wait()
            room.heard.append("stop")
            await room.released["stop"].wait()

    room.released["stop"] = asyncio.Event()
    room._begin(stop())
    room.command("quiz")
    room.press("waiting")
    await calm()
    asked.set()
    await calm()
    room.press("new")
    await calm()
    assert room.heard == ["waiting", "new"]
    answered.set()
    await calm()
    room.press("late")
    await calm()
    assert room.heard == ["waiting", "new", "stop"]
    await room.end()
    assert room.heard == ["waiting", "new", "stop", "quiz", "late"]
