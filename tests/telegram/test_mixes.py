"""Mixes on Telegram: put together by command or by buttons, and what a group has seen comes again last."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.quiz import Quiz
from tests.clock import VirtualClock
from tests.core.building import plain_quiz, question, text
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import MOMENT, Study

COLOURS = plain_quiz()
RIVERS = replace(
    plain_quiz(),
    slug="rivers",
    title=text("Rivers"),
    questions=tuple(replace(question(f"q{at}"), topics=("water",)) for at in (10, 20, 30)),
)


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def group(server: BotApi, ann: Person) -> Group:
    return server.supergroup("Study", [ann], [ann])


async def play(study: Study, most: int) -> list[str]:
    """So many questions of the quiz on the start card, answered by the host and closed; what was asked."""
    await study.press(study.host, "Start")
    asked: list[str] = []
    while len(asked) < most:
        while not (found := re.search(r"q\d+(?=\?)", study.last.said.text)) or found[0] in asked:
            await study.bot.wait(1)
        asked.append(found[0])
        shown = study.last
        await study.answer(study.host)
        while "got it right" not in shown.said.text:
            await study.bot.wait(1)
    return asked


def named(*quizzes: Quiz) -> list[str]:
    return sorted(each.id for quiz in quizzes for each in quiz.questions)


async def test_two_quizzes_that_are_named_are_one_and_each_question_counts_for_its_own(
    server: BotApi, clock: VirtualClock, ann: Person, group: Group
) -> None:
    async with playing(server, clock, COLOURS, RIVERS) as bot:
        study = Study(bot, group, ann)
        await study.write(ann, "/quiz colours rivers")
        assert study.last.said.text.startswith("Mix: Colours + Rivers\n\n6 questions")
        assert sorted(await play(study, 6)) == named(COLOURS, RIVERS)
        await bot.wait(30)
        await study.write(ann, "/leaderboard rivers")
        assert "1. Ann — 3 points · 3 of 3 right" in study.last.said.text
        await bot.wait(60)  # in one minute a group gets so many messages and no more
        await study.write(ann, "/leaderboard")
        assert "1. Ann — 6 points · 6 of 6 right" in study.last.said.text


async def test_a_mix_is_put_together_by_buttons_and_its_list_becomes_the_start_card(
    server: BotApi, clock: VirtualClock, ann: Person, group: Group
) -> None:
    async with playing(server, clock, COLOURS, RIVERS) as bot:
        study = Study(bot, group, ann)
        await study.write(ann, "/quiz")
        await bot.wait(MOMENT)
        listed = study.last
        await study.press(ann, "Mix", listed)
        await bot.wait(MOMENT)
        assert "3. water · topic · 3 questions" in listed.said.text
        await study.press(ann, "3", listed)
        await bot.wait(MOMENT)
        assert listed.keyboard[0] == ["1", "2", "✓ 3"]
        await study.press(ann, "Continue", listed)
        await bot.wait(MOMENT)
        assert listed.removed
        assert study.last.said.text.startswith("Topic: water\n\n3 questions")
        assert sorted(await play(study, 3)) == named(RIVERS)


async def test_what_a_group_has_seen_comes_after_all_the_rest_in_a_mix_and_in_another_process_as_well(
    server: BotApi, clock: VirtualClock, ann: Person, group: Group, tmp_path: Path
) -> None:
    path = tmp_path / "quizbot.sqlite3"
    async with playing(server, clock, COLOURS, RIVERS, path=path) as bot:
        study = Study(bot, group, ann)
        await study.write(ann, "/quiz colours")
        seen = await play(study, 2)
        await study.write(ann, "/stop")
        await bot.wait(30)
    async with playing(server, clock, COLOURS, RIVERS, path=path, seed=2) as bot:
        study = Study(bot, group, ann)
        await study.write(ann, "/quiz colours rivers")
        await study.press(ann, "Settings")
        await bot.wait(MOMENT)
        await study.press(ann, "3")
        first = await play(study, 3)
        await bot.wait(30)
        await study.press(ann, "Again")
        await bot.wait(MOMENT)
        second = await play(study, 3)
    assert len({*seen, *first}) == 5
    assert {*seen, *first, *second} == set(named(COLOURS, RIVERS))
