"""Sharing a quiz into any chat by writing the bot's name there, and what its links do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.quiz import LocalisedText, Quiz
from bot.words import languages, words_of
from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Person


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


def quizzes(count: int) -> list[Quiz]:
    return [
        replace(
            plain_quiz(), slug=f"quiz-{number}", title=LocalisedText({"en": f"Number {number}", "bg": f"№ {number}"})
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("language", languages())
async def test_a_quiz_is_shared_into_a_chat_without_the_bot_and_its_links_lead_back(
    server: BotApi, clock: VirtualClock, language: str
) -> None:
    ann, bob = server.person("Ann", language), server.person("Bob")
    elsewhere = server.supergroup("Elsewhere", [ann, bob], bot=None)
    words = words_of(language)
    async with playing(server, clock) as bot:
        results = await ann.inline("colours")
        assert [result.title for result in results] == ["Colours"]
        assert words.ngettext("{count} question", "{count} questions", 3) in results[0].description
        shared = await ann.send_inline(results[0], elsewhere)
        assert shared.text.startswith("Colours")
        alone, together = words.gettext("Play alone"), words.gettext("Play in a group")
        assert shared.keyboard == [[alone, together]]
        await bob.open(shared, alone)
        await bot.quiet()
        assert bob.private.last.keyboard == [["Start", "Settings"]]
        assert shared.button(together)["url"] == "https://t.me/quiz_test_bot?startgroup=quiz_colours"
        home = server.supergroup("Home", [bob], [bob], bot=None)
        home.add_bot(bob, payload="quiz_colours")
        await bot.quiet()
        assert home.last.keyboard == [["Start", "Settings"]]
        assert not shared.edits


async def test_a_search_finds_by_words_of_any_title_and_by_slug(
    server: BotApi, clock: VirtualClock, ann: Person
) -> None:
    async with playing(server, clock, *quizzes(12)):
        assert len(await ann.inline("")) == 12
        assert [found.title for found in await ann.inline("NUMBER 11")] == ["Number 11"]
        assert [found.title for found in await ann.inline("№ 7")] == ["Number 7"]
        assert [found.title for found in await ann.inline("quiz-3")] == ["Number 3"]
        assert await ann.inline("nothing like that") == []
        assert await ann.inline("x" * 256) == []


async def test_no_more_is_offered_than_telegram_takes(server: BotApi, clock: VirtualClock, ann: Person) -> None:
    async with playing(server, clock, *quizzes(60)):
        assert len(await ann.inline("")) == 50


async def test_a_search_that_came_too_late_stops_nothing(server: BotApi, clock: VirtualClock, ann: Person) -> None:
    async with playing(server, clock) as bot:
        server.fail("answerInlineQuery", 400, "Bad Request: query is too old and response timeout expired")
        await ann.ask("")
        await bot.quiet()
        assert len(await ann.inline("")) == 1


async def test_what_is_shared_into_a_chat_of_the_bot_is_no_command(
    server: BotApi, clock: VirtualClock, ann: Person
) -> None:
    group = server.supergroup("Study", [ann], [ann])
    async with playing(server, clock) as bot:
        results = await ann.inline("")
        await ann.send_inline(results[0], group)
        await ann.send_inline(results[0], ann.private)
        await bot.quiet()
    assert not server.calls("sendMessage")


async def test_a_forged_press_under_a_shared_card_is_answered(server: BotApi, clock: VirtualClock, ann: Person) -> None:
    elsewhere = server.supergroup("Elsewhere", [ann], bot=None)
    async with playing(server, clock) as bot:
        shared = await ann.send_inline((await ann.inline(""))[0], elsewhere)
        for data in ("1:q:colours", "1:a:s:0:0", "🙂", "x" * 64):
            await (await ann.press_data(shared, data)).answered()
        await bot.quiet()
    assert not server.calls("sendMessage")
