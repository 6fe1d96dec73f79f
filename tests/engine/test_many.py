"""Several processes serve from one PostgreSQL: each deadline is fired once, and lost time is given back once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from random import Random

import psycopg
import pytest

from bot.core.effects import Returned, Verdict
from bot.core.events import Answered, DeadlinePassed, Event, Started
from bot.core.session import Pace, Phase, Session
from bot.library import Library
from bot.ports import StoreError
from bot.running import Duties, Service, serving
from bot.storage.postgres import PostgresDriver
from bot.storage.sql import SqlStore
from bot.supervising import HopelessError, Supervised
from tests.clock import VirtualClock
from tests.core.building import drawn, plain_quiz, settings
from tests.engine.screen import Screen, presented
from tests.engine.test_serving import Script
from tests.engine.world import ANN, BOB, CAT, CHAT, LIMIT, OTHER, PLATFORM, READING
from tests.together import Apart, Line, Together, own_store

DUTIES = Duties(frozenset({PLATFORM}), lambda held: PLATFORM in held)
GROUPS = 300


@dataclass(eq=False)
class Process:
    """One of them. `fired` are the deadlines that it told its engine of."""

    name: str
    line: Line
    store: SqlStore
    service: Service
    life: AsyncExitStack
    fired: list[tuple[str, DeadlinePassed]] = field(default_factory=list)

    def handle(self, chat: str, event: Event) -> asyncio.Future[object]:
        if isinstance(event, DeadlinePassed):
            self.fired.append((chat, event))
        return self._handle(chat, event)

    def __post_init__(self) -> None:
        self._handle: Callable[[str, Event], asyncio.Future[object]] = self.service.engine.handle  # type: ignore[assignment]

    async def kill(self) -> None:
        """End it without a word."""
        self.line.away = True
        await self.life.aclose()


@dataclass
class Several(Together):
    """Processes that show what they have to show on one screen."""

    screen: Screen
    url: str
    processes: list[Process] = field(default_factory=list)
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    updates: count[int] = field(default_factory=count)

    async def begin(self, monkeypatch: pytest.MonkeyPatch, *, ahead: float = 0) -> Process:
        name, line, store = await own_store(self.stack, self.url, PLATFORM, len(self.processes))
        life = AsyncExitStack()
        clock = Apart(self.clock, timedelta(seconds=ahead))
        parts = (store, Library([plain_quiz()]), clock, presented, {PLATFORM: self.screen}, Random(name))
        process = Process(name, line, store, await life.enter_async_context(serving(*parts, {PLATFORM: DUTIES})), life)
        monkeypatch.setattr(process.service.engine, "handle", process.handle)
        self.stack.push_async_callback(process.kill)
        self.processes.append(process)
        await self.quiet()
        return process

    @property
    def lines(self) -> Sequence[Line]:
        return [process.line for process in self.processes]

    def busy(self) -> bool:
        return False

    def activity(self) -> tuple[object, ...]:
        return len(self.screen.shown), len(asyncio.all_tasks())

    async def start(self, process: Process, *chats: str) -> None:
        """A session in each of these chats, whose first question opens."""
        library = process.service.library
        edition = library.edition(library.quizzes[0].slug)
        assert edition
        for chat in chats:
            chosen = settings(Pace.STEADY)
            key = f"u{next(self.updates)}"
            event = Started(key, ANN, edition.digest, drawn(edition.quiz), chosen, private=False, card=False)
            process.service.engine.handle(chat, event)
        await self.wait(0.5)

    async def session(self, chat: str = CHAT) -> Session:
        found = await SqlStore(self.processes[0].line.real, [PLATFORM]).session(chat)
        assert found
        return found

    async def opened(self, number: int) -> Session:
        """The session once its question of this number is open, within a minute."""
        for _ in range(120):
            session = await self.session()
            if (session.at, session.phase) == (number, Phase.OPEN):
                return session
            await self.wait(0.5)
        raise AssertionError(f"question {number} does not open")

    @property
    def fired(self) -> list[tuple[str, DeadlinePassed]]:
        return [each for process in self.processes for each in process.fired]


@pytest.fixture
async def several(postgres_url: str) -> AsyncIterator[Several]:
    clock = VirtualClock()
    made = Several(clock, Screen(clock), postgres_url)
    async with made.stack:
        yield made


@pytest.fixture
async def three(several: Several, monkeypatch: pytest.MonkeyPatch) -> Several:
    for _ in range(3):
        await several.begin(monkeypatch)
    await several.wait(1.5)
    return several


CHATS = [f"{PLATFORM}:{index}" for index in range(GROUPS)]


async def test_the_first_of_three_fires_deadlines_of_one_moment_and_the_others_find_none(
    three: Several,
) -> None:
    await three.start(three.processes[0], *CHATS[:50])
    await three.wait(LIMIT - 1)
    assert three.fired == []
    for _ in range(40):
        three.clock.advance(0.02)
        await three.quiet()
    assert sorted(chat for chat, _ in three.fired) == sorted(CHATS[:50])
    assert all(three.screen.slots(chat) == ["Asked q0", "Closed q0"] for chat in CHATS[:50])


async def test_three_that_fire_the_same_deadlines_in_the_same_instant_change_each_session_once(three: Several) -> None:
    await three.start(three.processes[0], *CHATS)
    await three.wait(LIMIT + 0.5)
    assert GROUPS <= len(three.fired) <= 3 * GROUPS
    assert {chat for chat, _ in three.fired} == set(CHATS)
    await three.wait(READING)
    assert all(three.screen.slots(chat) == ["Asked q0", "Closed q0", "Asked q1"] for chat in CHATS)


async def test_deadlines_of_chats_that_somebody_held_who_was_killed_are_fired_by_another(three: Several) -> None:
    await three.start(three.processes[0], *CHATS[:20])
    await three.wait(LIMIT - 1)
    holder = SqlStore(await PostgresDriver.open(three.url, 1), [PLATFORM], "holder")
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(holder.turns(dict.fromkeys(CHATS[:10], ())))
        await three.wait(2)
        assert all(three.screen.slots(chat)[-1:] == ["Closed q0"] for chat in CHATS[10:20])
        assert all(three.screen.slots(chat)[-1:] == ["Asked q0"] for chat in CHATS[:10])
        with psycopg.connect(three.url, autocommit=True) as beside:
            beside.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND state = 'idle in transaction'"
            )
        await three.wait(1)
        assert all(three.screen.slots(chat)[-1:] == ["Closed q0"] for chat in CHATS[:10])
        with suppress(StoreError):
            await stack.aclose()
    await holder.close()


# Time that was lost


def returned(three: Several) -> int:
    return sum(isinstance(post, Returned) for post in three.screen.posts(CHAT))


async def left(several: Several) -> float:
    """Seconds until the question closes."""
    deadline = (await several.session()).deadline
    assert deadline
    return (deadline - several.clock.now()).total_seconds()


async def test_a_process_that_is_killed_beside_others_costs_nobody_time_and_nothing_is_said(three: Several) -> None:
    await three.start(three.processes[1], CHAT)
    await three.processes[0].kill()
    await three.wait(10)
    assert await left(three) == LIMIT - 10.5
    await three.wait(15)
    assert three.screen.slots(CHAT)[:2] == ["Asked q0", "Closed q0"]
    assert returned(three) == 0


async def test_a_process_that_stops_in_order_costs_nobody_time_and_nothing_is_said(three: Several) -> None:
    await three.start(three.processes[0], CHAT)
    await three.processes[0].life.aclose()
    assert await three.rows("SELECT role FROM lease") == []
    await three.wait(2)
    ((role, holder),) = await three.rows("SELECT role, worker FROM lease")
    assert (role, holder) in {(PLATFORM, "p1"), (PLATFORM, "p2")}
    assert await left(three) == LIMIT - 2.5
    assert returned(three) == 0


async def test_a_process_that_comes_while_others_serve_disturbs_no_session(
    three: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    await three.start(three.processes[0], CHAT)
    await three.begin(monkeypatch)
    await three.wait(3)
    assert three.fired == []


async def test_who_stops_while_others_go_on_ends_what_is_on_its_way_and_takes_up_nothing_more(three: Several) -> None:
    first, second, _ = three.processes
    three.screen.held[CHAT] = asyncio.Event()
    await three.start(first, CHAT)
    stopping = asyncio.create_task(first.life.aclose())
    await three.start(second, OTHER)
    assert three.screen.posts(OTHER) == []
    three.screen.held[CHAT].set()
    await stopping
    assert three.screen.slots(CHAT) == ["Asked q0"]
    assert await three.rows("SELECT chat FROM outbox") == [(OTHER,)]
    await three.wait(2.5)
    # Sent by another, too soon for its time to be counted anew.
    assert [shown.edited for shown in three.screen.shown if shown.chat == OTHER] == [False]


async def test_what_somebody_was_sending_who_was_killed_is_sent_as_soon_as_another_knows(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = [await several.begin(monkeypatch) for _ in range(2)]
    several.screen.held[CHAT] = asyncio.Event()
    await several.start(first, CHAT)
    await first.kill()
    several.screen.held.pop(CHAT).set()
    while not second.service.crew.alone:
        assert several.screen.posts(CHAT) == []
        await several.wait(0.5)
    # It comes late, and then has its time from when it was seen.
    assert [shown.edited for shown in several.screen.shown] == [False, True]


@pytest.mark.parametrize("away", [30, 100])
async def test_a_database_that_was_away_gives_the_time_back_once_whoever_is_first_to_be_asked(
    three: Several, away: int
) -> None:
    await three.start(three.processes[0], CHAT)
    await three.wait(4)
    for process in three.processes:
        process.line.away = True
    await three.wait(away)
    for process in three.processes:
        process.line.away = False
    # Before anybody has signed in: the deadline has long passed, and a press comes.
    session = await three.session()
    press = Answered(BOB, session.id, 0, (0,), three.clock.now())
    reply = await three.processes[2].service.engine.handle(CHAT, press)
    assert isinstance(reply, Verdict)
    for process in three.processes:
        await process.service.engine.handle(CHAT, replace(press, by=CAT))
    # Nobody served since the last sign, 2 s before the database went at most.
    assert LIMIT - 4.5 <= await left(three) <= LIMIT - 2.5
    before = await left(three)
    await three.wait(8)
    assert await left(three) == before - 8
    assert await three.rows("SELECT COUNT(*) FROM outage") == [(1,)]
    assert returned(three) <= 1
    await three.wait(8)
    assert (await three.session()).phase is not Phase.OPEN


async def test_when_all_were_gone_those_who_come_give_the_time_back_once(
    three: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    await three.start(three.processes[0], CHAT)
    await three.wait(4)
    for process in three.processes:
        await process.kill()
    three.clock.advance(3600)
    for _ in range(3):
        await three.begin(monkeypatch)
    await three.wait(3)
    assert returned(three) == 1
    assert LIMIT - 4.5 - 3 <= await left(three) <= LIMIT - 2.5 - 3


@pytest.mark.parametrize("ahead", [-3, 3])
async def test_a_session_on_two_processes_whose_clocks_are_three_seconds_apart_is_played_to_its_end(
    several: Several, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, ahead: float
) -> None:
    first, second = await several.begin(monkeypatch), await several.begin(monkeypatch, ahead=ahead)
    await several.wait(1.5)
    await several.start(first, CHAT)
    for number in range(3):
        session = await several.opened(number)
        for process, by in ((first, BOB), (second, CAT)):
            at = process.service.clock.now()
            await process.service.engine.handle(CHAT, Answered(by, session.id, number, (0,), at))
    assert await several.rows("SELECT COUNT(*) FROM response") == [(6,)]
    assert await several.rows("SELECT COUNT(*) FROM outage") == [(0,)]
    assert "clocks are apart" not in caplog.text


async def test_of_clocks_that_are_so_far_apart_that_roles_change_hands_the_operator_is_told(
    several: Several, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await several.begin(monkeypatch)
    await several.begin(monkeypatch, ahead=10)
    await several.wait(6)
    assert "another process has counted this one as gone, which had signed in 2.0 s before" in caplog.text


# A process that cannot do what a role is for


async def test_a_process_whose_platform_is_hopeless_leaves_the_role_to_another(
    several: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(_: Service) -> None:
        raise HopelessError("the token was refused")

    first, second = await several.begin(monkeypatch), await several.begin(monkeypatch)
    await several.wait(3)
    assert first.service.crew.holds(PLATFORM)
    await Supervised(Script(several.screen, refused, duties=DUTIES)).run(first.service)
    assert not first.service.crew.holds(PLATFORM)
    await several.start(first, CHAT)
    await several.wait(4)
    assert (first.service.crew.held, second.service.crew.held) == (frozenset(), frozenset({PLATFORM}))
    assert several.screen.slots(CHAT) == ["Asked q0"]
    await second.kill()
    await several.wait(10)
    assert first.service.crew.held == frozenset()
