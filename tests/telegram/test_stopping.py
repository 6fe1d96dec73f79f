"""Stopping: in every phase, by whom it may be, and for good. And what nobody has to stop because nobody is there."""

from __future__ import annotations

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.telegram.playing import playing
from tests.telegram.server import BotApi
from tests.telegram.study import Study, by_both, study_group

ONLY_HOST = "Only the host or a moderator can do this."


@by_both
async def test_after_a_stop_between_questions_nothing_more_comes(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann]), ann)
        await study.begin()
        await study.answer(ann)
        await bot.wait(LIMIT + 1)
        await study.write(ann, "/stop")
        assert "Stopped early, after 1 of 3 questions." in study.last.said.text
        assert "Ann — 1 of 1 right" in study.last.said.text
        calls = len(server.calls(chat=study.chat))
        await bot.wait(600)
        assert len(server.calls(chat=study.chat)) == calls


@by_both
async def test_a_quiz_started_right_after_a_stop_keeps_its_own_time(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, study_group(server, "Study", [ann]), ann)
        old = await study.begin()
        await bot.wait(10)
        await study.write(ann, "/stop")
        await study.write(ann, "/quiz colours")
        await study.press(ann, "Start")
        question = study.question
        assert question is not old
        await bot.wait(LIMIT - 0.1)
        assert question.keyboard
        await bot.wait(0.2)
        assert "Nobody answered" in question.said.text


@pytest.mark.parametrize("phase", ["start card", "question", "between questions", "pause"])
async def test_a_stranger_is_refused_where_they_asked_and_the_host_is_not(
    phase: str, server: BotApi, clock: VirtualClock
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    async with playing(server, clock) as bot:
        group = study_group(server, "Study", [ann, bob])
        study, elsewhere = Study(bot, group, ann), Study(bot, study_group(server, "Elsewhere", [bob]), bob)
        await (study.choose() if phase == "start card" else study.begin())
        await bot.wait({"start card": 0, "question": 1, "between questions": LIMIT + 1, "pause": 60}[phase])
        count = len(server.calls("sendMessage"))
        await elsewhere.write(bob, "/stop")
        assert elsewhere.last.said.text == "No quiz is running here; start one first."
        await study.write(bob, "/stop")
        assert study.last.said.text == ONLY_HOST
        assert study.last.reply_to is group.messages[-2]
        assert [call.chat for call in server.calls("sendMessage")[count:]] == [elsewhere.chat.id, group.id]
        assert ann.private.messages == bob.private.messages == []
        await study.write(ann, "/stop")
        told = study.texts[0] if phase == "start card" else study.last.said.text
        assert "Stopped" in told
        await study.write(ann, "/stop")
        assert study.last.said.text == "No quiz is running here; start one first."


@by_both
async def test_alone_where_nobody_has_a_role_stop_works(server: BotApi, clock: VirtualClock, *, webhook: bool) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, ann.private, ann)
        await study.begin()
        await bot.wait(10)
        await study.write(ann, "/stop")
        await bot.wait(10)
        assert study.last.said.text.startswith("Results — Colours")
        assert server.calls("getChatAdministrators") == []


@by_both
async def test_an_administrator_and_an_anonymous_one_may_stop_what_others_have_started(
    server: BotApi, clock: VirtualClock, *, webhook: bool
) -> None:
    ann, mia = server.person("Ann"), server.person("Mia")
    group = server.supergroup("Study", [ann], [mia])
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, group, ann)
        for anonymous in (False, True):
            await study.begin()
            await mia.write(group, "/stop", anonymous=anonymous)
            await bot.quiet()
            assert study.last.said.text.startswith("Results — Colours")
            await bot.wait(30)


async def test_nobody_answering_is_a_result_like_any_other(server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, study_group(server, "Study", [ann]), ann)
        question = await study.begin()
        await bot.wait(LIMIT + READING)
        assert "✓ right" in question.said.text
        assert "Nobody answered this time." in question.said.text
        assert study.question.said.text.startswith("Question 2 of 3")
        await bot.wait(LIMIT)
        assert "paused" in study.last.said.text
