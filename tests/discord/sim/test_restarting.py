"""The bot's process ends in the middle of a session, and another one goes on with it."""

from __future__ import annotations

import re

from tests.discord.sim.stage import staged
from tests.discord.sim.test_sessions import begin


async def test_a_restart_is_invisible() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await begin(stage, ann)
        before, text = len(stage.public()), question.text
        await ann.answer(right=True)
        await stage.restart(away=4)
        assert len(stage.public()) == before
        said = await ben.answer(right=False)
        assert (said.alone, said.text[0]) == (True, "✗")
        assert (await ann.press("A", question)).text.endswith("the first choice counts.")
        assert len(await stage.responses()) == 2
        assert question.text.splitlines()[:6] == text.splitlines()[:6]


async def test_time_that_was_lost_is_given_back() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await begin(stage, ann)
        await ann.answer(right=True)
        await ben.answer(right=True)
        await stage.pass_time(8)
        await stage.restart(away=30)
        await stage.pass_time(2)
        end = int(stage.clock.now().timestamp()) + 10
        assert f"<t:{end}:R>" in question.text, "8 s of 20 were over, and 2 s since"
        await stage.pass_time(9)
        assert question.has("A")
        await stage.pass_time(2)
        assert "2 of 2 got it right" in question.text


async def test_after_an_hour_it_says_once_that_it_is_back() -> None:
    async with staged() as stage:
        await begin(stage, stage.people["Ann"])
        await stage.pass_time(8)
        await stage.restart(away=3600)
        await stage.pass_time(2)
        new = [seen for seen in stage.public() if "back" in seen.text]
        assert len(new) == 1
        assert re.search(r"\b1 hour", new[0].text)
        await stage.restart(away=1)
        await stage.pass_time(2)
        assert len([seen for seen in stage.public() if "back" in seen.text]) == 1
        assert (await stage.people["Ben"].answer(right=True)).text.startswith("✓")


async def test_after_a_restart_the_host_goes_on_with_the_old_buttons() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann, Pace="Relaxed")
        await stage.restart(away=10)
        closed = await ann.press("Next", question)
        assert closed.message == question
        await ann.press("Next", question)
        assert stage.question().text.startswith("Question 2 of 3")


async def test_a_start_card_and_a_pause_outlive_a_restart() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours")
        await stage.restart(away=5)
        await ann.press("Start")
        await stage.pass_time(60)
        pause = stage.last()
        await stage.restart(away=5)
        await ann.press("Resume", pause)
        assert stage.question().text.startswith("Question 3 of 3")


async def test_alone_a_restart_is_invisible_too() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours", at=ann.direct)
        await ann.press("Start", at=ann.direct)
        question = stage.question(ann.direct)
        await stage.restart(away=5)
        answered = await ann.answer(right=True, at=ann.direct)
        assert (answered.kind, answered.message) == ("update", question)
        assert "✓ Right." in question.text


async def test_a_form_that_was_opened_before_a_restart_can_be_sent_after_it() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours")
        form = await ann.press("Settings")
        await stage.restart(away=5)
        await ann.fill_in(form, Pace="Relaxed")
        assert "Pace: relaxed" in stage.last().text


async def test_commands_are_registered_once_and_not_again() -> None:
    async with staged() as stage:
        await stage.restart()
        await stage.restart()
        assert len(stage.requests("PUT", "/commands$")) == 1
