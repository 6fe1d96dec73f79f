"""The delivery: each failure has its remedy, and none of them holds up another chat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bot import delivery
from bot.core.effects import Asked, Closed, Ended, Reminded
from bot.core.session import Ending, Pace, Phase
from bot.delivery import LEASE, MOST_AT_ONCE, MOST_ATTEMPTS
from bot.messages import Card
from bot.ports import (
    ChatGoneError,
    ChatMovedError,
    PostponedError,
    RefusedError,
    StoreError,
    ThrottledError,
    UnavailableError,
)
from bot.preferences import Reminders
from tests.clock import VirtualClock
from tests.core.building import question, quiz_of
from tests.engine.running import running, until
from tests.engine.screen import Lost, Screen
from tests.engine.world import ANN, BOB, CHAT, LIMIT, OTHER, PLATFORM, READING, World, opened, players


async def waiting(world: World) -> list[tuple[str, str]]:
    """What the outbox still holds: chat, and why it was set aside."""
    rows = await world.rows("SELECT chat, COALESCE(refused, '') FROM outbox ORDER BY id")
    return [(chat, refused) for chat, refused in rows]


# In order


async def test_the_closing_edit_comes_before_the_next_question(world: World) -> None:
    await world.start()
    await world.settle()
    await world.answer(BOB)
    world.screen.troubles[CHAT].append(ThrottledError(timedelta(seconds=LIMIT + READING + 1)))
    await world.wait(2 * LIMIT)
    slots = world.slots()
    assert slots.index("Closed q0") < slots.index("Asked q1")


@pytest.mark.parametrize("trouble", [ThrottledError(timedelta(seconds=5 * LIMIT)), UnavailableError()])
async def test_a_question_that_cannot_be_shown_does_not_close_unseen(world: World, trouble: Exception) -> None:
    world.screen.troubles[CHAT].extend([trouble] * (8 if isinstance(trouble, UnavailableError) else 1))
    await world.start()
    await world.wait(4 * LIMIT)
    assert await world.stage() == (0, Phase.OPEN)
    while not world.slots():
        await world.wait(1)
    assert set(world.slots()) == {"Asked q0"}
    await world.wait(LIMIT - 2)
    assert await world.stage() == (0, Phase.OPEN)
    await world.wait(2)
    assert await world.stage() == (0, Phase.CLOSED)
    assert (await world.session()).silent == 1


async def test_a_question_behind_a_closing_edit_that_has_to_wait_keeps_its_time(world: World) -> None:
    await world.start()
    await world.settle()
    await world.answer(BOB)
    world.screen.troubles[CHAT].append(ThrottledError(timedelta(seconds=5 * LIMIT)))
    await world.wait(4 * LIMIT)
    assert await world.stage() == (1, Phase.OPEN)
    assert world.slots() == ["Asked q0"]
    while "Asked q1" not in world.slots():
        await world.wait(1)
    assert world.slots()[1:3] == ["Closed q0", "Asked q1"]
    await world.wait(LIMIT - 2)
    assert await world.stage() == (1, Phase.OPEN)
    await world.wait(2)
    assert await world.stage() == (1, Phase.CLOSED)


async def test_a_question_that_will_never_be_shown_closes_in_its_time(world: World) -> None:
    world.screen.troubles[CHAT].append(RefusedError("too long"))
    async with running(world.ticker.run(world.engine)), running(world.delivery.run(world.engine)):
        await world.start()
        close = world.clock.now() + timedelta(seconds=LIMIT)
        await until(lambda: close in world.clock.alarms)
        world.clock.advance(LIMIT)
        await until(lambda: "Closed q0" in world.slots())


async def test_a_question_that_is_given_up_after_its_time_closes_at_once(world: World) -> None:
    world.screen.troubles[CHAT].extend([ThrottledError(timedelta(seconds=2 * LIMIT)), RefusedError("too long")])
    async with running(world.ticker.run(world.engine)), running(world.delivery.run(world.engine)):
        await world.start()
        again = world.clock.now() + timedelta(seconds=2 * LIMIT)
        await until(lambda: again in world.clock.alarms)
        world.clock.advance(2 * LIMIT)
        await until(lambda: "Closed q0" in world.slots())


async def test_states_that_nobody_saw_are_skipped_and_the_last_one_is_shown(world: World) -> None:
    world.screen.held[CHAT] = asyncio.Event()
    await world.start()
    sending = asyncio.create_task(world.delivery.settle(world.engine))
    await world.screen.changed.wait()
    for player in players(5):
        await world.answer(player)
    await world.stop()
    world.screen.held[CHAT].set()
    await sending
    assert world.slots() == ["Asked q0", "Closed q0", "Ended standings"]
    closed = world.seen()[1]
    assert isinstance(closed, Closed)
    assert closed.result.answered == 5


# Again


async def test_a_post_that_does_not_get_through_is_tried_ever_more_slowly(world: World) -> None:
    world.screen.forbidden[CHAT] = UnavailableError()
    await world.start()
    await world.stop()
    await world.wait(3600)
    gaps = [later - sooner for sooner, later in pairwise(world.screen.calls)]
    assert len(gaps) > 10
    for number, gap in enumerate(gaps):
        longest = min(2.0**number, 300)
        assert longest / 2 - 0.002 <= gap <= longest + 0.002


async def test_chats_that_failed_together_do_not_come_back_together(world: World) -> None:
    names = [f"test:{number}" for number in range(20)]
    for name in names:
        world.screen.troubles[name].append(UnavailableError())
        await world.start(chat=name)
    await world.wait(2)
    assert len(world.screen.shown) == 20
    assert len({shown.seconds for shown in world.screen.shown}) > 10


async def test_a_post_is_given_up_after_the_last_attempt_and_what_follows_is_shown(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.screen.troubles[CHAT].extend([UnavailableError()] * MOST_ATTEMPTS)
    await world.start()
    await world.stop()
    await world.wait(timedelta(days=1).total_seconds())
    assert world.slots() == ["Ended standings"]
    assert len(world.screen.calls) == MOST_ATTEMPTS + 1
    assert await waiting(world) == [(CHAT, f"given up after {MOST_ATTEMPTS} attempts: ")]
    assert "is given up" in caplog.text


async def test_a_chat_is_left_alone_for_as_long_as_it_was_asked_to(world: World) -> None:
    world.screen.troubles[CHAT].append(ThrottledError(timedelta(seconds=7.5)))
    await world.start()
    await world.wait(LIMIT)
    assert world.screen.calls[:2] == [0, 7.5]


async def test_a_post_that_is_refused_is_set_aside_and_what_follows_is_shown(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.screen.troubles[CHAT].append(RefusedError("too long"))
    await world.start()
    await world.stop()
    await world.wait(3600)
    assert world.slots() == ["Ended standings"]
    assert len(world.screen.calls) == 2
    assert await waiting(world) == [(CHAT, "too long")]
    assert "q0 was refused in chat test:1: too long" in caplog.text


async def test_an_adapter_that_fails_in_a_way_it_does_not_know_is_tried_again(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.screen.troubles[CHAT].append(ZeroDivisionError("a bug"))
    await world.start()
    await world.wait(2)
    assert world.slots() == ["Asked q0"]
    assert "a bug" in caplog.text


async def test_a_post_that_cannot_be_drawn_is_set_aside_and_what_follows_is_shown(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.start()
    async with world.driver.transaction() as connection:
        await connection.write("UPDATE outbox SET body = $1", [("[]",)])
    await world.wait(LIMIT + READING)
    assert world.slots() == ["Closed q0", "Asked q1"]
    assert "cannot be shown" in caplog.text


async def test_what_was_sent_or_edited_once_is_not_sent_or_edited_again(world: World) -> None:
    await world.start()
    await world.wait(LIMIT)
    assert await waiting(world) == []
    calls = len(world.screen.calls)
    await world.settle()
    await world.settle()
    assert len(world.screen.calls) == calls == 2


# A store or a platform that does not work


async def test_a_store_that_cannot_give_the_quiz_just_now_costs_no_post(tmp_path: Path) -> None:
    path, clock = tmp_path / "db", VirtualClock()
    async with opened(path, clock=clock) as world:
        await world.start()
    async with opened(path, clock=clock, quizzes=[quiz_of(question("other"))], updates=1000) as world:
        world.driver.unreadable = 1
        await world.delivery.settle(world.engine)
        assert world.slots() == []
        await world.wait(2)
        assert world.slots() == ["Asked q0"]


async def test_a_store_that_cannot_note_what_was_sent_is_told_again_and_nothing_is_sent_twice(world: World) -> None:
    world.screen.held[CHAT] = asyncio.Event()
    await world.start()
    sending = asyncio.create_task(world.delivery.settle(world.engine))
    await world.screen.changed.wait()
    world.driver.failing = 1
    world.screen.held[CHAT].set()
    with pytest.raises(StoreError):
        await sending
    await world.settle()
    assert len(world.screen.calls) == 1
    assert await waiting(world) == []
    assert await world.rows("SELECT slot, reference FROM message") == [("q0", "m0")]


async def test_a_lost_chat_that_the_store_cannot_forget_just_now_is_found_lost_again(world: World) -> None:
    world.screen.held[CHAT] = asyncio.Event()
    world.screen.forbidden[CHAT] = ChatGoneError()
    await world.start()
    sending = asyncio.create_task(world.delivery.settle(world.engine))
    await world.screen.changed.wait()
    world.driver.failing = 1
    world.screen.held[CHAT].set()
    await sending
    assert (await world.session()).live
    await world.wait(2)
    assert (await world.session()).ending is Ending.LOST
    assert await waiting(world) == []


# Reminders


async def remind(world: World) -> None:
    """Ann is told in her private chat what is due, as she has wished for."""
    await world.store.prefer(ANN.person, "reminders", Reminders.MORNING)
    reminder = Reminded(f"{ANN.person} 20150", 3)
    assert await world.store.remind(ANN.person, 20150, reminder, world.clock.now())


async def reminders(world: World) -> Reminders | None:
    return (await world.store.preferences([ANN.person]))[ANN.person].reminders


async def test_a_reminder_is_shown_and_stays_wished_for(world: World) -> None:
    await remind(world)
    await world.settle()
    assert world.seen(ANN.person) == [Reminded(f"{ANN.person} 20150", 3)]
    assert await reminders(world) is Reminders.MORNING
    assert await waiting(world) == []


async def test_whoever_can_no_longer_be_written_to_is_reminded_no_more_and_their_session_goes_on(world: World) -> None:
    await world.practise(ANN)
    await world.settle()
    before = await world.session(ANN.person)
    await remind(world)
    world.screen.forbidden[ANN.person] = ChatGoneError()
    await world.settle()
    assert await reminders(world) is None
    assert await waiting(world) == []
    assert await world.session(ANN.person) == before
    assert before.live


async def test_a_lost_reminder_takes_no_other_post_with_it(world: World) -> None:
    await remind(world)
    await world.practise(ANN)
    world.screen.troubles[ANN.person].append(ChatGoneError())
    await world.settle()
    assert await reminders(world) is None
    assert world.slots(ANN.person) == ["Asked q0"]


@pytest.mark.parametrize("error", [ThrottledError(timedelta(seconds=30)), UnavailableError()], ids=["full", "away"])
async def test_a_reminder_that_cannot_be_sent_just_now_is_sent_later(world: World, error: Exception) -> None:
    await remind(world)
    world.screen.troubles[ANN.person].append(error)
    await world.wait(60)
    assert [type(post) for post in world.seen(ANN.person)] == [Reminded]
    assert await reminders(world) is Reminders.MORNING


async def test_a_wish_that_the_store_cannot_drop_just_now_is_dropped_later(world: World) -> None:
    world.screen.held[ANN.person] = asyncio.Event()
    world.screen.forbidden[ANN.person] = ChatGoneError()
    await remind(world)
    sending = asyncio.create_task(world.delivery.settle(world.engine))
    await world.screen.changed.wait()
    world.driver.failing = 1
    world.screen.held[ANN.person].set()
    await sending
    assert await reminders(world) is Reminders.MORNING
    await world.wait(2)
    assert await reminders(world) is None
    assert await waiting(world) == []


@pytest.mark.parametrize(
    ("wish", "reminded"), [(None, False), (Reminders.OFF, False), (Reminders.EVENING, True)], ids=["none", "off", "on"]
)
async def test_the_end_of_practice_knows_who_is_reminded_already(
    world: World, wish: Reminders | None, *, reminded: bool
) -> None:
    await world.practise(ANN)
    await world.stop(ANN, chat=ANN.person)
    await world.store.prefer(ANN.person, "reminders", wish)
    await world.settle()
    ended = world.seen(ANN.person)[-1]
    assert isinstance(ended, Ended)
    assert ended.reminded is reminded


async def test_the_end_of_practice_waits_for_a_store_that_cannot_say_who_is_reminded(world: World) -> None:
    await world.practise(ANN)
    await world.settle()
    await world.stop(ANN, chat=ANN.person)
    world.driver.unreadable = 1
    await world.delivery.settle(world.engine)
    assert not isinstance(world.seen(ANN.person)[-1], Ended)
    await world.wait(2)
    assert isinstance(world.seen(ANN.person)[-1], Ended)
    assert await waiting(world) == []


async def test_a_store_that_fails_is_asked_again_once_a_second(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.start()
    world.driver.broken = True
    async with running(world.delivery.run(world.engine)):
        for _ in range(3):
            before = world.driver.attempts
            again = world.clock.now() + timedelta(seconds=1)
            await until(lambda again=again: world.clock.alarms == [again])  # type: ignore[misc]
            world.delivery.nudge()
            assert world.driver.attempts <= before + 2
            world.clock.advance(1)
        world.driver.broken = False
        world.clock.advance(1)
        await until(lambda: bool(world.screen.shown))
    assert "the outbox cannot be used" in caplog.text


async def test_a_platform_that_never_comes_back_from_a_post_is_given_up_on_for_now(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "PATIENCE", 0)
    world.screen.held[CHAT] = asyncio.Event()
    await world.start()
    await world.start(chat=OTHER)
    await world.delivery.settle(world.engine)
    assert (world.slots(CHAT), world.slots(OTHER)) == ([], ["Asked q0"])
    world.screen.held[CHAT].set()
    await world.wait(2)
    assert world.slots(CHAT) == ["Asked q0"]


async def test_no_more_than_so_many_posts_are_under_way_at_once(world: World) -> None:
    names = [f"test:{number}" for number in range(MOST_AT_ONCE + 10)]
    gate = asyncio.Event()
    for name in names:
        world.screen.held[name] = gate
        await world.start(chat=name)
    async with running(world.delivery.run(world.engine)):
        await until(lambda: len(world.screen.calls) == MOST_AT_ONCE)
        await world.start(chat="test:last")
        assert len(world.screen.calls) == MOST_AT_ONCE
        gate.set()
        await until(lambda: len(world.screen.shown) == MOST_AT_ONCE + 11)


async def test_two_who_deliver_at_once_forget_nothing_that_either_has_sent(world: World) -> None:
    names = [f"test:{number}" for number in range(30)]
    for name in names:
        await world.start(chat=name)
    await asyncio.gather(*(world.delivery.settle(world.engine) for _ in range(3)))
    assert await waiting(world) == []
    assert len(world.screen.calls) == 30
    assert await world.rows("SELECT COUNT(*) FROM message") == [(30,)]


# When it looks


async def test_posts_that_wait_for_another_post_do_not_keep_it_busy(world: World) -> None:
    world.screen.troubles[CHAT].append(ThrottledError(timedelta(seconds=60)))
    await world.start()
    await world.stop()
    async with running(world.delivery.run(world.engine)):
        again = world.clock.now() + timedelta(seconds=60)
        await until(lambda: world.clock.alarms == [again])
        before = world.driver.attempts
        world.clock.advance(60)
        await until(lambda: len(world.slots()) == 2)
        await until(lambda: world.clock.alarms == [world.clock.now() + LEASE])
        assert world.driver.attempts < before + 20


async def test_a_post_is_taken_up_as_soon_as_it_is_queued(world: World) -> None:
    async with running(world.delivery.run(world.engine)):
        await until(lambda: world.clock.alarms == [world.clock.now() + LEASE])
        await world.start()
        await until(lambda: world.slots() == ["Asked q0"])


async def test_a_counter_is_taken_up_when_it_is_due(world: World) -> None:
    async with running(world.delivery.run(world.engine)):
        await world.start()
        await until(lambda: world.slots() == ["Asked q0"])
        await until(lambda: bool(world.clock.alarms))
        await world.answer(BOB)
        due = world.clock.now() + timedelta(seconds=5)
        await until(lambda: world.clock.alarms == [due])
        world.clock.advance(5)
        await until(lambda: world.slots() == ["Asked q0", "Asked q0"])


async def test_what_somebody_else_claimed_and_never_settled_is_taken_up_after_the_lease(world: World) -> None:
    await world.start()
    now = world.clock.now()
    await world.store.claim(PLATFORM, now, now + LEASE, 1)
    async with running(world.delivery.run(world.engine)):
        await until(lambda: world.clock.alarms == [now + LEASE])
        assert world.slots() == []
        world.clock.advance(LEASE.total_seconds())
        await until(lambda: world.slots() == ["Asked q0"])


async def test_an_answer_that_got_lost_on_the_way_back_means_the_post_is_tried_again_as_the_same_one(
    world: World,
) -> None:
    world.screen.troubles[CHAT].append(Lost(UnavailableError()))
    await world.start()
    await world.wait(2)
    assert world.slots() == ["Asked q0", "Asked q0"]
    assert len(set(world.screen.nonces)) == 1


# Counters that are not worth what they cost


@dataclass
class Sparing(Screen):
    """A platform that has no room for counters while it is `full`, and says so for ten seconds."""

    full: bool = True
    lazy: list[str] = field(default_factory=list)

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        if lazy:
            self.lazy.append(message)
            if self.full:
                self._call()
                raise PostponedError(timedelta(seconds=10))
        await super().edit(chat, message, card, lazy=lazy)


@pytest.fixture
async def sparing() -> AsyncIterator[tuple[World, Sparing]]:
    clock = VirtualClock()
    screen = Sparing(clock)
    async with opened(clock=clock, screen=screen) as made:
        yield made, screen


async def test_only_counters_can_be_put_off(sparing: tuple[World, Sparing]) -> None:
    world, screen = sparing
    await world.start()
    await world.wait(1)
    await world.answer(BOB)
    await world.wait(LIMIT)
    assert world.slots() == ["Asked q0", "Closed q0"]
    assert set(screen.lazy) == {"m0"}
    closed = world.seen()[-1]
    assert isinstance(closed, Closed)
    assert closed.result.answered == 1


async def test_the_close_and_the_next_question_do_not_wait_for_a_counter_that_is_put_off(
    sparing: tuple[World, Sparing],
) -> None:
    world, _ = sparing
    await world.start()
    await world.settle()
    await world.answer(BOB)
    await world.wait(5.5)
    await world.advance()
    await world.advance()
    await world.settle()
    assert world.slots() == ["Asked q0", "Closed q0", "Asked q1"]
    assert [shown.seconds for shown in world.screen.shown][1:] == [5.5, 5.5]


async def test_a_counter_that_is_put_off_for_hours_is_not_given_up_and_shows_the_last_state(
    sparing: tuple[World, Sparing],
) -> None:
    world, screen = sparing
    await world.start(pace=Pace.RELAXED)
    await world.settle()
    for player in players(3):
        await world.answer(player)
        await world.wait(1200)
    assert len(screen.lazy) > 2 * MOST_ATTEMPTS
    assert world.slots() == ["Asked q0"]
    screen.full = False
    await world.wait(10)
    counted = world.seen()[-1]
    assert isinstance(counted, Asked)
    assert counted.answered == 3
    assert await waiting(world) == []


async def test_a_counter_that_is_put_off_holds_up_no_other_chat(sparing: tuple[World, Sparing]) -> None:
    world, _ = sparing
    await world.start()
    await world.settle()
    await world.answer(BOB)
    await world.wait(6)
    await world.start(chat=OTHER)
    await world.settle()
    assert world.slots(OTHER) == ["Asked q0"]


async def test_a_counter_that_is_put_off_does_not_keep_the_delivery_busy(sparing: tuple[World, Sparing]) -> None:
    world, screen = sparing
    await world.start(pace=Pace.RELAXED)
    await world.settle()
    await world.answer(BOB)
    await world.wait(5)
    async with running(world.delivery.run(world.engine)):
        again = world.clock.now() + timedelta(seconds=10)
        await until(lambda: world.clock.alarms == [again])
        assert len(screen.lazy) == 1
        world.clock.advance(10)
        await until(lambda: len(screen.lazy) == 2)


# Chats that move


async def test_a_post_that_finds_its_chat_moved_follows_it_at_once(world: World) -> None:
    world.screen.forbidden[CHAT] = ChatMovedError(OTHER)
    await world.start()
    await world.settle()
    assert (world.slots(CHAT), world.slots(OTHER)) == ([], ["Asked q0"])
    assert (await world.session(OTHER)).live
    assert await waiting(world) == []


async def test_chats_that_are_said_to_have_moved_to_each_other_are_left_alone_ever_longer(world: World) -> None:
    world.screen.forbidden = {CHAT: ChatMovedError(OTHER), OTHER: ChatMovedError(CHAT)}
    await world.start()
    await world.wait(60)
    assert 3 < len(world.screen.calls) < 12
