"""Answers as players give them: at once, twice, late, in bursts, in the wrong order."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from bot.core.effects import Asked, Closed, Noted, Verdict
from bot.core.events import Advanced, Answered
from bot.core.session import Pace, Phase, Session
from bot.ports import ThrottledError, UnavailableError
from tests.engine.world import ANN, BOB, CAT, CHAT, LIMIT, OTHER, READING, World, players, told


async def second_question(world: World) -> Session:
    """The session at a question that closes with the answer of its only player so far, Bob."""
    await world.start()
    await world.answer(BOB)
    await world.wait(LIMIT + READING)
    return await world.session()


async def test_two_right_answers_back_to_back_close_the_question_once(world: World) -> None:
    await second_question(world)
    replies = await world.together(await world.answering(BOB), await world.answering(CAT))
    assert isinstance(replies[0], Verdict)
    assert told(replies[1]) == "late"
    assert await world.stage() == (1, Phase.CLOSED)
    assert [result.answered for result in (await world.session()).results] == [1, 1]
    await world.wait(READING)
    assert world.slots()[-2:] == ["Closed q1", "Asked q2"]
    assert await world.stage() == (2, Phase.OPEN)


async def test_an_answer_and_a_next_back_to_back_with_another_are_one_advance_and_none_lands_on_the_next_question(
    world: World,
) -> None:
    session = await second_question(world)
    one, two = await world.answering(BOB), await world.answering(CAT)
    onward = [Advanced(world.key(), ANN, session.id, session.step + 1) for _ in range(2)]
    first, next_, second, again = await world.together(one, onward[0], two, onward[1])
    assert isinstance(first, Verdict)
    assert [told(next_), told(second), told(again)] == ["advanced", "late", "moved-on"]
    assert await world.stage() == (2, Phase.OPEN)
    assert (await world.session()).answered == 0
    assert await world.responses() == [(0, "test:bob", 1), (1, "test:bob", 1)]
    await world.settle()
    assert world.slots()[-2:] == ["Closed q1", "Asked q2"]


async def test_the_same_press_five_times_in_one_tick_is_one_response(world: World) -> None:
    await world.start()
    press = await world.answering(BOB)
    replies = await world.together(*[press] * 5)
    assert isinstance(replies[0], Verdict)
    assert all(isinstance(reply, Noted) and reply.again for reply in replies[1:])
    assert await world.responses() == [(0, "test:bob", 1)]
    assert await world.scores() == {"test:bob": 100}


async def test_an_update_delivered_again_later_changes_nothing_more(world: World) -> None:
    await world.start()
    press = await world.answering(BOB)
    await world.engine.handle(CHAT, press)
    again = await world.engine.handle(CHAT, press)
    assert isinstance(again, Noted)
    assert await world.responses() == [(0, "test:bob", 1)]


async def test_of_a_person_who_presses_all_options_the_first_counts(world: World) -> None:
    await world.start()
    replies = await world.together(*[await world.answering(BOB, option) for option in (2, 0, 1, 3)])
    assert isinstance(replies[0], Verdict)
    assert all(isinstance(reply, Noted) and reply.chosen == (2,) for reply in replies[1:])
    assert await world.responses() == [(0, "test:bob", 1 << 2)]
    assert await world.scores() == {"test:bob": 0}


async def test_a_press_before_the_question_has_arrived_counts_and_takes_no_negative_time(world: World) -> None:
    world.screen.held[CHAT] = asyncio.Event()
    await world.start()
    sending = asyncio.create_task(world.delivery.settle(world.engine))
    await world.engine.handle(CHAT, await world.answering(BOB, ago=3))
    world.screen.held[CHAT].set()
    await sending
    assert await world.rows("SELECT taken FROM player") == [(0,)]
    assert len(await world.responses()) == 1


async def test_a_press_in_the_tick_of_the_start_counts_and_does_not_hold_up_the_question(world: World) -> None:
    start = world.starting()
    press = Answered(BOB, start.key, 0, (0,), world.clock.now())
    replies = await world.together(start, press)
    assert isinstance(replies[1], Verdict)
    await world.settle()
    assert world.slots() == ["Asked q0"]


async def test_a_question_that_arrived_late_has_its_whole_time_from_then(world: World) -> None:
    world.screen.troubles[CHAT].extend([UnavailableError(), UnavailableError(), UnavailableError()])
    await world.start()
    await world.wait(LIMIT - 1)
    shown = world.screen.shown[0]
    assert shown.seconds > 2
    session = await world.session()
    assert session.deadline is not None
    left = session.deadline - world.clock.now()
    assert left == timedelta(seconds=shown.seconds + LIMIT - (LIMIT - 1))
    assert world.screen.shown[-1].edited


async def test_a_question_that_is_sent_anew_because_somebody_deleted_it_gives_no_time_back(world: World) -> None:
    await world.start()
    await world.wait(10)
    world.screen.gone.add(world.screen.shown[0].message)
    await world.answer(BOB)
    await world.wait(5)
    assert world.slots() == ["Asked q0", "Asked q0"]
    assert not world.screen.shown[-1].edited
    session = await world.session()
    assert session.deadline == session.opened + timedelta(seconds=LIMIT)


async def test_presses_held_back_by_the_phone_are_judged_each_by_its_own_question(world: World) -> None:
    await world.start()
    held = [await world.answering(player) for player in players(5)]
    await world.wait(LIMIT + READING)
    replies = await world.together(*held, await world.answering(BOB))
    assert [told(reply) for reply in replies[:5]] == ["late"] * 5
    assert isinstance(replies[5], Verdict)
    assert await world.responses() == [(1, "test:bob", 1)]


async def test_a_press_that_reached_the_bot_just_after_the_deadline_but_was_made_before_counts(world: World) -> None:
    await world.start()
    await world.wait(LIMIT - 1)
    press = await world.answering(BOB)
    deadline = (await world.session()).deadline
    assert deadline is not None
    world.clock.advance(1.5)
    fired = asyncio.create_task(world.ticker.fire_due(world.engine))
    reply = await world.engine.handle(CHAT, press)
    await fired
    assert isinstance(reply, Verdict)
    assert (await world.session()).results[0].answered == 1


async def test_a_press_a_millisecond_after_the_close_is_refused_with_the_reason(world: World) -> None:
    await world.start()
    world.clock.advance(LIMIT + 0.001)
    assert told(await world.answer(BOB)) == "late"


async def test_a_press_at_the_very_deadline_counts_though_the_deadline_came_first(world: World) -> None:
    await world.start()
    world.clock.advance(LIMIT)
    fired = asyncio.create_task(world.ticker.fire_due(world.engine))
    reply = await world.answer(BOB)
    await fired
    assert isinstance(reply, Verdict)


async def test_answers_that_came_in_reverse_are_taken_in_the_order_of_the_platforms_clock(world: World) -> None:
    await world.start()
    await world.answer(BOB)
    await world.wait(LIMIT + READING)
    await world.wait(2)
    later, sooner = await world.answering(CAT, ago=0.8), await world.answering(BOB, ago=1.0)
    replies = await world.together(later, sooner)
    assert told(replies[0]) == "late"
    assert isinstance(replies[1], Verdict)


async def test_presses_for_what_is_not_there_get_a_private_line_and_change_nothing(world: World) -> None:
    await world.start()
    await world.settle()
    press = await world.answering(BOB)
    calls = len(world.screen.calls)
    forged = [
        replace(press, options=(9,)),
        replace(press, options=(-1,)),
        replace(press, options=()),
        replace(press, options=(0, 1)),
        replace(press, question=99_999),
        replace(press, question=-1),
    ]
    assert {told(reply) for reply in await world.together(*forged)} == {"invalid"}
    assert told(await world.engine.handle(CHAT, replace(press, session="last week"))) == "other-session"
    assert told(await world.engine.handle(OTHER, press)) == "other-session"
    await world.wait(5)
    assert len(world.screen.calls) == calls
    assert await world.responses() == []


# Many


async def test_fifty_people_in_one_tick_are_fifty_responses(world: World) -> None:
    await world.start()
    await world.settle()
    replies = await world.together(*[await world.answering(player) for player in players(50)])
    assert all(isinstance(reply, Verdict) for reply in replies)
    assert len(await world.responses()) == 50
    await world.wait(5)
    assert [post.answered for post in world.seen() if isinstance(post, Asked)] == [0, 50]


async def test_a_thousand_people_in_one_second_are_a_thousand_responses_and_one_counter(world: World) -> None:
    await world.start()
    await world.settle()
    presses = [await world.answering(player, index % 4) for index, player in enumerate(players(1000))]
    for tenth in range(0, 1000, 100):
        world.clock.advance(0.1)
        replies = await world.together(*presses[tenth : tenth + 100])
        assert all(isinstance(reply, Verdict) for reply in replies)
        await world.settle()
    await world.wait(LIMIT - 1.001)
    assert await world.rows("SELECT COUNT(*), SUM(points) FROM response") == [(1000, 25_000)]
    assert [post.answered for post in world.seen() if isinstance(post, Asked)] == [0, 1000]
    await world.wait(1)
    (closed,) = (post for post in world.seen() if isinstance(post, Closed))
    assert closed.result.tally == (250, 250, 250, 250)


async def test_a_counter_is_edited_at_most_every_five_seconds_and_the_last_one_is_right(world: World) -> None:
    await world.start()
    await world.wait(0)
    for player in players(30):
        await world.wait(0.5)
        await world.answer(player)
    await world.wait(4.9)
    edits = [shown for shown in world.screen.shown if shown.edited]
    gaps = [later.seconds - sooner.seconds for sooner, later in pairwise(edits)]
    assert len(edits) >= 3
    assert all(gap >= 5 for gap in gaps)
    last = edits[-1].post
    assert isinstance(last, Asked)
    assert last.answered == (await world.session()).answered == 30


# Other chats


async def test_a_chat_that_is_told_to_wait_changes_nothing_for_others_and_for_answers(world: World) -> None:
    world.screen.troubles[CHAT].append(ThrottledError(timedelta(seconds=60)))
    await world.start()
    await world.start(chat=OTHER)
    await world.settle()
    assert (world.slots(CHAT), world.slots(OTHER)) == ([], ["Asked q0"])
    assert isinstance(await world.answer(BOB), Verdict)
    assert isinstance(await world.answer(BOB, chat=OTHER), Verdict)
    calls = len(world.screen.calls)
    await world.wait(4)
    assert len(world.screen.calls) == calls
    await world.wait(60)
    assert set(world.slots(CHAT)) == {"Asked q0"}, "its time counts from when it can be seen"


async def test_while_a_platform_hangs_on_one_post_everybody_is_answered_and_other_chats_go_on(world: World) -> None:
    world.screen.held[CHAT] = asyncio.Event()
    await world.start()
    await world.start(chat=OTHER)
    sending = asyncio.create_task(world.delivery.settle(world.engine))
    while not world.slots(OTHER):
        await world.screen.changed.wait()
        world.screen.changed.clear()
    assert isinstance(await world.answer(BOB), Verdict)
    assert isinstance(await world.answer(BOB, chat=OTHER), Verdict)
    world.screen.held[CHAT].set()
    await sending
    assert world.slots(CHAT)[0].endswith("q0")


async def test_without_a_clock_a_question_waits_for_its_host(world: World) -> None:
    await world.start(ANN, pace=Pace.RELAXED)
    await world.wait(3600)
    assert await world.stage() == (0, Phase.OPEN)
    assert isinstance(await world.answer(BOB), Verdict)
    assert told(await world.advance()) == "advanced"
    assert await world.stage() == (0, Phase.CLOSED)
