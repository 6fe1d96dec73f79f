"""Leaderboards on Telegram: fair ranks on every page, whoever moves or leaves, and the week where people live."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from bot.boards import Scored
from bot.ports import Changes
from tests.clock import VirtualClock
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import Study, study_group

CROWD = 120
"""Players of one session."""


async def gained(bot: Playing, group: Group, points: Iterable[tuple[str, int]]) -> None:
    """People of these names have so many points in the group, of a hundred questions each."""
    scores = [
        Scored(
            f"telegram:{group.id}", "colours", f"telegram:{9000 + number}", name, each * 100, each, 100, bot.clock.now()
        )
        for number, (name, each) in enumerate(points)
    ]
    async with bot.store.turns({}) as turns:
        await turns.write(Changes(scores=scores))


async def board(bot: Playing, person: Person, group: Group, words: str = "/leaderboard") -> list[str]:
    """The lines of the leaderboard that somebody asks for."""
    await person.write(group, words)
    await bot.quiet()
    return group.last.said.text.splitlines()


def places(lines: Iterable[str]) -> list[str]:
    """Rank and name of everyone on a page."""
    ranked = (
        line.lstrip("🥇🥈🥉 ").partition(" — ")[0] for line in lines if " of 100 right" in line and "place" not in line
    )
    return list(ranked)


async def test_equal_points_share_a_rank_on_every_page_and_ones_own_place_is_said_on_all(
    server: BotApi, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    group = study_group(server, "Study", [ann])
    async with playing(server, clock) as bot:
        await gained(
            bot, group, [("D", 99), ("B", 100), ("A", 101), ("C", 100), *((f"p{at:02}", 50) for at in range(21))]
        )
        study = Study(bot, group, ann)
        await study.write(ann, "/quiz colours")
        await study.press(ann, "Start")
        await study.answer(ann)
        await study.write(ann, "/stop")
        await bot.wait(5)
        first = await board(bot, ann, group)
        assert places(first)[:4] == ["1. A", "2. B", "2. C", "4. D"]
        assert "26 people · Page 1 of 3" in first
        pages = [places(first)]
        for _ in range(2):
            await study.press(ann, "Next page")
            lines = group.last.said.text.splitlines()
            pages.append(places(lines))
            assert [line for line in lines if "Ann" in line]
        assert [len(page) for page in pages] == [10, 10, 5]
        assert {line.partition(".")[0] for page in pages[1:] for line in page} == {"5"}
        assert any("Ann: place 26 of 26" in line for line in first)


async def test_nobody_and_one_person_are_a_leaderboard_as_well(server: BotApi, clock: VirtualClock) -> None:
    ann = server.person("Ann")
    group = study_group(server, "Study", [ann])
    async with playing(server, clock) as bot:
        assert "Nobody is on it yet this week." in await board(bot, ann, group)
        await gained(bot, group, [("Eve", 3)])
        assert places(await board(bot, ann, group)) == ["1. Eve"]
        assert "1 person" in group.last.said.text


async def test_three_of_ten_members_play_and_three_are_counted_also_one_with_nothing_right(
    server: BotApi, clock: VirtualClock
) -> None:
    people = [server.person(f"P{number}") for number in range(10)]
    group = study_group(server, "Study", people)
    async with playing(server, clock) as bot:
        study = Study(bot, group, people[0])
        await study.begin()
        await study.answer(people[0])
        await study.answer(people[1])
        await study.answer(people[2], right=False)
        await study.write(people[0], "/stop")
        await bot.wait(5)
        lines = await board(bot, people[5], group)
        assert [line for line in lines if " of 1 right" in line] == [
            "🥇 1. P0 — 1 point · 1 of 1 right",
            "🥇 1. P1 — 1 point · 1 of 1 right",
            "3. P2 — 0 points · 0 of 1 right",
        ]


async def test_whoever_left_or_is_gone_keeps_their_last_name_and_place(server: BotApi, clock: VirtualClock) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    group = study_group(server, "Study", [ann, bob])
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        await study.everyone([ann, bob])
        await study.write(ann, "/stop")
        await bot.wait(5)
        group.leave(bob)
        await bob.delete_account()
        assert [line for line in await board(bot, ann, group) if "Bob" in line] == [
            "🥇 1. Bob — 1 point · 1 of 1 right"
        ]


async def test_a_group_that_becomes_a_supergroup_in_mid_quiz_takes_its_leaderboard_along_once(
    server: BotApi, clock: VirtualClock
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    group = server.group("Study", [ann, bob], [ann])
    async with playing(server, clock) as bot:
        await gained(bot, group, [("Eve", 3)])
        study = Study(bot, group, ann)
        await study.write(ann, "/settings Sofia")
        await study.begin()
        await study.answer(ann)
        moved = group.upgrade()
        await bot.wait(5)
        there = Study(bot, moved, ann)
        await there.answer(bob)
        await there.write(ann, "/stop")
        await bot.wait(30)
        lines = await board(bot, bob, moved)
        assert [line.partition(" — ")[0].lstrip("🥇🥈🥉 ") for line in lines if " right" in line] == [
            "1. Eve",
            "2. Ann",
            "2. Bob",
        ]
        assert "(Sofia)" in moved.last.said.text
        assert await bot.rows("SELECT DISTINCT chat FROM score") == [(f"telegram:{moved.id}",)]


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (datetime(2026, 3, 28, 12, tzinfo=UTC), "The next week begins on Monday, March 30, 00:00 (Sofia)."),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "The next week begins on Monday, October 26, 00:00 (Sofia)."),
    ],
    ids=["spring", "autumn"],
)
async def test_the_week_ends_at_midnight_there_on_either_side_of_a_change_of_clocks(now: datetime, said: str) -> None:
    clock = VirtualClock(now)
    async with BotApi(clock) as server:
        ann = server.person("Ann")
        group = server.supergroup("Study", [ann], [ann])
        async with playing(server, clock) as bot:
            await ann.write(group, "/settings Sofia")
            await bot.quiet()
            await gained(bot, group, [("Eve", 3)])
            assert said in await board(bot, ann, group)
            reset = datetime(2026, 3, 29, 21, tzinfo=UTC) if now.month == 3 else datetime(2026, 10, 25, 22, tzinfo=UTC)
            clock.advance((reset - now).total_seconds() - 1)
            assert places(await board(bot, ann, group)) == ["1. Eve"]
            clock.advance(1)
            assert "Nobody is on it yet this week." in await board(bot, ann, group)
            assert places(await board(bot, ann, group, "/leaderboard all")) == ["1. Eve"]


async def test_a_crowd_finishes_and_its_results_are_one_message_and_its_leaderboard_pages(
    server: BotApi, clock: VirtualClock
) -> None:
    people = [server.person(f"Player {number:03} of the evening") for number in range(CROWD)]
    group = study_group(server, "Study", people)
    async with playing(server, clock) as bot:
        study = Study(bot, group, people[0])
        question = await study.begin()
        for person in people:
            await person.press(question, "A")
        await bot.quiet()
        await study.write(people[0], "/stop")
        await bot.wait(30)
        results = [text for text in study.texts if text.startswith("Results")]
        assert len(results) == 1
        assert "and 100 more" in results[0]
        assert any(f"{CROWD} people · Page 1 of 12" in line for line in await board(bot, people[0], group))
