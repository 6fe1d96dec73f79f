"""Updates by webhook are accepted when they have been taken, and come again when they have not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.telegram import webhook
from bot.engine import StoppingError
from bot.ports import StoreError
from tests.clock import VirtualClock
from tests.engine.running import until
from tests.telegram.delivering import SECRET, Scene, listening
from tests.telegram.server import BotApi


@pytest.fixture
async def scene(clock: VirtualClock) -> AsyncIterator[Scene]:
    async with listening(clock) as scene:
        yield scene


# What comes of it


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (StoreError("database quiz.sqlite3: the disk is full"), 500),
        (StoppingError("Quizbot is stopping"), 503),
    ],
)
async def test_what_could_not_be_taken_is_to_be_delivered_again(scene: Scene, fault: Exception, status: int) -> None:
    scene.desk.faults[7] = fault
    assert await scene.send({"update_id": 7}) == status
    del scene.desk.faults[7]
    assert await scene.send({"update_id": 7}) == 200
    assert (scene.desk.begun, scene.desk.taken) == ([7, 7], [7])


async def test_an_update_that_nobody_can_take_is_accepted_in_the_end_and_said_in_the_log(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.desk.faults[7] = StoreError("this chat cannot be read")
    for other, status in zip(range(8, 13), [500] * 4 + [200], strict=True):
        assert await scene.send({"update_id": 7, "text": "secret words"}) == status
        assert await scene.send({"update_id": other}) == 200
    assert "update 7 failed 5 times and is passed over: it is lost" in caplog.text
    assert "secret words" not in caplog.text


async def test_while_the_store_fails_nothing_is_passed_over(scene: Scene) -> None:
    scene.desk.faults[7] = StoreError("database quiz.sqlite3: the disk is full")
    assert {await scene.send({"update_id": 7}) for _ in range(20)} == {500}


async def test_an_update_delivered_twice_is_taken_twice_and_accepted_twice(scene: Scene) -> None:
    assert await scene.send({"update_id": 7}) == 200
    assert await scene.send({"update_id": 7}) == 200
    assert scene.desk.taken == [7, 7]


async def test_an_update_delivered_again_while_it_is_under_way_is_not_begun_again(scene: Scene) -> None:
    scene.desk.held[7] = asyncio.Event()
    first = scene.sending(7)
    await scene.begun(7)
    second = scene.sending(7)
    await scene.waiting(2)
    scene.desk.held[7].set()
    assert (await first, await second) == (200, 200)
    assert scene.desk.begun == [7]


async def test_a_slow_one_goes_on_while_telegram_is_asked_to_deliver_it_again(scene: Scene) -> None:
    scene.desk.held[7] = asyncio.Event()
    sending = scene.sending(7)
    await scene.begun(7)
    scene.clock.advance(19)
    assert await scene.send({"update_id": 8}) == 200
    assert not sending.done()
    scene.clock.advance(1)
    assert await sending == 503
    again = scene.sending(7)
    await scene.waiting(1)
    scene.desk.held[7].set()
    assert await again == 200
    assert (scene.desk.begun, scene.desk.taken) == ([7, 8], [8, 7])


async def test_while_very_many_are_under_way_more_are_to_be_delivered_later(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "MOST_HELD", 1)
    scene.desk.held[7] = asyncio.Event()
    sending = scene.sending(7)
    await scene.begun(7)
    assert await scene.send({"update_id": 8}) == 503
    scene.desk.held[7].set()
    assert await sending == 200
    assert await scene.send({"update_id": 8}) == 200


async def test_an_update_is_taken_even_if_whoever_delivers_it_hangs_up(scene: Scene) -> None:
    scene.desk.held[7] = asyncio.Event()
    sending = scene.sending(7)
    await scene.begun(7)
    sending.cancel()
    await asyncio.wait([sending])
    assert await scene.send({"update_id": 8}) == 200
    scene.desk.held[7].set()
    await until(lambda: scene.desk.taken == [8, 7])


# From Telegram


async def test_updates_come_from_a_server_that_delivers_and_what_failed_comes_again(
    server: BotApi, clock: VirtualClock
) -> None:
    async with listening(clock, "http://127.0.0.1/telegram") as scene:
        async with scene.client.post(
            f"{server.url}/bot{server.token}/setWebhook",
            data={"url": f"http://127.0.0.1:{scene.webhook.port}/telegram", "secret_token": SECRET},
        ) as answer:
            assert (await answer.json())["ok"]
        first = server.push_raw({"message": {}})
        await server.confirmed()
        scene.desk.faults[first + 1] = StoreError("database quiz.sqlite3: the disk is full")
        second = server.push_raw({"message": {}})
        await until(lambda: len(server.world.webhook.refused) == 3)
        scene.desk.faults.clear()
        server.retry_webhook()
        await server.confirmed()
        assert scene.desk.taken == [first, second]
