"""Leaderboards on Discord: fair ranks on every page, whoever leaves, threads with their channel, and the week there."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest
from simcord.builders import ChannelHandle

from bot.boards import Scored
from bot.ports import Changes
from tests.discord.sim.people import Person
from tests.discord.sim.seen import Seen
from tests.discord.sim.stage import Stage, staged
from tests.discord.sim.test_sessions import begin

CROWD = 120


async def gained(stage: Stage, points: Iterable[tuple[str, int]]) -> None:
    """People of these names have so many points in the channel, of a hundred questions each."""
    chat, now = f"discord:#{stage.here.id}", stage.clock.now()
    scores = [
        Scored(chat, "colours", f"discord:{9000 + number}", name, each * 100, each, 100, now)
        for number, (name, each) in enumerate(points)
    ]
    async with stage.store.turns({}) as turns:
        await turns.write(Changes(scores=scores))


def places(board: Seen) -> list[str]:
    """Rank and name of everyone on the page."""
    lines = [line for line in board.text.splitlines() if " right" in line and "place" not in line]
    return [line.lstrip("🥇🥈🥉 ").partition(" — ")[0] for line in lines]


async def board(person: Person, at: ChannelHandle | None = None, **options: str) -> Seen:
    said = await person.slash("leaderboard", at=at, **options)
    assert said.alone or (at and at.guild is None), "only whoever asked sees it"
    return said.shown


async def play(stage: Stage, host: Person, right: dict[str, bool]) -> None:
    """One question, answered so, and the end."""
    await begin(stage, host)
    for name, knows in right.items():
        await stage.people[name].answer(right=knows)
    await host.slash("stop")
    await stage.pass_time(5)


# Ranks


async def test_equal_points_share_a_rank_on_every_page_and_ones_own_place_is_said_on_all() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        top = [("D", 99), ("B", 100), ("A", 101), ("C", 100)]
        await gained(stage, [*top, *((f"p{number:02}", 50) for number in range(21))])
        await play(stage, ann, {"Ann": True})
        page = await board(ann)
        assert places(page)[:4] == ["1. A", "2. B", "2. C", "4. D"]
        assert "26 people · Page 1 of 3" in page.text
        pages = [places(page)]
        for number in (2, 3):
            turned = await ann.press("Next page", page)
            assert (turned.kind, turned.message) == ("update", page)
            assert f"Page {number} of 3" in page.text
            pages.append([each for each in places(page) if "Ann" not in each])
            assert "Ann" in page.text
        assert [len(each) for each in pages] == [10, 10, 5]
        assert {each.partition(".")[0] for each in (*pages[1], *pages[2])} == {"5"}
        await ann.press("← Previous page", page)
        assert "Ann: place 26 of 26" in page.text
        assert places(page) == pages[1]


async def test_nobody_and_one_person_are_a_leaderboard_as_well() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        assert "Nobody is on it yet this week." in (await board(ann)).text
        await gained(stage, [("Eve", 3)])
        page = await board(ann)
        assert places(page) == ["1. Eve"]
        assert "1 person" in page.text


async def test_three_of_ten_play_and_three_are_counted_also_one_with_nothing_right() -> None:
    async with staged(people=[f"P{number}" for number in range(10)]) as stage:
        await play(stage, stage.people["P0"], {"P0": True, "P1": True, "P2": False})
        page = await board(stage.people["P5"])
        assert [line for line in page.text.splitlines() if " of 1 right" in line] == [
            "🥇 1. P0 — 1 point · 1 of 1 right",
            "🥇 1. P1 — 1 point · 1 of 1 right",
            "3. P2 — 0 points · 0 of 1 right",
        ]
        assert "3 people" in page.text


async def test_a_crowd_is_turned_over_page_by_page() -> None:
    async with staged() as stage:
        await gained(stage, [(f"Player {number:03} of the evening of <@&1>", number) for number in range(CROWD)])
        page = await board(stage.people["Ann"])
        assert f"{CROWD} people · Page 1 of 12" in page.text
        assert places(page)[0] == "1. Player 119 of the evening of <@&1>"
        assert not page.pinged
        for _ in range(11):
            await stage.people["Ann"].press("Next page", page)
        assert places(page)[-1] == "120. Player 000 of the evening of <@&1>"
        assert not page.has("Next page")


# People and places


async def test_whoever_has_left_keeps_their_last_name_and_place() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await play(stage, ann, {"Ann": True, "Ben": True})
        stage.guild.remove_member(ben.member(stage.guild))
        assert places(await board(ann)) == ["1. Ann", "1. Ben"]


async def test_what_is_played_in_a_thread_counts_in_its_channel_and_in_no_other() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        thread, other = stage.thread(), stage.guild.create_text_channel("other")
        await ann.slash("quiz", quiz="colours", at=thread)
        await ann.press("Start", at=thread)
        await ann.answer(right=True, at=thread)
        await ann.slash("stop", at=thread)
        await stage.pass_time(5)
        for at in (stage.here, thread):
            assert places(await board(ann, at)) == ["1. Ann"]
        assert places(await board(ann, other)) == []


async def test_whoever_hides_is_seen_by_nobody_and_is_back_when_they_wish() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        await play(stage, ann, {"Ann": True, "Ben": True})
        await ben.press("Hide me", await board(ben))
        assert places(await board(ann)) == ["1. Ann"]
        await stage.restart()
        assert places(await board(ann)) == ["1. Ann"]
        await ben.press("Show me", await board(ben))
        assert places(await board(ann)) == ["1. Ann", "1. Ben"]


async def test_across_chats_only_those_count_who_have_joined_and_from_then_on() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        everywhere = await board(ann, ann.direct)
        assert places(everywhere) == []
        await ann.press("Join", everywhere, at=ann.direct)
        await play(stage, ben, {"Ann": True, "Ben": True})
        assert places(await board(ben, ben.direct)) == ["1. Ann"]


# Days


@pytest.mark.parametrize(
    ("now", "reset", "said"),
    [
        (
            datetime(2026, 3, 28, 12, tzinfo=UTC),
            datetime(2026, 3, 29, 21, tzinfo=UTC),
            "The next week begins on Monday, March 30, 00:00 (Sofia).",
        ),
        (
            datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
            datetime(2026, 10, 25, 22, tzinfo=UTC),
            "The next week begins on Monday, October 26, 00:00 (Sofia).",
        ),
    ],
    ids=["spring", "autumn"],
)
async def test_the_week_ends_at_midnight_there_on_either_side_of_a_change_of_clocks(
    now: datetime, reset: datetime, said: str
) -> None:
    async with staged() as stage:
        mia = stage.moderator("Mia")
        await mia.slash("settings", city="Sofia")
        await stage.jump((now - stage.clock.now()).total_seconds())
        await gained(stage, [("Eve", 3)])
        assert said in (await board(mia)).text
        await stage.jump((reset - now).total_seconds() - 1)
        assert places(await board(mia)) == ["1. Eve"]
        await stage.jump(1)
        assert "Nobody is on it yet this week." in (await board(mia)).text
        assert places(await board(mia, period="all")) == ["1. Eve"]
