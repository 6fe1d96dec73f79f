"""Carries posts from the outbox to the platforms: in order within a chat, across chats side by side, at least once.

What went wrong is told apart by remedy (`ports`), never by platform. Rendering happens here, at the last moment, so
that a post waiting in the outbox is data and not words.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random

from bot import codec, metrics, tracing
from bot.clock import Alarm
from bot.core import timing
from bot.core.effects import Asked, Ended, Post, Reminded, sent_anew
from bot.core.events import ChatLost, Event, Posted
from bot.core.quiz import Quiz
from bot.engine import Engine
from bot.library import Library
from bot.messages import Card
from bot.ports import (
    ChatGoneError,
    ChatMovedError,
    Clock,
    Deferred,
    Delivered,
    DeliveryError,
    MessageGoneError,
    Outcome,
    Outgoing,
    Postponed,
    PostponedError,
    RefusedError,
    SetAside,
    Store,
    StoreError,
    ThrottledError,
    Transport,
)
from bot.preferences import Reminders

log = logging.getLogger(__name__)

Present = Callable[[Post, Quiz | None, str], Card]
"""Draws a post in a language; the quiz is missing when it can no longer be read."""

_OUTCOMES: Mapping[type[DeliveryError], str] = {
    ThrottledError: "throttled",
    PostponedError: "postponed",
    RefusedError: "refused",
    ChatGoneError: "gone",
    ChatMovedError: "moved",
    MessageGoneError: "message_gone",
}
"""What is counted for an error; of all others the platform is to blame."""

MOST_AT_ONCE = 64
LEASE = timedelta(minutes=2)
PATIENCE = 60.0
"""Seconds that a platform may take over one post; well below the lease, so that nobody else takes it up meanwhile."""

MOST_ATTEMPTS = 40
LONGEST_BACKOFF = timedelta(minutes=5)
REST = timedelta(seconds=1)


class Delivery:
    """Delivers what the outbox holds for one platform, so that none has to wait for another."""

    def __init__(
        self,
        store: Store,
        library: Library,
        clock: Clock,
        present: Present,
        platform: str,
        transport: Transport,
        lots: Random,
        *,
        default_language: str = "en",
        on_first_shown: Callable[[], None] = lambda: None,
        may_send: Callable[[], bool] = lambda: True,
        glance: Callable[[], timedelta | None] = lambda: None,
    ) -> None:
        """`lots` spreads retries, so that chats do not all come back in one instant. `on_first_shown` is called when
        new messages have been sent, or have been given up: deadlines may have waited for that. `may_send`: whether this
        process takes up posts; `glance`: after how long it looks for those of others, if there are any."""
        self._store = store
        self._library = library
        self._clock = clock
        self._present = present
        self._platform = platform
        self._transport = transport
        self._lots = lots
        self._default_language = default_language
        self._on_first_shown = on_first_shown
        self._may_send = may_send
        self._glance = glance
        self._alarm = Alarm(clock)
        self._sending: dict[asyncio.Task[None], int] = {}
        self._outcomes: list[Outcome] = []
        self._stepping = asyncio.Lock()
        self._unsure = False
        """Whether posts may have been claimed that this does not know of."""

    def nudge(self) -> None:
        """Posts were queued."""
        self._alarm.ring()

    async def run(self, engine: Engine) -> None:
        """Deliver until cancelled. What is under way then goes on: `settle` waits for it, `abandon` does not."""
        while True:
            try:
                now = self._clock.now()
                if await self._step(engine):
                    continue
                # Never longer than a lease: what another process has claimed and never settled is free again then.
                ready = await self._store.next_ready(self._platform, now) if self._may_send() else None
                latest = now + (self._glance() or LEASE)
                await self._alarm.wait(min(ready or latest, latest))
            except Exception:
                log.exception("the outbox cannot be used")
                await self._clock.sleep_until(self._clock.now() + REST)

    async def settle(self, engine: Engine) -> None:
        """Deliver everything that can be delivered now, and return when nothing is under way."""
        while await self._step(engine) or self._sending or self._outcomes:
            if self._sending:
                await asyncio.wait(self._sending, return_when=asyncio.FIRST_COMPLETED)

    async def finish(self) -> None:
        """Take up nothing more, and return when what is under way has come to its end and is noted."""
        while self._sending or self._outcomes:
            if self._sending:
                await asyncio.wait(self._sending, return_when=asyncio.FIRST_COMPLETED)
            await self._note()

    def abandon(self) -> None:
        """Let go of what is under way; it stays in the outbox and is tried again by whoever comes next."""
        for task in self._sending:
            task.cancel()

    async def _step(self, engine: Engine) -> bool:
        """Note what has become of earlier posts and take up new ones; whether there was anything of either."""
        async with self._stepping:
            outcomes = await self._note()
            if len(self._sending) >= MOST_AT_ONCE or not self._may_send():
                return bool(outcomes)
            claimed = await self._claimed()
            for outgoing in claimed:
                task = asyncio.create_task(self._carry(engine, outgoing))
                self._sending[task] = outgoing.id
                task.add_done_callback(self._sending.pop)
        return bool(outcomes or claimed)

    async def _claimed(self) -> list[Outgoing]:
        """Take up posts. When the answer to that is lost, they are free again before others are taken up."""
        if self._unsure:
            noting = (outcome.outgoing.id for outcome in self._outcomes)
            await self._store.unclaim(self._platform, {*self._sending.values(), *noting})
        self._unsure = True
        now = self._clock.now()
        claimed = await self._store.claim(self._platform, now, now + LEASE, MOST_AT_ONCE - len(self._sending))
        self._unsure = False
        return claimed

    async def _note(self) -> list[Outcome]:
        """Note what has become of earlier posts; what it was."""
        outcomes = self._outcomes[:]
        if outcomes:
            await self._store.settle(outcomes, self._clock.now())
            del self._outcomes[: len(outcomes)]
            if any(_ends_waiting(outcome) for outcome in outcomes):
                self._on_first_shown()
        return outcomes

    async def _carry(self, engine: Engine, outgoing: Outgoing) -> None:
        with tracing.about(outgoing.session):
            outcome = await self._carried(engine, outgoing)
        if outcome is not None:
            self._outcomes.append(outcome)
        self._alarm.ring()

    async def _carried(self, engine: Engine, outgoing: Outgoing) -> Outcome | None:
        try:
            return await self._deliver(engine, outgoing)
        except Exception as error:
            log.exception("a post failed in a way that nobody foresaw: %s", outgoing.slot)
            self._count("failed")
            return self._later(outgoing, error)

    def _count(self, outcome: str) -> None:
        metrics.DELIVERIES.labels(self._platform, outcome).inc()

    async def _deliver(self, engine: Engine, outgoing: Outgoing) -> Outcome | None:
        """Try once; what became of it, or None when nothing is left in the outbox to say it of."""
        quiz = await self._library.find(outgoing.quiz, self._store.quiz) if outgoing.quiz else None
        try:
            post = await self._filled(outgoing.chat, codec.load_post(outgoing.body))
            card = self._present(post, quiz, outgoing.language or self._default_language)
        except StoreError:
            raise  # no fault of the post
        except Exception as error:
            log.exception("a post cannot be shown and is set aside: %s", outgoing.slot)
            self._count("failed")
            return SetAside(outgoing, f"cannot be shown: {error!r}")
        if isinstance(post, Reminded) and post.until is not None and self._clock.now() >= post.until:
            log.info("a reminder came too late for chat %s and is not sent", outgoing.chat)
            await self._store.drop_posts(outgoing.chat, outgoing.session)
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                message = await self._show(outgoing, post, card)
        except TimeoutError as error:
            self._count("unavailable")
            return self._later(outgoing, error)
        except DeliveryError as error:
            self._count(_OUTCOMES.get(type(error), "unavailable"))
            return await self._remedy(engine, outgoing, post, error)
        self._count("delivered")
        if isinstance(post, Asked) and outgoing.message is None:
            await self._count_from_now(engine, outgoing, post)
        # A reminder is never edited, and belongs to no session that its message could be found by.
        return Delivered(outgoing, None if isinstance(post, Reminded) else message)

    async def _filled(self, chat: str, post: Post) -> Post:
        """With what is known only when it is shown: nobody is asked whether to do what they have asked for."""
        if not (isinstance(post, Ended) and post.practice):
            return post
        chosen = (await self._store.preferences([chat]))[chat].reminders
        return replace(post, reminded=chosen not in (None, Reminders.OFF))

    async def _show(self, outgoing: Outgoing, post: Post, card: Card) -> str | None:
        """Edit the message in the slot, or send one; the reference of a new one."""
        if outgoing.message is not None:
            counter = isinstance(post, Asked) and post.counted
            try:
                await self._transport.edit(outgoing.chat, outgoing.message, card, lazy=counter)
            except MessageGoneError:
                self._count("message_gone")
                log.info("the message of %s is gone from chat %s", outgoing.slot, outgoing.chat)
                if not sent_anew(post):
                    return None
            else:
                return None
        # Numbers begin anew in a new database, and a platform may still remember those of the one before.
        nonce = f"{outgoing.session}-{outgoing.id}-{outgoing.slot}"
        return await self._transport.send(outgoing.chat, card, nonce)

    async def _remedy(self, engine: Engine, outgoing: Outgoing, post: Post, error: DeliveryError) -> Outcome | None:
        match error:
            case ThrottledError():
                return Deferred(outgoing, self._clock.now() + error.retry_after, full=True)
            case PostponedError():
                return Postponed(outgoing, self._clock.now() + error.retry_after)
            case RefusedError():
                log.error("%s was refused in chat %s: %s", outgoing.slot, outgoing.chat, error)
                return SetAside(outgoing, str(error))
            case ChatGoneError() if isinstance(post, Reminded):
                log.info("nobody is to be reminded in chat %s any more: %s", outgoing.chat, error)
                await self._store.prefer(outgoing.chat, "reminders", None)
                await self._store.drop_posts(outgoing.chat, outgoing.session)
                return None
            case ChatGoneError():
                await self._store.drop_posts(outgoing.chat, outgoing.session)
                self._on_first_shown()
                await _tell(engine, outgoing.chat, ChatLost(outgoing.session))
                return None
            case ChatMovedError():
                await self._store.move_chat(outgoing.chat, error.new)
                # At once, but for a chat that is sent round in circles.
                return Deferred(outgoing, self._clock.now()) if outgoing.attempts == 0 else self._later(outgoing, error)
            case _:
                return self._later(outgoing, error)

    def _later(self, outgoing: Outgoing, error: Exception) -> Outcome:
        if outgoing.attempts + 1 >= MOST_ATTEMPTS:
            log.error("%s to chat %s is given up: %s", outgoing.slot, outgoing.chat, error)
            return SetAside(outgoing, f"given up after {MOST_ATTEMPTS} attempts: {error}")
        wait = min(timedelta(seconds=2.0 ** min(outgoing.attempts, 16)), LONGEST_BACKOFF)
        return Deferred(outgoing, self._clock.now() + wait * self._lots.uniform(0.5, 1.0))

    async def _count_from_now(self, engine: Engine, outgoing: Outgoing, post: Asked) -> None:
        """A question that was long on its way has its time counted from when it could be seen."""
        now = self._clock.now()
        if post.limit is not None and post.deadline is not None and now + post.limit - post.deadline > timing.LATE_POST:
            await _tell(engine, outgoing.chat, Posted(post.session, post.at, now))


def _ends_waiting(outcome: Outcome) -> bool:
    return isinstance(outcome, SetAside) or (isinstance(outcome, Delivered) and outcome.message is not None)


async def _tell(engine: Engine, chat: str, event: Event) -> None:
    """The post has been dealt with whether or not the engine can still hear of it."""
    try:
        await engine.handle(chat, event)
    except Exception:
        log.exception("%s, which the delivery had to say, was lost", type(event).__name__)
