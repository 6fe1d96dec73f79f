"""What the bot may not do: before a session, in the middle of one, and where it is only a guest of one person."""

from __future__ import annotations

import pytest

from tests.core.building import plain_quiz
from tests.discord.sim import outside
from tests.discord.sim.people import Person
from tests.discord.sim.quizzes import PICTURED
from tests.discord.sim.stage import Stage, staged
from tests.discord.sim.test_sessions import begin

ENDED = "Your quiz has ended, because I can no longer write in that chat. Scores so far are kept."


# Before a session starts


@pytest.mark.parametrize(("permission", "name"), [("send_messages", "Send Messages"), ("view_channel", "View Channel")])
async def test_what_is_missing_is_named_to_the_host_alone(permission: str, name: str) -> None:
    async with staged() as stage:
        stage.forbid(permission)
        said = await stage.people["Ann"].slash("quiz", quiz="colours")
        assert said.alone
        assert f"• {name}" in said.text
        assert "An administrator or a moderator can allow it" in said.text
        assert stage.public() == []
        assert await stage.rows("SELECT * FROM session") == []


async def test_in_a_thread_it_is_another_permission() -> None:
    async with staged() as stage:
        thread = stage.thread()
        stage.forbid("send_messages_in_threads")
        stage.env.backend.channels[thread.id].overwrites = stage.env.backend.channels[stage.here.id].overwrites
        said = await stage.people["Ann"].slash("quiz", quiz="colours", at=thread)
        assert "• Send Messages in Threads" in said.text


async def test_pictures_are_needed_where_a_quiz_has_some_and_nowhere_else() -> None:
    async with staged(PICTURED, plain_quiz()) as stage:
        ann = stage.people["Ann"]
        stage.forbid("attach_files")
        assert "• Attach Files" in (await ann.slash("quiz", quiz="pictured")).text
        assert "ready" in (await ann.slash("quiz", quiz="colours")).text


async def test_a_press_on_start_is_refused_where_the_permission_has_gone_since() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await ann.slash("quiz", quiz="colours")
        stage.forbid("send_messages")
        said = await ann.press("Start")
        assert said.alone
        assert "• Send Messages" in said.text
        stage.forbid()
        await ann.press("Start")
        assert stage.question().text.startswith("Question 1 of 3")


# In the middle of one


async def lost(stage: Stage, ann: Person) -> None:
    """The bot may write no more when it comes to the second question."""
    await begin(stage, ann)
    await ann.answer(right=True)
    stage.forbid("send_messages", "view_channel")
    await stage.pass_time(40)


async def test_a_session_ends_where_the_bot_may_write_no_more_and_the_host_is_told_once() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await lost(stage, ann)
        assert [seen.text for seen in stage.messages(ann.direct)] == [ENDED]
        assert len(await stage.responses()) == 1
        before = len(stage.env.http_requests)
        await stage.pass_time(120)
        await stage.restart(away=10)
        await stage.pass_time(5)
        after = [each for each in stage.env.http_requests[before:] if "/messages" in each.path]
        assert after == []


async def test_a_host_whose_private_messages_are_closed_is_told_in_the_next_answer() -> None:
    async with staged() as stage:
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        stage.env.inject_error(
            "POST", f"/channels/{ann.direct.id}/messages", status=403, code=50007, message="Cannot send", times=None
        )
        await lost(stage, ann)
        assert ENDED not in (await ben.slash("help")).text
        said = await ann.slash("help")
        assert said.alone
        assert said.text.endswith(ENDED)
        assert ENDED not in (await ann.slash("help")).text


async def test_when_the_permission_is_back_a_new_session_can_start() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await lost(stage, ann)
        stage.forbid()
        await begin(stage, ann)
        assert stage.question().text.startswith("Question 1 of 3")


async def test_a_deleted_channel_ends_its_session() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await begin(stage, ann)
        await ann.answer(right=True)
        there = stage.guild.create_text_channel("other")
        stage.env.backend.delete_channel(stage.here.id)
        await stage.env.settle()
        await stage.pass_time(120)
        assert await stage.store.unfinished("discord:") == []
        stage.here = there
        assert "No quiz is running" in (await ann.slash("stop")).text


async def test_where_the_bot_is_thrown_out_sessions_end_and_nothing_more_is_sent() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await begin(stage, ann)
        await ann.answer(right=True)
        stage.env.backend.remove_guild(stage.guild.id)
        await stage.env.settle()
        await stage.quiet()
        before = len(stage.env.http_requests)
        await stage.pass_time(120)
        sent = [each for each in stage.env.http_requests[before:] if str(stage.here.id) in each.path]
        assert sent == []
        assert len(await stage.responses()) == 1


# As a guest of one person


ASIDE = ("language", "help", "privacy", "quizzes")


@pytest.mark.parametrize("among", ["strangers", "friends"])
async def test_as_a_guest_it_answers_and_says_why_it_cannot_run_a_quiz(among: str) -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        if among == "strangers":
            await outside.forget(stage.env, stage.guild)
            at, otherwise = stage.here, {}
        else:
            at, otherwise = ann.direct, outside.among_friends(stage.guild.id + 7)
        for name in ASIDE:
            said = await ann.forge_command(name, at, otherwise=otherwise)
            assert said.alone
            assert said.text
        said = await ann.forge_command("quiz", at, otherwise=otherwise, quiz="colours")
        assert said.alone
        assert "I have not been added here" in said.text
        assert "Play in a private chat with me" in said.text
        assert await stage.rows("SELECT * FROM session") == []
        assert stage.public(at) == []


async def test_as_a_guest_a_quiz_that_is_picked_is_refused_too() -> None:
    async with staged() as stage:
        ann = stage.people["Ann"]
        await outside.forget(stage.env, stage.guild)
        picker = await ann.slash("quiz")
        picked = await ann.press("1", picker.shown)
        assert (picked.alone, "I have not been added here" in picked.text) == (True, True)


# When it is added


async def test_it_says_hello_where_everybody_may_read_it() -> None:
    async with staged() as stage:
        guild = stage.env.create_guild("New", preferred_locale="bg")
        channel = guild.create_text_channel("general")
        await outside.forget(stage.env, guild)
        await outside.join(stage.env, guild)
        await stage.quiet()
        (hello,) = stage.public(channel)
        assert hello.text.startswith("Здравейте")
        assert not hello.pinged
