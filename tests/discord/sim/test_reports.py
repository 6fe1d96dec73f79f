"""Reporting a question by the menu of its message."""

from __future__ import annotations

from simcord.enums import InteractionType

from tests.discord.sim import outside
from tests.discord.sim.stage import staged
from tests.discord.sim.test_sessions import begin

WHAT, WORDS = "What is wrong with this question?", "In your own words (optional)"
THANKS = "Thank you! Whoever looks after the quizzes will see your report."


async def test_a_question_is_reported_with_a_reason_and_words() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        question = await begin(stage, stage.people["Ann"])
        form = await ben.report(question)
        assert (form.title, [field.label for field in form.fields]) == ("Report a question", [WHAT, WORDS])
        sent = await ben.send_form(form, {WHAT: "There is a typo", WORDS: "q0 <b>@everyone"})
        assert (sent.alone, sent.text) == (True, THANKS)
        (report,) = await stage.store.reports()
        assert (report.question_id, report.reason.value, report.text) == ("q0", "typo", "q0 <b>@everyone")
        assert question.text.startswith("Question 1 of 3")


async def test_a_second_report_takes_the_place_of_the_first_and_says_so() -> None:
    async with staged() as stage:
        ben, cleo = stage.people["Ben"], stage.person("Cleo")
        question = await begin(stage, stage.people["Ann"])
        await ben.send_form(await ben.report(question), {WHAT: "There is a typo"})
        again = await ben.send_form(await ben.report(question), {WHAT: "The question is unclear"})
        assert again.text == "Your report about this question has been changed."
        await cleo.send_form(await cleo.report(question), {WHAT: "Something else", WORDS: "no blue"})
        assert sorted(report.reason.value for report in await stage.store.reports()) == ["other", "unclear"]


async def test_a_closed_question_and_one_of_last_week_can_be_reported() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann)
        await ann.press("Next")
        assert (await ann.report(question)).title == "Report a question"
        await ann.slash("stop")
        await stage.restart(away=7 * 86_400)
        sent = await ann.send_form(await ann.report(question), {WHAT: "There is a typo"})
        assert sent.text == THANKS


async def test_what_is_no_question_cannot_be_reported() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        written = await ben.member(stage.guild).send(stage.here, "Who is there?")
        await ann.slash("quiz", quiz="colours")
        menu = ann.member(stage.guild).context_menu
        result = await stage.happens(menu(stage.here, "Report question", written))
        assert result.response is not None
        assert result.response.ephemeral
        card = await ann.report(stage.last())
        assert card.alone
        assert "not one of my questions" in card.text


async def test_in_private_a_question_can_be_reported_too() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours", at=ann.direct)
        await ann.press("Start", at=ann.direct)
        # The simulator has no menus in private.
        data = outside.menu_of_message(stage.env, "Report question", stage.question(ann.direct))
        form = await ann.forge(InteractionType.APPLICATION_COMMAND, data, ann.direct)
        sent = await ann.send_form(form, {WHAT: "There is a typo"}, at=ann.direct)
        assert sent.text == THANKS


async def test_a_form_without_a_reason_or_words_is_answered() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        form = await ben.report(await begin(stage, stage.people["Ann"]))
        assert [bool(field.chosen) for field in form.fields] == [False, False]
        sent = await ben.send_form(form, {WHAT: "Something else"})
        assert sent.text == THANKS


async def test_a_closed_question_has_a_button_for_it_and_moderators_read_the_reports_without_names() -> None:
    async with staged() as stage:
        ann, ben, mia = stage.people["Ann"], stage.people["Ben"], stage.moderator("Mia")
        question = await begin(stage, ann)
        await ann.press("Next")
        form = await ben.press("Report", question)
        sent = await ben.send_form(form, {WHAT: "There is a typo", WORDS: "a word is missing"})
        assert (sent.alone, sent.text) == (True, THANKS)
        board = await mia.slash("stats")
        assert board.alone
        listed = await mia.press("What was reported", board.shown)
        assert "There is a typo: “a word is missing”" in listed.text
        assert "Ben" not in listed.text
        said = await ann.slash("stats")
        assert (said.alone, said.shown.buttons) == (True, ["Open the private chat"])
