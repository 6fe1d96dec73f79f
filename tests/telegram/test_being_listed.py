"""Leaderboards on Telegram as far as one chooses to stand on them: hidden everywhere, or counted across chats."""

from __future__ import annotations

from pathlib import Path

from tests.clock import VirtualClock
from tests.telegram.playing import Playing, playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import MOMENT, Study, study_group


async def play(study: Study, *people: Person) -> None:
    """One question, that these people get right."""
    await study.begin()
    await study.everyone(people)
    await study.write(study.host, "/stop")
    await study.bot.wait(60)


async def board(bot: Playing, person: Person, chat: Group | None = None) -> list[str]:
    """Who is on the leaderboard that somebody asks for; without a chat, on the one across chats, in private."""
    where = chat or person.private
    await person.write(where, "/leaderboard")
    await bot.wait(MOMENT)
    listed = [line.partition(" — ")[0] for line in where.last.said.text.splitlines() if " right" in line]
    return [line.lstrip("🥇🥈🥉 ") for line in listed]


async def test_whoever_hides_is_on_no_leaderboard_until_they_wish_also_for_another_process(
    server: BotApi, clock: VirtualClock, tmp_path: Path
) -> None:
    ann, ben = server.person("Ann"), server.person("Ben")
    group, other = (study_group(server, title, [ann, ben]) for title in ("Maths", "History"))
    path = tmp_path / "quizbot.sqlite3"
    async with playing(server, clock, path=path) as bot:
        study = Study(bot, group, ann)
        await play(study, ann, ben)
        assert await board(bot, ann, group) == ["1. Ann", "1. Ben"]
        assert "on no leaderboard any more" in await study.press(ben, "Hide me")
        assert await board(bot, ann, group) == ["1. Ann"]
        await play(Study(bot, other, ann), ann, ben)
        assert await board(bot, ann, other) == ["1. Ann"]
    async with playing(server, clock, path=path) as bot:
        study = Study(bot, group, ann)
        assert await board(bot, ann, group) == ["1. Ann"]
        await study.press(ben, "Show me")
        assert await board(bot, ann, group) == ["1. Ann", "1. Ben"]


async def test_across_chats_only_those_count_who_joined_and_from_then_on(server: BotApi, clock: VirtualClock) -> None:
    ann, ben = server.person("Ann"), server.person("Ben")
    first, second = (study_group(server, title, [ann, ben]) for title in ("Maths", "History"))
    async with playing(server, clock) as bot:
        await play(Study(bot, first, ann), ann, ben)
        assert await board(bot, ann) == []
        await (await ann.press(ann.private.last, "Join")).answered()
        await bot.wait(MOMENT)
        await play(Study(bot, second, ben), ann, ben)
        assert await board(bot, ben) == ["1. Ann"]
        assert "1 point · 1 of 1 right" in ben.private.last.said.text
        assert "Ben" not in ben.private.last.said.text
        await board(bot, ann)
        await (await ann.press(ann.private.last, "Leave")).answered()
        await bot.wait(MOMENT)
        assert await board(bot, ben) == []
        assert await board(bot, ben, second) == ["1. Ann", "1. Ben"]


async def test_what_is_played_alone_is_on_no_leaderboard_of_a_group_nor_across_chats(
    server: BotApi, clock: VirtualClock
) -> None:
    ann = server.person("Ann")
    group = study_group(server, "Study", [ann])
    async with playing(server, clock) as bot:
        await board(bot, ann)
        await (await ann.press(ann.private.last, "Join")).answered()
        await bot.wait(MOMENT)
        alone = Study(bot, ann.private, ann)
        await play(alone, ann)
        assert await board(bot, ann, group) == []
        assert await board(bot, ann) == []
