"""The bot is stopped in the middle of a quiz and started again: same question, every answer, the time given back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT
from tests.telegram.playing import playing
from tests.telegram.server import BotApi
from tests.telegram.study import Study, at_once, by_both, key_of, study_group

NAMES = ("Ann", "Bob", "Cem", "Dan", "Eva")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quizbot.sqlite3"


@by_both
@pytest.mark.parametrize(("away", "announced"), [(4, False), (3600, True)])
async def test_a_question_goes_on_where_it_was_with_the_time_that_was_left(
    away: int, announced: bool, path: Path, server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    people = [server.person(name) for name in NAMES]
    group = study_group(server, "Study", people)
    async with playing(server, clock, path=path, webhook=webhook) as bot:
        study = Study(bot, group, people[0])
        question = await study.begin()
        await bot.wait(8)
        await study.everyone(people[:2])
    clock.advance(away)
    # Two press while nobody serves.
    waiting = [await person.press(question, key_of(question)) for person in people[2:4]]
    async with playing(server, clock, path=path, webhook=webhook) as bot:
        study = Study(bot, group, people[0])
        told = await at_once(waiting)
        assert [text[0] for text in told] == ["✓", "✓"]
        assert study.question is question
        assert (await study.answer(people[1])).startswith("You chose")
        await bot.wait(LIMIT - 8 - 0.5)
        assert question.keyboard
        assert (await study.answer(people[4])).startswith("✓")
        await bot.wait(0.5)
        assert "5 of 5 got it right" in question.said.text
        said = [message.said.text for message in study.messages]
        assert sum("back" in text.lower() for text in said) == announced
        assert len(await bot.responses()) == 5
        assert [text.startswith("Question 1") for text in said].count(True) == 1


@by_both
async def test_a_start_card_a_pause_and_results_still_work_after_a_restart(
    path: Path, server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann = server.person("Ann")
    group = study_group(server, "Study", [ann])
    async with playing(server, clock, path=path, webhook=webhook) as bot:
        await Study(bot, group, ann).choose()
    async with playing(server, clock, path=path, webhook=webhook) as bot:
        study = Study(bot, group, ann)
        await study.press(ann, "Start")
        assert study.question.said.text.startswith("Question 1 of 3")
        await bot.wait(60)
        assert study.last.keyboard == [["Resume", "Stop"]]
    async with playing(server, clock, path=path, webhook=webhook) as bot:
        study = Study(bot, group, ann)
        await study.press(ann, "Resume")
        await study.answer(ann)
        await bot.wait(60)
        assert "Ann — 1 of 3 right" in study.last.said.text
    async with playing(server, clock, path=path, webhook=webhook) as bot:
        study = Study(bot, group, ann)
        await study.press(ann, "Again")
        assert study.last.keyboard == [["Start", "Settings"]]


async def test_an_update_that_was_taken_but_not_confirmed_comes_again_and_counts_once(
    path: Path, server: BotApi, clock: VirtualClock
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    group = study_group(server, "Study", [ann, bob])
    async with playing(server, clock, path=path) as bot:
        study = Study(bot, group, ann)
        question = await study.begin()
        await study.answer(ann)
        pressed = server.last_update
        await study.write(bob, "/quiz colours")
        refused = server.last_update
    async with playing(server, clock, path=path) as bot:
        study = Study(bot, group, ann)
        for update in (pressed, refused, pressed):
            server.repeat(update)
            await bot.quiet()
        await bot.wait(60)
        assert "1 of 1 got it right" in question.said.text
        assert len(await bot.responses()) == 1
        assert len(await bot.rows("SELECT id FROM session")) == 1
