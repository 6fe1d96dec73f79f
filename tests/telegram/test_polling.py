"""Updates by polling: each is confirmed when it has been taken and not before, and nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram.error import TimedOut

from adapters.telegram.intake import MOST_AT_ONCE
from adapters.telegram.polling import Polling
from adapters.telegram.request import AiohttpRequest
from bot.supervising import HopelessError
from tests.clock import NOON, VirtualClock
from tests.engine.running import until
from tests.telegram.feeding import FIRST, Feed, Question, Scene, calm
from tests.telegram.server import BotApi
from tests.telegram.taking import Desk


@pytest.fixture
def scene(clock: VirtualClock) -> Scene:
    return Scene(clock, Feed(clock))


# Confirming


async def test_an_update_is_confirmed_when_it_has_been_taken_and_not_before(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.feed.push(FIRST)
    async with scene.polling():
        await scene.pass_time(2)
        assert scene.desk.begun == [FIRST]
        assert {question.offset for question in scene.feed.asked} == {None, FIRST}
        scene.desk.held[FIRST].set()
        await until(lambda: not scene.feed.queue)
    assert scene.desk.taken == [FIRST]
    assert scene.feed.asked[-1] == Question(NOON + timedelta(seconds=2), FIRST + 1, 50, MOST_AT_ONCE)


async def test_updates_are_begun_in_their_order_and_a_quiet_bot_asks_once(scene: Scene) -> None:
    numbers = [FIRST, FIRST + 1, FIRST + 5, FIRST + 40]
    scene.feed.push(*numbers)
    async with scene.polling():
        await until(lambda: not scene.feed.queue)
        await scene.pass_time(3600, step=60)
        assert scene.desk.taken == numbers
        assert [question.offset for question in scene.feed.asked] == [None, FIRST + 41]
        assert [question.timeout for question in scene.feed.asked] == [50, 50]


async def test_killed_before_it_was_taken_an_update_comes_again(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.feed.push(FIRST)
    async with scene.polling():
        await until(lambda: scene.desk.begun == [FIRST])
    assert scene.desk.taken == []
    scene.desk.held.clear()
    async with scene.polling():
        await until(lambda: scene.desk.taken == [FIRST])
        await until(lambda: not scene.feed.queue)


async def test_killed_before_it_was_confirmed_an_update_comes_again(scene: Scene) -> None:
    scene.feed.push(FIRST)
    scene.feed.answering.clear()
    async with scene.polling():
        await until(lambda: len(scene.feed.asked) == 1)
        scene.feed.fail(*[TimedOut("the cable is out")] * 3)
        scene.feed.answering.set()
        await until(lambda: scene.desk.taken == [FIRST])
    assert list(scene.feed.queue) == [FIRST]
    scene.feed.failures.clear()
    async with scene.polling():
        await until(lambda: scene.desk.taken == [FIRST, FIRST])
        await until(lambda: not scene.feed.queue)


@given(st.permutations(range(FIRST, FIRST + 6)), st.lists(st.booleans(), min_size=6, max_size=6))
def test_in_whatever_order_updates_are_done_none_is_confirmed_too_early_or_taken_twice(
    order: list[int], asked_between: list[bool]
) -> None:
    async def play() -> None:
        clock = VirtualClock()
        scene = Scene(clock, Feed(clock))
        scene.desk.hold(*order)
        scene.feed.push(*sorted(order))
        async with scene.polling():
            for number, asked in zip(order, asked_between, strict=True):
                await scene.pass_time(0.25 * asked)
                scene.desk.held[number].set()
                await calm()
                assert set(scene.feed.queue) >= set(order) - set(scene.desk.taken)
            await until(lambda: not scene.feed.queue)
        assert scene.desk.begun == sorted(order)

    asyncio.run(play())


async def test_an_update_that_is_done_while_it_is_on_its_way_once_more_is_not_taken_again(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.feed.push(FIRST, FIRST + 1)
    async with scene.polling():
        await until(lambda: scene.desk.taken == [FIRST + 1])
        scene.feed.answering.clear()
        scene.clock.advance(0.25)
        await until(lambda: len(scene.feed.asked) == 2)
        await calm()
        scene.desk.held[FIRST].set()
        await until(lambda: FIRST in scene.desk.taken)
        scene.feed.answering.set()
        await until(lambda: not scene.feed.queue)
    assert scene.desk.begun == [FIRST, FIRST + 1]


# Nobody waits


async def test_while_one_update_is_slow_others_are_taken_within_a_quarter_of_a_second(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.feed.push(FIRST)
    async with scene.polling():
        await scene.pass_time(1)
        for number in range(FIRST + 1, FIRST + 5):
            scene.feed.push(number)
            await scene.pass_time(0.25)
            assert scene.desk.taken[-1] == number
        scene.desk.held[FIRST].set()
        await until(lambda: not scene.feed.queue)
    assert scene.desk.begun == list(range(FIRST, FIRST + 5))


async def test_while_one_update_is_slow_telegram_is_asked_four_times_a_second(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.feed.push(FIRST, FIRST + 1)
    async with scene.polling():
        await scene.pass_time(10, step=0.05)
        assert 35 <= len(scene.feed.short) <= 40
        scene.desk.held[FIRST].set()
        await scene.pass_time(10, step=0.05)
        assert len(scene.feed.short) <= 40


async def test_with_as_much_under_way_as_an_answer_can_hold_telegram_is_not_asked(scene: Scene) -> None:
    scene.desk.hold(FIRST, FIRST + 1)
    scene.feed.push(*range(FIRST, FIRST + 150))
    async with scene.polling():
        await scene.pass_time(5)
        assert len(scene.feed.asked) == 1
        assert len(scene.desk.begun) == MOST_AT_ONCE
        scene.desk.held[FIRST].set()
        await scene.pass_time(5)
        assert len(scene.desk.begun) == MOST_AT_ONCE + 1
        scene.desk.held[FIRST + 1].set()
        await until(lambda: not scene.feed.queue)
    assert scene.desk.begun == list(range(FIRST, FIRST + 150))


# Numbers that begin anew


async def test_numbers_that_begin_anew_lower_down_are_taken_and_confirmed(scene: Scene) -> None:
    scene.feed.push(FIRST)
    async with scene.polling():
        await until(lambda: not scene.feed.queue)
        scene.feed.push(20, 21)
        await until(lambda: scene.desk.taken == [FIRST, 20, 21])
        await until(lambda: not scene.feed.queue)
        scene.feed.push(22)
        await until(lambda: not scene.feed.queue)
        assert scene.desk.begun == [FIRST, 20, 21, 22]


async def test_what_still_fails_from_before_does_not_hold_up_numbers_that_begin_anew(scene: Scene) -> None:
    scene.desk.hold(FIRST)
    scene.feed.push(FIRST, FIRST + 1)
    async with scene.polling():
        await scene.pass_time(1)
        scene.feed.queue.clear()
        scene.feed.push(20)
        await scene.pass_time(1)
        await until(lambda: not scene.feed.queue)
        asked = len(scene.feed.asked)
        await scene.pass_time(60)
        assert len(scene.feed.asked) == asked
        scene.desk.held[FIRST].set()
        scene.feed.push(21)
        await until(lambda: not scene.feed.queue)
    assert scene.desk.begun == [FIRST, FIRST + 1, 20, 21]


async def test_what_telegram_forgot_to_be_confirmed_is_not_taken_twice_at_the_same_time(scene: Scene) -> None:
    scene.feed.push(FIRST, FIRST + 1)
    async with scene.polling():
        await until(lambda: not scene.feed.queue)
        scene.desk.hold(FIRST + 2)
        scene.feed.push(FIRST + 2)
        await until(lambda: scene.desk.begun[-1] == FIRST + 2)
        scene.feed.push_junk({"update_id": FIRST + 1})
        await scene.pass_time(0.25)
        scene.feed.junk.clear()
        await scene.pass_time(1)
        assert scene.desk.begun == [FIRST, FIRST + 1, FIRST + 2, FIRST + 1]
        scene.desk.held[FIRST + 2].set()
        await until(lambda: not scene.feed.queue)
    assert scene.desk.begun.count(FIRST + 2) == 1


# Over the network


@asynccontextmanager
async def connected(server: BotApi, desk: Desk, token: str | None = None) -> AsyncIterator[asyncio.Task[None]]:
    clock = VirtualClock()
    async with AiohttpRequest(8) as request:
        polling = Polling(f"{server.url}/bot{token or server.token}", request, clock)
        task = asyncio.create_task(polling.run(desk.take))
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.wait([task], timeout=10)


async def test_updates_come_over_http_and_are_confirmed(server: BotApi) -> None:
    desk = Desk()
    ann = server.person("Ann")
    await ann.start_bot()
    async with connected(server, desk):
        await server.confirmed()
        number = server.push_raw({"nobody": "knows this"})
        await server.confirmed()
    assert desk.taken[-1] == number
    assert all("poll_answer" not in str(call.params["allowed_updates"]) for call in server.calls("getUpdates"))


async def test_a_token_that_the_server_does_not_know_leaves_no_hope(server: BotApi) -> None:
    async with connected(server, Desk(), "123:nobody") as task:
        await asyncio.wait([task], timeout=10)
        with pytest.raises(HopelessError, match="token"):
            task.result()


async def test_a_server_that_does_not_wait_for_updates_is_not_asked_without_end(scene: Scene) -> None:
    scene.feed.patient = False
    async with scene.polling():
        await calm()
        assert len(scene.feed.asked) == 1
        await scene.pass_time(1)
        assert len(scene.feed.asked) == 5
