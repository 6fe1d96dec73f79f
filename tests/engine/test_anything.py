"""Whatever happens in whatever order, nothing is lost, nothing counts twice, and the last state is what people see."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bot.core.effects import Asked, Closed, Ended, Noted, Reply, Verdict
from bot.core.events import Answered
from bot.core.session import Actor, Feedback, Pace
from bot.ports import MessageGoneError, StoreError, ThrottledError, UnavailableError
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.engine.screen import Lost, Screen, Shown
from tests.engine.world import ANN, World, opened, players
from tests.postgres.databases import create, drop

CHATS = ["test:1", "test:2", "test:3"]
PEOPLE = [ANN, *players(3)]
DAYS = timedelta(days=3).total_seconds()

chats = st.sampled_from(CHATS)
people = st.sampled_from(PEOPLE)
press = st.tuples(st.just("press"), chats, people, st.integers(0, 3), st.booleans())
burst = st.tuples(st.just("burst"), st.lists(st.tuples(chats, people, st.integers(0, 3)), min_size=2, max_size=8))
begin = st.tuples(
    st.just("begin"), chats, st.sampled_from([Pace.BRISK, Pace.STEADY, Pace.RELAXED]), st.sampled_from(Feedback)
)
study = st.tuples(st.just("study"), people, st.sampled_from([0, 0, 1, None]), st.booleans())
steer = st.tuples(st.sampled_from(["advance", "resume", "stop"]), chats)
wait = st.tuples(st.just("wait"), st.sampled_from([0.5, 3, 7, 21, 60]))
time = st.tuples(st.sampled_from(["tick", "deliver"]))
troubles = st.sampled_from(
    [
        UnavailableError(),
        Lost(UnavailableError()),
        ThrottledError(timedelta(seconds=9)),
        MessageGoneError(),
        ZeroDivisionError("a bug of an adapter"),
    ]
)
trouble = st.tuples(st.just("trouble"), chats, troubles)
failure = st.tuples(st.just("fail"), st.integers(1, 3))
restart = st.tuples(st.just("restart"), st.sampled_from([0, 2, 300]))
STEPS = st.one_of(
    press, press, press, burst, begin, steer, study, study, wait, wait, time, time, trouble, failure, restart
)


GIVEN = """
    WITH given AS (
        SELECT session.chat, person, question_id, points, correct, session.chat = person AS alone
        FROM response JOIN session ON session.id = response.session
    )
"""


class Life:
    """What happens to the bot over many processes, and what was acknowledged on the way."""

    def __init__(self, path: Path | str) -> None:
        """`path` of a file, or the address of a database on a server."""
        self.path = path
        self.clock = VirtualClock()
        self.screen = Screen(self.clock)
        self.accepted: Counter[tuple[str, int, str, int]] = Counter()
        self.updates = 0

    async def live(self, steps: list[tuple[object, ...]]) -> None:
        rest = [("begin", chat, Pace.STEADY, feedback) for chat, feedback in zip(CHATS, Feedback, strict=True)] + steps
        while rest:
            rest = await self._run(rest)
        await self._end()

    def _opened(self) -> AbstractAsyncContextManager[World]:
        """The next process. Its quiz is long enough for something to come back in practice."""
        self.updates += 1000
        return opened(self.path, clock=self.clock, screen=self.screen, quizzes=[plain_quiz(5)], updates=self.updates)

    async def _run(self, steps: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
        """One process, until it is killed; the steps that are left."""
        async with self._opened() as world:
            for number, (what, *how) in enumerate(steps):
                if what == "restart":
                    world.driver.failing = 0
                    await world.beat()
                    self.clock.advance(how[0])  # type: ignore[arg-type]
                    return steps[number + 1 :]
                try:
                    await getattr(self, f"_{what}")(world, *how)
                except StoreError:
                    continue  # whoever did it was told so
        return []

    async def _end(self) -> None:
        """The world becomes well again, every session ends, and time passes until nothing is left to do."""
        self.screen.troubles.clear()
        async with self._opened() as world:
            for chat in CHATS:
                await world.stop(chat=chat)
            for by in PEOPLE:
                await world.stop(by, chat=by.person)
            await world.wait(DAYS)
            await self._check(world)

    # Steps

    async def _begin(self, world: World, chat: str, pace: Pace, feedback: Feedback) -> None:
        await world.start(chat=chat, pace=pace, feedback=feedback)

    async def _press(self, world: World, chat: str, by: object, option: int, again: bool) -> None:
        event = await world.answering(by, option, chat=chat)  # type: ignore[arg-type]
        self._note(event, await world.engine.handle(chat, event))
        if again:
            self._note(event, await world.engine.handle(chat, event))

    async def _burst(self, world: World, presses: list[tuple[str, object, int]]) -> None:
        events = [(chat, await world.answering(by, option, chat=chat)) for chat, by, option in presses]  # type: ignore[arg-type]
        futures = [world.engine.handle(chat, event) for chat, event in events]
        for (_, event), reply in zip(events, await asyncio.gather(*futures, return_exceptions=True), strict=True):
            if not isinstance(reply, BaseException):
                self._note(event, reply)

    async def _study(self, world: World, by: Actor, option: int | None, again: bool) -> None:
        """Somebody practises: they answer, or let it pass, and go on; or else they begin."""
        session = await world.store.session(by.person)
        if session is None or not session.live:
            await world.practise(by)
            return
        if option is not None:
            await self._press(world, by.person, by, option, again)
        await world.advance(by, chat=by.person)

    def _note(self, event: Answered, reply: Reply | None) -> None:
        if isinstance(reply, Verdict) or (isinstance(reply, Noted) and not reply.again):
            self.accepted[event.session, event.question, event.by.person, event.options[0]] += 1

    async def _advance(self, world: World, chat: str) -> None:
        await world.advance(chat=chat)

    async def _resume(self, world: World, chat: str) -> None:
        await world.resume(chat=chat)

    async def _stop(self, world: World, chat: str) -> None:
        await world.stop(chat=chat)

    async def _wait(self, world: World, seconds: float) -> None:
        await world.wait(seconds)

    async def _tick(self, world: World) -> None:
        await world.ticker.fire_due(world.engine)

    async def _deliver(self, world: World) -> None:
        await world.delivery.settle(world.engine)

    async def _trouble(self, world: World, chat: str, error: Exception | Lost) -> None:
        self.screen.troubles[chat].append(error)

    async def _fail(self, world: World, times: int) -> None:
        world.driver.failing = times

    # Laws

    async def _check(self, world: World) -> None:
        await self._check_answers(world)
        await self._check_what_they_count_for(world)
        assert await world.rows("SELECT * FROM outbox") == []
        assert await world.rows("SELECT * FROM session WHERE wake_at IS NOT NULL") == []
        for chat in CHATS:
            await self._check_what_is_seen(world, chat)

    async def _check_answers(self, world: World) -> None:
        rows = await world.rows("SELECT session, question, person, options FROM response")
        kept = {(session, question, person, bits.bit_length() - 1) for session, question, person, bits in rows}
        assert set(self.accepted) == kept
        assert set(self.accepted.values()) <= {1}
        scores = await world.rows("SELECT session, person, points, answered FROM player ORDER BY session, person")
        sums = await world.rows(
            "SELECT session, person, SUM(points), COUNT(*) FROM response GROUP BY session, person"
            " ORDER BY session, person"
        )
        assert scores == sums

    async def _check_what_they_count_for(self, world: World) -> None:
        """In chats for leaderboards and for how questions fared; in practice for what is remembered."""
        for kept, counted in (
            (
                "SELECT chat, person, points, correct, answered FROM score WHERE quiz = ''",
                "SELECT chat, person, SUM(points), SUM(correct), COUNT(*) FROM given WHERE NOT alone GROUP BY 1, 2",
            ),
            (
                "SELECT chat, question_id, answered, correct FROM served WHERE answered > 0",
                "SELECT chat, question_id, COUNT(*), SUM(correct) FROM given WHERE NOT alone GROUP BY 1, 2",
            ),
            (
                "SELECT person, SUM(answered), SUM(correct) FROM study_day GROUP BY 1",
                "SELECT person, COUNT(*), SUM(correct) FROM given WHERE alone GROUP BY 1",
            ),
            (
                "SELECT person, question_id, correct FROM memory WHERE correct > 0",
                "SELECT person, question_id, SUM(correct) FROM given WHERE alone AND correct = 1 GROUP BY 1, 2",
            ),
        ):
            assert set(await world.rows(kept)) == set(await world.rows(GIVEN + counted))

    async def _check_what_is_seen(self, world: World, chat: str) -> None:
        last: dict[tuple[str, str], Shown] = {}
        for shown in self.screen.shown:
            if shown.chat == chat:
                last[shown.post.session, shown.post.slot] = shown
        session = await world.session(chat)
        for at, result in enumerate(session.results):
            closed = last[session.id, f"q{at}"].post
            assert isinstance(closed, Closed)
            assert closed.result == result
        ended = last[session.id, "standings"].post
        assert isinstance(ended, Ended)
        assert [(line.person, line.points) for line in ended.standings] == [
            (person, points)
            for person, points in await world.rows(
                f"SELECT person, points FROM player WHERE session = '{session.id}' ORDER BY points DESC, name"  # noqa: S608
            )
        ]
        assert not any(isinstance(shown.post, Asked) for shown in last.values())


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=40))
def test_nothing_is_lost_nothing_counts_twice_and_the_last_state_is_seen(steps: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(Life(Path(folder) / "quizbot.sqlite3").live(steps))


@hypothesis_settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=40))
def test_nor_is_it_on_a_server(postgres_server: str, steps: list[tuple[object, ...]]) -> None:
    database = create(postgres_server)
    try:
        asyncio.run(Life(database).live(steps))
    finally:
        drop(postgres_server, database)
