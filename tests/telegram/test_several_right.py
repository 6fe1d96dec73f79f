"""Questions with several right options: chosen by toggling, told to the chooser alone, and counted when sent."""

from __future__ import annotations

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, question, quiz_of
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Message, Person
from tests.telegram.study import Study

QUIZ = quiz_of(question("q0", right=(0, 2)), question("q1", right=(1, 3)))


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person("Bob", "ro")


@pytest.fixture
def group(server: BotApi, ann: Person, bob: Person) -> Group:
    return server.supergroup("Study", [ann, bob], [ann])


def letters(asked: Message, *options: int) -> list[str]:
    """The letters of these options (as written) of the first question, in the order shown."""
    lines = [line for line in asked.text.splitlines() if line[1:3] == ". "]
    return [line[0] for line in lines if int(line.split()[-1]) in options]


async def test_a_selection_is_told_to_the_chooser_alone_and_counts_when_it_is_sent(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    async with playing(server, clock, QUIZ) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        assert "Several answers are right: choose, then send." in asked.text
        assert asked.keyboard == [["A", "B", "C", "D"], ["Send", "Next"]]
        first, second = letters(asked, 0, 2)
        wrong = letters(asked, 1)[0]
        assert await study.press(ann, "Send", asked) == "Nothing is selected yet: choose first, then send."
        assert await study.press(ann, second, asked) == f"Selected: {second}. Press Send when done."
        assert await study.press(ann, wrong, asked) == (
            f"Selected: {', '.join(sorted((second, wrong)))}. Press Send when done."
        )
        assert await study.press(ann, wrong, asked) == f"Selected: {second}. Press Send when done."
        assert await study.press(ann, second, asked) == "Nothing is selected."
        assert await study.press(ann, "Send", asked) == "Nothing is selected yet: choose first, then send."
        assert await study.press(bob, wrong, asked) == f"Selectat: {wrong}. La final apasă „Trimite”."
        await study.press(ann, first, asked)
        assert await study.press(ann, second, asked) == f"Selected: {first}, {second}. Press Send when done."
        assert not asked.edits
        assert not await bot.responses()
        assert await study.press(ann, "Send", asked) == f"✓ Right. You chose {first}, {second}."
        # After Send nothing is chosen any more.
        again = f"You chose {first}, {second}; the first choice counts."
        assert await study.press(ann, wrong, asked) == again
        assert await study.press(ann, "Send", asked) == again
        await bot.wait(LIMIT)
        assert len(await bot.responses()) == 1
        assert "1 of 1 got it right" in asked.text
        assert asked.text.count("✓ right") == 2


async def test_half_of_the_key_is_incomplete_and_a_wrong_option_is_wrong(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    async with playing(server, clock, QUIZ) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        key, wrong = letters(asked, 0)[0], letters(asked, 1)[0]
        await study.press(ann, key, asked)
        assert await study.press(ann, "Send", asked) == (f"✗ Not complete: more answers are right. You chose {key}.")
        await study.press(bob, wrong, asked)
        assert (await study.press(bob, "Send", asked)).startswith("✗ Greșit.")
        await bot.wait(LIMIT)
        assert "0 of 2 got it right" in asked.text


async def test_a_selection_that_was_not_sent_in_time_is_no_answer(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock, QUIZ) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        data = asked.button("Send")["callback_data"]
        await study.press(ann, letters(asked, 0)[0], asked)
        await bot.wait(LIMIT)
        assert "Nobody answered this time." in asked.text
        late = await study.told(await ann.press_data(asked, data))
        assert late == "Sorry, that was too late: the question has closed already."
        assert not await bot.responses()


async def test_alone_the_selection_is_told_and_send_turns_the_question_into_the_verdict(
    server: BotApi, clock: VirtualClock, ann: Person
) -> None:
    async with playing(server, clock, QUIZ) as bot:
        study = Study(bot, ann.private, ann)
        asked = await study.begin()
        first, second = letters(asked, 0, 2)
        assert asked.keyboard[-1] == ["Send", "Skip"]
        assert await study.press(ann, first, asked) == f"Selected: {first}. Press Send when done."
        await study.press(ann, second, asked)
        assert not asked.edits
        await study.press(ann, "Send", asked)
        await bot.wait(2)
        assert "✓ Right." in asked.text
        assert asked.keyboard == [["Next", "Report"]]


@pytest.mark.parametrize("data", ["1:t:{session}:0:9", "1:t:{session}:5:0", "1:a:{session}:0:77", "1:s:{session}:9"])
async def test_forged_choices_change_nothing_and_are_answered(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, data: str
) -> None:
    async with playing(server, clock, QUIZ) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        session = asked.button("A")["callback_data"].split(":")[2]
        assert await study.told(await ann.press_data(asked, data.format(session=session)))
        assert not asked.edits
        assert not await bot.responses()
