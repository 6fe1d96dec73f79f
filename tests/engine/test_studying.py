"""What sessions teach, once they have ended: nothing before, everything after, and nothing twice."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from pathlib import Path

import pytest

from bot.core.session import Actor, Pace, Phase
from bot.library import Library
from bot.studying import LONGEST_REST, MOST_PLAYERS, MOST_SETTLED, Studying
from tests.core.building import plain_quiz
from tests.engine.running import TOO_LONG, running, until
from tests.engine.world import ANN, BOB, CHAT, LIMIT, READING, World, opened, players

WRONG = 1
RIGHT = 0


async def missed(world: World, person: Actor = ANN) -> list[str]:
    """The questions that wait for somebody because they missed them."""
    knowledge = await world.store.knowledge(person.person)
    return [memory.ref.question for memory in knowledge.memories if memory.missed and memory.due is not None]


async def known(world: World, person: Actor = ANN) -> dict[str, tuple[int, int]]:
    """How often somebody has answered each question, and how often right."""
    knowledge = await world.store.knowledge(person.person)
    return {memory.ref.question: (memory.answered, memory.right) for memory in knowledge.memories}


async def go_on(world: World, by: Actor = ANN, chat: str = CHAT) -> None:
    """The host goes on from the question there is."""
    before = await world.session(chat)
    while (session := await world.session(chat)).live and session.at == before.at:
        await world.advance(by, chat=chat)


async def played(world: World, *answers: int, by: Actor = ANN, chat: str = CHAT) -> None:
    """A session in which somebody gives these answers, and nobody else any; it ends after them."""
    await world.start(by, chat=chat, pace=Pace.RELAXED)
    for answer in answers:
        await world.answer(by, answer, chat=chat)
        await go_on(world, by, chat)
    if (await world.session(chat)).live:
        await world.stop(by, chat=chat)


async def unlearned(world: World) -> int:
    ((count,),) = await world.rows("SELECT COUNT(*) FROM session WHERE learned = 0 AND wake_at IS NULL")
    return int(count)


async def learned(world: World) -> None:
    """Return once nothing is left to learn from."""
    async with asyncio.timeout(TOO_LONG):
        while await unlearned(world):  # noqa: ASYNC110  # the database has a thread of its own
            await asyncio.sleep(0)


async def test_what_was_missed_in_a_group_waits_once_the_session_has_ended(world: World) -> None:
    await world.start(pace=Pace.RELAXED)
    for answer in (WRONG, RIGHT):
        await world.answer(ANN, answer)
        await go_on(world)
    await world.studying.settle()
    assert await known(world) == {}
    await world.answer(ANN, WRONG)
    await go_on(world)
    assert (await world.session()).phase is Phase.ENDED
    await world.studying.settle()
    assert await known(world) == {"q0": (1, 0), "q1": (1, 1), "q2": (1, 0)}
    assert await missed(world) == ["q0", "q2"]


async def test_a_question_that_closed_without_an_answer_of_a_player_was_missed(world: World) -> None:
    await world.start()
    await world.together(await world.answering(ANN, RIGHT), await world.answering(BOB, RIGHT))
    await world.wait(LIMIT + READING)
    await world.answer(BOB, RIGHT)
    await world.wait(LIMIT + READING)
    await world.answer(BOB, RIGHT)
    await world.wait(LIMIT + READING)
    await world.studying.settle()
    assert await missed(world, ANN) == ["q1", "q2"]
    assert await missed(world, BOB) == []
    ann = await world.store.knowledge(ANN.person)
    assert [(day.answered, day.right) for day in ann.days] == [(1, 1)]


async def test_the_question_that_a_stop_cut_off_was_not_missed(world: World) -> None:
    await world.start(pace=Pace.RELAXED)
    await world.answer(ANN, RIGHT)
    await go_on(world)
    assert await world.stage() == (1, Phase.OPEN)
    await world.stop()
    await world.studying.settle()
    assert await known(world) == {"q0": (1, 1)}


async def test_nothing_is_learned_twice(world: World) -> None:
    await played(world, WRONG, RIGHT, RIGHT)
    for _ in range(3):
        await world.studying.settle()
    assert await known(world) == {"q0": (1, 0), "q1": (1, 1), "q2": (1, 1)}
    assert await unlearned(world) == 0


async def test_two_processes_learn_from_a_session_once(tmp_path: Path) -> None:
    async with opened(tmp_path / "quizbot.db") as world:
        await played(world, WRONG, RIGHT, RIGHT)
        another = Studying(world.store, world.library, world.clock)
        await asyncio.gather(world.studying.settle(), another.settle())
        assert await known(world) == {"q0": (1, 0), "q1": (1, 1), "q2": (1, 1)}


async def test_a_restart_before_anything_was_learned_loses_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path / "quizbot.db") as world:
        await played(world, WRONG, RIGHT, RIGHT)
    async with opened(tmp_path / "quizbot.db", clock=world.clock) as world, running(world.studying.run()):
        await learned(world)
        assert await missed(world) == ["q0"]


async def test_the_next_session_goes_on_from_what_is_known(world: World) -> None:
    await played(world, WRONG, RIGHT, RIGHT)
    await world.studying.settle()
    await played(world, RIGHT, RIGHT, WRONG)
    await world.studying.settle()
    assert await known(world) == {"q0": (2, 1), "q1": (2, 2), "q2": (2, 1)}
    assert await missed(world) == ["q2"]


async def test_a_session_with_more_players_than_one_part_takes_is_learned_whole() -> None:
    everyone = players(MOST_PLAYERS + 3)
    async with opened(quizzes=[plain_quiz(1)]) as world:
        await world.start()
        await world.together(*[await world.answering(each, WRONG) for each in everyone])
        await world.wait(LIMIT + READING)
        await world.studying.settle()
        assert await world.rows("SELECT COUNT(*), SUM(missed), SUM(answered) FROM memory") == [(len(everyone),) * 3]
        assert await unlearned(world) == 0


async def test_learning_runs_by_itself_whenever_a_session_has_ended(world: World) -> None:
    async with running(world.studying.run()):
        for times in (1, 2):
            await played(world, WRONG, RIGHT, RIGHT)
            await learned(world)
            assert await known(world) == {"q0": (times, 0), "q1": (times, times), "q2": (times, times)}


async def test_a_long_backlog_keeps_nobody_waiting_who_asks_for_what_is_known(world: World) -> None:
    for _ in range(MOST_SETTLED + 2):
        await played(world, RIGHT)
    await world.studying.settle()
    assert await unlearned(world) == 2
    await world.studying.settle()
    assert await unlearned(world) == 0


async def test_a_quiz_that_cannot_be_read_any_more_teaches_nothing_and_stops_nothing(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await played(world, WRONG)
    await world.rows("UPDATE quiz SET body = 'damaged' RETURNING digest")
    await played(world, WRONG)
    elsewhere = Studying(world.store, Library([]), world.clock)
    await elsewhere.settle()
    assert await known(world) == {}
    assert await unlearned(world) == 0
    assert "cannot be read" in caplog.text


async def test_memories_that_are_damaged_harm_nobody_elses(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.start()
    await world.together(await world.answering(ANN, WRONG), await world.answering(BOB, WRONG))
    await world.wait(LIMIT + READING)
    await world.stop()
    slug = world.library.quizzes[0].slug
    fingerprint = world.library.quizzes[0].fingerprint(world.library.quizzes[0].questions[0])
    await world.rows(
        f"""
        INSERT INTO memory VALUES ('{ANN.person}', '{slug}', 'q0', '{fingerprint}', 1, 1, 0, 1.0, 5.0, -99999999, 1)
        RETURNING person
        """  # noqa: S608
    )
    await world.studying.settle()
    assert await missed(world, BOB) == ["q0"]
    assert await known(world, ANN) == {"q0": (1, 1)}
    assert await unlearned(world) == 0
    assert "cannot be studied" in caplog.text


# When the database fails


async def test_whoever_asks_is_answered_with_what_was_known_before(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await played(world, WRONG)
    world.driver.broken = True
    await world.studying.settle()
    world.driver.broken = False
    assert "cannot be learned from" in caplog.text
    assert await known(world) == {}
    await world.studying.settle()
    assert await missed(world) == ["q0"]


async def test_after_a_fault_it_is_tried_again_ever_more_slowly_and_then_all_is_learned(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, logger="bot.studying")
    await played(world, WRONG)
    world.driver.broken = True
    rests = []
    async with running(world.studying.run()):
        for _ in range(12):
            await until(lambda: bool(world.clock.alarms))
            rests.append(world.clock.alarms[0] - world.clock.now())
            before = world.driver.attempts
            world.studying.nudge()
            for _ in range(20):
                await asyncio.sleep(0)
            assert world.driver.attempts == before
            world.clock.advance(rests[-1].total_seconds())
        await until(lambda: bool(world.clock.alarms))
        world.driver.broken = False
        world.clock.advance(LONGEST_REST.total_seconds())
        await learned(world)
    assert [rest / timedelta(seconds=1) for rest in rests] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert await missed(world) == ["q0"]


async def test_players_go_on_while_history_is_learned(world: World) -> None:
    """Between two lessons a turn gets through: it waits for one of them at the most."""
    for _ in range(30):
        await played(world, RIGHT)
    await world.start()
    before = world.driver.commits
    async with running(world.studying.run()):
        await until(lambda: world.driver.commits > before)
        await world.answer(ANN, RIGHT)
        assert (await world.session()).answered == 1
        assert await unlearned(world) > 0
