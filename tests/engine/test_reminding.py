"""Reminders: only who asked for them, only of what is due, once a day, and never at night."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.core.effects import Reminded
from bot.core.quiz import Question, QuestionRef, Quiz
from bot.learning.days import day_of, zone
from bot.learning.memory import Day, Learner, Memory, Studied
from bot.library import Library
from bot.ports import Changes, ChatGoneError, UnavailableError
from bot.reminding import EVERY, Reminding
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.engine.running import running, until
from tests.engine.world import ANN, BOB, World, opened

ANNS = ANN.person
BOBS = BOB.person
QUIZ = plain_quiz(3)
SOFIA = "Europe/Sofia"
MONDAY = date(2026, 3, 2)
TODAY = day_of(MONDAY)


def at(hour: int, minute: int = 0, *, on: date = MONDAY, name: str = SOFIA) -> datetime:
    return datetime(on.year, on.month, on.day, hour, minute, tzinfo=zone(name)).astimezone(UTC)


@pytest.fixture
async def evening() -> AsyncIterator[World]:
    """Monday, 18:00 in Sofia, where Ann has two reviews due, the last time she studied was on Sunday, and she wants to
    be reminded in the evening."""
    async with opened(clock=VirtualClock(at(18)), quizzes=[QUIZ]) as world:
        await wishes(world, ANNS)
        await studied(world, ANNS, TODAY - 1, TODAY, TODAY + 1)
        yield world


async def wishes(world: World, person: str, when: str = "evening", zone_name: str = SOFIA) -> None:
    await world.store.prefer(person, "reminders", when)
    await world.store.prefer(person, "zone", zone_name)


async def studied(world: World, person: str, *dues: Day, last: Day = TODAY - 1, fingerprint: str | None = None) -> None:
    """The person has a memory of a question for each of these days on which they are due."""
    memories = tuple(
        Memory(person, QUIZ.ref(each), fingerprint or QUIZ.fingerprint(each), 1, 1, False, 3.0, 5.0, TODAY - 5, due)
        for each, due in zip(QUIZ.questions, dues, strict=False)
    )
    await keep(world, Studied(memories, (Learner(person, 1, last),)))


async def keep(world: World, what: Studied) -> None:
    async with world.store.turns({}) as turns:
        await turns.write(Changes(studied=what))


def reminding(world: World, library: Library | None = None) -> Reminding:
    return Reminding(world.store, library or world.library, world.clock, on_posts=world.delivery.nudge)


async def reminded(world: World, person: str = ANNS) -> list[int]:
    """How many reviews each reminder named that has reached somebody, after a look whom to remind."""
    await reminding(world).remind()
    await world.settle()
    return [post.due for post in world.seen(person) if isinstance(post, Reminded)]


def travel_to(world: World, moment: datetime) -> None:
    world.clock.advance((moment - world.clock.now()).total_seconds())


async def test_whoever_asked_for_it_is_told_how_many_reviews_are_due(evening: World) -> None:
    assert await reminded(evening) == [2]


async def test_nobody_else_is(evening: World) -> None:
    await studied(evening, BOBS, TODAY)
    assert await reminded(evening, BOBS) == []
    await wishes(evening, BOBS, "off")
    assert await reminded(evening, BOBS) == []


async def test_once_a_day_is_enough_and_the_next_day_has_its_own(evening: World) -> None:
    assert await reminded(evening) == [2]
    for _ in range(40):
        evening.clock.advance(EVERY.total_seconds())
        assert await reminded(evening) == [2]
    travel_to(evening, at(18, on=MONDAY + timedelta(days=1)))
    assert await reminded(evening) == [2, 3]


async def test_whoever_was_reminded_costs_nothing_more_that_day(evening: World) -> None:
    before = evening.driver.attempts
    await reminding(evening).remind()
    first = evening.driver.attempts - before
    await reminding(evening).remind()
    assert evening.driver.attempts - before - first == 1 < first


async def test_two_processes_remind_once(evening: World) -> None:
    await asyncio.gather(reminding(evening).remind(), reminding(evening).remind())
    assert await reminded(evening) == [2]


async def test_whoever_has_studied_today_is_left_in_peace(evening: World) -> None:
    await studied(evening, ANNS, TODAY, last=TODAY)
    assert await reminded(evening) == []
    travel_to(evening, at(18, on=MONDAY + timedelta(days=1)))
    assert await reminded(evening) == [3]


async def test_nobody_is_reminded_of_nothing(evening: World) -> None:
    await studied(evening, ANNS, TODAY + 1, TODAY + 2, TODAY + 3)
    assert await reminded(evening) == []


async def test_only_questions_count_that_are_there_and_mean_the_same(evening: World) -> None:
    await reminding(evening, Library([])).remind()
    await evening.settle()
    assert evening.seen(ANNS) == []
    await studied(evening, ANNS, TODAY, fingerprint="another wording")
    assert await reminded(evening) == [1]


@pytest.mark.parametrize(
    ("when", "hour", "minute", "told"),
    [
        ("morning", 3, 59, False),
        ("morning", 8, 59, False),
        ("morning", 9, 0, True),
        ("morning", 11, 59, True),
        ("morning", 12, 0, False),
        ("morning", 18, 0, False),
        ("evening", 9, 0, False),
        ("evening", 17, 59, False),
        ("evening", 18, 0, True),
        ("evening", 20, 59, True),
        ("evening", 21, 0, False),
        ("evening", 23, 59, False),
    ],
)
async def test_it_is_said_at_the_chosen_time_of_their_own_day(when: str, hour: int, minute: int, told: bool) -> None:
    for name in (SOFIA, "America/New_York", "Pacific/Kiritimati"):
        async with opened(clock=VirtualClock(at(hour, minute, name=name)), quizzes=[QUIZ]) as world:
            await wishes(world, ANNS, when, name)
            await studied(world, ANNS, TODAY)
            assert await reminded(world) == [1] * told
            assert await world.rows("SELECT reminded FROM learner") == [(TODAY if told else None,)]


@pytest.mark.parametrize("first", [date(2026, 3, 25), date(2026, 10, 22)], ids=["spring", "autumn"])
async def test_a_change_of_the_clocks_costs_no_reminder_and_brings_none_at_night(first: date) -> None:
    """A learner who never comes, looked after every half hour, day and night."""
    start = at(4, on=first)
    async with opened(clock=VirtualClock(start), quizzes=[QUIZ]) as world:
        await wishes(world, ANNS)
        await studied(world, ANNS, TODAY - 300, last=TODAY - 300)
        told: list[datetime] = []
        for step in range(7 * 48):
            travel_to(world, start + step * timedelta(minutes=30))
            before = len(world.seen(ANNS))
            await reminded(world)
            told += [world.clock.now()] * (len(world.seen(ANNS)) - before)
        assert told == [at(18, on=first + timedelta(days=day)) for day in range(7)]


# Going on by itself


async def test_it_looks_every_five_minutes_and_posts_go_out_at_once(evening: World) -> None:
    travel_to(evening, at(17, 48, on=MONDAY + timedelta(days=1)))
    posted: list[datetime] = []
    watch = Reminding(
        evening.store, evening.library, evening.clock, on_posts=lambda: posted.append(evening.clock.now())
    )
    async with running(watch.run()):
        for _ in range(5):
            await until(lambda: bool(evening.clock.alarms))
            evening.clock.advance(EVERY.total_seconds())
        await until(lambda: bool(evening.clock.alarms))
    assert posted == [at(18, 3, on=MONDAY + timedelta(days=1))]


async def test_a_fault_of_the_database_is_over_at_the_next_look(
    evening: World, caplog: pytest.LogCaptureFixture
) -> None:
    evening.driver.broken = True
    async with running(reminding(evening).run()):
        await until(lambda: bool(evening.clock.alarms))
        evening.driver.broken = False
        evening.clock.advance(EVERY.total_seconds())
        await until(lambda: bool(evening.clock.alarms))
    await evening.settle()
    assert [type(post) for post in evening.seen(ANNS)] == [Reminded]
    assert "cannot be reminded" in caplog.text


class BrokenLibrary(Library):
    """Fails over the questions of one quiz."""

    def question(self, ref: QuestionRef) -> tuple[Quiz, Question] | None:
        if ref.slug == "broken":
            raise ValueError("broken")
        return super().question(ref)


async def test_one_learners_fault_is_no_others(evening: World, caplog: pytest.LogCaptureFixture) -> None:
    first = "test:0"
    await wishes(evening, first)
    memory = Memory(first, QuestionRef("broken", "q0"), "wording", stability=3.0, difficulty=5.0, reviewed=1, due=2)
    await keep(evening, Studied((memory,)))
    await reminding(evening, BrokenLibrary([QUIZ])).remind()
    await evening.settle()
    assert [type(post) for post in evening.seen(ANNS)] == [Reminded]
    assert "could not be reminded" in caplog.text
    assert first not in caplog.text


# On the way


async def test_a_reminder_that_comes_too_late_is_never_sent(evening: World) -> None:
    """The platform is away until the evening is over: nobody is woken at night."""
    evening.screen.forbidden[ANNS] = UnavailableError()
    assert await reminded(evening) == []
    travel_to(evening, at(20, 59))
    await evening.settle()
    del evening.screen.forbidden[ANNS]
    travel_to(evening, at(21, 10))
    assert await reminded(evening) == []
    assert await evening.rows("SELECT slot FROM outbox") == []


async def test_a_reminder_that_is_only_a_little_late_arrives(evening: World) -> None:
    evening.screen.troubles[ANNS].append(UnavailableError())
    assert await reminded(evening) == []
    evening.clock.advance(60)
    assert await reminded(evening) == [2]


async def test_nothing_of_a_reminder_stays_once_it_was_sent(evening: World) -> None:
    """It belongs to no session, so nobody would find it who looks for what is stored of a person."""
    assert await reminded(evening) == [2]
    assert await evening.rows("SELECT session FROM message UNION ALL SELECT session FROM outbox") == []


async def test_whoever_cannot_be_written_to_any_more_is_not_reminded_again(evening: World) -> None:
    evening.screen.forbidden[ANNS] = ChatGoneError()
    assert await reminded(evening) == []
    del evening.screen.forbidden[ANNS]
    travel_to(evening, at(18, on=MONDAY + timedelta(days=1)))
    assert await reminded(evening) == []
    assert (await evening.store.preferences([ANNS]))[ANNS].reminders is None
