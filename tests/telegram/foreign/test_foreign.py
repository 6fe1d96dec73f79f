"""The same conversations as on our own server: alone, eight in a group, two groups, several right options, and what
goes wrong. Topics the foreign server does not have."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from adapters.telegram.adapter import opened
from adapters.telegram.chats import PLATFORM
from bot import present
from bot.clock import SystemClock
from bot.core.quiz import Quiz
from bot.library import Library
from bot.running import serving
from bot.storage.sqlite import open_sqlite
from tests.core.building import plain_quiz, question, quiz_of
from tests.telegram.foreign.node import missing
from tests.telegram.foreign.telegram import TOKEN, Foreign, Message, Person, foreign
from tests.telegram.playing import local_webhook
from tests.telegram.study import by_both

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"no foreign server: {missing()}")

GROUP = -1_000_000_000_042
ANN = Person(1, "Ann")
EIGHT = [ANN, *(Person(number, f"Player {number}") for number in range(2, 9))]
KNOWS = (0, 1, 1, 2, 2, 2, 3, 3)
"""How many of the three questions each of the eight answers rightly, the last ones."""

SEVERAL = quiz_of(question("s0", right=(0, 2)))


@dataclass(frozen=True, slots=True)
class Table:
    """A bot that serves one quiz in one chat, whose host is Ann."""

    telegram: Foreign
    chat: int
    database: Path

    async def write(self, text: str) -> None:
        await self.telegram.write(ANN, text, self.chat)

    async def press(self, message: Message, label: str, by: Person = ANN) -> str:
        """What the pop-up says."""
        return await self.telegram.told(await self.telegram.press(by, message, label))

    async def begin(self) -> Message:
        """Choose the quiz and start it; the first question."""
        await self.write("/quiz")
        await self.press(await self.shows("Choose a quiz"), "1")
        await self.press(await self.shows("Host", "Start"), "Start")
        return await self.shows("Question 1", "A")

    async def shows(self, text: str, label: str = "") -> Message:
        return await self.telegram.shows(self.chat, text, label)

    def responses(self) -> int:
        """How many are in the database."""
        with closing(sqlite3.connect(self.database)) as connection:
            found: int = connection.execute("SELECT COUNT(*) FROM response").fetchone()[0]
            return found


@asynccontextmanager
async def playing(chat: int, folder: Path, quiz: Quiz, *, webhook: bool = False) -> AsyncIterator[Table]:
    """On the clock of this machine: nothing in these conversations waits for a question's time to pass."""
    clock, database = SystemClock(), folder / "quizbot.sqlite3"
    store = await open_sqlite(str(database), [PLATFORM])
    try:
        async with (
            foreign() as telegram,
            opened(
                TOKEN,
                api_url=telegram.url,
                webhook=local_webhook(TOKEN, clock) if webhook else None,
                pictures=folder,
                clock=clock,
            ) as adapter,
            serving(
                store,
                Library([quiz]),
                clock,
                present.post,
                {PLATFORM: adapter.transport},
                Random(1),
                {PLATFORM: adapter.duties},
            ) as service,
        ):
            task = asyncio.create_task(adapter.run(service))
            begun = "setWebhook" if webhook else "getUpdates"
            try:
                await telegram.until(lambda: any(call["method"] == begun for call in telegram.calls), "it never began")
                yield Table(telegram, chat, database)
            finally:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
    finally:
        await store.close()


def options(message: Message, *numbers: int) -> list[str]:
    """The letters of the options with these numbers, in the order shown."""
    lines = re.sub(r"<[^>]*>", "", message.html).splitlines()
    found = (re.fullmatch(r"([A-D])\. \w+ (\d)", line) for line in lines)
    return [each[1] for each in found if each and int(each[2]) in numbers]


@by_both
async def test_alone_an_answer_turns_the_question_into_the_verdict_and_next(tmp_path: Path, *, webhook: bool) -> None:
    async with playing(ANN.id, tmp_path, plain_quiz(2), webhook=webhook) as table:
        await table.write("/quiz colours")
        await table.press(await table.shows("Colours", "Start"), "Start")
        asked = await table.shows("Question 1", "A")
        assert (await table.press(asked, options(asked, 0)[0])).startswith("✓ Right.")
        answered = await table.shows("✓ Right.", "Next")
        assert answered.id == asked.id
        await table.press(answered, "Next")
        await table.shows("Question 2", "A")
        assert table.responses() == 1


async def test_two_groups_at_once_do_not_touch_each_other(tmp_path: Path) -> None:
    async with playing(GROUP, tmp_path, plain_quiz(2)) as here:
        there = replace(here, chat=GROUP - 1)
        mine, yours = await asyncio.gather(here.begin(), there.begin())
        right, wrong = options(mine, 0)[0], options(yours, 1)[0]
        told = await asyncio.gather(here.press(mine, right), there.press(yours, wrong))
        assert [text[:1] for text in told] == ["✓", "✗"]
        await here.write("/stop")
        assert "1 of 1 right" in (await here.shows("Results")).html
        assert (await there.press(yours, options(yours, 0)[0], EIGHT[1])).startswith("✓ Right.")
        await there.write("/stop")
        assert "0 of 1 right" in (await there.shows("Results")).html
        assert here.responses() == 3


@by_both
async def test_eight_press_at_once_and_each_hears_their_own_verdict(tmp_path: Path, *, webhook: bool) -> None:
    async with playing(GROUP, tmp_path, plain_quiz(), webhook=webhook) as table:
        asked = await table.begin()
        for number in (1, 2, 3):
            presses = [
                await table.telegram.press(person, asked, options(asked, 0 if number > 3 - knows else 1)[0])
                for person, knows in zip(EIGHT, KNOWS, strict=True)
            ]
            told = [await table.telegram.told(press) for press in presses]
            assert [text.startswith("✓ Right.") for text in told] == [number > 3 - knows for knows in KNOWS]
            if number == 1:
                await table.write("/next")  # who is there is known from now on
            closed = await table.shows(f"{sum(number > 3 - knows for knows in KNOWS)} of 8 got it right")
            assert (closed.id, [label for label, _ in closed.buttons]) == (asked.id, ["Report"])
            await table.write("/next")
            if number < 3:
                asked = await table.shows(f"Question {number + 1}", "A")
        results = await table.shows("Results", "Again")
        assert all(person.name in results.html for person in EIGHT)
        assert table.responses() == 24


async def test_what_is_selected_is_told_to_the_chooser_alone_and_counts_when_it_is_sent(tmp_path: Path) -> None:
    async with playing(GROUP, tmp_path, SEVERAL) as table:
        asked = await table.begin()
        first, second = options(asked, 0, 2)
        assert await table.press(asked, second) == f"Selected: {second}. Press Send when done."
        assert await table.press(asked, first) == f"Selected: {first}, {second}. Press Send when done."
        assert await table.press(asked, first) == f"Selected: {second}. Press Send when done."
        await table.press(asked, first)
        assert await table.shows("Question 1", "A") == asked
        assert table.responses() == 0
        assert await table.press(asked, "Send") == f"✓ Right. You chose {first}, {second}."
        assert table.responses() == 1


async def test_a_full_chat_and_a_bad_gateway_only_delay_a_question(tmp_path: Path) -> None:
    async with playing(GROUP, tmp_path, plain_quiz()) as table:
        await table.write("/quiz colours")
        card = await table.shows("Host", "Start")
        await table.telegram.refuse("sendMessage", 429, "Too Many Requests: retry after 1", retry_after=1)
        await table.telegram.refuse("sendMessage", 502, "Bad Gateway")
        await table.press(card, "Start")
        await table.shows("Question 1", "A")
        assert len([each for each in await table.telegram.messages(GROUP) if "Question 1" in each.html]) == 1


async def test_a_press_that_cannot_be_acknowledged_any_more_counts(tmp_path: Path) -> None:
    async with playing(GROUP, tmp_path, plain_quiz()) as table:
        asked = await table.begin()
        old = "Bad Request: query is too old and response timeout expired or query ID is invalid"
        await table.telegram.refuse("answerCallbackQuery", 400, old)
        await table.press(asked, options(asked, 0)[0])
        assert table.responses() == 1
        chosen = options(asked, 0)[0]
        assert await table.press(asked, options(asked, 1)[0]) == f"You chose {chosen}; the first choice counts."


async def test_the_answer_of_a_deleted_question_comes_as_a_message_of_its_own(tmp_path: Path) -> None:
    async with playing(GROUP, tmp_path, plain_quiz()) as table:
        asked = await table.begin()
        await table.press(asked, options(asked, 0)[0])
        await table.telegram.refuse("editMessageText", 400, "Bad Request: message to edit not found")
        await table.write("/next")
        closed = await table.shows("1 of 1 got it right")
        assert closed.id != asked.id
