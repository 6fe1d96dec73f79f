"""What Discord may answer instead of doing it, and what people see then."""

from __future__ import annotations

import logging

import pytest

from tests.discord.sim.stage import staged
from tests.discord.sim.test_sessions import begin

CALLBACK = "/interactions/*/callback"
MESSAGES = "/channels/*/messages"
MESSAGE = "/channels/*/messages/*"


@pytest.mark.parametrize(("code", "level"), [(10062, logging.INFO), (40060, logging.DEBUG)])
async def test_an_answer_that_comes_too_late_or_twice_costs_no_response(
    code: int, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "adapters")
    async with staged() as stage:
        ann = stage.people["Ann"]
        await begin(stage, ann)
        caplog.clear()
        stage.env.inject_error("POST", CALLBACK, status=404 if code == 10062 else 400, code=code)
        said = await ann.answer(right=True)
        assert said.kind is None
        assert len(await stage.responses()) == 1
        assert [each for each in caplog.records if each.levelno > logging.INFO] == []
        assert ("too late" in caplog.text) == (level == logging.INFO)
        assert (await ann.press("A")).text.endswith("the first choice counts.")


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_question_that_a_server_failed_at_comes_later(status: int) -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours")
        stage.env.inject_error("POST", MESSAGES, status=status, times=2)
        await ann.press("Start")
        assert "A" not in stage.last().buttons
        await stage.pass_time(8)
        question = stage.question()
        assert question.text.startswith("Question 1 of 3")
        assert len([seen for seen in stage.public() if seen.has("A")]) == 1
        left = int(question.markdown.split("<t:")[1].split(":")[0]) - stage.clock.now().timestamp()
        assert left >= 12, "a fault of the server costs nobody their time"


async def test_a_closing_that_a_server_failed_at_comes_before_the_next_question() -> None:
    async with staged() as stage:
        question = await begin(stage, stage.people["Ann"])
        await stage.people["Ann"].answer(right=True)
        stage.env.inject_error("PATCH", MESSAGE, status=500, times=3)
        await stage.pass_time(60)
        assert "1 of 1 got it right" in question.text


async def test_a_question_that_was_deleted_is_sent_anew() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await begin(stage, ann)
        stage.env.backend.delete_message(stage.here.id, question.id)
        await ann.forge_press(question.button("A").custom_id or "", question)
        await stage.pass_time(6)
        anew = stage.question()
        assert anew.id != question.id
        assert anew.text.startswith("Question 1 of 3")
        assert (await ben.press("A", anew)).alone
        assert len(await stage.responses()) == 2


async def test_a_closed_question_that_was_deleted_is_sent_as_a_message() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann)
        await ann.answer(right=True)
        stage.env.backend.delete_message(stage.here.id, question.id)
        await stage.pass_time(21)
        assert any("1 of 1 got it right" in seen.text for seen in stage.public())


async def test_a_session_ends_where_writing_is_forbidden_and_keeps_its_scores() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await begin(stage, ann)
        await ann.answer(right=True)
        stage.env.inject_error("POST", f"/channels/{stage.here.id}/messages", status=403, code=50013, times=None)
        await stage.pass_time(60)
        assert len(await stage.responses()) == 1
        assert "Your quiz has ended" in stage.last(ann.direct).text
        assert "No quiz is running here" in (await ann.slash("stop")).text


async def test_a_command_whose_answer_is_refused_is_answered_in_other_words() -> None:
    async with staged() as stage:
        stage.env.inject_error("POST", CALLBACK, status=400, code=50035, message="Invalid Form Body")
        said = await stage.people["Ann"].slash("help")
        assert (said.alone, said.text) == (True, "Sorry, something went wrong here. Please try again.")


async def test_what_cannot_be_edited_in_answer_is_edited_by_itself() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours", at=ann.direct)
        await ann.press("Start", at=ann.direct)
        question = stage.question(ann.direct)
        stage.env.inject_error("POST", CALLBACK, status=500)
        await ann.answer(right=True, at=ann.direct)
        await stage.pass_time(5)
        assert "✓ Right." in question.text


async def test_commands_that_cannot_be_registered_do_not_keep_the_bot_from_serving() -> None:
    async with staged() as stage:
        await stage.stop()
        stage.env.inject_error("GET", "/applications/*/commands", status=500)
        await stage.start()
        assert (await stage.people["Ann"].slash("help")).alone
