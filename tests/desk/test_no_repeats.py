"""What a chat has seen does not come again before the rest: from session to session, mixes and restarts included."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.effects import Asked
from bot.core.events import Change
from bot.core.session import Actor, Order
from bot.presses import Again, Configure
from tests.core.building import plain_quiz, question
from tests.desk.lobby import ANN, BOB, GROUP, OTHER, TOPIC, Lobby, open_lobby

NINE = plain_quiz(9)
RIVERS = replace(plain_quiz(), slug="rivers")
TOPICAL = replace(
    plain_quiz(), slug="topical", questions=tuple(replace(question(f"t{at}"), topics=("t",)) for at in range(6))
)
QUIZZES = (NINE, RIVERS, TOPICAL)
RIGHT, WRONG = 0, 1


@asynccontextmanager
async def evening(path: Path | str, updates: int = 0) -> AsyncIterator[Lobby]:
    async with open_lobby(path, quizzes=QUIZZES, updates=updates) as lobby:
        yield lobby


async def play(
    lobby: Lobby,
    wanted: str = "colours",
    count: int = 3,
    *,
    chat: str = GROUP,
    missed: Sequence[str] = (),
    order: Order = Order.WRITTEN,
    again: bool = False,
    by: Actor = ANN,
) -> list[str]:
    """A whole session of `count` questions; Bob answers all but those `missed` right. What was asked, by its own id."""
    if again:
        await lobby.press(by, Again((await lobby.session(chat)).id), chat)
    else:
        await lobby.command(by, f"/quiz {wanted}", chat)
    session = await lobby.session(chat)
    if not again:
        await lobby.press(by, Configure(session.id, Change(count=count, order=order), True), chat)
    await lobby.begin(by, chat)
    quiz = lobby.service.library.quiz(session.quiz)
    assert quiz is not None
    asked = []
    while await lobby.running(chat):
        post = lobby.posts(chat)[-1]
        if isinstance(post, Asked):
            asked.append(quiz.ref(quiz.questions[post.drawn.question]).question)
            player = by if chat == by.person else BOB
            await lobby.world.answer(player, WRONG if asked[-1] in missed else RIGHT, chat=chat)
        await lobby.command(by, "/next", chat)
        await lobby.world.settle()
    return asked


@pytest.mark.parametrize("chat", [GROUP, TOPIC, ANN.person])
async def test_three_sessions_of_three_questions_serve_all_nine(chat: str) -> None:
    async with evening(":memory:") as lobby:
        asked = [name for _ in range(3) for name in await play(lobby, chat=chat)]
        assert sorted(asked) == [f"q{at}" for at in range(9)]


async def test_a_restart_forgets_nothing_of_what_was_seen(tmp_path: Path) -> None:
    asked: list[str] = []
    for process in range(3):
        async with evening(tmp_path / "quizbot.sqlite3", updates=100 * process) as lobby:
            asked += await play(lobby)
    assert sorted(asked) == [f"q{at}" for at in range(9)]


async def test_again_serves_what_was_not_seen_as_often_as_it_is_pressed() -> None:
    async with evening(":memory:") as lobby:
        asked = await play(lobby)
        for _ in range(2):
            asked += await play(lobby, again=True)
        assert sorted(asked) == [f"q{at}" for at in range(9)]


async def test_once_all_was_seen_what_was_missed_most_comes_first() -> None:
    async with evening(":memory:") as lobby:
        for _ in range(3):
            await play(lobby, missed=("q1", "q4", "q8"))
        assert await play(lobby) == ["q1", "q4", "q8"]


async def test_of_what_was_never_missed_the_longest_ago_comes_first() -> None:
    async with evening(":memory:") as lobby:
        first = await play(lobby)
        lobby.world.clock.advance(60)
        for _ in range(2):
            await play(lobby)
        assert await play(lobby) == first


async def test_in_order_means_in_the_order_of_the_file_whatever_was_chosen() -> None:
    async with evening(":memory:") as lobby:
        for _ in range(3):
            asked = await play(lobby, order=Order.WRITTEN)
            assert asked == sorted(asked)


async def test_a_session_of_all_questions_asks_all_of_them_whatever_was_seen() -> None:
    async with evening(":memory:") as lobby:
        await play(lobby)
        assert await play(lobby, count=9) == [f"q{at}" for at in range(9)]
        assert sorted(await play(lobby, count=9, order=Order.SHUFFLED)) == [f"q{at}" for at in range(9)]


async def test_what_one_chat_has_seen_is_new_to_another_and_the_topics_of_one_chat_share_it() -> None:
    async with evening(":memory:") as lobby:
        seen = await play(lobby)
        missed = await play(lobby, count=9, chat=OTHER, missed=seen)
        assert sorted(missed) == [f"q{at}" for at in range(9)]
        rest = await play(lobby, chat=TOPIC) + await play(lobby)
        assert not set(seen) & set(rest)


async def test_what_a_mix_asked_is_seen_for_its_quizzes_and_the_other_way_round() -> None:
    async with evening(":memory:") as lobby:
        asked = await play(lobby, "rivers topical", 2)
        asked += await play(lobby, "topical", 6 - sum(name.startswith("t") for name in asked))
        asked += await play(lobby, "rivers topical", 9 - len(asked))
        assert sorted(asked) == [*("q0", "q1", "q2"), *(f"t{at}" for at in range(6))]


async def test_a_mix_played_again_and_again_serves_all_of_it_before_anything_twice(tmp_path: Path) -> None:
    asked: list[str] = []
    for process in range(3):
        async with evening(tmp_path / "quizbot.sqlite3", updates=100 * process) as lobby:
            asked += await play(lobby, "rivers #t", 3, again=bool(process))
    assert sorted(asked) == [*("q0", "q1", "q2"), *(f"t{at}" for at in range(6))]


async def test_a_question_that_was_not_reached_has_not_been_seen() -> None:
    async with evening(":memory:") as lobby:
        await lobby.command(ANN, "/quiz rivers")
        await lobby.begin()
        await lobby.command(ANN, "/next")
        await lobby.command(ANN, "/next")  # the second question is open
        await lobby.command(ANN, "/next")
        await lobby.command(ANN, "/stop")
        await lobby.world.settle()
        served = await lobby.world.store.served(GROUP, ["rivers"])
        unseen = (await lobby.session()).draw[2].question
        assert len(served) == 2
        assert await play(lobby, "rivers", 1) == [f"q{unseen}"]
