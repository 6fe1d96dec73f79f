"""Whoever watches is told whether the bot is alive, whether it is ready and how it is doing, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.watch.server import Watch, watched
from bot.crew import HEARTBEAT, Crew
from bot.gauging import Gauges
from bot.library import Library
from bot.running import NO_DUTIES, Duties, Service
from bot.serving import serve
from bot.storage.sql import SqlStore
from bot.storage.sqlite import open_sqlite
from bot.supervising import HopelessError
from bot.vitals import STALE, STUCK, Connection, Vitals
from tests.clock import VirtualClock
from tests.engine.running import running, until
from tests.engine.screen import Screen
from tests.engine.world import opened
from tests.program import PATIENCE, Program
from tests.scraping import scrape
from tests.serving import GOOD, posix, started, with_settings
from tests.telegram.server import BotApi

FREE = "127.0.0.1:0"


class Seconds:
    """A clock that nobody sets, moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def vitals(seconds: Seconds) -> Vitals:
    return Vitals(seconds)


def ready(vitals: Vitals) -> Vitals:
    vitals.beat()
    vitals.answered()
    vitals.report("telegram", Connection.CONNECTED)
    return vitals


# What is known


def test_one_that_has_begun_is_well_and_not_ready_yet(vitals: Vitals) -> None:
    assert vitals.ailments() == []
    assert vitals.hindrances() == ["the database has not answered yet", "no platform is opened yet"]


def test_a_heartbeat_that_stands_still_is_an_ailment(vitals: Vitals, seconds: Seconds) -> None:
    vitals.beat()
    seconds.now += STUCK
    assert vitals.ailments() == []
    seconds.now += 1
    assert vitals.ailments() == ["the heartbeat has not run for 31 s"]
    vitals.beat()
    assert vitals.ailments() == []


def test_a_database_that_does_not_answer_is_a_hindrance_and_no_ailment(vitals: Vitals, seconds: Seconds) -> None:
    ready(vitals)
    seconds.now += STALE
    assert vitals.hindrances() == []
    seconds.now += 1
    assert vitals.hindrances() == ["the database has not answered for 11 s"]
    assert vitals.ailments() == []


def test_a_stop_is_a_hindrance_and_no_ailment(vitals: Vitals) -> None:
    ready(vitals).stopping = True
    assert vitals.hindrances() == ["this process is stopping"]
    assert vitals.ailments() == []


@pytest.mark.parametrize(
    ("connection", "hinders"),
    [
        (Connection.CONNECTING, True),
        (Connection.CONNECTED, False),
        (Connection.STANDING_BY, False),
        (Connection.UNREACHABLE, True),
        (Connection.NOT_SERVED, False),
    ],
    ids=lambda value: value.name if isinstance(value, Connection) else "",
)
def test_every_platform_that_is_served_has_to_be_connected_or_somebody_elses(
    vitals: Vitals, connection: Connection, hinders: bool
) -> None:
    ready(vitals).report("discord", connection)
    assert vitals.hindrances() == [f"discord is {connection.value}"] * hinders


# What is told


@asynccontextmanager
async def asking(watch: Watch) -> AsyncIterator[Asking]:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{watch.port}") as client:
        yield Asking(client)


@dataclass(frozen=True, slots=True)
class Asking:
    """Whoever watches."""

    client: aiohttp.ClientSession

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.client.get(path) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if answer.content_type == "application/json" else text

    async def status(self, path: str, method: str = "GET") -> int:
        async with self.client.request(method, path) as answer:
            return answer.status


async def nothing() -> None:
    """Every figure is up to date."""


async def test_health_and_readiness_say_what_is_missing(vitals: Vitals, seconds: Seconds) -> None:
    async with watched(FREE, vitals, nothing) as watch, asking(watch) as asked:
        assert await asked.get("/healthz") == (200, {"ok": True, "missing": []})
        status, told = await asked.get("/readyz")
        assert (status, told["ok"]) == (503, False)
        assert "the database has not answered yet" in told["missing"]
        ready(vitals)
        assert await asked.get("/readyz") == (
            200,
            {"ok": True, "missing": [], "platforms": {"telegram": "connected"}},
        )
        seconds.now += STUCK + 1
        status, told = await asked.get("/healthz")
        assert (status, told) == (503, {"ok": False, "missing": ["the heartbeat has not run for 31 s"]})


async def test_metrics_are_brought_up_to_date_and_can_be_read_by_a_scraper(vitals: Vitals) -> None:
    refreshed = []

    async def refresh() -> None:
        refreshed.append(True)

    async with watched(FREE, vitals, refresh) as watch, asking(watch) as asked:
        status, text = await asked.get("/metrics")
    assert status == 200
    assert refreshed == [True]
    assert scrape(text).names >= {"quizbot_mailbox_events", "quizbot_workers", "process_start_time_seconds"}


async def test_nothing_else_is_told(vitals: Vitals) -> None:
    async with watched(FREE, vitals, nothing) as watch, asking(watch) as asked:
        assert await asked.status("/") == 404
        assert await asked.status("/metrics/../settings") == 404
        assert await asked.status("/readyz", "POST") == 405
        assert await asked.status("/healthz", "HEAD") == 200


async def test_an_address_that_is_taken_is_said_with_what_to_do(vitals: Vitals) -> None:
    async with watched(FREE, vitals, nothing) as watch:
        taken = f"127.0.0.1:{watch.port}"
        with pytest.raises(
            HopelessError, match=rf"cannot listen at {taken} for health and metrics.*QUIZBOT_HEALTH_LISTEN"
        ):
            async with watched(taken, vitals, nothing):
                raise AssertionError("two listen at one address")


# Who tells it


async def test_the_heartbeat_says_that_it_runs_and_that_the_store_has_answered(
    vitals: Vitals, seconds: Seconds
) -> None:
    async with opened() as world:
        crew = Crew(world.store, world.clock, vitals=vitals)
        await crew.begin()
        ready(vitals)
        async with running(crew.run()):
            await until(lambda: bool(world.clock.alarms))
            world.driver.broken = True
            seconds.now += STUCK + 1
            await _beats(world.clock)
            assert vitals.ailments() == []
            assert vitals.hindrances() == ["the database has not answered for 31 s"]
            world.driver.broken = False
            await _beats(world.clock)
            assert vitals.hindrances() == []


async def _beats(clock: VirtualClock) -> None:
    """Return when the heartbeat has run once more."""
    clock.advance(HEARTBEAT.total_seconds())
    await until(lambda: bool(clock.alarms))


@dataclass(slots=True)
class Platform:
    """A platform that does what a test says: it fails with these errors, one after the other, and then is served."""

    platform: str
    errors: list[Exception] = field(default_factory=list)
    duties: Duties = NO_DUTIES
    transport: Screen = field(default_factory=lambda: Screen(VirtualClock()))

    async def run(self, service: Service) -> None:
        if self.errors:
            raise self.errors.pop(0)
        service.vitals.report(self.platform, Connection.CONNECTED)
        await asyncio.Event().wait()


@asynccontextmanager
async def entered(platform: Platform) -> AsyncIterator[Platform]:
    yield platform


@pytest.fixture
async def store() -> AsyncIterator[SqlStore]:
    store = await open_sqlite(":memory:", ["first", "second"])
    yield store
    await store.close()


async def test_a_service_is_ready_once_all_its_platforms_are(store: SqlStore, vitals: Vitals) -> None:
    clock = VirtualClock()
    first, second = Platform("first"), Platform("second", [ConnectionError("the platform is down")])
    serving = serve(store, Library([]), clock, [entered(first), entered(second)], vitals)
    task = asyncio.create_task(serving)
    await until(lambda: vitals.hindrances() == ["second is unreachable"])
    while vitals.hindrances():
        clock.advance(HEARTBEAT.total_seconds())
        await asyncio.sleep(0)
    assert vitals.platforms == {"first": Connection.CONNECTED, "second": Connection.CONNECTED}
    task.cancel()
    await asyncio.wait([task])


async def test_a_platform_that_only_its_operator_can_help_keeps_nobody_from_the_others(
    store: SqlStore, vitals: Vitals
) -> None:
    first, second = Platform("first"), Platform("second", [HopelessError("its token is gone")])
    serving = serve(store, Library([]), VirtualClock(), [entered(first), entered(second)], vitals)
    task = asyncio.create_task(serving)
    await until(lambda: "second" in vitals.platforms and not vitals.hindrances())
    assert vitals.platforms["second"] is Connection.NOT_SERVED
    task.cancel()
    await asyncio.wait([task])


async def test_a_store_that_is_away_is_no_reason_not_to_be_told_the_rest(vitals: Vitals) -> None:
    async with opened() as world:
        gauges = Gauges(world.clock)
        gauges.store = world.store
        world.driver.broken = True
        async with watched(FREE, vitals, gauges.refresh) as watch, asking(watch) as asked:
            status, text = await asked.get("/metrics")
    assert status == 200
    assert "quizbot_turn_seconds" in text


# The real program


@posix
async def test_the_program_tells_how_it_is_and_logs_as_it_was_told(tmp_path: Path) -> None:
    async with BotApi() as telegram:
        listen = f"127.0.0.1:{free_port()}"
        program = with_settings(
            Program(tmp_path, {"QUIZBOT_CONTENT_DIR": GOOD}),
            telegram_token=telegram.token,
            telegram_api_url=telegram.url,
            health_listen=listen,
            log_format="json",
        )
        async with started(program) as serving, aiohttp.ClientSession(f"http://{listen}") as client:
            asking = Asking(client)
            await serving.until("Telegram: @quiz_test_bot")
            async with asyncio.timeout(PATIENCE):
                while await asking.status("/readyz") != HTTPStatus.OK:
                    pass
            assert await asking.get("/healthz") == (200, {"ok": True, "missing": []})
            status, told = await asking.get("/readyz")
            assert (status, told["platforms"]) == (200, {"telegram": "connected"})
            scraped = scrape((await asking.get("/metrics"))[1])
            assert scraped("live_sessions", platform="telegram") == 0
            assert scraped("workers") == 1
            second = await asyncio.to_thread(with_settings(program, database_url="sqlite://:memory:").run, "run")
            assert second.code == 1
            assert f"quizbot: cannot listen at {listen} for health and metrics" in second.err
            ran = await serving.end(signal.SIGTERM)
    assert ran.code == 0
    lines = [json.loads(line) for line in ran.err.splitlines()]
    assert {"bot.serving", "adapters.telegram.adapter"} <= {line["logger"] for line in lines}
    assert len({line["worker"] for line in lines if line["logger"].startswith("adapters.")}) == 1
    assert telegram.token.partition(":")[2] not in ran.err


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port
