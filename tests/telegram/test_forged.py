"""Presses that no message offers: made by hand, with any data and any message of the bot."""

from __future__ import annotations

import pytest

from bot.presses import Page, Pick, Prefer, Speak, dump
from tests.clock import VirtualClock
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import Study, study_group

FORGED = [Page(0), Page(3), Pick("colours"), Prefer("pace", "brisk"), Speak("ro")]


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person("Bob")


@pytest.fixture
def group(server: BotApi, ann: Person, bob: Person) -> Group:
    return study_group(server, "Study", [ann, bob])


@pytest.mark.parametrize("press", FORGED, ids=lambda press: type(press).__name__)
async def test_a_button_that_a_question_does_not_have_leaves_it_as_it_is(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person, press: Page | Pick | Prefer | Speak
) -> None:
    async with playing(server, clock) as bot:
        question = await Study(bot, group, ann).begin()
        before, keyboard = question.said, question.keyboard
        await (await bob.press_data(question, dump(press))).answered()
        await bot.quiet()
        assert question in group.messages
        assert (question.said, question.keyboard) == (before, keyboard)
        await (await bob.press(question, "A")).answered()
        assert len(await bot.responses()) == 1


async def test_results_cannot_be_deleted_by_a_made_up_choice_of_a_quiz(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        await study.write(ann, "/stop")
        results = study.last
        await (await bob.press_data(results, dump(Pick("colours")))).answered()
        await bot.quiet()
        assert results in group.messages


async def test_a_picker_goes_when_it_has_served(server: BotApi, clock: VirtualClock, group: Group, ann: Person) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.write(ann, "/quiz")
        picker = study.last
        await (await ann.press(picker, "1")).answered()
        await bot.quiet()
        assert picker not in group.messages
