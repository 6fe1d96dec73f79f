"""Answers in practice: learned from in the very transaction that stores them, once, and never at the cost of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.effects import Ended, Noted, Verdict
from bot.core.events import Advanced, Answered, Stopped
from bot.core.quiz import QuestionRef
from bot.core.session import Actor, Ending, Pace, Phase
from bot.learning.days import learning_day
from bot.learning.memory import Memory
from bot.ports import StoreError
from tests.clock import VirtualClock
from tests.core.building import plain_quiz, text
from tests.engine.world import ANN, BOB, CHAT, LIMIT, World, opened

PRIVATE = ANN.person
RIGHT, WRONG = 0, 1
LENGTH = 19
"""Characters of a question of the plain quiz with its four options."""


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened(quizzes=[plain_quiz(6)]) as world:
        yield world


async def memories(world: World, by: Actor = ANN) -> dict[str, Memory]:
    """What is remembered of somebody, by the question's id."""
    return {memory.ref.question: memory for memory in (await world.store.knowledge(by.person)).memories}


async def counts(world: World, by: Actor = ANN) -> dict[str, tuple[int, int]]:
    """Question -> answered, right."""
    return {question: (each.answered, each.right) for question, each in (await memories(world, by)).items()}


async def answer(world: World, option: int, by: Actor = ANN) -> None:
    """Answer the question that is open, and go on."""
    assert isinstance(await world.answer(by, option, chat=by.person), Verdict)
    await world.advance(by, chat=by.person)


async def test_what_is_answered_right_is_remembered_and_due_on_a_later_day(world: World) -> None:
    await world.practise()
    await world.answer(ANN, RIGHT, chat=PRIVATE)
    quiz = world.library.quizzes[0]
    (memory,) = (await memories(world)).values()
    assert (memory.person, memory.ref) == (ANN.person, QuestionRef("colours", "q0"))
    assert memory.fingerprint == quiz.fingerprint(quiz.questions[0])
    assert (memory.answered, memory.right, memory.missed) == (1, 1, False)
    today = learning_day(world.clock.now(), None)
    assert memory.due is not None
    assert memory.due > today == memory.reviewed


async def test_what_is_missed_is_due_today_and_comes_back_in_the_same_session(world: World) -> None:
    await world.practise()
    await world.answer(ANN, WRONG, chat=PRIVATE)
    memory = (await memories(world))["q0"]
    assert (memory.answered, memory.right, memory.missed) == (1, 0, True)
    assert memory.due == learning_day(world.clock.now(), None)
    await world.advance(chat=PRIVATE)
    for _ in range(3):
        await answer(world, RIGHT)
    session = await world.session(PRIVATE)
    assert (session.at, session.current.question) == (4, 0)
    await answer(world, RIGHT)
    memory = (await memories(world))["q0"]
    assert (memory.answered, memory.right, memory.missed) == (2, 1, False)


async def test_what_is_let_pass_is_missed(world: World) -> None:
    await world.practise()
    await world.advance(chat=PRIVATE)
    memory = (await memories(world))["q0"]
    assert (memory.answered, memory.right, memory.missed) == (1, 0, True)
    assert await world.responses() == []
    days = (await world.store.knowledge(ANN.person)).days
    assert days == ()


async def test_next_after_an_answer_lets_nothing_pass(world: World) -> None:
    await world.practise()
    await answer(world, RIGHT)
    assert await counts(world) == {"q0": (1, 1)}


@pytest.mark.parametrize("ending", [Ending.STOPPED, Ending.EXPIRED])
async def test_a_question_that_is_open_when_practice_ends_is_not_missed(world: World, ending: Ending) -> None:
    await world.practise()
    await answer(world, RIGHT)
    if ending is Ending.STOPPED:
        await world.stop(chat=PRIVATE)
    else:
        await world.wait(25 * 3600)
    session = await world.session(PRIVATE)
    assert (session.ending, session.at) == (ending, 1)
    assert await counts(world) == {"q0": (1, 1)}


async def test_a_press_that_comes_again_is_learned_from_once(world: World) -> None:
    await world.practise()
    press = await world.answering(ANN, RIGHT, chat=PRIVATE)
    replies = await world.together(press, press, chat=PRIVATE)
    assert [type(reply) for reply in replies] == [Verdict, Noted]
    await world.engine.handle(PRIVATE, press)
    assert await counts(world) == {"q0": (1, 1)}
    assert [day.answered for day in (await world.store.knowledge(ANN.person)).days] == [1]


async def test_a_next_that_comes_again_is_learned_from_once(world: World) -> None:
    await world.practise()
    session = await world.session(PRIVATE)
    skip = Advanced(world.key(), ANN, session.id, session.step)
    await world.together(skip, skip, chat=PRIVATE)
    await world.engine.handle(PRIVATE, skip)
    assert await counts(world) == {"q0": (1, 0)}


async def test_answer_and_memory_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    path, clock = tmp_path / "quizbot.sqlite3", VirtualClock()
    async with opened(path, clock=clock) as world:
        await world.practise()
        press = await world.answering(ANN, RIGHT, chat=PRIVATE)
        world.driver.failing = 1
        with pytest.raises(StoreError):
            await world.engine.handle(PRIVATE, press)
    async with opened(path, clock=clock, updates=1000) as world:
        assert (await world.responses(), await memories(world)) == ([], {})
        assert isinstance(await world.engine.handle(PRIVATE, press), Verdict)
    async with opened(path, clock=clock, updates=2000) as world:
        assert len(await world.responses()) == 1
        assert await counts(world) == {"q0": (1, 1)}
        assert isinstance(await world.engine.handle(PRIVATE, press), Noted)
        assert await counts(world) == {"q0": (1, 1)}


async def test_practice_goes_on_after_a_restart_with_what_is_to_come_back(tmp_path: Path) -> None:
    path, clock = tmp_path / "quizbot.sqlite3", VirtualClock()
    quizzes = [plain_quiz(6)]
    async with opened(path, clock=clock, quizzes=quizzes) as world:
        await world.practise()
        await answer(world, WRONG)
    async with opened(path, clock=clock, quizzes=quizzes, updates=1000) as world:
        for _ in range(3):
            await answer(world, RIGHT)
        await answer(world, RIGHT)
        assert await counts(world) == {"q0": (2, 1), "q1": (1, 1), "q2": (1, 1), "q3": (1, 1)}
        session = await world.session(PRIVATE)
        assert session.practice
        assert [each.question for each in session.draw] == [0, 1, 2, 3, 0, 4, 5]


async def test_how_fast_an_answer_was_is_measured_from_its_own_question(world: World) -> None:
    await world.practise()
    for seconds in (1.9, 3.8, 5.7):
        await world.wait(seconds)
        await answer(world, RIGHT)
    paces = (await world.store.knowledge(ANN.person)).learner.paces
    assert paces == tuple(milliseconds * 100 // LENGTH for milliseconds in (1_900, 3_800, 5_700))


async def test_when_it_ends_it_says_that_it_was_practice(world: World) -> None:
    await world.practise()
    for _ in range(6):
        await answer(world, RIGHT)
    await world.settle()
    ended = world.seen(PRIVATE)[-1]
    assert isinstance(ended, Ended)
    assert ended.practice
    assert (await world.session(PRIVATE)).ending is Ending.COMPLETED


async def test_practice_enters_no_leaderboard(world: World) -> None:
    await world.practise()
    await world.answer(ANN, RIGHT, chat=PRIVATE)
    await world.stop(chat=PRIVATE)
    assert await world.rows("SELECT * FROM score") == []


async def test_a_question_of_a_mix_is_remembered_under_its_own_name(world: World) -> None:
    refs = [QuestionRef("colours", "q3"), QuestionRef("colours", "q1")]
    edition = world.library.mix(text("Practice"), refs)
    event = world.starting(ANN, pace=Pace.RELAXED, private=True, practice=True, edition=edition)
    await world.engine.handle(PRIVATE, event)
    await answer(world, WRONG)
    await answer(world, RIGHT)
    assert await counts(world) == {"q3": (1, 0), "q1": (1, 1)}
    quiz = world.library.quizzes[0]
    known = await memories(world)
    assert known["q3"].fingerprint == quiz.fingerprint(quiz.questions[3])


@pytest.mark.parametrize("private", [True, False])
async def test_in_a_session_that_is_no_practice_nothing_is_learned_before_it_has_ended(
    world: World, private: bool
) -> None:
    chat = PRIVATE if private else CHAT
    await world.start(ANN, chat=chat, private=private)
    await world.answer(ANN, WRONG, chat=chat)
    await world.wait(LIMIT)
    await world.studying.settle()
    assert await world.stage(chat) != (0, Phase.OPEN)
    assert await memories(world) == {}


# When something is wrong with what is remembered


async def damage(world: World, by: Actor) -> None:
    """What is stored of a learner's memory makes no sense any more."""
    async with world.driver.transaction() as connection:
        await connection.write("UPDATE memory SET reviewed = 99999999999 WHERE person = $1", [(by.person,)])


async def test_an_answer_counts_even_if_nothing_can_be_learned_from_it(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.practise()
    await world.answer(ANN, WRONG, chat=PRIVATE)
    await world.stop(chat=PRIVATE)
    await damage(world, ANN)
    before = await memories(world)
    await world.practise()
    await answer(world, RIGHT)
    assert len(await world.responses()) == 2
    assert await world.stage(PRIVATE) == (1, Phase.OPEN)
    assert await memories(world) == before
    assert "nothing could be learned from 1 answers in practice" in caplog.text
    await answer(world, RIGHT)
    assert (await counts(world))["q1"] == (1, 1)


async def test_what_is_wrong_with_one_learner_is_no_matter_of_another(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    for by in (ANN, BOB):
        await world.practise(by)
        await world.answer(by, WRONG, chat=by.person)
        await world.stop(by, chat=by.person)
        await world.practise(by)
    await damage(world, ANN)
    world.driver.commits = 0
    presses = [(by.person, await world.answering(by, RIGHT, chat=by.person)) for by in (ANN, BOB)]
    replies = await asyncio.gather(*(world.engine.handle(chat, press) for chat, press in presses))
    assert all(isinstance(reply, Verdict) for reply in replies)
    assert world.driver.commits == 1
    assert await counts(world, ANN) == {"q0": (1, 0)}
    assert await counts(world, BOB) == {"q0": (2, 1)}
    assert caplog.text.count("nothing could be learned") == 1
    assert "test:bob" not in caplog.text


async def test_an_answer_that_stops_the_session_in_the_same_instant_is_learned_from(world: World) -> None:
    await world.practise()
    press = await world.answering(ANN, RIGHT, chat=PRIVATE)
    await world.together(press, Stopped(world.key(), ANN), chat=PRIVATE)
    assert await counts(world) == {"q0": (1, 1)}


async def test_somebody_elses_press_teaches_nobody_anything(world: World) -> None:
    await world.practise()
    press = await world.answering(ANN, RIGHT, chat=PRIVATE)
    assert isinstance(press, Answered)
    await world.engine.handle(PRIVATE, replace(press, by=BOB))
    assert await memories(world, BOB) == await memories(world, ANN) == {}
