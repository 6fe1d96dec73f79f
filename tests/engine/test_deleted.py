"""Somebody deletes a message of the bot: what is still to be acted on or read comes back, the rest stays deleted."""

from __future__ import annotations

from bot.core.effects import Asked, Closed, Ended, Paused
from bot.core.events import Started, Stopped
from bot.core.session import Feedback, Pace, Settings
from tests.core.building import drawn
from tests.engine.world import ANN, BOB, CHAT, LIMIT, READING, World


async def begin(world: World, feedback: Feedback = Feedback.AT_ONCE, *, card: bool = False) -> None:
    quiz = world.library.quizzes[0]
    edition = world.library.edition(quiz.slug)
    assert edition is not None
    settings = Settings(Pace.STEADY, 1, feedback)
    await world.engine.handle(
        CHAT, Started(world.key(), ANN, edition.digest, drawn(quiz), settings, private=False, card=card)
    )
    await world.settle()


async def test_an_open_question_comes_back_with_its_next_state(world: World) -> None:
    await begin(world)
    world.screen.gone = {"m0"}
    await world.answer(BOB)
    await world.wait(5)
    shown = world.screen.visible(CHAT)["m1"]
    assert isinstance(shown, Asked)
    assert shown.answered == 1


async def test_the_result_of_a_deleted_question_is_said_when_it_closes(world: World) -> None:
    await begin(world)
    world.screen.gone = {"m0"}
    await world.wait(LIMIT)
    assert isinstance(world.screen.visible(CHAT)["m1"], Closed)


async def test_a_key_that_is_told_at_the_end_stays_away_from_a_question_that_is_gone(world: World) -> None:
    await begin(world, Feedback.AT_END)
    await world.answer(BOB)
    await world.wait(LIMIT)
    world.screen.gone = {"m0"}
    await world.wait(READING)
    assert [type(post) for post in world.screen.visible(CHAT).values()] == [Closed, Ended]
    assert await world.rows("SELECT 1 FROM outbox") == []


async def test_a_start_card_that_is_gone_does_not_come_back_to_say_that_it_is_over(world: World) -> None:
    await begin(world, card=True)
    world.screen.gone = {"m0"}
    await world.engine.handle(CHAT, Stopped(world.key(), ANN))
    await world.settle()
    assert list(world.screen.visible(CHAT)) == ["m0"]
    assert await world.rows("SELECT 1 FROM outbox") == []


async def test_a_pause_that_is_gone_does_not_come_back_to_say_that_it_is_over(world: World) -> None:
    await world.start()
    await world.wait(2 * (LIMIT + READING))
    (pause,) = (message for message, post in world.screen.visible(CHAT).items() if isinstance(post, Paused))
    world.screen.gone = {pause}
    await world.resume()
    await world.settle()
    assert sum(isinstance(post, Paused) for post in world.seen()) == 1
    assert isinstance(world.seen()[-1], Asked)
