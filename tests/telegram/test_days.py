"""Days of practice on Telegram: they begin at four in the morning where somebody is, also on the way and in the nights
in which clocks change."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.clock import VirtualClock
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Person
from tests.telegram.study import MOMENT, Study

WINTER = datetime(2025, 3, 3, 12, tzinfo=UTC)
NOTHING, ALL = "Nothing is due today.", "Question 1 of 3"


async def asked(bot: Playing, person: Person, words: str) -> str:
    """What the bot says to this."""
    await bot.wait(MOMENT)
    await person.write(person.private, words)
    await bot.quiet()
    return person.private.last.said.text


async def at(bot: Playing, moment: datetime) -> None:
    """Let all the time until then pass at once."""
    await bot.quiet()
    bot.clock.advance((moment - bot.clock.now()).total_seconds())
    await bot.quiet()


async def practise(bot: Playing, person: Person) -> None:
    """Know all three questions of the quiz: they are due again on the second day after this one."""
    assert (await asked(bot, person, "/practice colours")).startswith(ALL)
    alone = Study(bot, person.private, person)
    while ["A", "B", "C", "D"] in alone.last.keyboard:
        await alone.answer(person)
        await bot.wait(MOMENT)
        await alone.press(person, alone.last.keyboard[0][0])
        await bot.wait(MOMENT)


async def is_due_from(bot: Playing, person: Person, moment: datetime) -> None:
    """Five seconds before, nothing is due; then all of it is."""
    await at(bot, datetime.fromtimestamp(moment.timestamp() - 5, UTC))
    assert (await asked(bot, person, "/practice")).startswith(f"{NOTHING}\nNext: 3 reviews tomorrow.")
    await at(bot, moment)
    assert (await asked(bot, person, "/practice")).startswith(ALL)


@pytest.mark.parametrize(
    ("practised", "due"),
    [
        (datetime(2025, 3, 4, 1, 30, tzinfo=UTC), datetime(2025, 3, 5, 2, tzinfo=UTC)),
        (datetime(2025, 3, 4, 2, 1, tzinfo=UTC), datetime(2025, 3, 6, 2, tzinfo=UTC)),
    ],
    ids=["half past three", "a minute past four"],
)
async def test_whoever_is_up_late_practises_on_the_evening_before(practised: datetime, due: datetime) -> None:
    clock = VirtualClock(WINTER)
    async with BotApi(clock) as server:
        ann = server.person("Ann")
        async with playing(server, clock) as bot:
            await asked(bot, ann, "/settings Sofia")
            await at(bot, practised)
            await practise(bot, ann)
            await is_due_from(bot, ann, due)


async def test_whoever_has_travelled_three_hours_west_has_the_same_reviews_three_hours_later() -> None:
    clock = VirtualClock(WINTER)
    async with BotApi(clock) as server:
        ann = server.person("Ann")
        async with playing(server, clock) as bot:
            await asked(bot, ann, "/settings Moscow")
            await practise(bot, ann)
            await asked(bot, ann, "/settings London")
            assert (await asked(bot, ann, "/practice")).startswith(f"{NOTHING}\nNext: 3 reviews in 2 days.")
            await at(bot, datetime(2025, 3, 5, 1, tzinfo=UTC))
            assert (await asked(bot, ann, "/practice")).startswith(f"{NOTHING}\nNext: 3 reviews tomorrow.")
            await is_due_from(bot, ann, datetime(2025, 3, 5, 4, tzinfo=UTC))


@pytest.mark.parametrize(
    ("practised", "due"),
    [
        (datetime(2025, 3, 28, 12, tzinfo=UTC), datetime(2025, 3, 30, 1, tzinfo=UTC)),
        (datetime(2025, 10, 24, 12, tzinfo=UTC), datetime(2025, 10, 26, 2, tzinfo=UTC)),
    ],
    ids=["from three to four", "from four to three"],
)
async def test_in_the_night_in_which_clocks_change_the_day_begins_at_four_and_once(
    practised: datetime, due: datetime
) -> None:
    clock = VirtualClock(practised)
    async with BotApi(clock) as server:
        ann = server.person("Ann")
        async with playing(server, clock) as bot:
            await asked(bot, ann, "/settings Sofia")
            await practise(bot, ann)
            await is_due_from(bot, ann, due)
            await bot.wait(MOMENT)
            await ann.write(ann.private, "/stop")
            await bot.wait(MOMENT)
            assert "To be reviewed: 3 today." in await asked(bot, ann, "/stats")
