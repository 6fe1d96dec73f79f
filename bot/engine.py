"""The shell around the rules: gives each chat its turn, and makes every turn durable before anyone hears of it.

All chats that wait share one transaction, so that the price of reaching the disk is paid once for many. A turn runs
in a task that the engine owns: a caller that is cancelled leaves neither half a turn nor a chat without one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import TracebackType
from typing import Self

from bot.codec import quantised
from bot.core.effects import Reply
from bot.core.events import DeadlinePassed, Event, Started
from bot.core.quiz import Quiz
from bot.core.session import wake_at
from bot.counting import scores_at_the_end
from bot.learning.memory import Attempt, Studied
from bot.learning.studying import study, together
from bot.library import Library
from bot.ports import Changes, Clock, Lessons, Outage, Store, StoreError, Turns, platform_of
from bot.turn import Turn, author

log = logging.getLogger(__name__)

MOST_EVENTS = 2048
"""Events in one transaction."""

BREATH = 64
"""Events folded before others on the loop get their turn."""


class StoppingError(Exception):
    """The engine takes no more events; the platform will say it again."""


@dataclass(frozen=True, slots=True)
class Letter:
    """An event on its way, when it arrived, and where the reply goes."""

    event: Event
    arrived: datetime
    done: asyncio.Future[Reply | None]

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
    ) -> None:
        """`on_posts` is called when posts were queued, `on_wake` with the earliest deadline that was set, `on_ended`
        when sessions have ended."""
        self._store = store
        self._library = library
        self._clock = clock
        self._on_posts = on_posts
        self._on_wake = on_wake
        self._on_ended = on_ended
        self._mailboxes: Batch = {}
        self._arrived = asyncio.Event()
        self._outages: dict[str, list[Outage]] = {}
        self._worker: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        for outage in await self._store.outages():
            self._outages.setdefault(outage.platform, []).append(outage)
        self._worker = asyncio.create_task(self._work(), name="engine")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        worker, self._worker = self._worker, None
        self._arrived.set()
        if worker:
            await worker

    def handle(self, chat: str, event: Event) -> asyncio.Future[Reply | None]:
        """Let `event` happen in `chat`. Await the future for what to tell its author: it is durable then.

        The future raises StoreError when the event could not be stored and nothing happened. Raises StoppingError when
        the engine is closing. Nobody needs to wait: the turn is taken whatever becomes of the caller.
        """
        if self._worker is None:
            raise StoppingError("Quizbot is stopping")
        done: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._mailboxes.setdefault(chat, []).append(Letter(_quantised(event), self._clock.now(), done))
        self._arrived.set()
        return done

    async def _work(self) -> None:
        while self._mailboxes or self._worker is not None:
            await self._arrived.wait()
            self._arrived.clear()
            while self._mailboxes:
                await self._serve(self._take())

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
        """Give these chats their turn. When that fails, each is tried alone, so that one cannot harm another."""
        try:
            await self._transact(batch)
        except Exception as error:
            if len(batch) > 1:
                for chat, letters in batch.items():
                    await self._serve({chat: letters})
                return
            for letters in batch.values():
                for letter in letters:
                    if not letter.done.done():
                        letter.done.set_exception(error)

    async def _transact(self, batch: Batch) -> None:
        wanted = {
            chat: {by.person for letter in letters if (by := author(letter.event))} for chat, letters in batch.items()
        }
        replies: list[tuple[Letter, Reply | Exception | None]] = []
        changes = Changes()
        attempts: list[Attempt] = []
        breath = BREATH
        async with self._store.turns(wanted) as turns:
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
            await turns.write(changes)
        self._announce(changes)
        for letter, reply in replies:
            if letter.done.done():
                continue
            if isinstance(reply, Exception):
                letter.done.set_exception(reply)
            else:
                letter.done.set_result(reply)

    def _fold(self, turn: Turn, letters: list[Letter]) -> list[tuple[Letter, Reply | Exception | None]]:
        """Feed the letters by the platform's clock. An event that the rules cannot take fails alone."""
        turn.recover(self._outages.get(platform_of(turn.chat), ()))
        replies: list[tuple[Letter, Reply | Exception | None]] = []
        for letter in sorted(letters, key=lambda letter: letter.moment):
            try:
                replies.append((letter, turn.feed(letter.event)))
            except Exception as error:
                log.exception("an event could not be handled in chat %s: %r", turn.chat, letter.event)
                replies.append((letter, error))
        return replies

    async def _quizzes(self, turns: Turns) -> Callable[[str], Quiz | None]:
        """Quizzes by digest, with all that these sessions run, however many; what cannot be read is absent."""
        held: dict[str, Quiz | None] = {}
        for state in turns.chats.values():
            session = state.session
            if session and session.live and session.quiz not in held:
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
            log.exception("nothing could be learned from answers in practice: %s", attempts)
            return Studied()
    parts = [await _studied(lessons, [each for each in attempts if each.person == person]) for person in sorted(people)]
    return together(parts)


def _quantised(event: Event) -> Event:
    """The event with its time as the store will keep it: a deadline that was reckoned finer would never be met."""
    at = getattr(event, "at", None)
    if at is None or not at.microsecond % 1000:
        return event
    return replace(event, at=quantised(at))  # type: ignore[arg-type]  # whoever has `at` has a time there
