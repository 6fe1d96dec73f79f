"""This process among those that serve from one database: signs in again and again, and has the roles that only one of
them may have at a time. Knows no role's work."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NoReturn

from bot import metrics
from bot.clock import Alarm
from bot.ports import Clock, Outage, OutdatedError, Roster, Store, StoreError
from bot.vitals import Vitals

log = logging.getLogger(__name__)

HEARTBEAT = timedelta(seconds=2)
"""How often a process signs in, and how exactly the length of an outage is known."""

SILENCE = timedelta(seconds=5)
"""After so long without a sign there may have been an outage that this process does not know of."""

GLANCE = timedelta(milliseconds=200)
"""How often a process looks for posts that others have queued."""

NOBODY = Roster(frozenset(), frozenset(), (), None)


def worker_name() -> str:
    """A name for this process that no other has."""
    return secrets.token_hex(6)


class Crew:
    """The processes that are alive, as this one knows them, and what this one has to do."""

    def __init__(
        self, store: Store, clock: Clock, roles: Collection[str] = (), *, vitals: Vitals | None = None
    ) -> None:
        """`roles` are those that this process can take from the start. `on_outages` is told all outages that sessions
        may not have been told of, `on_gone` that another process is gone, and what it had to do is free; `vitals` is
        told how it goes."""
        self.on_outages: Callable[[Collection[Outage]], None] = lambda _: None
        self.on_gone: Callable[[], None] = lambda: None
        self._store = store
        self._clock = clock
        self._roles = frozenset(roles)
        self._vitals = vitals or Vitals()
        self._roster = NOBODY
        self._busy: set[str] = set()
        self._signed: datetime | None = None
        self._changed = asyncio.Event()
        self._hurry = Alarm(clock)
        self._signing = asyncio.Lock()
        self._outdated: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def workers(self) -> int:
        """How many processes are alive, this one among them."""
        return max(1, len(self._roster.workers))

    @property
    def alone(self) -> bool:
        """Whether nobody else serves: what is in the store was put there by this process."""
        return self.workers == 1

    @property
    def shared(self) -> bool:
        """Whether others can use the store at all."""
        return self._roster.until is not None

    def every(self, often: timedelta) -> timedelta | None:
        """So often is what others may have left looked for; None: nobody else can."""
        return often if self.shared else None

    @property
    def glance(self) -> timedelta | None:
        """The same for posts, which others queue only while they are alive."""
        return self.every(HEARTBEAT if self.alone else GLANCE)

    @property
    def outages(self) -> Collection[Outage]:
        """Those that sessions may not have been told of."""
        return self._roster.outages

    @property
    def held(self) -> frozenset[str]:
        """The roles that this process has: none once others may take them, as after it was suspended for a while, also
        when nothing in it has noticed yet."""
        until = self._roster.until
        over = until is not None and self._clock.now() + HEARTBEAT >= until
        return frozenset() if over else self._roster.held

    def holds(self, role: str) -> bool:
        """Whether it has this one."""
        return role in self.held

    async def begin(self) -> None:
        """Take over after a stop, and sign in for the first time. Raises StoreError."""
        await self._store.recover(self._clock.now())
        await self.sign_in()

    async def run(self) -> None:
        """Sign in again and again, until cancelled, or until this version has to give way (`outdated`)."""
        losing = asyncio.create_task(self._lose_in_time(), name="giving roles up")
        try:
            await self._sign_in_for_ever()
        except OutdatedError as error:
            self._outdated.set_exception(error)
            self._outdated.exception()  # whether or not anybody asks for it
            self._take(NOBODY)
        finally:
            losing.cancel()

    async def _sign_in_for_ever(self) -> NoReturn:
        while True:
            await self._hurry.wait(self._clock.now() + HEARTBEAT)
            self._vitals.beat()
            try:
                await self.sign_in()
            except OutdatedError:
                raise
            except StoreError as error:
                log.error("this process cannot sign in; while that lasts, others take its roles: %s", error)  # noqa: TRY400
            except Exception:
                log.exception("this process cannot sign in; while that lasts, others take its roles")

    async def _lose_in_time(self) -> None:
        """Whoever cannot sign in, or hears nothing of it, gives its roles up a while before others may take them."""
        while (until := self._roster.until) is not None:
            await self._clock.sleep_until(until - HEARTBEAT)
            if self._roster.until == until:
                self._take(replace(self._roster, held=frozenset()))
            while self._roster.until == until:
                await self._changed.wait()

    async def outdated(self) -> None:
        """Raise OutdatedError when another process has brought the store up to a version beside which this one cannot
        go on; return never."""
        await asyncio.shield(self._outdated)

    def renounce(self, roles: Collection[str]) -> None:
        """Leave these roles to others until they are accepted again: this process cannot do what they are for."""
        self._take(replace(self._roster, held=self._roster.held.difference(roles)))
        self._roles = self._roles.difference(roles)
        self._hurry.ring()

    async def accept(self, roles: Collection[str]) -> None:
        """Take these roles from now on where nobody else has them. Raises StoreError."""
        if not self._roles.issuperset(roles):
            self._roles = self._roles.union(roles)
            await self.sign_in()

    async def sign_in(self) -> None:
        """Say that this process is alive, and learn what it has to do. Raises StoreError."""
        async with self._signing:
            now = self._clock.now()
            roster = await self._store.sign_in(now, self._roles, frozenset(self._busy))
            self._complain(roster)
            late = roster.until is not None and self._clock.now() + HEARTBEAT >= roster.until
            # What was renounced meanwhile is not taken again.
            held = frozenset() if late else roster.held & self._roles
            self._take(replace(roster, held=held))
            self._signed = now
            self._vitals.answered()

    def _complain(self, roster: Roster) -> None:
        """Whoever has signed in in time counts as gone only for those whose clocks are ahead."""
        since = self._since_signing()
        if roster.unknown and since is not None:
            log.error(
                "another process has counted this one as gone, which had signed in %.1f s before: their clocks are "
                "apart, and roles change hands for no reason; let NTP set the clock of every machine",
                since.total_seconds(),
            )

    def _since_signing(self) -> timedelta | None:
        """How long ago it signed in, where that was within SILENCE by a clock that was not set back meanwhile."""
        since = None if self._signed is None else self._clock.now() - self._signed
        return since if since is not None and timedelta(0) <= since <= SILENCE else None

    async def catch_up(self) -> None:
        """Sign in if that is not long ago only: all outages are known then. Raises StoreError."""
        if self._since_signing() is None:
            await self.sign_in()

    async def leave(self) -> None:
        """Let others take over at once. Raises StoreError."""
        await self._store.sign_out(self._clock.now())
        self._take(NOBODY)

    async def duty(self, roles: Collection[str], work: Callable[[frozenset[str]], Awaitable[None]]) -> None:
        """Do `work` with those of these roles that this process has, whenever it has any, begun anew when they change;
        return when the work returns, and raise what it raises, be it while it is ended. Raises StoreError."""
        await self.accept(roles)
        while not await self._does(work, await self._having(roles), roles):
            pass

    async def _does(
        self, work: Callable[[frozenset[str]], Awaitable[None]], having: frozenset[str], roles: Collection[str]
    ) -> bool:
        """Do it until it is done, or until this process no longer has just these roles; whether it is done."""
        task, cancelled = asyncio.ensure_future(work(having)), False
        self._busy |= having
        try:
            done = await self._done_before_change(task, having, roles)
        except asyncio.CancelledError:
            done, cancelled = False, True
        cancelled |= await _ended(task)
        self._busy -= having
        if not having <= self.held:
            self._hurry.ring()  # others wait for it
        if cancelled:
            _tell_failure(task)
            raise asyncio.CancelledError
        if done or not task.cancelled():
            task.result()
        return done

    async def _having(self, roles: Collection[str]) -> frozenset[str]:
        while not (having := self.held.intersection(roles)):
            await self._changed.wait()
        return having

    async def _done_before_change(
        self, task: asyncio.Future[Any], having: frozenset[str], roles: Collection[str]
    ) -> bool:
        """Wait until the work is done, or the roles are no longer these; whether it is done."""
        while not task.done() and self.held.intersection(roles) == having:
            change: asyncio.Future[Any] = asyncio.ensure_future(self._changed.wait())
            try:
                await asyncio.wait({task, change}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                change.cancel()
        return task.done()

    def _take(self, roster: Roster) -> None:
        gained, lost = roster.held - self._roster.held, self._roster.held - roster.held
        if roster.until or self.shared:
            _tell(gained, lost, self._roster, roster)
        gone = self._roster.workers - roster.workers
        self._roster = roster
        self.on_outages(roster.outages)
        if gone:
            self.on_gone()
        metrics.WORKERS.set(len(roster.workers))
        for role in self._roles:
            metrics.ROLE_HELD.labels(role).set(role in roster.held)
        self._changed.set()
        self._changed = asyncio.Event()


def _tell(gained: frozenset[str], lost: frozenset[str], before: Roster, after: Roster) -> None:
    if len(before.workers) != len(after.workers):
        log.info("%d processes serve now", len(after.workers))
    for word, roles in (("takes", gained), ("gives up", lost)):
        if roles:
            log.info("this process %s: %s", word, ", ".join(sorted(roles)))


async def _ended(task: asyncio.Future[None]) -> bool:
    """End the task, however often this is cancelled meanwhile; whether it was."""
    task.cancel()
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    return cancelled


def _tell_failure(task: asyncio.Future[None]) -> None:
    """Whoever is cancelled has nobody to raise it to."""
    if not task.cancelled() and (error := task.exception()):
        log.error("what this process did alone has failed while it was ended", exc_info=error)
