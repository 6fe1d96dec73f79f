"""Runs everything together: engine, ticker, delivery, heartbeat and adapters; recovers at the start, stops in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Protocol

from bot.delivery import Delivery, Present
from bot.drawing import Pictures
from bot.engine import Engine
from bot.library import Library
from bot.ports import Clock, Store, StoreError, Transport
from bot.reminding import Reminding
from bot.studying import Studying
from bot.ticker import Ticker

log = logging.getLogger(__name__)

HEARTBEAT = timedelta(seconds=2)
"""How exactly the length of an outage is known."""

CALM = timedelta(seconds=1)
"""How long after a start the chats are told of the time they are given back."""

DRAIN = 5.0
"""Seconds that posts still under way are given when stopping."""


@dataclass(frozen=True, slots=True)
class Service:
    """What an adapter works with. `settled` returns when nothing that can be delivered now is still on its way,
    `studied` when nothing is left to be learned from sessions that have ended."""

    engine: Engine
    library: Library
    store: Store
    clock: Clock
    lots: Random
    settled: Callable[[], Awaitable[None]]
    studied: Callable[[], Awaitable[None]]
    pictures: Pictures = field(default_factory=Pictures)


class Adapter(Protocol):
    """One platform: a way out for posts, and a life of its own that brings events in."""

    @property
    def platform(self) -> str:
        """What the ids of its chats and people begin with."""
        ...

    @property
    def transport(self) -> Transport:
        """Its way out."""
        ...

    async def run(self, service: Service) -> None:
        """Bring events in until cancelled, or until there is nothing more to bring."""
        ...


@asynccontextmanager
async def serving(
    store: Store, library: Library, clock: Clock, present: Present, transports: Mapping[str, Transport], lots: Random
) -> AsyncIterator[Service]:
    """Everything but the adapters, recovered and running; stopped in order on leaving, also after an error."""
    await store.recover(clock.now())
    ticker = Ticker(store, clock)
    deliveries = [
        Delivery(store, library, clock, present, platform, transport, lots, on_first_shown=ticker.look)
        for platform, transport in transports.items()
    ]

    def nudge() -> None:
        for delivery in deliveries:
            delivery.nudge()

    studying = Studying(store, library, clock)
    reminding = Reminding(store, library, clock, on_posts=nudge)
    async with Engine(store, library, clock, on_posts=nudge, on_wake=ticker.expect, on_ended=studying.nudge) as engine:

        async def settled() -> None:
            await asyncio.gather(*(delivery.settle(engine) for delivery in deliveries))

        tasks = [
            *(asyncio.create_task(delivery.run(engine), name="delivery") for delivery in deliveries),
            asyncio.create_task(ticker.run(engine), name="ticker"),
            asyncio.create_task(_catch_up(ticker, engine, clock), name="catching up"),
            asyncio.create_task(beat(store, clock), name="heartbeat"),
            asyncio.create_task(studying.run(), name="studying"),
            asyncio.create_task(reminding.run(), name="reminding"),
        ]
        try:
            yield Service(engine, library, store, clock, lots, settled, studying.settle)
        finally:
            await _end(tasks)
            await asyncio.gather(*(_drain(delivery, engine) for delivery in deliveries))
    await store.beat(clock.now())


async def beat(store: Store, clock: Clock) -> None:
    """Note again and again that the service is alive, until cancelled."""
    while True:
        try:
            await store.beat(clock.now())
        except Exception:
            log.exception("the heartbeat cannot be noted")
        await clock.sleep_until(clock.now() + HEARTBEAT)


async def _catch_up(ticker: Ticker, engine: Engine, clock: Clock) -> None:
    """What is due already goes first."""
    await clock.sleep_until(clock.now() + CALM)
    await ticker.catch_up(engine)


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            log.error("a part of the service had failed", exc_info=result)


async def _drain(delivery: Delivery, engine: Engine) -> None:
    try:
        async with asyncio.timeout(DRAIN):
            await delivery.settle(engine)
    except (TimeoutError, StoreError):
        log.exception("not everything could be delivered; it stays in the outbox")
    finally:
        delivery.abandon()


async def run(store: Store, library: Library, clock: Clock, present: Present, adapters: Sequence[Adapter]) -> None:
    """Serve these adapters until all of them have ended, or until cancelled."""
    transports = {adapter.platform: adapter.transport for adapter in adapters}
    lots = Random()  # noqa: S311  # the order of questions is no secret
    async with serving(store, library, clock, present, transports, lots) as service, asyncio.TaskGroup() as group:
        for adapter in adapters:
            group.create_task(adapter.run(service), name=adapter.platform)
