"""Polling where something fails: the store, an update, the way to Telegram; and when there is no hope."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from telegram.error import BadRequest, Conflict, InvalidToken, NetworkError, RetryAfter, TimedOut

from adapters.telegram.polling import Polling
from bot.engine import StoppingError
from bot.ports import StoreError
from bot.supervising import HopelessError
from tests.clock import NOON, VirtualClock
from tests.engine.running import until
from tests.telegram.feeding import FIRST, Feed, Scene, calm
from tests.telegram.taking import Desk


@pytest.fixture
def scene(clock: VirtualClock) -> Scene:
    return Scene(clock, Feed(clock))


# Failing takes


async def test_what_could_not_be_stored_is_tried_again_for_as_long_as_it_takes(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.desk.store_fails = True
    scene.feed.push(FIRST, FIRST + 1)
    async with scene.polling():
        await scene.pass_time(600, step=1)
        assert scene.desk.taken == []
        assert 20 < scene.desk.begun.count(FIRST) < 30
        scene.desk.store_fails = False
        await scene.pass_time(30, step=1)
        assert scene.desk.taken == [FIRST, FIRST + 1]
        await until(lambda: not scene.feed.queue)
    said = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert said[0] == "updates cannot be stored; they wait and are tried again: database quiz.sqlite3: the disk is full"
    assert 8 < len(said) < 12


async def test_an_update_is_tried_again_after_one_second_two_four_and_so_on(scene: Scene) -> None:
    scene.desk.store_fails = True
    scene.feed.push(FIRST)
    async with scene.polling():
        for tries, wait in enumerate((1, 2, 4, 8, 16, 30, 30), 1):
            await scene.pass_time(wait - 0.25)
            assert len(scene.desk.begun) == tries
            await scene.pass_time(0.25)
            assert len(scene.desk.begun) == tries + 1


async def test_an_update_that_nobody_can_take_is_passed_over_and_said_in_the_log(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.desk.faults[FIRST] = StoreError("this chat cannot be read")
    numbers = itertools.count(FIRST)
    scene.feed.push(next(numbers))
    async with scene.polling():
        for _ in range(16):
            scene.feed.push(next(numbers))
            await scene.pass_time(1)
        await until(lambda: not scene.feed.queue)
    assert scene.desk.begun.count(FIRST) == 5
    assert scene.desk.taken == list(range(FIRST + 1, next(numbers)))
    last = caplog.records[-1]
    assert (last.levelno, last.getMessage()) == (
        logging.ERROR,
        f"update {FIRST} failed 5 times and is passed over: it is lost",
    )
    assert "secret words" not in caplog.text


async def test_an_engine_that_stops_costs_no_update(scene: Scene) -> None:
    scene.desk.faults[FIRST] = StoppingError("Quizbot is stopping")
    scene.feed.push(FIRST)
    async with scene.polling():
        await scene.pass_time(300, step=1)
        assert list(scene.feed.queue) == [FIRST]


# What is no update


JUNK: list[object] = [None, 7, "update", [], {}, {"update_id": "701"}, {"update_id": True}, {"update_id": None}]


async def test_what_is_no_update_is_passed_over(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    scene.feed.push_junk(*JUNK)
    scene.feed.push(FIRST)
    scene.desk.hold(FIRST)
    async with scene.polling():
        await scene.pass_time(5)
        scene.feed.push(FIRST + 1)
        await scene.pass_time(1)
        assert scene.desk.taken == [FIRST + 1]
        scene.feed.junk.clear()
        scene.desk.held[FIRST].set()
        await until(lambda: not scene.feed.queue)
    assert [record.getMessage() for record in caplog.records] == [
        "Telegram sent something without an update_id; it is passed over"
    ]


async def test_with_nothing_but_junk_telegram_is_asked_past_it_ever_more_slowly(scene: Scene) -> None:
    scene.feed.push(FIRST)
    async with scene.polling():
        await until(lambda: not scene.feed.queue)
        scene.feed.push_junk({"id": FIRST + 3})
        await scene.pass_time(60)
        assert [question.offset for question in scene.feed.asked] == [None, *range(FIRST + 1, FIRST + 7)]
        scene.feed.junk.clear()
        scene.feed.push(FIRST + 20)
        await scene.pass_time(30)
        assert scene.desk.taken == [FIRST, FIRST + 20]


@pytest.mark.parametrize("answer", [True, {"update_id": FIRST}, "updates", None])
async def test_an_answer_that_is_no_list_is_a_failure_like_any_other(clock: VirtualClock, answer: object) -> None:
    class Line:
        asked = 0

        async def raw(self, url: str, parameters: Mapping[str, object], *, wait: float = 0.0) -> Any:
            self.asked += 1
            return answer

    line, desk = Line(), Desk()
    task = asyncio.create_task(Polling("http://telegram/bot1:a", line, clock).run(desk.take))
    for _ in range(10):
        await calm()
        clock.advance(1)
    task.cancel()
    await asyncio.wait([task], timeout=10)
    assert line.asked == 4
    assert desk.begun == []


# Failing requests


async def test_after_failures_telegram_is_asked_ever_more_slowly_and_after_a_success_at_once(scene: Scene) -> None:
    failures = [NetworkError("502 and no JSON"), TimedOut("no answer"), BadRequest("Bad Request: what")] * 3
    scene.feed.fail(*failures[:7])
    async with scene.polling():
        await scene.pass_time(100)
        waits = [1, 2, 4, 8, 16, 30, 30]
        moments = [NOON + timedelta(seconds=seconds) for seconds in itertools.accumulate([0, *waits])]
        assert [question.at for question in scene.feed.asked] == moments
        scene.feed.push(FIRST)
        scene.feed.answering.clear()
        await calm()
        scene.feed.fail(NetworkError("once more"))
        scene.feed.answering.set()
        await scene.pass_time(2)
        assert len(scene.feed.asked) == len(moments) + 2
        assert scene.feed.asked[-1].at - scene.feed.asked[-2].at == timedelta(seconds=1)


async def test_a_flood_wait_is_obeyed(scene: Scene) -> None:
    scene.feed.fail(RetryAfter(timedelta(seconds=17)))
    async with scene.polling():
        await scene.pass_time(60)
        assert [question.at - NOON for question in scene.feed.asked] == [timedelta(0), timedelta(seconds=17)]


TERMINATED = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"


@pytest.mark.parametrize(
    ("said", "told"), [(TERMINATED, "another program takes the updates"), (WEBHOOK, "somebody has set a webhook")]
)
async def test_a_rival_is_named_in_the_log_and_after_a_minute_there_is_no_hope(
    scene: Scene, caplog: pytest.LogCaptureFixture, said: str, told: str
) -> None:
    scene.feed.fail(*[Conflict(said)] * 20)

    async def suffer() -> None:
        async with scene.polling() as task:
            await scene.pass_time(59)
            assert not task.done()
            await scene.pass_time(3)
            assert task.done()

    with pytest.raises(HopelessError, match=told):
        await suffer()
    assert len(caplog.records) == 1
    assert told in caplog.text
    assert "QUIZBOT_TELEGRAM_TOKEN" in caplog.text


@pytest.mark.parametrize("between", [NetworkError("502 and no JSON"), None])
async def test_a_rival_that_lets_us_ask_now_and_then_is_one_all_the_same(
    scene: Scene, between: Exception | None
) -> None:
    """A busy bot: every second question is answered, or fails for another reason."""
    numbers = itertools.count(FIRST)

    async def suffer() -> None:
        async with scene.polling() as task:
            for _ in range(40):
                scene.feed.fail(Conflict(TERMINATED), *([between] if between else []))
                scene.feed.push(next(numbers))
                await scene.pass_time(5)
                if task.done():
                    return

    with pytest.raises(HopelessError, match="another program takes the updates"):
        await suffer()
    assert timedelta(seconds=60) <= scene.clock.now() - NOON <= timedelta(seconds=80)
    assert len(scene.desk.taken) > 5


async def test_a_rival_that_keeps_away_for_a_minute_is_forgotten(scene: Scene) -> None:
    async with scene.polling():
        for number in range(FIRST, FIRST + 5):
            scene.feed.fail(*[Conflict(TERMINATED)] * 5)  # for 31 s, the last of them after 15
            scene.feed.push(number)
            await scene.pass_time(40)
            assert scene.desk.taken[-1] == number
            await scene.pass_time(35)


async def test_a_refused_token_leaves_no_hope(scene: Scene) -> None:
    scene.feed.fail(InvalidToken("Unauthorized"))
    with pytest.raises(HopelessError, match="take it anew from @BotFather and set QUIZBOT_TELEGRAM_TOKEN"):
        await Polling("http://telegram/bot1:a", scene.feed, scene.clock).run(scene.desk.take)
