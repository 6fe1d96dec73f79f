"""Runs everything together: engine, ticker, delivery, crew and adapters; recovers at the start, stops in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Protocol

from bot.crew import HEARTBEAT, Crew
from bot.delivery import Delivery, Present
from bot.drawing import Pictures
from bot.engine import Engine
from bot.library import Library
from bot.ports import Clock, Store, StoreError, Transport, platform_of
from bot.reminding import Reminding
from bot.studying import Studying
from bot.ticker import Ticker
from bot.vitals import Vitals

log = logging.getLogger(__name__)

CALM = timedelta(seconds=1)
"""How long after a start the chats are told of the time they are given back."""

LOOK = timedelta(minutes=1)
"""How often to look for sessions to learn from that another process has left."""

APART = 0.1
"""Seconds within which several processes look for the same deadline."""

DRAIN = 5.0
"""Seconds that posts still under way are given when stopping."""


@dataclass(frozen=True, slots=True)
class Service:
    """What an adapter works with. `crew` says what is this process's to do. `settled` returns when nothing that can be
    delivered now is still on its way, `studied` when nothing is left to be learned from sessions that have ended."""

    engine: Engine
    library: Library
    store: Store
    clock: Clock
    lots: Random
    settled: Callable[[], Awaitable[None]]
    studied: Callable[[], Awaitable[None]]
    crew: Crew
    pictures: Pictures = field(default_factory=Pictures)
    vitals: Vitals = field(default_factory=Vitals)


@dataclass(frozen=True, slots=True)
class Duties:
    """What an adapter has to share with the other processes that serve its platform: the `roles` that only one of them
    may have at a time, and of which this one `may_send` posts with those that it has. `is_open`: whether it could, for
    while it cannot, others do. `awaited`: whether somebody in this process waits for the next post to a chat."""

    roles: frozenset[str] = frozenset()
    may_send: Callable[[frozenset[str]], bool] = lambda _: True
    is_open: Callable[[], bool] = lambda: True
    awaited: Callable[[str], bool] = lambda _: False


NO_DUTIES = Duties()
NOTHING_SHARED: Mapping[str, Duties] = MappingProxyType({})


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

    @property
    def duties(self) -> Duties:
        """What it shares with other processes."""
        ...

    async def run(self, service: Service) -> None:
        """Bring events in until cancelled, or until there is nothing more to bring."""
        ...


@asynccontextmanager
async def serving(
    store: Store,
    library: Library,
    clock: Clock,
    present: Present,
    transports: Mapping[str, Transport],
    lots: Random,
    duties: Mapping[str, Duties] = NOTHING_SHARED,
    vitals: Vitals | None = None,
) -> AsyncIterator[Service]:
    """Everything but the adapters, recovered and running; stopped in order on leaving, also after an error. `duties`
    are those of the platforms that have any. `vitals` is told how it goes."""
    vitals = vitals or Vitals()
    began = clock.now()
    crew = Crew(store, clock, [role for each in duties.values() for role in each.roles], vitals=vitals)
    await crew.begin()
    ticker = Ticker(store, clock, stagger=partial(_apart, crew, lots), look_every=lambda: crew.every(HEARTBEAT))
    deliveries = [
        Delivery(
            store,
            library,
            clock,
            present,
            platform,
            transport,
            lots,
            on_first_shown=ticker.look,
            may_send=partial(_may_send, crew, duties.get(platform, NO_DUTIES)),
            glance=lambda: crew.glance,
        )
        for platform, transport in transports.items()
    ]

    def nudge() -> None:
        for delivery in deliveries:
            delivery.nudge()

    studying = Studying(store, library, clock, look_every=lambda: crew.every(LOOK))
    reminding = Reminding(store, library, clock, on_posts=nudge)
    engine = Engine(
        store,
        library,
        clock,
        on_posts=nudge,
        on_wake=ticker.expect,
        on_ended=studying.nudge,
        # Alone there is nobody to keep posts from.
        awaited=lambda chat: not crew.alone and duties.get(platform_of(chat), NO_DUTIES).awaited(chat),
        up_to_date=crew.catch_up,
    )
    async with _left_in_order(crew), engine:
        crew.on_outages = engine.learn
        crew.on_gone = nudge

        async def settled() -> None:
            await asyncio.gather(*(delivery.settle(engine) for delivery in deliveries))

        tasks = [
            *(asyncio.create_task(delivery.run(engine), name="delivery") for delivery in deliveries),
            asyncio.create_task(ticker.run(engine), name="ticker"),
            asyncio.create_task(_catch_up(ticker, engine, crew, clock, began), name="catching up"),
            asyncio.create_task(crew.run(), name="crew"),
            asyncio.create_task(studying.run(), name="studying"),
            asyncio.create_task(reminding.run(), name="reminding"),
        ]
        try:
            yield Service(engine, library, store, clock, lots, settled, studying.settle, crew, vitals=vitals)
        finally:
            await _end(tasks)
            await asyncio.gather(*(_drain(delivery, engine, crew) for delivery in deliveries))


@asynccontextmanager
async def _left_in_order(crew: Crew) -> AsyncIterator[None]:
    """At the end, however that comes, others have at once what this process had."""
    try:
        yield
    finally:
        try:
            await crew.leave()
        except StoreError as error:
            log.error("this process cannot sign out; others take its roles in a few seconds: %s", error)  # noqa: TRY400


def _apart(crew: Crew, lots: Random) -> timedelta:
    return timedelta(0) if crew.alone else timedelta(seconds=lots.uniform(0, APART))


def _may_send(crew: Crew, duties: Duties) -> bool:
    return duties.may_send(crew.held) and (crew.alone or duties.is_open())


async def _catch_up(ticker: Ticker, engine: Engine, crew: Crew, clock: Clock, began: datetime) -> None:
    """What is due already goes first. Where others had gone on, nobody is owed anything."""
    await clock.sleep_until(clock.now() + CALM)
    if any(outage.until >= began for outage in crew.outages):
        await ticker.catch_up(engine)


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            log.error("a part of the service had failed", exc_info=result)


async def _drain(delivery: Delivery, engine: Engine, crew: Crew) -> None:
    """Deliver what can be; where others go on, only what is under way already."""
    try:
        async with asyncio.timeout(DRAIN):
            await (delivery.settle(engine) if crew.alone else delivery.finish())
    except (TimeoutError, StoreError):
        log.exception("not everything could be delivered; it stays in the outbox")
    finally:
        delivery.abandon()


async def run(
    store: Store,
    library: Library,
    clock: Clock,
    present: Present,
    adapters: Sequence[Adapter],
    vitals: Vitals | None = None,
) -> None:
    """Serve these adapters until all of them have ended, or until cancelled. `vitals` is told how it goes. Raises a
    group with an OutdatedError when this version has to give way to a newer one, after a stop in order."""
    transports = {adapter.platform: adapter.transport for adapter in adapters}
    lots = Random()  # noqa: S311  # the order of questions is no secret
    duties = {adapter.platform: adapter.duties for adapter in adapters}
    parts = (store, library, clock, present, transports, lots, duties, vitals)
    async with serving(*parts) as service, asyncio.TaskGroup() as group:
        giving_way = group.create_task(service.crew.outdated())
        await asyncio.wait([group.create_task(each.run(service), name=each.platform) for each in adapters])
        giving_way.cancel()
