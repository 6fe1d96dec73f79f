"""Sessions in threads of their own, and what becomes of threads."""

from __future__ import annotations

from datetime import timedelta

from simcord.builders import ChannelHandle

from tests.discord.sim.people import Person
from tests.discord.sim.quizzes import shelf
from tests.discord.sim.stage import Stage, staged


async def apart(stage: Stage) -> None:
    """From now on every quiz gets its own thread."""
    mia = stage.moderator("Mia")
    await mia.press("In a thread of its own", (await mia.slash("settings")).shown)


async def opened(stage: Stage, host: Person, quiz: str = "quiz-01") -> ChannelHandle:
    """The thread of a quiz that this host starts."""
    before = {thread.id for thread in stage.here.threads}
    await host.slash("quiz", quiz=quiz)
    (thread,) = [thread for thread in stage.here.threads if thread.id not in before]
    return thread


async def test_a_quiz_runs_in_a_thread_of_its_own() -> None:
    async with staged(*shelf(2)) as stage:
        await apart(stage)
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        said = await ann.slash("quiz", quiz="quiz-01")
        (thread,) = stage.here.threads
        assert thread.name == "Quiz 01"
        assert said.alone
        assert said.text == "The quiz is ready in the thread “Quiz 01”: press Start when everyone is there."
        assert f"https://discord.com/channels/{stage.guild.id}/{thread.id}" in said.shown.markdown
        assert stage.public() == []
        await ann.press("Start", at=thread)
        for number in (1, 2, 3):
            assert stage.question(thread).text.startswith(f"Question {number} of 3")
            await ben.answer(right=True, at=thread)
            if number == 1:
                await ann.press("Next", at=thread)
            await stage.pass_time(6)
        assert "Ben — 3 of 3 right" in stage.last(thread).text
        assert stage.public() == []


async def test_two_quizzes_run_in_one_channel_at_once() -> None:
    async with staged(*shelf(2)) as stage:
        await apart(stage)
        ann, ben = stage.people["Ann"], stage.people["Ben"]
        first, second = await opened(stage, ann, "quiz-01"), await opened(stage, ben, "quiz-02")
        await ann.press("Start", at=first)
        await ben.press("Start", at=second)
        await ben.answer(right=True, at=first)
        await ann.answer(right=False, at=second)
        assert len(await stage.responses()) == 2
        assert (await ann.slash("stop", at=second)).text == "Only the host or a moderator can do this."
        await ann.slash("stop", at=first)
        assert stage.last(first).has("Again")
        assert stage.question(second).has("A")


async def test_a_second_tap_on_the_same_quiz_opens_no_second_thread() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        ann = stage.people["Ann"]
        thread = await opened(stage, ann)
        await ann.slash("quiz", quiz="quiz-01")
        assert [each.id for each in stage.here.threads] == [thread.id]


async def test_in_a_thread_a_quiz_stays_where_it_is_asked_for() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        thread = stage.thread("Talk")
        await stage.people["Ann"].slash("quiz", quiz="quiz-01", at=thread)
        assert stage.last(thread).has("Start")
        assert len(stage.here.threads) == 1


async def test_where_no_thread_can_be_made_it_runs_in_the_channel() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        stage.env.inject_error("POST", "/channels/*/threads", status=403, code=50013)
        said = await stage.people["Ann"].slash("quiz", quiz="quiz-01")
        assert said.text == "The quiz is ready: press Start when everyone is here."
        assert stage.last().has("Start")


async def test_a_deleted_thread_ends_its_session() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        ann = stage.people["Ann"]
        thread = await opened(stage, ann)
        await ann.press("Start", at=thread)
        await ann.answer(right=True, at=thread)
        stage.env.backend.delete_channel(thread.id)
        await stage.env.settle()
        await stage.pass_time(60)
        assert await stage.store.unfinished("discord:") == []
        assert len(await stage.responses()) == 1
        again = await opened(stage, ann)
        assert stage.last(again).has("Start")


async def test_the_threads_of_a_deleted_channel_end_theirs() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        thread = await opened(stage, stage.people["Ann"])
        await stage.people["Ann"].press("Start", at=thread)
        stage.env.backend.delete_channel(stage.here.id)
        await stage.env.settle()
        await stage.quiet()
        assert await stage.store.unfinished("discord:") == []


async def test_a_thread_that_was_put_away_is_opened_again_for_its_question() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        ann = stage.people["Ann"]
        thread = await opened(stage, ann)
        await ann.press("Start", at=thread)
        question = stage.question(thread)
        # The simulator lets a bot edit in a thread that was put away; Discord does not.
        stage.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
        stage.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=400, code=50083)
        await stage.pass_time(21)
        assert stage.requests("PATCH", f"^/channels/{thread.id}$") == [{"archived": False}]
        assert "Nobody answered this time." in question.text


async def test_a_locked_thread_ends_its_session_and_the_host_is_told() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        ann = stage.people["Ann"]
        thread = await opened(stage, ann)
        await ann.press("Start", at=thread)
        stage.env.inject_error("*", f"/channels/{thread.id}*", status=400, code=160005, times=None)
        await stage.pass_time(60)
        assert await stage.store.unfinished("discord:") == []
        assert "Your quiz has ended" in stage.last(ann.direct).text


async def test_opening_a_thread_keeps_nobody_waiting() -> None:
    async with staged(*shelf(1)) as stage:
        await apart(stage)
        said = await stage.people["Ann"].slash("quiz", quiz="quiz-01")
        assert said.took == timedelta(0)
