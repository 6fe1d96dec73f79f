"""Several processes of one bot that polls: one of them does, another when that one is gone, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from adapters.telegram.chats import PLATFORM
from bot.storage.workers import ALIVE
from bot.vitals import Connection
from tests.clock import VirtualClock
from tests.telegram.many import Many, Process, many
from tests.telegram.server import BotApi, Person
from tests.telegram.study import Study, key_of, study_group

TAKEN_OVER = 8.0
"""Seconds after which another process polls when one was killed."""


def at_home(bots: Many, number: int = 4) -> tuple[Study, list[Person]]:
    people = [bots.server.person(f"Player {index}") for index in range(number)]
    group = study_group(bots.server, "Study", people)
    return Study(bots, group, people[0]), people


def of(at: int, *people: Person) -> list[tuple[int, str]]:
    return sorted((at, f"telegram:{person.id}") for person in people)


async def test_one_of_three_polls_and_sends(server: BotApi, clock: VirtualClock, postgres_url: str) -> None:
    async with many(server, clock, postgres_url, 3) as bots:
        await bots.wait(3)
        assert bots.pollers == ["p0"]
        assert {process.service.crew.workers for process in bots.processes} == {3}
        assert len(server.calls("getUpdates")) == 1


async def test_when_the_poller_is_killed_another_takes_over_and_counts_each_press_once(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 3) as bots:
        study, (ann, bob, cem, _) = at_home(bots)
        question = await study.begin()
        await study.answer(ann)
        with server.hold("answerCallbackQuery") as acknowledging:
            taken = await bob.press(question, key_of(question))
            await acknowledging.reached()
            await bots.processes[0].kill()
        missed = await cem.press(question, key_of(question))
        took = await bots.until(lambda: len(bots.pollers) == 1, TAKEN_OVER)
        assert took > 4
        assert (await missed.answered()).text.startswith("✓ Right.")
        await taken.answered()
        await server.confirmed()
        assert await bots.responses() == of(0, ann, bob, cem)
        await bots.wait(60)
        assert [text for text in study.texts if "Question 1 of" in text] != []
        assert sum("Question 2 of" in text for text in study.texts) == 1


async def test_when_the_poller_stops_in_order_another_polls_within_three_seconds(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2) as bots:
        study, (ann, bob, *_) = at_home(bots)
        question = await study.begin()
        await study.answer(ann)
        await bots.processes[0].stop()
        pressed = await bob.press(question, key_of(question))
        assert await bots.until(lambda: bots.pollers == ["p1"], 3) <= 2.5
        assert (await pressed.answered()).text.startswith("✓ Right.")
        await server.confirmed()
        assert await bots.responses() == of(0, ann, bob)
        assert await bots.rows("SELECT COUNT(*) FROM outage") == [(0,)]


async def test_who_stops_leaves_no_update_half_done(server: BotApi, clock: VirtualClock, postgres_url: str) -> None:
    async with many(server, clock, postgres_url, 2) as bots:
        study, (ann, *others) = at_home(bots)
        question = await study.begin()
        presses = [await person.press(question, key_of(question)) for person in (ann, *others)]
        stopping = asyncio.create_task(bots.processes[0].stop())
        await bots.until(lambda: bots.pollers == ["p1"], 3)
        await stopping
        for press in presses:
            await press.answered()
        await server.confirmed()
        assert await bots.responses() == of(0, ann, *others)


def away(process: Process) -> None:
    process.line.away = True


def hanging(process: Process) -> None:
    process.line.hangs = asyncio.Event()


@pytest.mark.parametrize("fails", [away, hanging])
async def test_who_loses_the_database_stops_polling_before_another_begins(
    server: BotApi, clock: VirtualClock, postgres_url: str, fails: Callable[[Process], None]
) -> None:
    async with many(server, clock, postgres_url, 2) as bots:
        await bots.wait(1)
        first, second = bots.processes
        fails(first)
        lost = await bots.until(lambda: not first.polls, ALIVE.total_seconds())
        assert first.service.vitals.platforms[PLATFORM] is Connection.STANDING_BY
        assert not second.polls
        assert lost < ALIVE.total_seconds()
        await bots.until(lambda: second.polls, TAKEN_OVER - lost)
        if first.line.hangs:
            first.line.hangs.set()
        first.line.away, first.line.hangs = False, None
        await bots.wait(5)
        assert bots.pollers == ["p1"]
        assert await bots.rows("SELECT COUNT(*) FROM outage") == [(0,)]


async def test_two_that_poll_for_a_moment_are_no_reason_to_give_up(
    server: BotApi, clock: VirtualClock, postgres_url: str
) -> None:
    async with many(server, clock, postgres_url, 2) as bots:
        study, (ann, *_) = at_home(bots)
        first, second = bots.processes
        for before, after in ((first, second), (second, first), (first, second)):
            away(before)
            await bots.until(lambda: after.polls, TAKEN_OVER)  # noqa: B023  # called at once
            before.line.away = False
            await bots.wait(10)
        await study.begin()
        assert (await study.answer(ann)).startswith("✓ Right.")
        assert len(bots.alive) == 2
