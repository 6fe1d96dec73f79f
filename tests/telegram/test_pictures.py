"""Questions with a picture: under it where the words fit, after it where not, in words where it cannot be shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.quiz import Image, Quiz
from tests.clock import VirtualClock
from tests.core.building import LIMIT, plain_quiz, text
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import Study, by_both

PNG = b"\x89PNG\r\n\x1a\n and so on"
GIF = b"GIF89a and so on"
WORDS = "[A falling curve]"


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    (tmp_path / "curve.png").write_bytes(PNG)
    (tmp_path / "curve.gif").write_bytes(GIF)
    return tmp_path


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def group(server: BotApi, ann: Person) -> Group:
    return server.supergroup("Study", [ann], [ann])


def pictured(path: str = "curve.png", *, stem: str = "q0?") -> Quiz:
    """The plain quiz with a picture in its first question."""
    quiz = plain_quiz()
    first = replace(quiz.questions[0], image=Image(path, text("A falling curve")), stem=text(stem))
    return replace(quiz, questions=(first, *quiz.questions[1:]))


@by_both
async def test_a_question_under_its_picture_closes_there(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, pictures: Path, *, webhook: bool
) -> None:
    async with playing(server, clock, pictured(), pictures=pictures, webhook=webhook) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        assert asked.photo == PNG
        assert (asked.caption or "").startswith("Question 1 of 3\n\nq0?")
        assert (await study.answer(ann)).startswith("✓")
        await bot.wait(LIMIT)
        assert asked.photo == PNG
        assert "1 of 1 got it right" in (asked.caption or "")
        assert asked.keyboard == [["Report"]]
        assert [message.photo for message in study.messages] == [None, PNG]


async def test_a_question_too_long_for_a_caption_follows_its_picture(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, pictures: Path
) -> None:
    async with playing(server, clock, pictured(stem="Why? " * 200), pictures=pictures) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        assert study.messages[-2].photo == PNG
        assert study.messages[-2].caption == "A falling curve"
        assert asked.text.count("Why?") == 200
        await study.answer(ann)
        await bot.wait(asked_seconds(asked.text))
        assert "1 of 1 got it right" in asked.text


def asked_seconds(said: str) -> int:
    """The limit that a question says."""
    line = next(line for line in said.splitlines() if line.startswith("Time: "))
    numbers = [int(word) for word in line.split() if word.isdigit()]
    return numbers[0] * 60 + numbers[1] if len(numbers) > 1 else numbers[0] * (60 if "minute" in line else 1)


@pytest.mark.parametrize("refusal", ["not enough rights to send photos to the chat", "PHOTO_INVALID_DIMENSIONS"])
async def test_where_a_picture_is_refused_the_question_is_asked_with_it_in_words(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, pictures: Path, refusal: str
) -> None:
    async with playing(server, clock, pictured(), pictures=pictures) as bot:
        server.fail("sendPhoto", 400, f"Bad Request: {refusal}")
        study = Study(bot, group, ann)
        asked = await study.begin()
        assert asked.photo is None
        assert WORDS in asked.text
        assert (await study.answer(ann)).startswith("✓")
        await bot.wait(LIMIT)
        assert WORDS in asked.text
        assert "1 of 1 got it right" in asked.text
    assert len(server.calls("sendPhoto")) == 1


@pytest.mark.parametrize("fate", ["missing", "other", "outside"])
async def test_a_picture_that_is_no_longer_there_keeps_no_question_from_being_asked(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, pictures: Path, fate: str
) -> None:
    if fate == "missing":
        (pictures / "curve.png").unlink()
    if fate == "other":
        (pictures / "curve.png").write_text("no picture any more")
    async with playing(
        server, clock, pictured("../x.png" if fate == "outside" else "curve.png"), pictures=pictures
    ) as bot:
        asked = await Study(bot, group, ann).begin()
        assert WORDS in asked.text
    assert not server.calls("sendPhoto")


async def test_a_moving_picture_moves(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, pictures: Path
) -> None:
    async with playing(server, clock, pictured("curve.gif"), pictures=pictures) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        assert asked.image is not None
        assert asked.image.moving
        await study.answer(ann)
        await bot.wait(LIMIT)
        assert "1 of 1 got it right" in (asked.caption or "")
    assert not server.calls("sendPhoto")


async def test_a_pictured_question_that_was_deleted_has_its_result_said_anew(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, pictures: Path
) -> None:
    async with playing(server, clock, pictured(), pictures=pictures) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        await study.answer(ann)
        await bot.wait(6)
        group.delete_message(asked)
        await bot.wait(LIMIT)
        assert len([message for message in study.messages if "1 of 1 got it right" in message.said.text]) == 1


async def test_alone_the_verdict_stands_under_the_picture(
    server: BotApi, clock: VirtualClock, ann: Person, pictures: Path
) -> None:
    async with playing(server, clock, pictured(), pictures=pictures) as bot:
        study = Study(bot, ann.private, ann)
        asked = await study.begin()
        await study.answer(ann, right=False)
        await bot.wait(2)
        assert "✗ Wrong." in (asked.caption or "")
        assert asked.keyboard == [["Next", "Report"]]
        await study.press(ann, "Next", asked)
        assert study.question.photo is None
