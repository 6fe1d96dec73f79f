"""The bot and its players in one process, made to be killed:
python -m tests.crash.player DATABASE SCREEN RUN CHATS [finish].

Plays in many chats at once, beside others like it where the database can be shared, against the real clock. Says on
standard output whatever has been acknowledged, each line in one write of its own: `began SESSION` and `counted SESSION
QUESTION PERSON OPTIONS`. People act on what they see; whoever goes on without having looked says so before, `skipped
SESSION QUESTION`. While the database is away they try again. With `finish` no session is begun, and the process ends in
order once all have ended and been shown. It never outlives LIFE, whatever happens to it.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random

from bot import databases
from bot.clock import SystemClock
from bot.core.effects import Noted, Reason, Told, Verdict
from bot.core.events import Advanced, Answered, Begun, Event, Resumed
from bot.core.session import Actor, Phase, Session
from bot.crew import worker_name
from bot.library import Library
from bot.ports import StoreUnavailableError
from bot.running import Service, serving
from bot.starting import started
from tests.crash.stage import PLATFORM, QUIZ, Screen, presented, settings

REGULARS, GUESTS = 3, 12
"""How many people play in each chat: those whom every process hears, and those whom it alone does."""

CONNECTIONS = 4
LIFE = 60
"""Seconds."""

MOST_SAID = 20_000
THINKING = 0.4
"""Seconds that somebody thinks at most before pressing."""

AGAIN = 0.1
"""Seconds after which people try again when the database was away."""

CARELESS = 0.05
"""The share of open questions whose host goes on without having looked."""

STANDING = {
    Phase.CARD: ("card", "StartCard"),
    Phase.OPEN: ("q{}", "Asked"),
    Phase.CLOSED: ("q{}", "Closed"),
    Phase.PAUSED: ("p{}", "Paused"),
}
"""The slot and the kind of the post that shows where a session is; with the position of its question."""

STANDARD_OUTPUT = 1


@dataclass
class Mouth:
    """Says what happened; the line is with the reader before anything else happens here."""

    said: int = 0

    def say(self, *words: object) -> None:
        os.write(STANDARD_OUTPUT, (" ".join(map(str, words)) + "\n").encode())
        self.said += 1


@dataclass
class Room:
    """One chat, its people, and what they do next."""

    service: Service
    screen: Screen
    chat: str
    lots: Random
    mouth: Mouth
    finishing: bool
    run: str
    keys: Iterator[str]
    people: tuple[Actor, ...] = field(init=False)

    def __post_init__(self) -> None:
        regulars = (f"{self.chat}-{number}" for number in range(REGULARS))
        guests = (f"{self.chat}-{self.run}-{number}" for number in range(GUESTS))
        self.people = tuple(Actor(name, name) for name in (*regulars, *guests))

    @property
    def host(self) -> Actor:
        return self.people[0]

    async def live(self) -> None:
        """Play session after session."""
        while self.mouth.said < MOST_SAID:
            try:
                session = await self.service.store.session(self.chat)
                if session is not None and session.live:
                    await self.go_on(session)
                elif self.finishing:
                    return
                else:
                    await self.begin()
            except StoreUnavailableError:
                await asyncio.sleep(AGAIN)

    async def begin(self) -> None:
        edition = self.service.library.edition(QUIZ.slug)
        if edition is None:
            raise LookupError(QUIZ.slug)
        chosen, card = settings(self.lots), self.lots.random() < 0.3
        event = started(edition, self.host, next(self.keys), self.lots, chosen, private=False, card=card)
        reply = await self.service.engine.handle(self.chat, event)
        if reply in (Told(Reason.DONE), Told(Reason.BEGUN)):
            self.mouth.say("began", event.key)

    async def go_on(self, session: Session) -> None:
        if session.phase is Phase.OPEN and self.lots.random() < CARELESS:
            self.mouth.say("skipped", session.id, session.at)
            await self.next(session)
        elif await self.sees(session):
            await self.act(session)

    async def sees(self, session: Session) -> bool:
        """Whether people come to see where the session is, before its deadline takes it on."""
        slot, kind = STANDING[session.phase]
        deadline = session.deadline or self.service.clock.now()
        try:
            async with asyncio.timeout((deadline - self.service.clock.now()).total_seconds()):
                await self.screen.seen(session.id, slot.format(session.at), kind)
        except TimeoutError:
            return False
        return True

    async def act(self, session: Session) -> None:
        match session.phase:
            case Phase.CARD:
                await self.steer(Begun(next(self.keys), self.host, session.id))
            case Phase.OPEN:
                crowd = self.lots.sample(self.people, self.lots.choice((0, len(self.people) // 2, len(self.people))))
                # Everyone presses twice: only one of them may count.
                await asyncio.gather(*(self.press(session, by) for by in crowd for _ in range(2)))
                await self.next_or_wait(session, impatience=0.6 if crowd else 0.0)
            case Phase.CLOSED:
                await self.next_or_wait(session, impatience=1.0 if self.finishing else 0.8)
            case _:
                await self.steer(Resumed(next(self.keys), self.people[1], session.id))

    async def press(self, session: Session, by: Actor) -> None:
        clock = self.service.clock
        await clock.sleep_until(clock.now() + timedelta(seconds=self.lots.uniform(0, THINKING)))
        choice = (self.lots.randrange(len(session.current.options)),)
        press = Answered(by, session.id, session.at, choice, clock.now())
        try:
            reply = await self.service.engine.handle(self.chat, press)
        except StoreUnavailableError:
            return
        match reply:
            case Verdict(chosen=chosen) | Noted(chosen=chosen):
                self.mouth.say("counted", session.id, session.at, by.person, *chosen)

    async def next_or_wait(self, session: Session, impatience: float) -> None:
        if self.lots.random() < impatience:
            await self.next(session)
        elif session.deadline is not None:
            await self.service.clock.sleep_until(session.deadline)

    async def next(self, session: Session) -> None:
        await self.steer(Advanced(next(self.keys), self.host, session.id, session.step))

    async def steer(self, event: Event) -> None:
        await self.service.engine.handle(self.chat, event)


async def play(database: str, screen_file: Path, run: str, chats: int, *, finishing: bool) -> None:
    """Recover what earlier processes left in the database, and play on."""
    lots, mouth = Random(run), Mouth()
    keys = (f"{run} {number}" for number in itertools.count())
    screen = Screen(screen_file, run, lots, busy=0.0 if finishing else 0.05)
    async with asyncio.timeout(LIFE), _served(database, screen, lots) as service, asyncio.TaskGroup() as rooms:
        for number in range(chats):
            room = Room(service, screen, f"{PLATFORM}:{number}", lots, mouth, finishing, run, keys)
            rooms.create_task(room.live())
        if finishing:
            rooms.create_task(_delivered(service))


async def _delivered(service: Service) -> None:
    """Return once nothing is left to be shown, also of what a killed process had taken up."""
    while True:
        left = (await service.store.backlog())[PLATFORM]
        if not (left.waiting or left.sessions):
            return
        await asyncio.sleep(AGAIN)


@asynccontextmanager
async def _served(database: str, screen: Screen, lots: Random) -> AsyncIterator[Service]:
    """All of Quizbot on this database, as soon as it is there."""
    async with AsyncExitStack() as stack:
        stack.callback(screen.close)
        while True:
            try:
                store = await databases.opened(database, [PLATFORM], connections=CONNECTIONS, worker=worker_name())
                stack.push_async_callback(store.close)
                parts = (store, Library([QUIZ]), SystemClock(), presented, {PLATFORM: screen}, lots)
                service = await stack.enter_async_context(serving(*parts))
                break
            except StoreUnavailableError:
                await asyncio.sleep(AGAIN)
        yield await stack.enter_async_context(_watching(screen, service))


@asynccontextmanager
async def _watching(screen: Screen, service: Service) -> AsyncIterator[Service]:
    watch = asyncio.create_task(screen.watch())
    try:
        yield service
    finally:
        watch.cancel()


def foreseen(record: logging.LogRecord) -> bool:
    """Whether it is only said because the database was away."""
    errors = [*(record.args if isinstance(record.args, tuple) else ()), *(record.exc_info or ())]
    return record.name.startswith("psycopg") or any(isinstance(error, StoreUnavailableError) for error in errors)


def main() -> None:
    """Take the arguments, and make sure that the process ends even if its loop hangs."""
    signal.alarm(LIFE + 10)
    complaints = logging.StreamHandler()
    complaints.setLevel(logging.WARNING)
    complaints.addFilter(lambda record: not foreseen(record))
    logging.getLogger().addHandler(complaints)
    database, screen_file, run, chats, *finish = sys.argv[1:]
    asyncio.run(play(database, Path(screen_file), run, int(chats), finishing=bool(finish)))


if __name__ == "__main__":
    main()
