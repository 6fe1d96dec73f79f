"""Components and commands that are old, made up, or of another session or place: one private line, no change."""

from __future__ import annotations

import pytest
from simcord.enums import InteractionType

from tests.discord.sim import outside
from tests.discord.sim.quizzes import SEVERAL
from tests.discord.sim.stage import Stage, staged
from tests.discord.sim.test_sessions import begin

OLD = "This button is from an older message and no longer works; /quiz brings new ones."

NOWHERE = {"channel": None, "channel_id": None}

MADE_UP = (
    *("a", "a:1:99999:-1", "1:a:nosuch:0:0", "1:a:nosuch:999999:999999", "1:a::0:0", "2:a:s:0:0", "1:z:s", "1:"),
    *("1:select:0", "1:text:0", "x" * 65, "x" * 100, "🎲" * 32, "1:a:\u202e:0:0", "1:o:thread:2", "1:o:id:5", "1:k:xx"),
    *(
        "1:q:no-such-quiz",
        "1:p:999999",
        "1:g:nosuch",
        "1:b:nosuch",
        "1:x:nosuch",
        "1:w:nosuch:0:",
        "{0.__class__}",
        "%s",
    ),
)


async def state(stage: Stage) -> list[object]:
    tables = ("session", "player", "response", "outbox", "preference")
    return [await stage.rows(f"SELECT * FROM {table} ORDER BY 1") for table in tables]  # noqa: S608  # named above


async def test_whatever_a_button_says_it_gets_one_private_line_and_changes_nothing() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        question = await begin(stage, stage.people["Ann"])
        await stage.people["Ann"].answer(right=True)
        await stage.pass_time(5)
        before, text = await state(stage), question.text
        for data in MADE_UP:
            said = await ben.forge_press(data, question)
            assert said.alone, (data, said.kind)
            assert said.text.strip(), data
        assert (await state(stage), question.text) == (before, text)


@pytest.mark.parametrize(
    "values", [("a",), ("1:a:nosuch:0:0", "1:a:nosuch:0:1"), ("1:t:nosuch:0:0",) * 25, ("🎲",), ("1:x:nosuch", "1:p:1")]
)
async def test_whatever_a_list_says_it_gets_one_private_line(values: tuple[str, ...]) -> None:
    async with staged(SEVERAL) as stage:
        question = await begin(stage, stage.people["Ann"], "several")
        data = outside.chosen("1:select:0", *values)
        said = await stage.people["Ben"].forge(InteractionType.MESSAGE_COMPONENT, data, on=question)
        assert said.alone
        assert said.text.strip()
        assert await stage.responses() == []


@pytest.mark.parametrize("data", ["1:c:nosuch::0", "1:w:nosuch:0:", "1:a:nosuch:0:0", "nonsense", "x" * 100])
async def test_whatever_a_form_is_for_it_gets_one_private_line(data: str) -> None:
    async with staged() as stage:
        question = await begin(stage, stage.people["Ann"])
        filled = {
            "custom_id": data,
            "components": [
                {"type": 18, "id": 1, "component": {"type": 4, "id": 2, "custom_id": "x", "value": "y" * 4000}}
            ],
        }
        for on in (question, None):
            said = await stage.people["Ben"].forge(InteractionType.MODAL_SUBMIT, filled, on=on)
            assert said.alone
            assert said.text.strip()


async def test_a_button_of_last_weeks_quiz_is_answered_kindly() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        old = await begin(stage, ann)
        data = old.button("A").custom_id or ""
        await ann.slash("stop")
        await begin(stage, ann)
        said = await ann.forge_press(data, old)
        assert said.alone
        assert said.text in ("This quiz is over.", "This button belongs to another quiz.")
        assert await stage.responses() == []


async def test_a_button_of_another_channel_changes_nothing_here() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann)
        data = question.button("A").custom_id or ""
        there = stage.guild.create_text_channel("other")
        here, stage.here = stage.here, there
        elsewhere = await begin(stage, ann)
        said = await ann.forge_press(data, elsewhere)
        assert (said.alone, said.text) == (True, "This button belongs to another quiz.")
        stage.here = here
        assert await stage.responses() == []


async def test_a_press_that_is_brought_twice_counts_once_and_a_next_goes_on_once() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann, Pace="Relaxed")
        for label in ("A", "Next", "Next"):
            data = outside.pressed(question.button(label).custom_id or "")
            said = await ann.forge(InteractionType.MESSAGE_COMPONENT, data, on=question, times=2)
            assert said.kind is not None
        assert len(await stage.responses()) == 1
        assert stage.question().text.startswith("Question 2 of 3")


async def test_a_start_that_is_brought_twice_starts_one_quiz() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        data = outside.command(stage.env, "quiz", quiz="colours")
        await ann.forge(InteractionType.APPLICATION_COMMAND, data, times=2)
        assert [seen.has("Start") for seen in stage.public()] == [True]
        assert await stage.rows("SELECT count(*) FROM session") == [(1,)]


async def test_settings_and_pickers_cannot_be_forged_into_messages_of_others() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann)
        text = question.text
        for data in ("1:p:0", "1:o:pace:brisk", "1:k:bg"):
            said = await stage.people["Ben"].forge_press(data, question)
            assert said.alone
        assert question.text == text


@pytest.mark.parametrize("name", ["leaderboard", "dance", "start", "quiz2", "настройки"])
async def test_a_command_that_is_none_any_more_is_answered(name: str) -> None:
    async with staged() as stage:
        said = await stage.people["Ann"].forge_command(name)
        assert said.alone or name == "start"
        assert said.text.strip()


async def test_a_command_of_another_version_is_answered() -> None:
    async with staged() as stage:
        said = await stage.people["Ann"].forge_command("quiz", title="colours")
        assert said.alone
        assert "Choose a quiz" in said.text


async def test_a_quiz_may_be_asked_for_by_anything() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        for wanted in (
            "..",
            "constructor",
            "__proto__",
            "a/b",
            "🎲" * 32,
            "@everyone",
            "x" * 6000,
            "<@1>",
            "%s",
        ):
            said = await ann.slash("quiz", quiz=wanted)
            assert said.alone, wanted
            assert "There is no quiz" in said.text
            assert not said.shown.pinged
        assert await stage.rows("SELECT * FROM session") == []


async def test_an_interaction_from_nobody_or_nowhere_is_answered_and_harms_nothing() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        question = await begin(stage, ann)
        data = outside.pressed(question.button("A").custom_id or "")
        robot = stage.person("Robot")
        robot.user._user.bot = True
        said = await robot.forge(InteractionType.MESSAGE_COMPONENT, data, on=question)
        assert (said.alone, bool(said.text)) == (True, True)
        await ann.forge(InteractionType.MESSAGE_COMPONENT, data, on=question, otherwise=NOWHERE)
        assert await stage.responses() == []
        assert (await ann.press("A", question)).alone
