"""Whole sessions: eight people in a channel, one alone, and what time brings."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from adapters.discord.render import Colour
from tests.discord.sim.people import Person
from tests.discord.sim.quizzes import FOUNDING, founding
from tests.discord.sim.seen import Seen
from tests.discord.sim.stage import Stage, staged

EIGHT = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
RIGHT = {"Ann": 3, "Ben": 2, "Cleo": 2, "Dan": 1, "Eve": 1, "Finn": 1, "Gus": 0, "Hana": 0}
"""How many of three questions each gets right, the first ones."""

ACKNOWLEDGED = ("update", "deferred_update")
AT_ONCE = timedelta(0)

STANDINGS = {"Ann": 1, "Ben": 2, "Cleo": 2, "Dan": 4, "Eve": 4, "Finn": 4, "Gus": 7, "Hana": 7}


async def begin(stage: Stage, host: Person, quiz: str = "colours", **settings: str) -> Seen:
    """The first question."""
    await host.slash("quiz", quiz=quiz)
    if settings:
        await host.fill_in(await host.press("Settings"), **settings)
    await host.press("Start")
    return stage.question()


# Together


async def test_eight_people_play_a_quiz_to_its_standings() -> None:
    async with staged(people=EIGHT) as stage:
        await begin(stage, stage.people["Ann"])
        for number in (1, 2, 3):
            question = stage.question()
            assert question.text.startswith(f"Question {number} of 3\n")
            for name, person in stage.people.items():
                said = await person.answer(right=number <= RIGHT[name])
                assert (said.alone, said.text[0]) == (True, "✓" if number <= RIGHT[name] else "✗")
                assert not said.took
            if number == 1:  # who plays is known from the second question on
                await stage.people["Ann"].press("Next")
            closed = question.text
            assert question.buttons == ["Report"]
            key = sum(number <= right for right in RIGHT.values())
            assert f"{key} of 8 got it right" in closed
            assert re.search(rf"✓ right · {key} chose it", closed)
            assert f"· {8 - key} chose it" in closed
            await stage.pass_time(6)
        results = stage.last()
        for name, place in STANDINGS.items():
            assert re.search(rf"\b{place}\. \W*{name}\W* — {RIGHT[name]} of 3 right", results.text), results.text
        assert "Most missed: question 3." in results.text
        assert (results.buttons, results.colour) == (["Again", "Another quiz", "Practise my mistakes"], Colour.RESULTS)
        assert len(await stage.responses()) == 24


async def test_a_question_costs_one_send_one_closing_edit_and_few_counters() -> None:
    async with staged(people=EIGHT) as stage:
        await begin(stage, stage.people["Ann"])
        before = len(stage.env.http_requests)
        for person in stage.people.values():
            await person.answer(right=True)
            await stage.pass_time(1)
        await stage.pass_time(12)
        sent = [
            (each.method, each.path) for each in stage.env.http_requests[before:] if "/interactions/" not in each.path
        ]
        assert {method for method, _ in sent} == {"PATCH"}
        assert len(sent) <= 20 / 5 + 1
        assert "8 of 8 got it right" in stage.last().text
        assert len(stage.requests("POST", "/messages$")) == 2


async def test_the_counter_is_right_when_it_comes_to_rest() -> None:
    async with staged(people=EIGHT) as stage:
        question = await begin(stage, stage.people["Ann"])
        for person in list(stage.people.values())[:7]:
            await person.answer(right=True)
            await stage.pass_time(0.3)
        await stage.pass_time(5)
        assert "7 answered" in question.text


async def test_each_is_told_right_or_wrong_by_sign_and_word_and_why() -> None:
    async with staged(*founding()) as stage:
        ann = stage.people["Ann"]
        await begin(stage, ann, FOUNDING)
        said = await ann.press("A")
        assert said.alone
        verdict, *reasons = said.text.splitlines()
        assert re.fullmatch(r"(✓ Right|✗ Wrong)\. You chose A\.", verdict)
        assert len("\n".join(reasons)) > 100
        assert said.shown.colour == (Colour.RIGHT if verdict.startswith("✓") else Colour.WRONG)


async def test_the_first_choice_counts() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann)
        await ann.press("B", question)
        for letter in "ABCD":
            said = await ann.press(letter, question)
            assert (said.alone, said.text) == (True, "You chose B; the first choice counts.")
        assert len(await stage.responses()) == 1


async def test_the_host_goes_on_and_ends_it_and_others_cannot() -> None:
    async with staged(people=("Ann", "Ben")) as stage:
        ann, ben, mia = stage.people["Ann"], stage.people["Ben"], stage.moderator("Mia")
        question = await begin(stage, ann)
        for said in (await ben.press("Next"), await ben.slash("next"), await ben.slash("stop")):
            assert (said.alone, said.text) == (True, "Only the host or a moderator can do this.")
        closed = await ann.press("Next")
        assert (closed.kind, closed.message, question.buttons) == ("update", question, ["Report"])
        await stage.pass_time(6)
        assert (await mia.slash("next")).alone
        stopped = await mia.slash("stop")
        assert (stopped.alone, stage.last().has("Again")) == (True, True)
        assert "Stopped early" in stage.last().text


async def test_feedback_after_each_question_is_first_only_noted() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await begin(stage, ann, Feedback="After each question")
        said = await ann.answer(right=True)
        assert re.fullmatch(r"Noted: [A-D]\.", said.text)
        assert "✓" not in question.text
        await ben.answer(right=False)
        await ann.press("Next")
        assert "1 of 2 got it right" in question.text


async def test_feedback_at_the_end_is_held_back_until_then() -> None:
    async with staged(people=("Ann",)) as stage:
        ann = stage.people["Ann"]
        questions = []
        await begin(stage, ann, Feedback="At the end")
        for _ in range(3):
            questions.append(stage.question())
            await ann.answer(right=True)
            if len(questions) == 1:
                await ann.press("Next")
            assert "Closed. The answers come at the end." in questions[-1].text
            await stage.pass_time(6)
        assert all("✓ right" in question.text for question in questions)
        assert "The answers now stand with the questions above." in stage.last().text


async def test_again_starts_the_same_quiz_and_another_quiz_shows_the_picker() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await begin(stage, ann)
        await ann.slash("stop")
        again = await ben.press("Again")
        assert not again.took
        assert "Host: Ben" in stage.last().text
        picker = await ann.press("Another quiz")
        assert "Choose a quiz" in picker.text
        await ann.press("1", picker.shown)
        await ben.press("Start")
        assert stage.question().text.startswith("Question 1 of 3")


async def test_a_second_start_is_told_where_the_first_one_is() -> None:
    async with staged() as stage:
        question = await begin(stage, stage.people["Ann"])
        said = await stage.people["Ben"].slash("quiz", quiz="colours")
        assert said.alone
        assert said.text == "A quiz is running here already, at question 1 of 3."
        assert f"/channels/{stage.guild.id}/{stage.here.id}/{question.id}" in said.shown.markdown


async def test_between_two_questions_it_runs_as_well() -> None:
    async with staged() as stage:
        await begin(stage, stage.people["Ann"])
        await stage.people["Ann"].press("Next")
        said = await stage.people["Ben"].slash("quiz", quiz="colours")
        assert said.text == "A quiz is running here already, at question 1 of 3."
        assert len(stage.public()) == 2


async def test_in_a_group_of_one_the_next_question_comes_when_it_has_been_read() -> None:
    async with staged(people=("Ann",)) as stage:
        await begin(stage, stage.people["Ann"])
        await stage.people["Ann"].press("Next")
        await stage.pass_time(6)
        for number in (2, 3):
            question = stage.question()
            await stage.people["Ann"].answer(right=True)
            if number == 2:
                assert question.has("A")
                await stage.people["Ann"].press("Next")
            assert "1 of 1 got it right" in question.text
            await stage.pass_time(6)
        assert stage.last().has("Again")


# Alone


async def test_alone_every_press_is_one_edit_of_the_card_and_nobody_waits() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        at = ann.direct
        await ann.slash("quiz", quiz="colours", at=at)
        card = stage.with_button("Start", at)
        begun = await ann.press("Start", at=at)
        assert (begun.kind, begun.message, card.text) == ("update", card, "Colours\nThe quiz has begun.")
        for number in (1, 2, 3):
            question = stage.question(at)
            assert question.text.startswith(f"Question {number} of 3")
            answered = await ann.answer(right=number < 3, at=at)
            assert (answered.kind, answered.message) == ("update", question)
            assert ("✓ Right." if number < 3 else "✗ Wrong.") in question.text
            assert question.colour == (Colour.RIGHT if number < 3 else Colour.WRONG)
            onward = await ann.press("Next" if number < 3 else "Show the results", question, at=at)
            assert onward.kind in ACKNOWLEDGED
            assert (begun.took, answered.took, onward.took) == (AT_ONCE,) * 3
        assert "You got 2 of 3 right." in stage.last(at).text
        assert stage.last(at).buttons == ["Again", "Another quiz", "Practise my mistakes"]
        assert stage.requests("PATCH", "/messages/") == []
        said = [seen.text for seen in stage.messages(at) if seen.ephemeral]
        assert said == ["The quiz is ready: press Start."], "said aside was more than what /quiz came to"


async def test_alone_a_question_can_be_skipped() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours", at=ann.direct)
        await ann.press("Start", at=ann.direct)
        question = stage.question(ann.direct)
        skipped = await ann.press("Skip", at=ann.direct)
        assert (skipped.kind, skipped.message) == ("update", question)
        assert "Not answered." in question.text


async def test_alone_it_is_stopped_without_a_moderator() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours", at=ann.direct)
        await ann.press("Start", at=ann.direct)
        said = await ann.slash("stop", at=ann.direct)
        assert (said.kind, said.text) == ("message", "The quiz has been stopped. Scores so far are kept.")
        assert stage.with_button("Again", ann.direct).text.startswith("Results")


# Time


@pytest.mark.parametrize(("pace", "limit"), [("Steady", 20), ("Brisk", 10)])
async def test_a_question_closes_when_its_time_is_over(pace: str, limit: int) -> None:
    async with staged() as stage:
        question = await begin(stage, stage.people["Ann"], Pace=pace)
        end = int(stage.clock.now().timestamp()) + limit
        assert f"Time: {limit} seconds · ⏳ <t:{end}:R>" in question.text
        await stage.people["Ann"].answer(right=True)
        await stage.pass_time(limit - 0.1)
        assert "Report" not in question.buttons
        await stage.pass_time(0.2)
        assert (question.buttons, "<t:" in question.text) == (["Report"], False)


async def test_without_a_clock_nothing_closes_by_itself() -> None:
    async with staged() as stage:
        question = await begin(stage, stage.people["Ann"], Pace="Relaxed")
        assert "<t:" not in question.text
        await stage.pass_time(150)
        assert question.has("A")
        closed = await stage.people["Ann"].press("Next")
        assert closed.message == question
        onward = await stage.people["Ann"].press("Next", question)
        assert not onward.took
        assert stage.question().text.startswith("Question 2 of 3")


async def test_after_two_silent_questions_it_waits_for_somebody() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await begin(stage, ann)
        await stage.pass_time(60)
        pause = stage.last()
        assert pause.buttons == ["Resume", "Stop"]
        before = len(stage.env.http_requests)
        await stage.pass_time(150)
        assert len(stage.env.http_requests) == before
        assert "paused here after question 2 of 3" in (await stage.people["Ben"].slash("quiz", quiz="colours")).text
        resumed = await ann.press("Resume", pause)
        assert (resumed.kind in ACKNOWLEDGED, resumed.took, pause.buttons) == (True, AT_ONCE, [])
        assert stage.question().text.startswith("Question 3 of 3")
        await ann.slash("stop")
        assert stage.last().has("Again")


async def test_a_pause_can_be_the_end() -> None:
    async with staged() as stage:
        await begin(stage, stage.people["Ann"])
        await stage.pass_time(60)
        stopped = await stage.people["Ann"].press("Stop")
        assert (stopped.kind in ACKNOWLEDGED, stopped.took, stopped.shown.buttons) == (True, AT_ONCE, [])
        assert "Stopped early, after 2 of 3 questions." in stage.last().text


async def test_after_a_stop_nothing_more_comes() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await begin(stage, ann)
        await ann.answer(right=True)
        await ann.slash("stop")
        before = len(stage.env.http_requests)
        await stage.pass_time(150)
        assert len(stage.env.http_requests) == before
        await begin(stage, ann)
        question = stage.question()
        await stage.pass_time(19)
        assert question.has("A")


async def test_a_press_after_the_close_is_too_late_and_kindly_told() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await begin(stage, ann)
        data = question.button("A").custom_id
        assert data is not None
        await ann.answer(right=True)
        await stage.pass_time(21)
        said = await ben.forge_press(data, question)
        assert said.alone
        assert said.text == "Sorry, that was too late: the question has closed already."
        assert len(await stage.responses()) == 1
