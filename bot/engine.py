"""The shell around the rules: gives each chat its turn, and makes every turn durable before anyone hears of it.

All chats that wait share one transaction, so that the price of reaching the disk is paid once for many. A turn runs
in a task that the engine owns: a caller that is cancelled leaves neither half a turn nor a chat without one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import perf_counter
from types import TracebackType
from typing import Self

from bot import metrics, tracing
from bot.codec import quantised
from bot.core.effects import Reply
from bot.core.events import DeadlinePassed, Event, Started
from bot.core.quiz import Quiz
from bot.core.session import wake_at
from bot.counting import scores_at_the_end
from bot.learning.memory import Attempt, Studied
from bot.learning.studying import study, together
from bot.library import Library
from bot.ports import Changes, Clock, Lessons, Outage, Store, StoreError, StoreUnavailableError, Turns, platform_of
from bot.turn import Turn, author

log = logging.getLogger(__name__)

MOST_EVENTS = 2048
"""Events in one transaction."""

BREATH = 64
"""Events folded before others on the loop get their turn."""


async def _known_already() -> None:
    """Nobody has been away."""


class StoppingError(Exception):
    """The engine takes no more events; the platform will say it again."""


@dataclass(frozen=True, slots=True)
class Letter:
    """An event on its way, when it arrived, and where the reply goes; what its caller does is about `subject`, and
    `began` is measured from."""

    event: Event
    arrived: datetime
    done: asyncio.Future[Reply | None]
    subject: tracing.Subject = field(default_factory=tracing.Subject)
    began: float = field(default_factory=perf_counter)

    @property
    def moment(self) -> tuple[datetime, bool]:
        """Its place in the order of events: by the platform's clock, a deadline after what came in time for it."""
        if isinstance(self.event, DeadlinePassed):
            return (self.event.deadline, True)
        return (min(getattr(self.event, "at", self.arrived), self.arrived), False)


Batch = dict[str, list[Letter]]


class Engine:
    """Takes events, answers with replies. Use as `async with`; leaving it finishes what has been taken."""

    def __init__(
        self,
        store: Store,
        library: Library,
        clock: Clock,
        *,
        on_posts: Callable[[], None] = lambda: None,
        on_wake: Callable[[datetime], None] = lambda _: None,
        on_ended: Callable[[], None] = lambda: None,
        awaited: Callable[[str], bool] = lambda _: False,
        up_to_date: Callable[[], Awaitable[None]] = _known_already,
    ) -> None:
        """`on_posts` is called when posts were queued, `on_wake` with the earliest deadline that was set, `on_ended`
        when sessions have ended. `awaited`: whether somebody in this process waits for the next post to a chat. When
        `up_to_date` returns, all outages so far are known; it raises StoreError when nobody can say."""
        self._store = store
        self._library = library
        self._clock = clock
        self._on_posts = on_posts
        self._on_wake = on_wake
        self._on_ended = on_ended
        self._awaited = awaited
        self._up_to_date = up_to_date
        self._mailboxes: Batch = {}
        self._arrived = asyncio.Event()
        self._outages: dict[str, list[Outage]] = {}
        self._worker: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self.learn(await self._store.outages())
        self._worker = asyncio.create_task(self._work(), name="engine")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        worker, self._worker = self._worker, None
        self._arrived.set()
        if worker:
            await worker

    def learn(self, outages: Collection[Outage]) -> None:
        """Know all these outages, oldest first: each session is told at its chat's next turn."""
        known: dict[str, list[Outage]] = {}
        for outage in outages:
            known.setdefault(outage.platform, []).append(outage)
        self._outages = known

    def handle(self, chat: str, event: Event) -> asyncio.Future[Reply | None]:
        """Let `event` happen in `chat`. Await the future for what to tell its author: it is durable then.

        The future raises StoreError when the event could not be stored and nothing happened. Raises StoppingError when
        the engine is closing. Nobody needs to wait: the turn is taken whatever becomes of the caller.
        """
        if self._worker is None:
            raise StoppingError("Quizbot is stopping")
        done: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        subject = tracing.subject() or tracing.Subject()
        subject.note(getattr(event, "session", None))
        self._mailboxes.setdefault(chat, []).append(Letter(_quantised(event), self._clock.now(), done, subject))
        metrics.MAILBOX_EVENTS.inc()
        self._arrived.set()
        return done

    async def _work(self) -> None:
        while self._mailboxes or self._worker is not None:
            await self._arrived.wait()
            self._arrived.clear()
            while self._mailboxes:
                batch = self._take()
                await self._serve(batch)
                metrics.MAILBOX_EVENTS.dec(sum(map(len, batch.values())))

    def _take(self) -> Batch:
        """The next events, at most MOST_EVENTS; a chat with more of them queues up again behind the others."""
        batch: Batch = {}
        room = MOST_EVENTS
        for chat in list(self._mailboxes):
            letters = self._mailboxes.pop(chat)
            batch[chat], rest = letters[:room], letters[room:]
            if rest:
                self._mailboxes[chat] = rest
            room -= len(batch[chat])
            if not room:
                break
        return batch

    async def _serve(self, batch: Batch) -> None:
        """Give these chats their turn. When that fails, each is tried alone, so that one cannot harm another; but not
        where the store itself is away."""
        try:
            await self._twice(batch)
        except StoreUnavailableError as error:
            _fail(batch, error)
        except Exception as error:
            if len(batch) == 1:
                _fail(batch, error)
                return
            for chat in list(batch):
                alone = {chat: batch[chat]}
                await self._serve(alone)
                if not alone:
                    del batch[chat]

    async def _twice(self, batch: Batch) -> None:
        """A store that was lost in the middle may be back at once, as when its server was restarted. Every event may
        happen twice."""
        try:
            await self._transact(batch)
        except StoreUnavailableError:
            await self._transact(batch)
            # Perhaps it was lost after all was done, and nobody has been told.
            self._on_posts()
            self._on_wake(self._clock.now())
            self._on_ended()

    async def _transact(self, batch: Batch) -> None:
        # Before anything is judged by its time: a deadline that came while nobody served is none yet.
        await self._up_to_date()
        wanted = {
            chat: {by.person for letter in letters if (by := author(letter.event))} for chat, letters in batch.items()
        }
        replies: list[tuple[Letter, Reply | Exception | None]] = []
        changes = Changes()
        attempts: list[Attempt] = []
        breath = BREATH
        began = perf_counter()
        async with self._store.turns(wanted) as turns:
            self._put_back(batch, turns)
            quizzes = await self._quizzes(turns)
            now = self._clock.now()
            for chat, letters in batch.items():
                turn = Turn(chat, turns.chats[chat], quizzes, now)
                replies += self._fold(turn, letters)
                for session in turn.finished:
                    held_back = scores_at_the_end(session)
                    responses = await turns.responses(session.id) if held_back else ()
                    turn.finish(session, await turns.players(session.id), responses)
                turn.add_to(changes)
                attempts += turn.attempts
                if len(replies) >= breath:
                    breath = len(replies) + BREATH
                    await asyncio.sleep(0)
            self._pin(batch, changes)
            if attempts:
                changes.studied = await _studied(turns, attempts)
            changes.posts = [replace(each, reserved=self._awaited(each.chat)) for each in changes.posts]
            await turns.write(changes)
        _measure(batch, changes, perf_counter() - began)
        self._announce(changes)
        for letter, reply in replies:
            if letter.done.done():
                continue
            if isinstance(reply, Exception):
                letter.done.set_exception(reply)
            else:
                letter.done.set_result(reply)

    def _put_back(self, batch: Batch, turns: Turns) -> None:
        """Chats that another process is at come next."""
        for chat in batch.keys() - turns.chats.keys():
            self._mailboxes[chat] = batch.pop(chat) + self._mailboxes.get(chat, [])

    def _fold(self, turn: Turn, letters: list[Letter]) -> list[tuple[Letter, Reply | Exception | None]]:
        """Feed the letters by the platform's clock. An event that the rules cannot take fails alone."""
        turn.recover(self._outages.get(platform_of(turn.chat), ()))
        replies: list[tuple[Letter, Reply | Exception | None]] = []
        for letter in sorted(letters, key=lambda letter: letter.moment):
            try:
                replies.append((letter, turn.feed(letter.event)))
            except Exception as error:
                # Not the event itself: it says who did what.
                with tracing.about(letter.subject.session or (turn.session.id if turn.session else None)):
                    log.exception("%s could not be handled in chat %s", type(letter.event).__name__, turn.chat)
                replies.append((letter, error))
            letter.subject.note(turn.session.id if turn.session else None)
        return replies

    async def _quizzes(self, turns: Turns) -> Callable[[str], Quiz | None]:
        """Quizzes by digest, with all that these sessions run, however many; what cannot be read is absent."""
        held: dict[str, Quiz | None] = {}
        for state in turns.chats.values():
            session = state.session
            if session and session.live and session.quiz not in held:
                with tracing.about(session.id):
                    held[session.quiz] = await self._library.find(session.quiz, turns.quiz)
        return lambda digest: held.get(digest) or self._library.quiz(digest)

    def _pin(self, batch: Batch, changes: Changes) -> None:
        """Keep the content of every quiz that a session has just started on, and of what a mix is made from."""
        if not changes.started:
            return
        for letters in batch.values():
            for letter in letters:
                if isinstance(letter.event, Started):
                    changes.quizzes |= self._library.texts(letter.event.quiz)

    def _announce(self, changes: Changes) -> None:
        if changes.posts:
            self._on_posts()
        wakes = [wake for _, session in changes.sessions if (wake := wake_at(session))]
        if wakes:
            self._on_wake(min(wakes))
        if any(not session.live for _, session in changes.sessions):
            self._on_ended()


def _fail(batch: Batch, error: Exception) -> None:
    for letters in batch.values():
        for letter in letters:
            if not letter.done.done():
                letter.done.set_exception(error)


async def _studied(lessons: Lessons, attempts: Sequence[Attempt]) -> Studied:
    """What these attempts come to. Where that cannot be said of somebody their responses count all the same: nothing is
    learned from them, so what was asked stays as due as it was and is asked again."""
    try:
        return study(attempts, await lessons.known({(attempt.person, attempt.ref) for attempt in attempts}))
    except StoreError:
        raise
    except Exception:
        people = {attempt.person for attempt in attempts}
        if len(people) == 1:
            log.exception("nothing could be learned from %d answers in practice", len(attempts))
            return Studied()
    parts = [await _studied(lessons, [each for each in attempts if each.person == person]) for person in sorted(people)]
    return together(parts)


def _measure(batch: Batch, changes: Changes, seconds: float) -> None:
    """Count a transaction that is durable and has taken so long, and what was in it."""
    metrics.TRANSACTION_SECONDS.observe(seconds)
    metrics.TRANSACTION_EVENTS.observe(sum(map(len, batch.values())))
    now = perf_counter()
    for chat, letters in batch.items():
        turn = metrics.TURN_SECONDS.labels(platform_of(chat))
        for letter in letters:
            turn.observe(now - letter.began)
    for platform, number in Counter(platform_of(response.person) for response in changes.responses).items():
        metrics.RESPONSES.labels(platform).inc(number)


def _quantised(event: Event) -> Event:
    """The event with its time as the store will keep it: a deadline that was reckoned finer would never be met."""
    at = getattr(event, "at", None)
    if at is None or not at.microsecond % 1000:
        return event
    return replace(event, at=quantised(at))  # type: ignore[arg-type]  # whoever has `at` has a time there
