"""Practice on Telegram: what was missed in a group comes back, days later too, and whoever asks is reminded of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.clock import VirtualClock
from tests.core.building import plain_quiz
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Message, Person
from tests.telegram.study import MOMENT, Study, key_of, study_group

DAY = timedelta(days=1).total_seconds()
TEN = plain_quiz(10)
MISSED = frozenset({1, 4, 8})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "quizbot.sqlite3"


async def play(study: Study, person: Person, missed: frozenset[int] = frozenset()) -> None:
    """The whole quiz of the group; `person` misses the questions with these numbers."""
    await study.write(study.host, "/quiz colours")
    await study.press(study.host, "Start")
    while not study.last.said.text.startswith("Results"):
        await study.answer(person, right=number_of(study.question) not in missed)
        answered = study.last
        while study.last is answered:
            await study.bot.wait(1)


def number_of(question: Message) -> int:
    return int(question.said.text.partition("q")[2].partition("?")[0])


async def practised(bot: Playing, person: Person, *, right: bool = True) -> list[int]:
    """The numbers of the questions that practice brings, each answered so."""
    alone = Study(bot, person.private, person)
    asked: list[int] = []
    while ["A", "B", "C", "D"] in alone.last.keyboard:
        asked.append(number_of(alone.last))
        await alone.answer(person, right=right)
        await bot.wait(MOMENT)
        await alone.press(person, alone.last.keyboard[-1][0])
        await bot.wait(MOMENT)
    return asked


async def leap(bot: Playing, seconds: float) -> None:
    """So much time at once, in which nothing of interest happens."""
    await bot.quiet()
    bot.clock.advance(seconds)
    await bot.quiet()


async def test_what_was_missed_in_a_group_is_what_practice_brings_first_and_once_known_not_before_its_time(
    server: BotApi, clock: VirtualClock, path: Path
) -> None:
    ann = server.person("Ann")
    group = study_group(server, "Study", [ann])
    async with playing(server, clock, TEN, path=path) as bot:
        study = Study(bot, group, ann)
        await play(study, ann, MISSED)
        link = await study.press(ann, "Practise my mistakes", study.last)
        assert link == ""
        (answer,) = [pop_up for pop_up in ann.pop_ups if pop_up.url]
        await ann.follow(answer.url)
        await bot.quiet()
        asked = await practised(bot, ann)
        assert set(asked[:3]) == MISSED
        assert len(asked) == 10
    # Another process on the same file knows as much.
    async with playing(server, clock, TEN, path=path) as bot:
        await ann.write(ann.private, "/practice")
        await bot.quiet()
        assert "Nothing is due today." in ann.private.last.said.text
        await leap(bot, 3 * DAY)
        await ann.write(ann.private, "/practice")
        await bot.quiet()
        assert len(await practised(bot, ann)) == 10


async def test_a_missed_question_comes_back_after_three_others_in_the_same_evening(
    server: BotApi, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, TEN) as bot:
        await ann.start_bot("practice_colours")
        await bot.quiet()
        alone = Study(bot, ann.private, ann)
        first = number_of(alone.last)
        await alone.answer(ann, right=False)
        assert alone.last.keyboard[0] == ["Next", "Report"]
        await alone.press(ann, "Next")
        asked = [first, *await practised(bot, ann)]
        assert [at for at, number in enumerate(asked) if number == first] == [0, 4]
        assert len(asked) == 11
        assert "You got 9 of 10 right the first time." in alone.last.said.text


async def test_in_a_group_practice_says_where_it_is(server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    group = study_group(server, "Study", [ann])
    async with playing(server, clock, TEN) as bot:
        await ann.write(group, "/practice colours")
        await bot.quiet()
        assert "private chat" in group.last.said.text
        await ann.open(group.last, "Open the private chat")
        await bot.quiet()
        assert "Question 1 of 10" in ann.private.last.said.text


async def reminded(bot: Playing, ann: Person) -> None:
    """Ann has something due tomorrow and wants to be reminded of it."""
    await ann.start_bot("practice_colours")
    await bot.quiet()
    alone = Study(bot, ann.private, ann)
    await alone.answer(ann, right=False)
    await ann.write(ann.private, "/stop")
    await bot.wait(MOMENT)
    assert "I write to you in the evening" in await alone.press(ann, "Remind me")


async def test_a_reminder_comes_once_a_day_in_the_evening_and_one_button_ends_them(
    server: BotApi, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, TEN) as bot:
        await reminded(bot, ann)
        before = len(ann.private.messages)
        await leap(bot, 5 * 3600)  # from noon to 17:00: on a day on which she has answered nobody reminds her
        await leap(bot, 2 * 3600)
        assert len(ann.private.messages) == before
        await leap(bot, DAY - 5 * 3600)
        assert len(ann.private.messages) == before
        for _ in range(6):
            await leap(bot, 3600)
        assert [message.said.text.splitlines()[0] for message in ann.private.messages[before:]] == [
            "1 review is due today."
        ]
        await (await ann.press(ann.private.last, "No more reminders")).answered()
        await leap(bot, DAY)
        await leap(bot, DAY)
        assert len(ann.private.messages) == before + 1


async def test_a_reminder_that_somebody_who_blocked_the_bot_cannot_get_is_the_last(
    server: BotApi, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    async with playing(server, clock, TEN) as bot:
        await reminded(bot, ann)
        await ann.block()
        tried = len(server.calls("sendMessage", ann.private))
        for _ in range(3):
            await leap(bot, DAY + 3600 * 7 if not _ else DAY)
        assert len(server.calls("sendMessage", ann.private)) == tried + 1
        assert await bot.rows("SELECT reminders FROM preference WHERE reminders IS NOT NULL") == []


async def test_somebody_who_speaks_a_language_that_a_quiz_lacks_practises_it_in_the_one_it_has(
    server: BotApi, clock: VirtualClock
) -> None:
    ion = server.person("Ion", "ro")
    async with playing(server, clock, TEN) as bot:
        await ion.start_bot("practice_colours")
        await bot.quiet()
        said = ion.private.last.said.text
        assert "Întrebarea 1 din 10" in said
        assert "engleză" in said
        assert key_of(ion.private.last)
