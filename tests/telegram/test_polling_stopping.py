"""Polling that is told to stop: what is under way is confirmed, and nothing takes long."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.engine import StoppingError
from tests.clock import NOON, VirtualClock
from tests.engine.running import until
from tests.telegram.feeding import FIRST, Feed, Question, Scene, calm


@pytest.fixture
def scene(clock: VirtualClock) -> Scene:
    return Scene(clock, Feed(clock))


# Stopping


async def stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task], timeout=10)
    assert task.done()


async def test_what_is_under_way_when_stopping_comes_to_its_end_and_is_confirmed(scene: Scene) -> None:
    scene.desk.hold(FIRST, FIRST + 2)
    scene.feed.push(FIRST, FIRST + 1)
    async with scene.polling() as task:
        await until(lambda: scene.desk.taken == [FIRST + 1])
        task.cancel()
        await calm()
        scene.feed.push(FIRST + 2)
        await calm()
        asked = len(scene.feed.asked)
        scene.desk.held[FIRST].set()
        await asyncio.wait([task], timeout=10)
    assert scene.desk.taken == [FIRST + 1, FIRST]
    assert scene.feed.asked[asked:] == [Question(NOON, FIRST + 2, 0, 1)]
    assert list(scene.feed.queue) == [FIRST + 2]


async def test_a_quiet_bot_stops_at_once_and_asks_nothing_more(scene: Scene) -> None:
    scene.feed.push(FIRST)
    async with scene.polling() as task:
        await until(lambda: not scene.feed.queue)
        await calm()
        asked = len(scene.feed.asked)
        await stopped(task)
        assert len(scene.feed.asked) == asked


async def test_what_does_not_come_to_its_end_is_given_up_after_five_seconds_and_not_confirmed(scene: Scene) -> None:
    scene.desk.hold(FIRST + 1)
    scene.feed.push(FIRST, FIRST + 1, FIRST + 2)
    async with scene.polling() as task:
        await until(lambda: scene.desk.taken == [FIRST, FIRST + 2])
        task.cancel()
        await scene.pass_time(4.75)
        assert not task.done()
        await scene.pass_time(0.25)
        assert task.done()
    scene.desk.held[FIRST + 1].set()
    await calm()
    assert scene.desk.taken == [FIRST, FIRST + 2]
    assert list(scene.feed.queue) == [FIRST + 1, FIRST + 2]


async def test_what_waits_to_be_tried_again_does_not_delay_the_end(scene: Scene) -> None:
    scene.desk.store_fails = True
    scene.feed.push(FIRST)
    async with scene.polling() as task:
        await scene.pass_time(3)
        await stopped(task)
    assert scene.clock.now() == NOON + timedelta(seconds=3)
    assert list(scene.feed.queue) == [FIRST]


async def test_what_fails_while_stopping_is_not_tried_again(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.desk.faults[FIRST] = StoppingError("Quizbot is stopping")
    scene.feed.push(FIRST)
    async with scene.polling() as task:
        await until(lambda: scene.desk.begun == [FIRST])
        task.cancel()
        await calm()
        scene.desk.held[FIRST].set()
        await asyncio.wait([task], timeout=10)
    assert scene.desk.begun == [FIRST]
    assert list(scene.feed.queue) == [FIRST]


async def test_the_last_word_is_given_two_seconds(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.feed.push(FIRST)
    async with scene.polling() as task:
        await until(lambda: scene.desk.begun == [FIRST])
        scene.feed.answering.clear()
        task.cancel()
        await calm()
        scene.desk.held[FIRST].set()
        await scene.pass_time(1.75)
        assert not task.done()
        await scene.pass_time(0.25)
        assert task.done()
