"""`quizbot run`: puts store, quizzes and platforms together, and ends in order. The adapters know what they serve."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from importlib.metadata import version

import click

from bot import databases, logs, metrics, opening, platforms, present, running, tracing, words
from bot.clock import SystemClock
from bot.crew import worker_name
from bot.faults import raise_plainly
from bot.gauging import Gauges
from bot.library import Library
from bot.offering import Offer, offered
from bot.opening import Opened
from bot.platforms import Platform
from bot.ports import Clock, Store, StoreError, StoreUnavailableError
from bot.running import Adapter
from bot.settings import Settings
from bot.storage.schema import MIGRATIONS
from bot.supervising import HopelessError, Supervised
from bot.vitals import Vitals

log = logging.getLogger(__name__)

SERVED, HOPELESS, UNSET = 0, 1, 2
"""Exit codes: stopped in order; nothing can be served before somebody mends something; the settings do not do."""


PATIENCE, PAUSE = timedelta(seconds=20), timedelta(seconds=2)
"""How long a database may take to be there when the bot starts, and how often it is tried."""


def serve_here(settings: Settings) -> int:
    """Serve until stopped, or until nothing can be served any more; the exit code. Raises click's errors for what
    people can mend."""
    asked_for = platforms.asked_for(settings)
    if not asked_for:
        click.echo(platforms.FIRST_STEPS, err=True)
        return UNSET
    usable = _usable(asked_for)
    foreseen = [error for platform in usable for error in opening.foreseen(platform)]
    logs.to_stderr(*foreseen, form=settings.log_format)
    clock = SystemClock()
    opened = [opening.opened(platform, settings, clock) for platform in asked_for]
    offer = _offer(settings)
    words.prepare()
    # Modules, quizzes and catalogues stay: the collector need not stop everything to look at them again.
    gc.freeze()
    try:
        return asyncio.run(_serve(settings, usable, Library(offer.quizzes), clock, opened))
    except KeyboardInterrupt:
        return SERVED
    except (StoreError, HopelessError) as error:
        raise click.ClickException(str(error)) from error
    except BaseExceptionGroup as group:
        raise_plainly(group)


def _usable(asked_for: Sequence[Platform]) -> Sequence[Platform]:
    """Those that nothing hinders; ends with click's error where that is none."""
    reasons = {platform: opening.hindrance(platform) for platform in asked_for}
    if all(reasons.values()):
        raise click.ClickException(
            "; ".join(f"{platform.title} cannot be served: {reason}" for platform, reason in reasons.items())
        )
    return [platform for platform, reason in reasons.items() if not reason]


def _offer(settings: Settings) -> Offer:
    """What there is to play, read before anybody waits for it."""
    offer = offered(settings.content_dir)
    for path in offer.broken:
        log.warning("left out, because it cannot be used: %s; see: quizbot check %s", path.name, path)
    if not offer.quizzes:
        raise click.ClickException(
            f"no quiz in {settings.content_dir} can be played: set QUIZBOT_CONTENT_DIR to a folder with quiz files"
        )
    log.info("Content: %s, from %s", offer.summary, settings.content_dir)
    return offer


async def _serve(
    settings: Settings, usable: Sequence[Platform], library: Library, clock: Clock, opened: Sequence[Opened]
) -> int:
    vitals, gauges, worker = Vitals(), Gauges(clock), worker_name()
    tracing.WORKER.set(worker)
    stop = Stop(vitals)
    stop.obey_signals()
    try:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(_watched(settings.health_listen, vitals, gauges))
            names, connections = [platform.name for platform in usable], settings.database_connections
            store = await patiently(
                lambda: databases.opened(settings.database_url, names, connections=connections, worker=worker), clock
            )
            stack.push_async_callback(store.close)
            log.info("Database: %s", databases.name_of(settings.database_url))
            gauges.store = store
            return await serve(store, library, clock, opened, vitals)
    except asyncio.CancelledError:
        if not stop.asked:
            raise
        return SERVED
    finally:
        log.info("Stopped")


async def patiently(opening: Callable[[], Awaitable[Store]], clock: Clock) -> Store:
    """The store, once its database can be reached, which may start beside us. Raises StoreError: at once for what no
    waiting mends."""
    last = clock.now() + PATIENCE
    while True:
        try:
            return await opening()
        except StoreUnavailableError as error:
            if clock.now() >= last:
                raise
            log.warning("%s; trying again", error)
            await clock.sleep_until(clock.now() + PAUSE)


@asynccontextmanager
async def _watched(listen: str | None, vitals: Vitals, gauges: Gauges) -> AsyncIterator[None]:
    """Answer whoever watches, where that is wanted. Raises HopelessError where nobody could be answered."""
    if listen is None:
        yield
        return
    from adapters.watch.server import watched

    metrics.INFO.info({"version": version("quizbot"), "schema": str(len(MIGRATIONS))})
    async with watched(listen, vitals, gauges.refresh):
        log.info("Health and metrics: at %s", listen)
        yield


async def serve(
    store: Store,
    library: Library,
    clock: Clock,
    platforms_opened: Sequence[Opened],
    vitals: Vitals | None = None,
) -> int:
    """Serve these platforms until each has ended, or until cancelled; the exit code. One that cannot be served is no
    reason to end the others. `vitals` is told how it goes."""
    async with AsyncExitStack() as stack:
        opened = [await _entered(stack, each) for each in platforms_opened]
        adapters = [Supervised(adapter) for adapter in opened if adapter]
        if adapters:
            await running.run(store, library, clock, present.post, adapters, vitals or Vitals())
    return SERVED if len(adapters) == len(opened) and not any(adapter.failed for adapter in adapters) else HOPELESS


async def _entered(stack: AsyncExitStack, opened: Opened) -> Adapter | None:
    try:
        return await stack.enter_async_context(opened)
    except HopelessError as error:
        log.error("a platform cannot be served: %s", error)  # noqa: TRY400  # its words say it
    except Exception:
        log.exception("a platform cannot be served, because it cannot be opened")
    return None


class Stop:
    """The wish to end, by Ctrl-C or SIGTERM: the first lets everything end in order, the next ends it at once."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self, vitals: Vitals | None = None) -> None:
        self.asked = False
        self._vitals = vitals or Vitals()

    def obey_signals(self) -> None:
        """Cancel the task that calls this when the first signal comes."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def end() -> None:
            self.asked = self._vitals.stopping = True
            for each in self.SIGNALS:
                loop.remove_signal_handler(each)
                signal.signal(each, signal.SIG_DFL)
            log.info("Stopping; once more ends it at once")
            if task:
                task.cancel()

        with contextlib.suppress(NotImplementedError):  # on Windows Ctrl-C cancels the task by itself
            for each in self.SIGNALS:
                loop.add_signal_handler(each, end)
