"""Long texts over the wire: what a question says is read whole, whatever its buttons have room for."""

from __future__ import annotations

import pytest

from bot.core.quiz import Option, Question, Quiz
from tests.clock import VirtualClock
from tests.core.building import LIMIT, quiz_of, text
from tests.discord.conversing import Study, study_group
from tests.discord.playing import playing
from tests.discord.server import Discord

ALIKE = ("the same words " * 7)[:99]
"""What stands before the character in which options differ, the hundredth."""


def alike(count: int, *, right: int = 1) -> Quiz:
    """A question whose options have 120 characters each and differ at the hundredth."""
    options = tuple(
        Option(text(f"{ALIKE}{number} and that is the end"), right=number < right) for number in range(count)
    )
    return quiz_of(Question("q0", text("Which?"), options))


@pytest.mark.parametrize(("count", "right"), [(4, 1), (8, 1), (4, 2)])
async def test_options_that_differ_at_the_hundredth_character_are_read_whole(
    count: int, right: int, server: Discord, clock: VirtualClock
) -> None:
    """Field case 26. A list shows the letter first, for its entries are cut."""
    channel, (ann,) = study_group(server, "Ann")
    quiz = alike(count, right=right)
    assert {len(option.text.texts["en"]) for option in quiz.questions[0].options} == {120}
    async with playing(server, clock, quiz) as bot:
        study = Study(bot, channel, ann)
        await study.press(ann, "Start", await study.choose(quiz.slug))
        question = await bot.shows(channel, "Question 1 of 1")
        for number in range(count):
            assert f". {ALIKE}{number} and that is the end" in question.text
        letters = [label for label in question.buttons if len(label) == 1] or [
            label[:1] for label in question.selects[0].labels
        ]
        assert letters == list("ABCDEFGH"[:count])
        await bot.wait(LIMIT * 6)
        for number in range(count):
            assert f"{ALIKE}{number} and that is the end" in question.text
