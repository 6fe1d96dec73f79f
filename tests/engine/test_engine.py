"""The engine: one transaction for all who wait, nobody harmed by another, nothing lost to whoever goes away."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.effects import Noted, Verdict
from bot.core.events import Change, Configured, Posted, Started
from bot.core.session import Phase, Settings
from bot.engine import MOST_EVENTS, Engine, StoppingError
from bot.ports import StoreError
from bot.turn import UnknownQuizError
from tests.cancelling import cancelled_everywhere
from tests.engine.running import running, until
from tests.engine.world import ANN, BOB, CAT, CHAT, LIMIT, OTHER, READING, World, opened, players, told


async def begun(world: World, chats: int) -> list[str]:
    """This many chats with a session each."""
    names = [f"test:{number}" for number in range(chats)]
    await asyncio.gather(*(world.engine.handle(name, world.starting()) for name in names))
    return names


# Group commit


async def test_all_chats_that_wait_share_one_transaction(world: World) -> None:
    names = await begun(world, 50)
    presses = [(name, await world.answering(BOB, chat=name)) for name in names]
    before = world.driver.commits
    replies = await asyncio.gather(*(world.engine.handle(name, press) for name, press in presses))
    assert all(isinstance(reply, Verdict) for reply in replies)
    assert world.driver.commits == before + 1


async def test_events_that_arrive_during_a_transaction_share_the_next(world: World) -> None:
    names = await begun(world, 20)
    presses = [(name, await world.answering(BOB, chat=name)) for name in names]
    before = world.driver.commits
    world.driver.slow = asyncio.Event()
    first = world.engine.handle(*presses[0])
    await asyncio.sleep(0)
    rest = [world.engine.handle(name, press) for name, press in presses[1:]]
    world.driver.slow.set()
    await asyncio.gather(first, *rest)
    assert world.driver.commits == before + 2


async def test_more_events_than_fit_in_a_transaction_are_all_taken_in_order(world: World) -> None:
    await world.start()
    presses = [await world.answering(player) for player in players(MOST_EVENTS + 10)]
    again = [await world.answering(BOB, 1), await world.answering(BOB, 2)]
    before = world.driver.commits
    replies = await world.together(*presses, *again)
    assert world.driver.commits == before + 2
    assert all(isinstance(reply, Verdict) for reply in replies[:-1])
    assert isinstance(replies[-1], Noted)
    assert len(await world.responses()) == MOST_EVENTS + 11


async def test_nobody_hears_of_a_turn_before_it_is_durable(world: World) -> None:
    await world.start()
    world.driver.slow = asyncio.Event()
    reply = world.engine.handle(CHAT, await world.answering(BOB))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not reply.done()
    world.driver.slow.set()
    assert isinstance(await reply, Verdict)


# What goes wrong


async def test_an_event_that_the_rules_cannot_take_fails_alone(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.start(chat=OTHER)
    unknown = Started("x", ANN, "no such digest", (), Settings(world.starting().settings.pace, 1), False)
    poison = world.engine.handle(CHAT, unknown)
    healthy = world.engine.handle(CHAT, world.starting())
    other = world.engine.handle(OTHER, await world.answering(BOB, chat=OTHER))
    with pytest.raises(UnknownQuizError, match="no such digest"):
        await poison
    assert told(await healthy) == "begun"
    assert isinstance(await other, Verdict)
    assert "could not be handled in chat test:1" in caplog.text


async def test_a_chat_whose_turn_the_database_refuses_does_not_harm_the_others(world: World) -> None:
    names = await begun(world, 5)
    poisoned = await world.session(names[2])
    async with world.driver.transaction() as connection:
        row = (poisoned.id, 0, BOB.person, "q0", 1, 1, 100, 0)
        await connection.write(
            "INSERT INTO response (session, question, person, question_id, options, correct, points, at)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            [row],
        )
    presses = [(name, await world.answering(BOB, chat=name)) for name in names]
    futures = [world.engine.handle(name, press) for name, press in presses]
    replies = await asyncio.gather(*futures, return_exceptions=True)
    assert isinstance(replies[2], StoreError)
    assert all(isinstance(reply, Verdict) for index, reply in enumerate(replies) if index != 2)
    assert isinstance(await world.answer(CAT, chat=names[2]), Verdict)


async def test_an_answer_that_could_not_be_stored_can_be_given_again(world: World) -> None:
    await world.start()
    press = await world.answering(BOB)
    world.driver.failing = 1
    with pytest.raises(StoreError, match="disk is full"):
        await world.engine.handle(CHAT, press)
    assert await world.responses() == []
    assert isinstance(await world.engine.handle(CHAT, press), Verdict)
    assert await world.scores() == {"test:bob": 100}


async def test_a_transaction_that_fails_for_many_is_tried_for_each(world: World) -> None:
    names = await begun(world, 5)
    presses = [(name, await world.answering(BOB, chat=name)) for name in names]
    world.driver.failing = 1
    replies = await asyncio.gather(*(world.engine.handle(name, press) for name, press in presses))
    assert all(isinstance(reply, Verdict) for reply in replies)
    assert len(await world.responses()) == 5


# Callers that go away


async def test_a_caller_that_is_cancelled_loses_nothing_and_leaves_the_chat_as_it_should_be(world: World) -> None:
    await world.start()
    everyone = iter(players(10))
    pressed = 0

    async def press() -> None:
        nonlocal pressed
        event = await world.answering(next(everyone))
        pressed += 1
        await world.engine.handle(CHAT, event)

    async for _ in cancelled_everywhere(press):
        assert isinstance(await world.answer(CAT, 1), Verdict | Noted)
    assert pressed >= 2
    assert len(await world.responses()) == pressed + 1
    assert told(await world.stop()) == "stopped"


async def test_a_caller_that_does_not_wait_at_all_has_its_turn(world: World) -> None:
    await world.start()
    world.engine.handle(CHAT, await world.answering(BOB)).cancel()
    await world.answer(CAT)
    assert [row[1] for row in await world.responses()] == ["test:bob", "test:cat"]


async def test_a_caller_who_goes_away_before_the_commit_costs_nobody_else_the_reply(world: World) -> None:
    await world.start()
    await world.start(chat=OTHER)
    presses = [(CHAT, await world.answering(BOB)), (CHAT, await world.answering(CAT))]
    presses.append((OTHER, await world.answering(BOB, chat=OTHER)))
    before = world.driver.commits
    world.driver.slow = asyncio.Event()
    first, *rest = [world.engine.handle(chat, press) for chat, press in presses]
    attempts = world.driver.attempts
    await until(lambda: world.driver.attempts > attempts)
    first.cancel()
    world.driver.slow.set()
    replies = await asyncio.gather(*rest)
    assert all(isinstance(reply, Verdict) for reply in replies)
    assert world.driver.commits == before + 1
    assert [row[1] for row in await world.responses()] == ["test:bob", "test:cat", "test:bob"]
    assert await world.rows("SELECT SUM(points) FROM player") == [(300,)]


async def test_a_caller_who_goes_away_before_a_transaction_fails_leaves_an_engine_that_works(world: World) -> None:
    await world.start()
    presses = [await world.answering(BOB), await world.answering(CAT)]
    world.driver.failing = 1
    first, second = [world.engine.handle(CHAT, press) for press in presses]
    first.cancel()
    await until(second.done)
    with pytest.raises(StoreError, match="disk is full"):
        second.result()
    assert isinstance(await world.answer(CAT), Verdict)


async def test_a_delivery_that_is_cancelled_anywhere_leaves_the_rest_to_the_next(world: World) -> None:
    number = 0
    async for _ in cancelled_everywhere(lambda: world.delivery.settle(world.engine)):
        number += 1
        chat = f"test:{number}"
        await world.start(chat=chat)
    await world.store.recover(world.clock.now())
    await world.settle()
    assert number > 3
    assert {shown.chat for shown in world.screen.shown} == {f"test:{n}" for n in range(1, number + 1)}


# Times finer than the store keeps them


async def test_a_question_that_came_late_by_a_finer_clock_closes_at_its_deadline(world: World) -> None:
    await world.start()
    await world.settle()
    world.clock.advance(3)
    session = await world.session()
    await world.engine.handle(CHAT, Posted(session.id, 0, world.clock.now() + timedelta(microseconds=7)))
    deadline = world.clock.now() + timedelta(seconds=LIMIT)
    async with running(world.ticker.run(world.engine)):
        await until(lambda: world.clock.alarms == [deadline])
        assert await world.stage() == (0, Phase.OPEN)
        world.clock.advance(LIMIT)
        await until(lambda: world.clock.alarms == [deadline + timedelta(seconds=READING)])
    assert await world.stage() == (0, Phase.CLOSED)


async def test_a_press_in_the_last_millisecond_counts_however_fine_its_clock_and_the_deadline_fires(
    world: World,
) -> None:
    await world.start()
    await world.settle()
    deadline = (await world.session()).deadline
    assert deadline is not None
    world.clock.advance(LIMIT + 0.001)
    press = replace(await world.answering(BOB), at=deadline + timedelta(microseconds=7))
    assert isinstance(await world.engine.handle(CHAT, press), Verdict)
    assert await world.ticker.fire_due(world.engine) == 0
    assert await world.stage() == (0, Phase.CLOSED)
    assert (await world.session()).results[0].answered == 1


# Closing


async def test_an_engine_that_closes_finishes_what_it_has_taken_and_takes_no_more() -> None:
    async with opened() as world:
        await world.start()
        presses = [await world.answering(player) for player in players(20)]
        late = await world.answering(BOB)
        async with Engine(world.store, world.library, world.clock) as engine:
            replies = [engine.handle(CHAT, press) for press in presses]
        assert all(isinstance(reply.result(), Verdict) for reply in replies)
        with pytest.raises(StoppingError, match="stopping"):
            engine.handle(CHAT, late)
        assert len(await world.responses()) == 20


async def test_settings_of_the_card_take_the_counts_that_there_are(world: World) -> None:
    start = replace(world.starting(), card=True)
    await world.engine.handle(CHAT, start)

    async def configured(count: int) -> str:
        event = Configured(world.key(), ANN, start.key, Change(count=count), configuring=True)
        return told(await world.engine.handle(CHAT, event))

    assert [await configured(count) for count in (0, -1, 10**9, 4, 2)] == ["invalid"] * 4 + ["configured"]
    assert told(await world.begin()) == "begun"
    assert len((await world.session()).draw) == 2
