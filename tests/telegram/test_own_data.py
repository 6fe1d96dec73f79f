"""One's own data on Telegram: a file, an end, a picture, and what to say of a question, each in private alone."""

from __future__ import annotations

import json

import pytest

from bot.charts import Chart
from bot.drawing import painted
from tests.clock import VirtualClock
from tests.core.building import LIMIT, plain_quiz
from tests.playing import PAINTED
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import MOMENT, Study, study_group

NAME = "Zaphod Beeblebrox"


async def texts(bot: Playing) -> list[str]:
    """Every text that is stored anywhere."""
    tables = await bot.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    return [
        value
        for (table,) in tables
        for row in await bot.rows(f'SELECT * FROM "{table}"')  # noqa: S608  # the names are those of the database
        for value in row
        if isinstance(value, str)
    ]


async def about(bot: Playing, person: Person) -> list[str]:
    """What is stored that tells of somebody."""
    return [text for text in await texts(bot) if person.name in text or f"telegram:{person.id}" in text]


async def alone(bot: Playing, person: Person, words: str) -> Study:
    """Somebody writes this to the bot."""
    study = Study(bot, person.private, person)
    await study.write(person, words)
    await bot.wait(MOMENT)
    return study


@pytest.fixture
def zaphod(server: BotApi) -> Person:
    return server.person(NAME)


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person("Bob")


@pytest.fixture
def group(server: BotApi, zaphod: Person, bob: Person) -> Group:
    return study_group(server, "Study", [zaphod, bob])


async def test_an_export_is_a_file_that_programs_can_read_in_the_private_chat_alone(
    server: BotApi, clock: VirtualClock, zaphod: Person, bob: Person, group: Group
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, zaphod)
        await study.begin()
        await study.everyone([zaphod, bob])
        await study.write(zaphod, "/stop")
        await study.write(zaphod, "/export")
        assert study.last.image is None
        await zaphod.open(study.last, "Open the private chat")
        await bot.wait(MOMENT)
        sent = zaphod.private.last
        assert sent.image is not None
        assert (sent.image.kind, sent.image.name) == ("document", "quizbot-data.json")
        assert sent.said.text.startswith("Here is everything that is stored about you.")
        written = sent.image.content.decode()
        assert NAME in written
        assert "Bob" not in written
        assert json.loads(written)
    assert not server.calls("sendDocument", group)


async def test_somebody_is_forgotten_in_mid_quiz_and_the_quiz_goes_on(
    server: BotApi, clock: VirtualClock, zaphod: Person, bob: Person, group: Group
) -> None:
    async with playing(server, clock, plain_quiz(2)) as bot:
        study = Study(bot, group, bob)
        await study.begin()
        await study.everyone([zaphod, bob])
        asked = await alone(bot, zaphod, "/forget")
        assert asked.last.said.text.startswith("Delete all your data?")
        assert await about(bot, zaphod)
        await asked.press(zaphod, "Delete everything")
        assert "Everything about you is deleted." in asked.last.said.text
        assert await about(bot, zaphod) == []
        assert await about(bot, bob)
        await bot.wait(LIMIT)
        assert "2 of 2 got it right" in study.texts[1]
        await bot.wait(LIMIT)
        assert study.question.said.text.startswith("Question 2 of 2")
        assert (await study.answer(bob)).startswith("✓")
        await bot.wait(2 * LIMIT)
        results = study.last.said.text
        assert "Bob — 2 of 2 right" in results
        assert NAME not in results
        assert await about(bot, zaphod) == []


async def test_nothing_is_deleted_before_somebody_is_sure_nor_by_anybody_else(
    server: BotApi, clock: VirtualClock, zaphod: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        await alone(bot, zaphod, "/quiz colours")
        asked = await alone(bot, zaphod, "/forget")
        data = asked.last.button("Delete everything")["callback_data"]
        forged = await bob.press_data((await alone(bot, bob, "/quiz colours")).last, data)
        await forged.answered()
        assert await about(bot, zaphod)
        assert await about(bot, bob)
        await asked.press(zaphod, "Keep it")
        assert await about(bot, zaphod)


async def test_statistics_are_a_picture_with_their_words_and_its_buttons_bring_messages_of_their_own(
    server: BotApi, clock: VirtualClock, zaphod: Person
) -> None:
    async with playing(server, clock) as bot:
        study = await alone(bot, zaphod, "/practice colours")
        await study.answer(zaphod)
        await study.write(zaphod, "/stop")
        await alone(bot, zaphod, "/stats")
        shown = zaphod.private.last
        assert shown.photo == PAINTED
        assert shown.said.text.startswith("Your statistics")
        await study.press(zaphod, "Leaderboard", shown)
        await bot.wait(5)  # the edit that was tried takes its place in the chat's second, too
        assert not zaphod.private.last.image
        assert zaphod.private.last.said.text.startswith("Leaderboard")
        assert shown.said.text.startswith("Your statistics")


async def test_a_picture_that_is_drawn_is_one(server: BotApi, clock: VirtualClock, zaphod: Person) -> None:
    pytest.importorskip("matplotlib.figure")
    async with playing(server, clock, paint=painted) as bot:
        study = await alone(bot, zaphod, "/practice colours")
        await study.answer(zaphod)
        await alone(bot, zaphod, "/stats")
        drawn = zaphod.private.last.photo
        assert drawn is not None
        assert drawn.startswith(PAINTED[:8])
        assert len(drawn) > len(PAINTED)


async def test_where_no_picture_can_be_drawn_its_words_go_alone(
    server: BotApi, clock: VirtualClock, zaphod: Person
) -> None:
    def paint(_: Chart) -> bytes:
        raise ValueError("no such letter")

    async with playing(server, clock, paint=paint) as bot:
        study = await alone(bot, zaphod, "/practice colours")
        await study.answer(zaphod)
        await alone(bot, zaphod, "/stats")
        assert zaphod.private.last.image is None
        assert "So far 1 answer, 1 right (100%)." in zaphod.private.last.said.text


async def test_where_a_file_cannot_go_its_words_go_alone(server: BotApi, clock: VirtualClock, zaphod: Person) -> None:
    async with playing(server, clock) as bot:
        study = await alone(bot, zaphod, "/practice colours")
        await study.answer(zaphod)
        server.fail("sendPhoto", 400, "Bad Request: PHOTO_INVALID_DIMENSIONS", chat=zaphod.private)
        await alone(bot, zaphod, "/stats")
        assert zaphod.private.last.image is None
        assert zaphod.private.last.said.text.startswith("Your statistics")


async def test_a_copy_that_cannot_go_is_not_said_to_be_there(
    server: BotApi, clock: VirtualClock, zaphod: Person
) -> None:
    async with playing(server, clock) as bot:
        await alone(bot, zaphod, "/quiz colours")
        server.fail("sendDocument", 400, "Bad Request: DOCUMENT_INVALID", chat=zaphod.private)
        await alone(bot, zaphod, "/export")
        assert zaphod.private.last.image is None
        assert zaphod.private.last.said.text.startswith("The file with your data could not be sent.")
        await alone(bot, zaphod, "/export")
        assert zaphod.private.last.image


async def test_a_closed_question_is_reported_in_private_and_counted_for_the_moderators(
    server: BotApi, clock: VirtualClock, zaphod: Person, bob: Person
) -> None:
    group = server.supergroup("Study", [zaphod, bob], [bob])
    async with playing(server, clock) as bot:
        study = Study(bot, group, bob)
        question = await study.begin()
        await study.answer(zaphod)
        await study.press(bob, "Next", question)
        await study.press(zaphod, "Report", question)
        address = zaphod.pop_ups[-1].url
        assert address
        await zaphod.follow(address)
        await bot.wait(MOMENT)
        asked = zaphod.private.last
        assert asked.said.text.startswith("What is wrong with this question?")
        await (await zaphod.press(asked, "There is a typo")).answered()
        await bot.wait(MOMENT)
        assert zaphod.private.last.said.text.startswith("Thank you!")
        assert not zaphod.private.last.keyboard
        await study.write(bob, "/stats")
        await study.press(bob, "What was reported")
        assert "There is a typo" in study.last.said.text
        assert NAME not in study.last.said.text
