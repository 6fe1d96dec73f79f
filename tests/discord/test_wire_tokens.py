"""Old messages: the token of an interaction is good for fifteen minutes, and nothing of ours needs it that long."""

from __future__ import annotations

from tests.clock import VirtualClock
from tests.discord.conversing import Study, edits_of, idle, study_group
from tests.discord.playing import playing
from tests.discord.server import Discord
from tests.discord.server.interactions import LIFE


async def test_after_twenty_minutes_every_edit_goes_by_the_bots_own_token(server: Discord, clock: VirtualClock) -> None:
    channel, (ann, bob) = study_group(server, "Ann", "Bob")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin_relaxed()
        await study.answer(ann)
        await idle(bot, 20 * 60)
        assert clock.now() - question.at > LIFE
        before = len(server.requests)
        await study.answer(bob)
        await bot.wait(6)
        assert "2 answered" in question.text
        await study.press(ann, "Next", question)
        await bot.wait(2)
        assert "2 of 2 got it right" in question.text
        await study.ask("stop", ann)
        await bot.quiet()
        assert "Results" in study.last.text
        assert all(call.status < 400 for call in server.requests[before:])
    assert server.calls("*", "^/webhooks/") == []


async def test_alone_a_card_of_yesterday_is_answered_by_a_press_of_today(server: Discord, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, ann.direct, ann)
        question = await study.begin()
        await idle(bot, 20 * 3600)
        pressed = await bot.answer(ann.press(question, "A"))
        assert pressed.answer is question
        assert question.buttons == ["Next", "Report"]
        assert edits_of(server, question) == []


async def test_in_a_channel_an_old_question_closes_in_a_message_of_its_own(
    server: Discord, clock: VirtualClock
) -> None:
    """Messages older than an hour can be edited a few times only."""
    channel, (ann,) = study_group(server, "Ann")
    async with playing(server, clock) as bot:
        study = Study(bot, channel, ann)
        question = await study.begin_relaxed()
        await study.answer(ann)
        await idle(bot, 2 * 3600)
        before = len(edits_of(server, question))
        await study.ask("next")
        await bot.quiet()
        assert "1 of 1 got it right" in study.last.text
        assert study.last is not question
        assert len(edits_of(server, question)) == before
