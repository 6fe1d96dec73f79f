"""One's own data on Discord: files and pictures that go to one person alone, and the end of everything about them."""

from __future__ import annotations

import json

import pytest

from adapters.discord.chats import PLATFORM
from bot.charts import Chart
from bot.drawing import painted
from tests.discord.server.components import Kind, walk
from tests.discord.sim.seen import Said
from tests.discord.sim.stage import Stage, staged
from tests.discord.sim.test_sessions import begin
from tests.playing import PAINTED

CALLBACK = "/interactions/*/callback"
FILE, PICTURE = "quizbot-data.json", "progress.png"
HERE_IT_IS = "Here is everything that is stored about you."


def files(said: Said) -> list[str]:
    """The names of the files that are there to be taken."""
    parts = walk(said.shown.stored.components)
    return [part["file"]["url"].rsplit("/", 1)[-1] for part in parts if part["type"] == Kind.FILE]


def uploaded(stage: Stage, said: Said) -> bytes:
    """What the only file of an answer holds."""
    (attachment,) = said.shown.stored.attachments
    found = stage.env.backend.cdn.get(attachment["url"])
    assert found is not None
    return found


async def play(stage: Stage) -> None:
    """A question in the channel that Ann and Ben answer, and the end."""
    await begin(stage, stage.people["Ann"])
    await stage.people["Ann"].answer(right=True)
    await stage.people["Ben"].answer(right=False)
    await stage.people["Ann"].slash("stop")
    await stage.pass_time(5)


# A copy


async def test_a_copy_of_ones_data_is_a_json_file_in_private() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        await play(stage)
        said = await ben.slash("export", at=ben.direct)
        assert files(said) == [FILE]
        assert said.text.startswith(HERE_IT_IS)
        copy = json.loads(uploaded(stage, said))
        assert copy["person"] == f"{PLATFORM}:{ben.id}"
        assert [row["question"] for row in copy["tables"]["response"]] == ["q0"]
        assert [row["question"] for row in copy["tables"]["memory"]] == ["q0"]


@pytest.mark.parametrize("command", ["export", "forget"])
async def test_in_a_group_ones_data_is_pointed_to_in_private_and_nothing_is_told(command: str) -> None:
    async with staged() as stage:
        await play(stage)
        said = await stage.people["Ben"].forge_command(command)
        assert (said.alone, said.shown.buttons) == (True, ["Open the private chat"])
        assert said.shown.stored.attachments == []


async def test_where_discord_refuses_a_copy_it_is_said_that_there_is_none() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        await play(stage)
        stage.env.inject_error("POST", CALLBACK, status=413, code=40005, message="Request entity too large")
        said = await ben.slash("export", at=ben.direct)
        assert said.text.startswith("The file with your data could not be sent.")
        assert files(said) == []


# A picture


async def test_statistics_show_a_picture_with_its_words_and_go_to_one_person() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        await play(stage)
        said = await ben.slash("stats", at=ben.direct)
        ((name, words),) = said.shown.pictures
        assert name == PICTURE
        assert words.startswith("Answers, the last 30 days (right of all): today: 0 of 1.")
        assert uploaded(stage, said) == PAINTED
        assert "So far 1 answer, 0 right (0%)." in said.text


async def test_a_picture_that_is_drawn_is_one() -> None:
    pytest.importorskip("matplotlib.figure")
    async with staged(paint=painted) as stage:
        ben = stage.people["Ben"]
        await play(stage)
        picture = uploaded(stage, await ben.slash("stats", at=ben.direct))
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(picture) > len(PAINTED)


async def test_statistics_whose_picture_cannot_be_drawn_are_told_in_words() -> None:
    def paint(_: Chart) -> bytes:
        raise ValueError("no such letter")

    async with staged(paint=paint) as stage:
        ben = stage.people["Ben"]
        await play(stage)
        said = await ben.slash("stats", at=ben.direct)
        assert "So far 1 answer, 0 right (0%)." in said.text
        assert said.shown.pictures == []


async def test_statistics_whose_picture_is_refused_are_told_in_words() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        await play(stage)
        stage.env.inject_error("POST", CALLBACK, status=403, code=50013, message="Missing Permissions")
        said = await ben.slash("stats", at=ben.direct)
        assert "So far 1 answer, 0 right (0%)." in said.text
        assert said.shown.pictures == []


async def test_what_is_pressed_under_a_picture_answers_in_a_message_of_its_own() -> None:
    async with staged() as stage:
        ben = stage.people["Ben"]
        await play(stage)
        said = await ben.slash("stats", at=ben.direct)
        board = await ben.press("Leaderboard", said.shown, at=ben.direct)
        assert board.text.startswith("Leaderboard")
        assert (board.shown.pictures, files(board)) == ([], [])


# The end


async def test_whoever_is_forgotten_in_the_middle_of_a_session_is_gone_and_it_goes_on() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        question = await begin(stage, ann)
        await ann.answer(right=True)
        await ben.answer(right=False)
        await ben.slash("settings", city="Sofia", at=ben.direct)
        asked = await ben.slash("forget", at=ben.direct)
        kept = await ben.press("Keep it", asked.shown, at=ben.direct)
        assert kept.text == "Nothing was deleted."
        assert len(await stage.responses()) == 2
        asked = await ben.slash("forget", at=ben.direct)
        done = await ben.press("Delete everything", asked.shown, at=ben.direct)
        assert done.text.startswith("✓ Everything about you is deleted.")
        assert not any((await stage.store.everything_about(f"{PLATFORM}:{ben.id}")).values())
        await ann.press("Next")
        assert "of 2 got it right" in question.text, "the count is of nobody"
        await stage.pass_time(10)
        await ann.answer(right=True)
        await ann.slash("stop")
        results = stage.last().text
        assert "Ann" in results
        assert "Ben" not in results
        assert (await ben.slash("export", at=ben.direct)).text == "Nothing is stored about you."


async def test_whoever_was_forgotten_can_begin_anew_in_the_same_session() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await begin(stage, ann)
        await ben.answer(right=True)
        asked = await ben.slash("forget", at=ben.direct)
        await ben.press("Delete everything", asked.shown, at=ben.direct)
        await ann.press("Next")
        await stage.pass_time(10)
        await ben.answer(right=True)
        await ann.slash("stop")
        assert "Ben" in stage.last().text
