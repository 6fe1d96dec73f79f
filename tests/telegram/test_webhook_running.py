"""A webhook that begins and stops: what is under way comes to its end, and faults are said with what to do."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import AsyncIterator

import aiohttp
import pytest

from adapters.telegram.webhook import SECRET_HEADER, Webhook
from tests.clock import VirtualClock
from tests.engine.running import until
from tests.telegram.delivering import LISTEN, SECRET, URL, Scene, listening
from tests.telegram.taking import Desk


@pytest.fixture
async def scene(clock: VirtualClock) -> AsyncIterator[Scene]:
    async with listening(clock) as scene:
        yield scene


# Beginning and stopping


async def test_what_is_under_way_when_stopping_comes_to_its_end_and_is_accepted(scene: Scene) -> None:
    scene.desk.held[7] = asyncio.Event()
    sending = scene.sending(7)
    await scene.begun(7)
    scene.running.cancel()
    await until(lambda: not scene.webhook.started.is_set())
    with pytest.raises(aiohttp.ClientConnectorError):
        await scene.send({"update_id": 8})
    scene.desk.held[7].set()
    assert await sending == 200
    await asyncio.wait([scene.running])


async def test_over_a_connection_that_is_open_nothing_more_is_taken_when_stopping(scene: Scene) -> None:
    assert await scene.send({"update_id": 6}) == 200
    scene.desk.held[7] = asyncio.Event()
    sending = scene.sending(7)
    await scene.begun(6, 7)
    reader, writer = await asyncio.open_connection("127.0.0.1", scene.webhook.port)
    head = f"POST /telegram/quiz%20bot HTTP/1.1\r\nHost: a\r\n{SECRET_HEADER}: {SECRET}\r\nContent-Length: 15\r\n\r\n"
    for opened in (True, False):
        writer.write(head.encode() + (b'{"update_id":8}' if opened else b'{"update_id":9}'))
        line = await reader.readuntil(b"\r\n\r\n")
        assert line.startswith(b"HTTP/1.1 200" if opened else b"HTTP/1.1 503")
        if opened:
            scene.running.cancel()
            await until(lambda: not scene.webhook.started.is_set())
    writer.close()
    await writer.wait_closed()
    scene.desk.held[7].set()
    assert await sending == 200
    assert scene.desk.taken == [6, 8, 7]


async def test_what_does_not_come_to_its_end_is_given_up_after_five_seconds(scene: Scene) -> None:
    scene.desk.held[7] = asyncio.Event()
    sending = scene.sending(7)
    await scene.begun(7)
    scene.running.cancel()
    await until(lambda: len(scene.clock.alarms) == 2)
    scene.clock.advance(4.5)
    assert not sending.done()
    scene.clock.advance(0.5)
    assert await sending == 503
    await asyncio.wait([scene.running])
    assert scene.desk.taken == []


async def test_telegram_is_told_when_it_listens_and_what_goes_wrong_with_that_is_raised(clock: VirtualClock) -> None:
    webhook = Webhook(URL, LISTEN, SECRET, clock)

    async def refuse() -> None:
        assert webhook.started.is_set()
        assert webhook.port
        raise ValueError("bad webhook")

    with pytest.raises(ValueError, match="bad webhook"):
        await asyncio.wait_for(webhook.run(Desk().take, refuse), 10)


async def test_a_port_that_is_taken_is_said_with_what_to_do(scene: Scene, clock: VirtualClock) -> None:
    second = Webhook(URL, f"127.0.0.1:{scene.webhook.port}", SECRET, clock)
    with pytest.raises(OSError, match=r"cannot listen at 127\.0\.0\.1.*QUIZBOT_TELEGRAM_WEBHOOK_LISTEN") as caught:
        await second.run(Desk().take)
    assert caught.value.errno == errno.EADDRINUSE


async def test_the_same_webhook_can_run_again(clock: VirtualClock) -> None:
    webhook = Webhook(URL, LISTEN, SECRET, clock)
    for _ in range(2):
        task = asyncio.create_task(webhook.run(Desk().take))
        await webhook.started.wait()
        task.cancel()
        await asyncio.wait([task])
        assert not webhook.started.is_set()


async def test_requests_are_not_logged(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert await scene.send({"update_id": 7}) == 200
    assert await scene.send({"update_id": 7}, secret=SECRET[1:]) == 403
    assert caplog.records == []
