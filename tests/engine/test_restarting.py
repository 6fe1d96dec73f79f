"""The bot is killed and comes back: same question, answers kept, the time lost given back."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.core.effects import Asked, Closed, Noted, Returned, Verdict
from bot.core.session import Pace, Phase
from bot.ports import UnavailableError
from tests.clock import VirtualClock
from tests.core.building import question, quiz_of
from tests.engine.screen import Lost, Screen
from tests.engine.world import BOB, CAT, CHAT, LIMIT, OTHER, READING, World, opened, players, told


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quizbot.sqlite3"


async def killed_with_two_answers_after_eight_seconds(path: Path, clock: VirtualClock, screen: Screen) -> None:
    async with opened(path, clock=clock, screen=screen) as world:
        await world.start()
        await world.wait(8)
        for player in players(2):
            await world.answer(player)
        await world.beat()


async def test_after_four_seconds_away_the_same_question_has_twelve_left_and_both_answers(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    await killed_with_two_answers_after_eight_seconds(path, clock, screen)
    clock.advance(4)
    async with opened(path, clock=clock, screen=screen, updates=1000) as world:
        assert len(await world.responses()) == 2
        replies = [await world.answer(player) for player in players(5)]
        assert [type(reply) for reply in replies] == [Noted, Noted, Verdict, Verdict, Verdict]
        await world.wait(11.999)
        assert await world.stage() == (0, Phase.OPEN)
        await world.wait(0.001)
        assert await world.stage() == (0, Phase.CLOSED)
        assert not any(isinstance(post, Returned) for post in world.seen())
        assert {shown.message for shown in screen.shown} == {"m0"}


async def test_after_an_hour_away_there_is_one_announcement_and_twelve_seconds_left(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    await killed_with_two_answers_after_eight_seconds(path, clock, screen)
    clock.advance(3600)
    async with opened(path, clock=clock, screen=screen, updates=1000) as world:
        await world.settle()
        assert await world.stage() == (0, Phase.OPEN)
        assert [type(post) for post in world.seen()].count(Returned) == 1
        shown = screen.visible(CHAT)["m0"]
        assert isinstance(shown, Asked)
        assert shown.deadline is not None
        assert (shown.deadline - clock.now()).total_seconds() == 12
        await world.wait(11.999)
        assert await world.stage() == (0, Phase.OPEN)
        await world.wait(600)
        assert [type(post) for post in world.seen()].count(Returned) == 1


async def test_a_second_restart_gives_back_only_its_own_time(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    await killed_with_two_answers_after_eight_seconds(path, clock, screen)
    clock.advance(4)
    async with opened(path, clock=clock, screen=screen, updates=1000) as world:
        await world.wait(2)
        await world.beat()
    clock.advance(7)
    async with opened(path, clock=clock, screen=screen, updates=2000) as world:
        await world.wait(9.999)
        assert await world.stage() == (0, Phase.OPEN)
        await world.wait(0.001)
        assert await world.stage() == (0, Phase.CLOSED)


async def test_a_session_that_began_after_the_outage_is_not_given_anything(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    await killed_with_two_answers_after_eight_seconds(path, clock, screen)
    clock.advance(3600)
    async with opened(path, clock=clock, screen=screen, updates=1000) as world:
        await world.start(chat=OTHER)
        await world.wait(LIMIT)
        assert await world.stage(OTHER) == (0, Phase.CLOSED)
        assert world.slots(OTHER) == ["Asked q0", "Closed q0"]


async def test_a_session_without_a_clock_is_neither_announced_nor_ended_by_a_night_away(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    async with opened(path, clock=clock, screen=screen) as world:
        await world.start(pace=Pace.RELAXED)
        await world.settle()
        await world.beat()
    clock.advance(20 * 3600)
    async with opened(path, clock=clock, screen=screen, updates=1000) as world:
        await world.wait(10 * 3600)
        assert await world.stage() == (0, Phase.OPEN)
        assert world.slots() == ["Asked q0"]


async def test_a_post_that_was_under_way_is_sent_again_under_the_same_nonce(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    async with opened(path, clock=clock, screen=screen) as world:
        screen.held[CHAT] = asyncio.Event()
        await world.start()
        sending = asyncio.create_task(world.delivery.settle(world.engine))
        await screen.changed.wait()
        sending.cancel()
        await asyncio.wait([sending])
    del screen.held[CHAT]
    async with opened(path, clock=clock, screen=screen, updates=1000) as world:
        await world.settle()
        assert world.slots() == ["Asked q0"]
        first, second = screen.nonces
        assert first == second


async def test_two_posts_never_have_the_same_nonce(world: World) -> None:
    for chat in (CHAT, OTHER):
        await world.start(chat=chat)
        await world.answer(BOB, chat=chat)
        await world.wait(3 * (LIMIT + READING))
    assert len(set(world.screen.nonces)) == len(world.screen.nonces) == 8


async def test_what_was_shown_but_not_confirmed_is_shown_in_its_last_state_again(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    async with opened(path, clock=clock, screen=screen) as world:
        screen.troubles[CHAT].append(Lost(UnavailableError()))
        await world.start()
        await world.settle()
        await world.answer(BOB)
        await world.stop()
        await world.beat()
    clock.advance(1)
    async with opened(path, clock=clock, screen=screen, updates=1000) as world:
        await world.wait(10)
        assert world.slots() == ["Asked q0", "Closed q0", "Ended standings"]
        closed = world.seen()[1]
        assert isinstance(closed, Closed)
        assert closed.result.answered == 1


async def test_answers_and_selections_of_before_are_known_after(path: Path) -> None:
    clock = VirtualClock()
    async with opened(path, clock=clock) as world:
        await world.start()
        press = await world.answering(CAT)
        await world.engine.handle(CHAT, press)
    async with opened(path, clock=clock, updates=1000) as world:
        assert isinstance(await world.engine.handle(CHAT, press), Noted)
        assert told(await world.stop()) == "stopped"
        assert await world.scores() == {"test:cat": 100}


async def test_the_new_end_of_a_long_question_is_shown_before_the_old_one_has_come(path: Path) -> None:
    clock = VirtualClock()
    screen = Screen(clock)
    long = [quiz_of(question("long", seconds=300), question("next"))]
    async with opened(path, clock=clock, screen=screen, quizzes=long) as world:
        await world.start()
        await world.wait(8)
        await world.beat()
    clock.advance(90)
    async with opened(path, clock=clock, screen=screen, quizzes=long) as world:
        await world.ticker.catch_up(world.engine)
        await world.settle()
        assert [type(post) for post in world.seen()] == [Asked, Returned, Asked]
        shown = screen.visible(CHAT)["m0"]
        assert isinstance(shown, Asked)
        assert shown.deadline == clock.now() + timedelta(seconds=292)
