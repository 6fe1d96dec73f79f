"""Practising: what comes, in which order and when again; where it is done; what is said when there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot import present
from bot.core.effects import Asked, Ended, StartCard
from bot.core.quiz import Quiz
from bot.core.session import Actor, Feedback, Order, Pace, Phase
from bot.desk import Answer, Show
from bot.messages import Card
from bot.presses import Choose, Next, Personal, Pick, Practise, ShowStats, Stop
from tests.core.building import plain_quiz, question, text
from tests.desk.lobby import (
    ANN,
    BOB,
    COLOURS,
    GROUP,
    TOPIC,
    Lobby,
    aside,
    card_of,
    links,
    open_lobby,
    presses,
    receipt,
    said,
    silent,
)

ALONE = ANN.person
TEN = replace(plain_quiz(10), slug="ten", title=text("Ten"))
MISSED = (2, 5, 7)
ANSWERS = tuple(Practise(slug) for slug in ("colours", "gradient-accumulation", "several"))


def named(quiz: Quiz, *names: str) -> Quiz:
    """This quiz with other questions, of which the first option is right."""
    return replace(quiz, questions=tuple(question(name) for name in names))


SHAPES = named(replace(COLOURS, slug="shapes", title=text("Shapes")), "s0", "s1")


async def respond(lobby: Lobby, *, right: bool = True, by: Actor = ANN, chat: str = ALONE) -> None:
    """Choose an option of the open question, of which the first is right, and go on from it."""
    session = await lobby.session(chat)
    assert session.phase is Phase.OPEN
    await lobby.press(by, Choose(session.id, session.at, 0 if right else 1), chat)
    while (now := await lobby.session(chat)).live and now.at == session.at:
        await lobby.press(by, Next(session.id, now.step), chat)
    await lobby.world.settle()


async def respond_to_all(lobby: Lobby, *, right: bool = True) -> None:
    while (await lobby.session(ALONE)).live:
        await respond(lobby, right=right)


async def stop(lobby: Lobby, chat: str = ALONE) -> None:
    await lobby.press(ANN, Stop((await lobby.session(chat)).id), chat)
    await lobby.world.settle()


async def wanted(lobby: Lobby, chat: str = ALONE) -> list[str]:
    """What the session asks, by the ids of its questions."""
    session = await lobby.session(chat)
    quiz = await lobby.world.library.find(session.quiz, lobby.world.store.quiz)
    assert quiz
    return [quiz.questions[drawn.question].id for drawn in session.draw]


async def play_together(lobby: Lobby, missed: Sequence[int] = MISSED) -> None:
    """A session of ten questions in the group, in which Ann misses these."""
    await lobby.asked(quiz="ten")
    for at in range(10):
        await respond(lobby, right=at not in missed, chat=GROUP)
    assert not await lobby.running()


async def practise(lobby: Lobby, words: str = "/practice", by: Actor = ANN) -> Answer:
    answer = await lobby.command(by, words, by.person)
    await lobby.world.settle()
    return answer


# Where


@pytest.mark.parametrize("chat", [GROUP, TOPIC])
@pytest.mark.parametrize(
    ("asked", "payload"),
    [
        ("/practice", "practice"),
        ("/practice colours", "practice_colours"),
        ("/start practice", "practice"),
        (Practise(), "practice"),
        (Practise("colours"), "practice_colours"),
    ],
    ids=["command", "quiz", "start", "press", "press-of-a-quiz"],
)
async def test_in_a_group_one_is_pointed_to_the_private_chat_where_it_begins(
    lobby: Lobby, asked: str | Practise, payload: str, chat: str
) -> None:
    answer = await (lobby.command(ANN, asked, chat) if isinstance(asked, str) else lobby.press(ANN, asked, chat))
    assert aside(answer)
    assert links(card_of(answer)) == [f"private:{payload}"]
    assert answer.opens == f"private:{payload}"
    assert not await lobby.running(chat)
    assert not await lobby.running(ALONE)
    await practise(lobby, f"/start {payload}")  # there is nothing to practise yet, unless a quiz is named
    assert await lobby.running(ALONE) == (payload != "practice")


async def test_where_the_private_chat_has_no_address_it_is_named(lobby: Lobby) -> None:
    lobby.signposts.only_messages = True
    answer = await lobby.command(ANN, "/practice")
    assert answer == Answer(present.practise_in_private("en", None))


# Beginning


@pytest.mark.parametrize("asked", ["/practice", "/start practice"])
async def test_whoever_has_met_nothing_yet_chooses_a_quiz_to_begin_with(lobby: Lobby, asked: str) -> None:
    answer = await lobby.command(ANN, asked, ALONE)
    assert answer == Answer(present.first_practice("en", lobby.world.library.quizzes), Show.HERE)
    assert presses(answer) == list(ANSWERS)
    assert await lobby.world.store.session(ALONE) is None


async def test_where_there_is_no_quiz_that_is_said() -> None:
    async with open_lobby(quizzes=()) as lobby:
        assert said(await practise(lobby)).strip() == "There is no quiz here yet."


async def test_a_quiz_is_practised_alone_without_a_clock_in_its_own_order(lobby: Lobby) -> None:
    answer = await lobby.press(ANN, Practise("colours"), ALONE)
    begins = present.practice_begins("en", 0, 3)
    assert answer == Answer(show=Show.HERE, receipt=begins, note=begins)
    session = await lobby.session(ALONE)
    assert session.practice
    assert session.private
    assert (session.settings.pace, session.settings.feedback) == (Pace.RELAXED, Feedback.AT_ONCE)
    assert session.settings.order is Order.SHUFFLED
    assert await wanted(lobby) == ["colours/q0", "colours/q1", "colours/q2"]
    await lobby.world.settle()
    (post,) = lobby.posts(ALONE)
    assert isinstance(post, Asked)
    assert (post.total, post.deadline) == (3, None)


@pytest.mark.parametrize("name", ["gradient-accumulation", "Gradient_Accumulation", "Натрупване на градиенти"])
async def test_a_quiz_is_found_by_any_of_its_names(lobby: Lobby, name: str) -> None:
    await practise(lobby, f"/practice {name}")
    assert {id_.partition("/")[0] for id_ in await wanted(lobby)} == {"gradient-accumulation"}


async def test_a_name_that_no_quiz_has_leads_to_those_that_are_much_like_it(lobby: Lobby) -> None:
    answer = await practise(lobby, "/practice colors")
    assert presses(answer) == [Practise("colours")]
    assert answer.show is Show.HERE
    assert not any(isinstance(press, Pick) for press in presses(answer))
    assert "There is no quiz “{0.__class__}”" in said(await practise(lobby, "/practice {0.__class__}"))
    assert await lobby.world.store.session(ALONE) is None


async def test_a_button_of_a_quiz_that_was_taken_away_says_so(lobby: Lobby) -> None:
    answer = await lobby.press(ANN, Practise("old"), ALONE)
    assert card_of(answer) == present.no_longer_offered("en")


async def test_the_same_update_again_begins_no_second_practice(lobby: Lobby) -> None:
    await lobby.command(ANN, "/practice colours", ALONE, key="twice")
    first = await lobby.session(ALONE)
    assert silent(await lobby.command(ANN, "/practice colours", ALONE, key="twice"))
    assert await lobby.session(ALONE) == first


async def test_a_quiz_under_way_is_not_disturbed(lobby: Lobby) -> None:
    question = await lobby.asked(ALONE, quiz="colours")
    answer = await practise(lobby, "/practice several")
    (block,) = card_of(answer).blocks
    assert block.text == "A quiz is running here already, at question 1 of 3."
    assert block.url.startswith("to:test:1#")
    assert (await lobby.session(ALONE)).id == question.session


async def test_a_quiz_that_has_not_begun_gives_way(lobby: Lobby) -> None:
    card = await lobby.card(ALONE)
    answer = await practise(lobby, "/practice colours")
    assert answer.receipt == present.practice_begins("en", 0, 3)
    assert (await lobby.session(ALONE)).id != card.session
    assert [post.state for post in lobby.posts(ALONE) if isinstance(post, StartCard)][-1] == "stopped"


async def test_practice_under_way_is_not_begun_twice(lobby: Lobby) -> None:
    await practise(lobby, "/practice colours")
    await respond(lobby)
    assert "already, at question 2 of 3" in said(await lobby.press(ANN, Practise(), ALONE))


async def test_everything_is_in_the_language_of_the_learner(lobby: Lobby) -> None:
    lobby.locales[ALONE] = "bg"
    answer = await practise(lobby, "/practice gradient-accumulation")
    assert answer.receipt == present.practice_begins("bg", 0, 4)
    assert lobby.shown(ALONE)[-1].language == "bg"
    session = await lobby.session(ALONE)
    mix = lobby.world.library.quiz(session.quiz)
    assert mix
    assert mix.title["bg"] == "Упражнение: Натрупване на градиенти"
    assert mix.title["ro"].startswith("Exersare: ")
    assert not mix.recipe


# What comes


async def test_what_was_missed_in_a_group_comes_first_and_once_it_is_known_only_later(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.db"
    async with open_lobby(path, quizzes=[TEN]) as lobby:
        await play_together(lobby)
        clock = lobby.world.clock
    async with open_lobby(path, quizzes=[TEN], clock=clock, updates=100) as lobby:
        answer = await practise(lobby)
        assert answer.receipt == present.practice_begins("en", 3, 7)
        assert set((await wanted(lobby))[:3]) == {f"ten/q{at}" for at in MISSED}
        for _ in MISSED:
            await respond(lobby)
        await stop(lobby)
    async with open_lobby(path, quizzes=[TEN], clock=clock, updates=200) as lobby:
        answer = await practise(lobby)
        assert answer.receipt == present.practice_begins("en", 0, 7)
        assert not {f"ten/q{at}" for at in MISSED} & set(await wanted(lobby))


async def test_what_somebody_else_missed_is_not_ones_own(lobby: Lobby) -> None:
    await practise(lobby, "/practice colours")
    await respond_to_all(lobby, right=False)
    assert (await practise(lobby, by=BOB)).card == present.first_practice("en", lobby.world.library.quizzes)


async def test_what_was_missed_in_practice_is_due_until_it_is_known(lobby: Lobby) -> None:
    await practise(lobby, "/practice colours")
    await respond(lobby, right=False)
    await stop(lobby)
    assert (await practise(lobby)).receipt == present.practice_begins("en", 1, 2)
    assert (await wanted(lobby))[0] == "colours/q0"


async def test_ten_come_at_a_time_and_those_of_quizzes_that_were_met_in_turns() -> None:
    async with open_lobby(quizzes=[TEN, SHAPES, COLOURS]) as lobby:
        for slug in ("ten", "colours"):
            await practise(lobby, f"/practice {slug}")
            await respond(lobby)
            await stop(lobby)
        assert (await practise(lobby)).receipt == present.practice_begins("en", 0, 10)
        assert (await wanted(lobby))[:5] == ["colours/q1", "ten/q1", "colours/q2", "ten/q2", "ten/q3"]


async def test_of_one_quiz_nothing_else_comes_though_more_is_due() -> None:
    async with open_lobby(quizzes=[TEN, COLOURS]) as lobby:
        await play_together(lobby)
        await practise(lobby, "/practice colours")
        assert await wanted(lobby) == ["colours/q0", "colours/q1", "colours/q2"]


async def test_a_question_that_has_changed_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.db"
    async with open_lobby(path, quizzes=[SHAPES]) as lobby:
        await practise(lobby, "/practice shapes")
        await respond_to_all(lobby, right=False)
        clock = lobby.world.clock
    reworded = replace(SHAPES.questions[0], stem=text("Another stem?"))
    changed = replace(SHAPES, questions=(reworded, *SHAPES.questions[1:]))
    async with open_lobby(path, quizzes=[changed], clock=clock, updates=100) as lobby:
        assert (await practise(lobby)).receipt == present.practice_begins("en", 1, 1)
        assert await wanted(lobby) == ["shapes/s1", "shapes/s0"]


async def test_a_quiz_that_is_no_longer_offered_is_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "quizbot.db"
    async with open_lobby(path, quizzes=[SHAPES]) as lobby:
        await practise(lobby, "/practice shapes")
        await respond_to_all(lobby, right=False)
        clock = lobby.world.clock
    async with open_lobby(path, quizzes=[COLOURS], clock=clock, updates=100) as lobby:
        assert (await practise(lobby)).card == present.first_practice("en", [COLOURS])


async def test_the_end_of_practice_says_that_it_was_practice(lobby: Lobby) -> None:
    await practise(lobby, "/practice colours")
    await respond_to_all(lobby)
    end = lobby.posts(ALONE)[-1]
    assert isinstance(end, Ended)
    assert end.practice
    assert [result.right for result in end.results] == [1, 1, 1]


# When there is nothing


async def _known(lobby: Lobby) -> Card:
    """What Ann is told when all that she has met is known."""
    await practise(lobby, "/practice colours")
    await respond_to_all(lobby)
    answer = await practise(lobby)
    assert answer.show is Show.HERE
    return card_of(answer)


async def _next_due(lobby: Lobby) -> int:
    """In how many days from the day on which the clock began."""
    ((days,),) = await lobby.world.rows("SELECT min(due) - min(reviewed) FROM memory")
    return int(days)


async def test_when_all_is_known_it_is_said_what_comes_next_and_what_else_there_is(lobby: Lobby) -> None:
    card = await _known(lobby)
    others = [quiz for quiz in lobby.world.library.quizzes if quiz.slug != "colours"]
    assert card == present.nothing_to_practise(
        "en", others, upcoming=(3, await _next_due(lobby)), quiz=None, reminders=True
    )
    assert [button.press for button in card.all_buttons] == [
        *(Practise("gradient-accumulation"), Practise("several")),
        *(ShowStats(), Personal("reminders", "evening")),
    ]


async def test_of_one_quiz_that_is_known_it_is_said_too(lobby: Lobby) -> None:
    await _known(lobby)
    answer = await practise(lobby, "/practice colours")
    assert "Nothing of “Colours” is due today." in said(answer)
    assert Practise() in presses(answer)


async def test_whoever_is_reminded_is_not_asked_whether_they_want_to_be(lobby: Lobby) -> None:
    await lobby.world.store.prefer(ALONE, "reminders", "morning")
    assert not any(isinstance(button.press, Personal) for button in (await _known(lobby)).all_buttons)
    await lobby.world.store.prefer(ALONE, "reminders", "off")
    lobby.world.clock.advance(120)
    assert Personal("reminders", "evening") in presses(await practise(lobby))


@pytest.mark.parametrize("zone", ["Europe/Sofia", "America/New_York", None])
async def test_a_review_is_due_from_four_in_the_morning_where_the_learner_is(zone: str | None) -> None:
    async with open_lobby(quizzes=[SHAPES]) as lobby:
        await lobby.world.store.prefer(ALONE, "zone", zone)
        await practise(lobby, "/practice shapes")
        await respond_to_all(lobby)
        days, behind = await _next_due(lobby), {"Europe/Sofia": 2, "America/New_York": -5, None: 0}[zone]
        due = datetime(2025, 3, 3 + days, 4, tzinfo=UTC).timestamp() - behind * 3600
        lobby.world.clock.advance(due - lobby.world.clock.now().timestamp() - 1)
        assert "Next: 2 reviews tomorrow." in said(await practise(lobby))
        lobby.world.clock.advance(1)
        assert (await practise(lobby)).receipt == present.practice_begins("en", 2, 0)


async def test_an_answer_needs_no_receipt_where_the_question_shows_itself(lobby: Lobby) -> None:
    await lobby.command(ANN, "/practice colours", ALONE, key="again")
    assert receipt(await lobby.command(ANN, "/practice colours", ALONE, key="again"))
