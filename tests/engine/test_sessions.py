"""Sessions as a chat sees them: how they start, go on and end, whatever the world does."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

from bot.core.effects import Asked, Broken, Closed, Ended, HostTold, Paused, Running
from bot.core.events import DeadlinePassed
from bot.core.session import Actor, Ending, Pace, Phase
from bot.ports import ChatGoneError, ChatMovedError, UnavailableError
from tests.clock import VirtualClock
from tests.core.building import question, quiz_of
from tests.engine.screen import Screen
from tests.engine.world import ANN, BOB, CAT, CHAT, LIMIT, OTHER, READING, World, opened, players, told

STRANGER = Actor("test:eve", "Eve")
MODERATOR = Actor("test:mia", "Mia", moderator=True)

# Starting


async def test_two_starts_in_one_tick_are_one_session_and_the_loser_is_shown_where_it_runs(world: World) -> None:
    first, second = await world.together(world.starting(ANN), world.starting(BOB))
    assert told(first) == "begun"
    session = await world.session()
    assert second == Running(session.id, Phase.OPEN, 0, 3)
    await world.settle()
    assert world.slots() == ["Asked q0"]


async def test_a_start_while_another_is_still_being_read_is_the_loser(world: World) -> None:
    world.driver.slow = asyncio.Event()
    first = world.engine.handle(CHAT, world.starting(ANN))
    await asyncio.sleep(0)
    second = world.engine.handle(CHAT, world.starting(BOB))
    world.driver.slow.set()
    assert told(await first) == "begun"
    assert isinstance(await second, Running)
    assert await world.rows("SELECT COUNT(*) FROM session") == [(1,)]


async def test_the_same_start_delivered_twice_is_one_session(world: World) -> None:
    start = world.starting()
    first, second = await world.together(start, start)
    assert (told(first), told(second)) == ("begun", "already-done")
    assert told(await world.engine.handle(CHAT, start)) == "already-done"
    await world.settle()
    assert world.slots() == ["Asked q0"]


async def test_a_start_while_the_answer_is_being_read_is_refused_like_in_any_other_phase(world: World) -> None:
    await world.start()
    await world.wait(LIMIT)
    reply = await world.start(BOB)
    assert reply == Running((await world.session()).id, Phase.CLOSED, 0, 3)
    await world.wait(READING)
    assert await world.stage() == (1, Phase.OPEN)


async def test_a_start_while_the_session_is_paused_is_refused_as_well(world: World) -> None:
    await world.start()
    await world.wait(2 * LIMIT + READING)
    assert isinstance(await world.start(BOB), Running)
    assert await world.stage() == (1, Phase.PAUSED)


async def test_nobody_answering_is_a_normal_result_and_twice_in_a_row_pauses(world: World) -> None:
    await world.start()
    await world.wait(600)
    assert world.slots() == ["Asked q0", "Closed q0", "Asked q1", "Closed q1", "Paused p1"]
    closed = [post for post in world.seen() if isinstance(post, Closed)]
    assert [post.result.answered for post in closed] == [0, 0]
    await world.resume()
    await world.settle()
    assert world.seen()[-2] == Paused((await world.session()).id, 1, private=False, over=True)
    assert await world.stage() == (2, Phase.OPEN)


async def test_a_paused_session_ends_after_a_day(world: World) -> None:
    await world.start()
    await world.wait(timedelta(hours=25).total_seconds())
    ended = world.seen()[-1]
    assert isinstance(ended, Ended)
    assert ended.ending is Ending.EXPIRED


# Stopping


async def test_after_a_stop_between_questions_nothing_more_is_said(world: World) -> None:
    await world.start()
    await world.wait(LIMIT)
    await world.stop()
    await world.settle()
    said = len(world.seen())
    assert isinstance(world.seen()[-1], Ended)
    await world.wait(600)
    assert len(world.seen()) == said


async def test_a_start_right_after_a_stop_has_a_time_limit_of_its_own(world: World) -> None:
    await world.start()
    await world.wait(10)
    (before,) = await world.store.due(world.clock.now() + timedelta(seconds=LIMIT), 2)
    await world.stop()
    await world.start()
    await world.settle()
    (after,) = await world.store.due(world.clock.now() + timedelta(seconds=LIMIT), 2)
    assert after.deadline == world.clock.now() + timedelta(seconds=LIMIT)
    await world.wait(LIMIT - 10)
    # Whoever had read the deadline before the stop fires it all the same.
    await world.engine.handle(CHAT, DeadlinePassed(before.session, before.deadline))
    await world.wait(10 - 0.001)
    assert await world.stage() == (0, Phase.OPEN)
    await world.wait(0.001)
    assert await world.stage() == (0, Phase.CLOSED)
    assert world.slots() == ["Asked q0", "Closed q0", "Ended standings", "Asked q0", "Closed q0"]


async def test_stop_and_start_in_one_tick_end_one_session_and_begin_another(world: World) -> None:
    await world.start()
    await world.answer(BOB)
    before = await world.session()
    await asyncio.gather(world.stop(), world.start())
    await world.settle()
    assert (await world.session()).id != before.id
    assert world.slots() == ["Closed q0", "Ended standings", "Asked q0"]
    ended = world.seen()[1]
    assert isinstance(ended, Ended)
    assert [line.name for line in ended.standings] == ["Bob"]
    assert await world.scores() == {"test:bob": 100}


async def test_stop_works_in_a_private_chat(world: World) -> None:
    await world.start(private=True, pace=Pace.RELAXED)
    assert told(await world.stop()) == "stopped"


async def test_stop_by_a_stranger_is_refused_where_it_was_asked_and_said_nowhere_else(world: World) -> None:
    await world.start()
    await world.settle()
    calls = len(world.screen.calls)
    assert told(await world.stop(STRANGER)) == "not-allowed"
    assert told(await world.stop(STRANGER, chat=OTHER)) == "nothing-running"
    await world.settle()
    assert len(world.screen.calls) == calls
    assert await world.stage() == (0, Phase.OPEN)


async def test_a_moderator_may_stop_anybodys_session(world: World) -> None:
    await world.start()
    assert told(await world.stop(MODERATOR)) == "stopped"


# A quiz that breaks


async def break_the_quiz(world: World) -> None:
    async with world.driver.transaction() as connection:
        await connection.write("UPDATE quiz SET body = $1", [("{",)])


async def test_a_quiz_that_breaks_between_questions_ends_the_session_and_keeps_scores(tmp_path: Path) -> None:
    path, clock = tmp_path / "db", VirtualClock()
    screen = Screen(clock)
    async with opened(path, clock=clock, screen=screen) as world:
        await world.start()
        await world.answer(BOB)
        await world.wait(LIMIT)
        await break_the_quiz(world)
    changed = quiz_of(question("other"))
    async with opened(path, clock=clock, screen=screen, quizzes=[changed], updates=100) as world:
        await world.wait(60)
        session = await world.session()
        assert (session.ending, await world.scores()) == (Ending.BROKEN, {"test:bob": 100})
        assert world.seen()[-1] == Broken(session.id)
        assert told(await world.start()) == "begun"


async def test_a_session_whose_quiz_broke_does_not_stand_in_the_way_of_a_new_one(tmp_path: Path) -> None:
    path, clock = tmp_path / "db", VirtualClock()
    async with opened(path, clock=clock) as world:
        await world.start(pace=Pace.RELAXED)
        before = await world.session()
        await break_the_quiz(world)
    async with opened(path, clock=clock, quizzes=[quiz_of(question("other"))], updates=100) as world:
        assert told(await world.start()) == "begun"
        assert (await world.session()).id != before.id
        states = await world.rows("SELECT id FROM session WHERE wake_at IS NOT NULL")
        assert states == [((await world.session()).id,)]


async def test_a_changed_quiz_does_not_disturb_a_session_that_runs(tmp_path: Path) -> None:
    path, clock = tmp_path / "db", VirtualClock()
    async with opened(path, clock=clock) as world:
        await world.start(count=2)
    async with opened(path, clock=clock, quizzes=[quiz_of(question("other"))], updates=100) as world:
        await world.answer(BOB)
        await world.wait(LIMIT + READING)
        await world.answer(BOB)
        await world.wait(LIMIT + READING)
        session = await world.session()
        assert session.ending is Ending.COMPLETED
        assert await world.rows("SELECT question_id FROM response ORDER BY question") == [("q0",), ("q1",)]


async def test_as_many_old_quizzes_as_there_are_can_run_at_once(tmp_path: Path) -> None:
    """More than are kept in memory: all are needed within one transaction."""
    path, clock = tmp_path / "db", VirtualClock()
    quizzes = [quiz_of(question(f"x{number}")) for number in range(300)]
    for number, quiz in enumerate(quizzes):
        object.__setattr__(quiz, "slug", f"quiz-{number:03}")
    async with opened(path, clock=clock, quizzes=quizzes) as world:
        for number, quiz in enumerate(quizzes):
            edition = world.library.edition(quiz.slug)
            assert edition is not None
            start = world.starting()
            object.__setattr__(start, "quiz", edition.digest)
            world.engine.handle(f"test:{number}", start)
    async with opened(path, clock=clock, updates=1000) as world:
        presses = [(f"test:{n}", await world.answering(BOB, chat=f"test:{n}")) for n in range(len(quizzes))]
        await asyncio.gather(*(world.engine.handle(chat, press) for chat, press in presses))
        assert len(await world.responses()) == len(quizzes)


# A chat that is lost, moved or out of reach


async def test_when_writing_is_forbidden_from_question_two_on_the_session_ends_and_the_host_is_told_once(
    world: World,
) -> None:
    await world.start()
    await world.answer(BOB)
    await world.wait(LIMIT)
    world.screen.forbidden[CHAT] = ChatGoneError()
    await world.wait(READING)
    session = await world.session()
    assert (session.phase, session.ending) == (Phase.ENDED, Ending.LOST)
    assert await world.scores() == {"test:bob": 100}
    calls = len(world.screen.calls)
    await world.wait(3600)
    assert len(world.screen.calls) == calls
    assert world.seen(ANN.person) == [HostTold(session.id, ANN.person)]


async def test_a_host_who_cannot_be_told_either_is_left_in_peace(world: World) -> None:
    await world.start()
    world.screen.forbidden[CHAT] = world.screen.forbidden[ANN.person] = ChatGoneError()
    await world.wait(3600)
    assert len(world.screen.calls) == 2
    assert (await world.session()).ending is Ending.LOST


async def test_after_the_bot_was_removed_during_a_question_scores_are_saved_and_nothing_is_sent(world: World) -> None:
    await world.start()
    await world.settle()
    await world.answer(BOB)
    world.screen.forbidden[CHAT] = ChatGoneError()
    await world.wait(3600)
    assert world.slots() == ["Asked q0"]
    assert await world.scores() == {"test:bob": 100}
    assert told(await world.answer(CAT)) == "ended"


async def test_a_session_goes_on_over_a_lost_connection_and_shows_where_it_is_afterwards(world: World) -> None:
    await world.start()
    await world.wait(5)
    world.screen.forbidden[CHAT] = UnavailableError()
    await world.answer(BOB)
    await world.wait(30)
    assert told(await world.stop()) == "stopped"
    del world.screen.forbidden[CHAT]
    await world.wait(600)
    assert world.slots()[-2:] == ["Closed q1", "Ended standings"]
    assert world.slots().count("Closed q0") == 1


async def test_a_chat_that_moves_during_a_session_takes_it_along_once(world: World) -> None:
    await world.start()
    await world.settle()
    await world.answer(BOB)
    world.screen.forbidden[CHAT] = ChatMovedError(OTHER)
    await world.wait(5)
    await world.store.move_chat(CHAT, OTHER)
    assert await world.store.session(CHAT) is None
    assert world.slots(OTHER)[0] == "Asked q0"
    await world.wait(LIMIT)
    assert await world.stage(OTHER) == (0, Phase.CLOSED)
    await world.wait(READING)
    await world.answer(BOB, chat=OTHER)
    await world.settle()
    assert world.slots(CHAT) == ["Asked q0"]
    assert world.slots(OTHER)[-3:] == ["Closed q0", "Asked q1", "Closed q1"]
    assert await world.scores() == {"test:bob": 200}


async def test_a_chat_that_is_sent_round_in_circles_does_not_keep_the_bot_busy(world: World) -> None:
    world.screen.forbidden[CHAT] = ChatMovedError(OTHER)
    world.screen.forbidden[OTHER] = ChatMovedError(CHAT)
    await world.start()
    await world.wait(3600)
    assert len(world.screen.calls) < 100


# Going through


async def test_alone_in_private_the_next_question_needs_no_waiting(world: World) -> None:
    await world.start(private=True, pace=Pace.RELAXED)
    await world.wait(2)
    await world.answer(ANN)
    await world.settle()
    assert world.slots() == ["Asked q0", "Closed q0"]
    await world.advance()
    await world.settle()
    assert world.slots()[-1] == "Asked q1"


async def test_with_one_player_in_a_group_a_question_closes_at_once_from_the_second_on(world: World) -> None:
    await world.start()
    await world.answer(BOB)
    await world.wait(LIMIT + READING)
    assert await world.stage() == (1, Phase.OPEN)
    await world.wait(2)
    await world.answer(BOB)
    assert await world.stage() == (1, Phase.CLOSED)


async def test_whoever_answered_has_played_and_nobody_else(world: World) -> None:
    await world.start(count=1)
    await world.answer(BOB, 0)
    await world.answer(CAT, 1)
    await world.answer(STRANGER, 3)
    await world.wait(LIMIT + READING)
    ended = world.seen()[-1]
    assert isinstance(ended, Ended)
    assert ended.players == 3
    assert [(line.name, line.points, line.rank) for line in ended.standings] == [
        ("Bob", 100, 1),
        ("Cat", 0, 2),
        ("Eve", 0, 2),
    ]


async def test_of_120_players_twenty_are_named_and_the_rest_counted(world: World) -> None:
    await world.start(count=1)
    await asyncio.gather(*[world.answer(player, index % 4) for index, player in enumerate(players(120))])
    await world.wait(LIMIT + READING)
    ended = world.seen()[-1]
    assert isinstance(ended, Ended)
    assert (ended.players, len(ended.standings), ended.others) == (120, 20, 100)
    assert {line.points for line in ended.standings} == {100}


async def test_a_chat_is_spoken_to_in_its_own_language_or_else_in_english(world: World) -> None:
    await world.store.prefer(CHAT, "language", "ro")
    await world.start()
    await world.start(chat=OTHER)
    await world.settle()
    assert {shown.chat: shown.language for shown in world.screen.shown} == {CHAT: "ro", OTHER: "en"}


async def test_a_player_who_was_renamed_stands_under_the_last_name(world: World) -> None:
    await world.start(count=2)
    await world.answer(BOB)
    await world.wait(LIMIT + READING)
    await world.answer(Actor(BOB.person, "Robert"))
    await world.wait(LIMIT + READING)
    ended = world.seen()[-1]
    assert isinstance(ended, Ended)
    assert [(line.name, line.points) for line in ended.standings] == [("Robert", 200)]
    assert await world.rows("SELECT name FROM player") == [("Robert",)]


async def test_a_whole_session_is_a_question_and_an_edit_each_and_the_standings(world: World) -> None:
    await world.start()
    for at in range(3):
        await world.answer(BOB, question=at)
        await world.wait(LIMIT + READING)
    await world.wait(60)
    sent = [shown for shown in world.screen.shown if not shown.edited]
    assert [f"{type(shown.post).__name__} {shown.post.slot}" for shown in sent] == [
        "Asked q0",
        "Asked q1",
        "Asked q2",
        "Ended standings",
    ]
    looks = world.screen.visible(CHAT).values()
    assert not any(isinstance(post, Asked) for post in looks)
