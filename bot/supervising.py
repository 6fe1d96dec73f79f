"""Keeps an adapter going while its platform fails, and away from the others: one that fails never stops another."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from bot.ports import Transport
from bot.running import Adapter, Duties, Service
from bot.vitals import Connection

log = logging.getLogger(__name__)

LONGEST_WAIT = timedelta(minutes=5)
WELL_AGAIN = timedelta(minutes=10)
"""Whoever has run for so long starts over with short waits."""


class HopelessError(Exception):
    """The platform cannot be served before its operator changes something; the message says what."""


class Supervised:
    """An adapter that is started again when it fails, ever more slowly. `failed`: until somebody mends something."""

    def __init__(self, adapter: Adapter) -> None:
        self.failed = False
        self._adapter = adapter

    @property
    def platform(self) -> str:
        return self._adapter.platform

    @property
    def transport(self) -> Transport:
        return self._adapter.transport

    @property
    def duties(self) -> Duties:
        return self._adapter.duties

    async def run(self, service: Service) -> None:
        """Run the adapter until it has ended, until it is hopeless, or until cancelled."""
        clock, failures = service.clock, 0
        while True:
            began = clock.now()
            service.vitals.report(self.platform, Connection.CONNECTING)
            try:
                # In a task of its own: what a failed one leaves behind, its cancellations too, ends with it.
                return await asyncio.create_task(self._adapter.run(service), name=self.platform)
            except (Exception, asyncio.CancelledError) as error:
                if _stopping():
                    raise asyncio.CancelledError from error
                if hopeless := _hopeless(error):
                    log.error("%s is not served any more: %s", self.platform, hopeless)  # noqa: TRY400  # it says it
                    self.failed = True
                    service.crew.renounce(self.duties.roles)
                    service.vitals.report(self.platform, Connection.NOT_SERVED)
                    return None
                service.vitals.report(self.platform, Connection.UNREACHABLE)
                if not service.crew.alone:
                    service.crew.renounce(self.duties.roles)  # meanwhile another may have more luck
                failures = 0 if clock.now() - began >= WELL_AGAIN else failures
                wait = min(timedelta(seconds=2.0**failures), LONGEST_WAIT) * service.lots.uniform(0.5, 1.0)
                log.exception("%s failed; it is started again in %.0f s", self.platform, wait.total_seconds())
                failures = min(failures + 1, 16)
                await clock.sleep_until(clock.now() + wait)


def _stopping() -> bool:
    """Whether we are being cancelled. An adapter that fails in that very moment says only that it failed."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _hopeless(error: BaseException) -> HopelessError | None:
    """The reason why there is no hope, also where several things failed at once."""
    if isinstance(error, ExceptionGroup):
        return next(filter(None, map(_hopeless, error.exceptions)), None)
    return error if isinstance(error, HopelessError) else None
