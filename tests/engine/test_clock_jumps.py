"""The clock of the machine is set while people play: what that may cost is time, never an answer and never a chat."""

from __future__ import annotations

from datetime import timedelta

import pytest

from adapters.places import Limit, Window
from bot.core.session import Phase
from tests.engine.world import ANN, BOB, LIMIT, READING, World

HOUR = 3600.0


async def test_after_an_hour_forward_a_question_closes_with_what_was_answered_and_the_quiz_goes_on(
    world: World,
) -> None:
    await world.start()
    await world.settle()
    await world.answer(ANN)
    world.clock.advance(HOUR)
    await world.settle()
    assert await world.stage() == (0, Phase.CLOSED)
    await world.wait(READING)
    assert await world.stage() == (1, Phase.OPEN)
    assert len(await world.responses()) == 1


async def test_an_answer_of_before_the_jump_still_counts(world: World) -> None:
    await world.start()
    press = await world.answering(ANN)
    world.clock.advance(HOUR)
    await world.engine.handle("test:1", press)
    assert len(await world.responses()) == 1


async def test_after_an_hour_back_everybody_can_answer_and_the_host_goes_on(world: World) -> None:
    await world.start()
    await world.settle()
    await world.answer(ANN)
    world.clock.advance(-HOUR)
    await world.answer(BOB)
    assert len(await world.responses()) == 2
    await world.advance()
    await world.advance()
    await world.settle()
    assert await world.stage() == (1, Phase.OPEN)
    await world.answer(BOB)
    await world.wait(LIMIT)
    assert await world.stage() == (1, Phase.CLOSED), "what begins after the jump has its usual time"


async def test_a_question_that_waited_while_the_clock_was_set_forward_has_all_its_time(world: World) -> None:
    await world.start()
    world.clock.advance(HOUR)
    await world.wait(LIMIT - 1)
    assert await world.stage() == (0, Phase.OPEN)
    await world.wait(1)
    assert await world.stage() == (0, Phase.CLOSED)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_chat_that_is_full_has_room_again_whichever_way_the_clock_is_set(world: World, jump: float) -> None:
    window = Window(Limit(1, timedelta(minutes=1)))
    window.start()
    window.end(world.clock.now(), counted=True)
    assert window.taken(world.clock.now()) == 1
    assert window.taken(world.clock.now() + timedelta(seconds=jump)) == 0
