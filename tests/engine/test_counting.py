"""What sessions leave behind in a chat: scores for its leaderboards, and how each question fared there."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from pathlib import Path

import pytest

from bot.boards import Served
from bot.core.events import Advanced, Answered, ChatLost, Event, Stopped
from bot.core.quiz import QuestionRef, Quiz
from bot.core.session import Actor, Feedback, Pace, Phase
from bot.ports import StoreError, place_of
from tests.clock import VirtualClock
from tests.core.building import question, quiz_of, text
from tests.engine.world import ANN, BOB, CAT, CHAT, LIMIT, OTHER, READING, World, opened

WHOLE = LIMIT + READING
TOPIC, OTHER_TOPIC = f"{CHAT}/7", f"{CHAT}/8"
RIGHT, WRONG = 0, 1
HELD_BACK = [Feedback.AT_CLOSE, Feedback.AT_END]

Gains = dict[tuple[str, str], tuple[int, int, int]]
"""Chat and person -> points, right, answered."""


async def scores(world: World, quiz: str = "") -> Gains:
    rows = await world.rows("SELECT quiz, chat, person, points, correct, answered FROM score ORDER BY chat, person")
    return {(chat, person): tuple(gained) for slug, chat, person, *gained in rows if slug == quiz}


async def sums(world: World) -> Gains:
    """What the responses of all sessions come to, in each chat with its topics."""
    summed: Gains = defaultdict(lambda: (0, 0, 0))
    for chat, person, points, right in await world.rows(
        "SELECT session.chat, person, points, correct FROM response JOIN session ON session.id = response.session"
    ):
        before = summed[place_of(chat), person]
        summed[place_of(chat), person] = (before[0] + points, before[1] + right, before[2] + 1)
    return dict(sorted(summed.items()))


async def play(world: World, questions: int = 3) -> None:
    """Bob answers every question and is wrong at the second, Cat answers the first; each stays open for its time."""
    await world.answer(CAT, RIGHT)
    for option in (RIGHT, WRONG, RIGHT)[:questions]:
        await world.answer(BOB, option)
        await world.wait(LIMIT)
        await world.wait(READING)


def mixed(name: str) -> Quiz:
    return Quiz(name, text(name), ("en",), (question(f"{name}-1"), question(f"{name}-2")))


# Scores


@pytest.mark.parametrize("feedback", Feedback)
async def test_scores_are_the_sum_of_responses(world: World, feedback: Feedback) -> None:
    await world.start(feedback=feedback)
    await play(world)
    assert await world.stage() == (2, Phase.ENDED)
    assert await scores(world) == await sums(world)
    assert await scores(world) == {(CHAT, BOB.person): (200, 2, 3), (CHAT, CAT.person): (100, 1, 1)}
    assert await scores(world, "colours") == await scores(world)


async def test_with_feedback_at_once_each_response_counts_at_once(world: World) -> None:
    await world.start()
    await world.answer(BOB, RIGHT)
    assert await scores(world) == {(CHAT, BOB.person): (100, 1, 1)}
    await world.answer(CAT, WRONG)
    assert await scores(world) == {(CHAT, BOB.person): (100, 1, 1), (CHAT, CAT.person): (0, 0, 1)}


@pytest.mark.parametrize("feedback", HELD_BACK)
async def test_with_feedback_later_nobody_can_read_from_a_leaderboard_who_was_right_before_the_end(
    world: World, feedback: Feedback
) -> None:
    await world.start(feedback=feedback)
    await world.answer(CAT, WRONG)
    for _ in range(3):
        await world.answer(BOB)
        assert await scores(world) == {}
        await world.wait(LIMIT)
        assert await scores(world) == {}
        await world.wait(READING - 1)
        assert await scores(world) == {}
        await world.wait(1)
    assert await scores(world) == {(CHAT, BOB.person): (300, 3, 3), (CHAT, CAT.person): (0, 0, 1)}


@pytest.mark.parametrize("feedback", Feedback)
@pytest.mark.parametrize("end", ["stopped", "expired", "lost"])
async def test_however_a_session_ends_its_scores_count(world: World, feedback: Feedback, end: str) -> None:
    await world.start(pace=Pace.RELAXED, feedback=feedback)
    await world.answer(BOB, RIGHT)
    await world.answer(CAT, WRONG)
    if end == "stopped":
        await world.stop()
    elif end == "lost":
        await world.engine.handle(CHAT, ChatLost((await world.session()).id))
    else:
        await world.wait(25 * 3600)
    assert (await world.session()).ending == end
    assert await scores(world) == {(CHAT, BOB.person): (100, 1, 1), (CHAT, CAT.person): (0, 0, 1)}


@pytest.mark.parametrize("feedback", HELD_BACK)
async def test_the_answer_that_comes_in_the_same_instant_as_the_end_counts(world: World, feedback: Feedback) -> None:
    await world.start(feedback=feedback)
    await world.answer(BOB)
    press = await world.answering(CAT)
    await world.together(press, Stopped(world.key(), ANN))
    assert await scores(world) == {(CHAT, BOB.person): (100, 1, 1), (CHAT, CAT.person): (100, 1, 1)}


@pytest.mark.parametrize("feedback", Feedback)
async def test_a_session_that_ends_as_the_next_one_begins_counts(world: World, feedback: Feedback) -> None:
    await world.start(feedback=feedback)
    await world.answer(BOB)
    press = await world.answering(CAT)
    await world.together(press, Stopped(world.key(), ANN), world.starting(BOB, feedback=feedback))
    assert await world.stage() == (0, Phase.OPEN)
    assert await scores(world) == await sums(world)
    assert len(await scores(world)) == 2


@pytest.mark.parametrize("feedback", Feedback)
async def test_two_sessions_in_one_instant_count_each_its_own(world: World, feedback: Feedback) -> None:
    events: list[Event] = []
    for _ in range(2):
        start = world.starting(feedback=feedback)
        events += [start, Answered(BOB, start.key, 0, (RIGHT,), world.clock.now()), Stopped(world.key(), ANN)]
    await world.together(*events)
    assert world.driver.commits == 2  # the first was to take over
    assert await scores(world) == {(CHAT, BOB.person): (200, 2, 2)}
    assert await served(world) == [("q0", 2, 2)]


@pytest.mark.parametrize("feedback", Feedback)
async def test_scores_are_the_sum_of_responses_across_a_restart(tmp_path: Path, feedback: Feedback) -> None:
    path, clock = tmp_path / "quizbot.sqlite3", VirtualClock()
    async with opened(path, clock=clock) as world:
        await world.start(feedback=feedback)
        await play(world, 2)
        await world.answer(BOB, RIGHT)
    async with opened(path, clock=clock, updates=1000) as world:
        await world.answer(CAT, WRONG)
        await world.stop()
        assert (await world.session()).ending == "stopped"
        assert await scores(world) == await sums(world)
        assert await scores(world) == {(CHAT, BOB.person): (200, 2, 3), (CHAT, CAT.person): (100, 1, 2)}


@pytest.mark.parametrize("feedback", Feedback)
async def test_two_sessions_in_a_chat_add_up(world: World, feedback: Feedback) -> None:
    for _ in range(2):
        await world.start(feedback=feedback)
        await play(world)
    assert await scores(world) == await sums(world)
    assert await scores(world) == {(CHAT, BOB.person): (400, 4, 6), (CHAT, CAT.person): (200, 2, 2)}


@pytest.mark.parametrize("feedback", Feedback)
async def test_topics_share_the_leaderboard_of_their_group_and_chats_share_none(
    world: World, feedback: Feedback
) -> None:
    for chat in (TOPIC, OTHER_TOPIC, OTHER):
        await world.start(chat=chat, feedback=feedback)
        await world.answer(BOB, RIGHT, chat=chat)
        await world.stop(chat=chat)
    assert await scores(world) == {(CHAT, BOB.person): (200, 2, 2), (OTHER, BOB.person): (100, 1, 1)}


@pytest.mark.parametrize("feedback", Feedback)
async def test_what_somebody_plays_alone_enters_no_leaderboard(world: World, feedback: Feedback) -> None:
    await world.start(ANN, chat=ANN.person, private=True, feedback=feedback)
    await world.answer(ANN, RIGHT, chat=ANN.person)
    await world.stop(chat=ANN.person)
    assert len(await world.responses()) == 1
    assert await scores(world) == {}


async def test_a_press_that_comes_again_counts_once(world: World) -> None:
    await world.start()
    press = await world.answering(BOB)
    await world.together(press, press, press)
    await world.engine.handle(CHAT, press)
    assert await scores(world) == {(CHAT, BOB.person): (100, 1, 1)}


@pytest.mark.parametrize("feedback", Feedback)
async def test_an_end_that_is_told_again_counts_once(world: World, feedback: Feedback) -> None:
    await world.start(feedback=feedback)
    await world.answer(BOB)
    stop = Stopped(world.key(), ANN)
    await world.together(stop, stop)
    await world.engine.handle(CHAT, stop)
    assert await scores(world) == {(CHAT, BOB.person): (100, 1, 1)}


async def test_a_response_and_its_score_are_stored_together_or_not_at_all(world: World) -> None:
    await world.start()
    press = await world.answering(BOB)
    world.driver.failing = 1
    with pytest.raises(StoreError):
        await world.engine.handle(CHAT, press)
    assert (await world.responses(), await scores(world)) == ([], {})
    await world.engine.handle(CHAT, press)
    assert await scores(world) == await sums(world) != {}


@pytest.mark.parametrize("feedback", HELD_BACK)
async def test_an_end_that_cannot_be_stored_counts_nothing_and_tried_again_everything(
    world: World, feedback: Feedback
) -> None:
    await world.start(feedback=feedback)
    await world.answer(BOB)
    world.driver.failing = 1
    with pytest.raises(StoreError):
        await world.stop()
    assert await scores(world) == {}
    await world.stop()
    assert await scores(world) == await sums(world) != {}


@pytest.mark.parametrize("feedback", Feedback)
async def test_a_player_is_on_the_leaderboard_by_the_last_name_they_had(world: World, feedback: Feedback) -> None:
    await world.start(feedback=feedback)
    await world.answer(BOB)
    await world.answer(CAT)
    await world.wait(WHOLE)
    await world.answer(Actor(BOB.person, "Robert"))
    await world.stop()
    assert await world.rows("SELECT name FROM score WHERE quiz = '' ORDER BY person") == [("Robert",), ("Cat",)]


@pytest.mark.parametrize("feedback", Feedback)
async def test_of_a_mix_each_response_counts_for_the_quiz_of_its_question(feedback: Feedback) -> None:
    async with opened(quizzes=[mixed("apples"), mixed("pears")]) as world:
        refs = [QuestionRef("pears", "pears-2"), QuestionRef("apples", "apples-1"), QuestionRef("pears", "pears-1")]
        edition = world.library.mix(text("Fruit"), refs, ("apples", "pears"))
        await world.start(feedback=feedback, edition=edition)
        await play(world)
        assert await scores(world, "pears") == {(CHAT, BOB.person): (200, 2, 2), (CHAT, CAT.person): (100, 1, 1)}
        assert await scores(world, "apples") == {(CHAT, BOB.person): (0, 0, 1)}
        assert await scores(world) == await sums(world)


async def test_a_response_counts_for_the_day_on_which_it_was_given(world: World) -> None:
    await world.start()
    pressed = world.clock.now() + timedelta(seconds=1)
    await world.wait(4)
    await world.answer(BOB, ago=3)
    assert await at(world) == pressed.timestamp() * 1000


@pytest.mark.parametrize("feedback", HELD_BACK)
async def test_what_was_held_back_counts_for_the_day_on_which_it_is_told_for_everybody_alike(
    world: World, feedback: Feedback
) -> None:
    await world.start(pace=Pace.RELAXED, feedback=feedback)
    await world.answer(BOB)
    await world.wait(3600)
    await world.stop()
    assert await at(world) == world.clock.now().timestamp() * 1000


async def at(world: World) -> int:
    """When somebody was last given something, in milliseconds."""
    ((moment,),) = await world.rows("SELECT at FROM score WHERE quiz = ''")
    assert isinstance(moment, int)
    return moment


@pytest.mark.parametrize("feedback", Feedback)
async def test_a_quiz_that_can_no_longer_be_read_ends_its_session_and_what_was_told_keeps_counting(
    tmp_path: Path, feedback: Feedback
) -> None:
    path, clock = tmp_path / "quizbot.sqlite3", VirtualClock()
    async with opened(path, clock=clock) as world:
        await world.start(feedback=feedback)
        await world.answer(BOB)
        before = await scores(world)
        async with world.driver.transaction() as connection:
            await connection.write("UPDATE quiz SET body = 'unreadable'", [()])
    async with opened(path, clock=clock, quizzes=[quiz_of(question("another"))], updates=1000) as world:
        await world.stop()
        assert (await world.session()).ending == "broken"
        assert await scores(world) == before
        assert await served(world) == []


# How questions fared


async def served(world: World, place: str = CHAT) -> list[tuple[str, int, int]]:
    """Question, answered, right."""
    slugs = [quiz.slug for quiz in world.library.quizzes]
    found = await world.store.served(place, slugs)
    return sorted((each.ref.question, each.answered, each.right) for each in found)


@pytest.mark.parametrize("feedback", [Feedback.AT_ONCE, Feedback.AT_CLOSE])
async def test_a_question_has_been_served_once_it_closes(world: World, feedback: Feedback) -> None:
    await world.start(feedback=feedback)
    await world.answer(BOB, RIGHT)
    await world.answer(CAT, WRONG)
    await world.wait(LIMIT - 1)
    assert await served(world) == []
    await world.wait(1)
    assert await served(world) == [("q0", 2, 1)]
    found = await world.store.served(CHAT, ["colours"])
    assert found == [Served(CHAT, QuestionRef("colours", "q0"), 2, 1, world.clock.now())]


async def test_how_a_question_fared_is_kept_back_until_the_end_where_the_session_keeps_it_back(world: World) -> None:
    await world.start(feedback=Feedback.AT_END)
    await world.answer(BOB, RIGHT)
    await world.wait(WHOLE)
    await world.answer(BOB, WRONG)
    assert await served(world) == []
    await world.together(Stopped(world.key(), ANN), world.starting(BOB, feedback=Feedback.AT_END))
    assert await served(world) == [("q0", 1, 1), ("q1", 1, 0)]


async def test_a_question_that_everybody_has_answered_has_been_served(world: World) -> None:
    await world.start()
    await world.answer(BOB)
    await world.wait(WHOLE)
    await world.answer(BOB, WRONG)
    assert await served(world) == [("q0", 1, 1), ("q1", 1, 0)]


async def test_a_question_that_nobody_answered_has_been_served(world: World) -> None:
    await world.start()
    await world.wait(LIMIT)
    assert await served(world) == [("q0", 0, 0)]


async def test_a_question_that_is_skipped_has_been_served_once(world: World) -> None:
    await world.start()
    session = await world.session()
    skip = Advanced(world.key(), ANN, session.id, session.step)
    await world.together(skip, skip)
    assert await served(world) == [("q0", 0, 0)]


async def test_a_question_that_was_open_when_the_session_ended_has_been_served(world: World) -> None:
    await world.start()
    await world.answer(BOB)
    await world.together(Stopped(world.key(), ANN), world.starting(BOB))
    assert await served(world) == [("q0", 1, 1)]


async def test_what_was_not_asked_has_not_been_served(world: World) -> None:
    await world.start()
    await play(world, 1)
    await world.stop()
    assert [question_id for question_id, *_ in await served(world)] == ["q0", "q1"]


async def test_how_a_question_fared_adds_up_over_sessions_and_over_topics(world: World) -> None:
    for chat in (TOPIC, OTHER_TOPIC):
        await world.start(chat=chat)
        await world.answer(BOB, RIGHT, chat=chat)
        await world.answer(CAT, WRONG, chat=chat)
        await world.stop(chat=chat)
    assert await served(world) == [("q0", 4, 2)]
    assert await served(world, OTHER) == []


async def test_questions_are_served_in_a_private_chat_as_well(world: World) -> None:
    await world.start(ANN, chat=ANN.person, private=True)
    await world.answer(ANN, chat=ANN.person)
    assert await served(world, ANN.person) == [("q0", 1, 1)]


async def test_questions_of_a_mix_are_served_under_their_own_names() -> None:
    async with opened(quizzes=[mixed("apples"), mixed("pears")]) as world:
        refs = [QuestionRef("pears", "pears-2"), QuestionRef("apples", "apples-1")]
        await world.start(edition=world.library.mix(text("Fruit"), refs, ("apples", "pears")))
        await world.wait(2 * WHOLE)
        assert {each.ref for each in await world.store.served(CHAT, ["apples", "pears"])} == set(refs)


async def test_practice_serves_nothing(world: World) -> None:
    await world.practise(ANN)
    await world.answer(ANN, chat=ANN.person)
    assert await world.stage(ANN.person) == (0, Phase.CLOSED)
    assert await served(world, ANN.person) == []
