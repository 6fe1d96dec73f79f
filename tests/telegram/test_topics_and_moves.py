"""Where a session lives: a topic, General beside it, and a group that becomes another chat or is taken away."""

from __future__ import annotations

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import MOMENT, Study, by_both

COUNTED = 5
"""Seconds until an answer is counted on the question."""


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person("Bob")


def forum(server: BotApi, *people: Person) -> Group:
    return server.supergroup("Study", people, people[:1], topics=["Maths", "History"])


# Topics


async def test_topics_and_general_play_side_by_side_and_each_stays_in_its_place(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    group = forum(server, ann, bob)
    async with playing(server, clock) as bot:
        maths, history, general = (Study(bot, group, ann, topic) for topic in ("Maths", "History", None))
        for study in (maths, history, general):
            await study.write(ann, "/quiz colours")
            await study.press(ann, "Start")
        assert (await maths.answer(ann)).startswith("✓")
        assert (await general.answer(bob, right=False)).startswith("✗")
        await bot.wait(LIMIT)
        assert "1 of 1 got it right" in maths.texts[1]
        assert "Nobody answered" in history.texts[1]
        assert "0 of 1 got it right" in general.texts[1]
        await maths.write(ann, "/stop")
        await bot.wait(READING)
        assert "Stopped early" in maths.texts[-1]
        assert "Stopped early" not in "".join(history.texts + general.texts)
    threads = {call.params.get("message_thread_id") for call in server.calls("sendMessage", group)}
    assert threads == {group.named_topic("Maths").id, group.named_topic("History").id, None}


async def test_a_reply_in_a_group_without_topics_is_no_topic(server: BotApi, clock: VirtualClock, ann: Person) -> None:
    group = server.supergroup("Study", [ann], [ann])
    async with playing(server, clock) as bot:
        await ann.write(group, "/quiz colours")
        await bot.quiet()
        await ann.write(group, "/quiz colours", reply_to=group.last)
        await bot.quiet()
        assert group.last.text == "A quiz is waiting here; its host or a moderator can press Start, or /stop it."
    assert all("message_thread_id" not in call.params for call in server.calls("sendMessage"))


async def test_a_running_quiz_is_linked_to_for_whoever_starts_another_one(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    group = forum(server, ann, bob)
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann, "Maths")
        asked = await study.begin()
        await study.write(bob, "/quiz colours")
        assert study.last.text == "A quiz is running here already, at question 1 of 3."
        (link,) = [entity["url"] for entity in study.last.entities if entity["type"] == "text_link"]
        thread = group.named_topic("Maths").id
        assert link == f"https://t.me/c/{-group.id - 10**12}/{thread}/{asked.id}"
        assert study.last.reply_to is not None


@pytest.mark.parametrize("private", [True, False], ids=["private", "basic group"])
async def test_where_messages_have_no_address_the_answer_replies_to_the_running_quiz(
    server: BotApi, clock: VirtualClock, ann: Person, *, private: bool
) -> None:
    chat = ann.private if private else server.group("Study", [ann], [ann])
    async with playing(server, clock) as bot:
        study = Study(bot, chat, ann)
        asked = await study.begin()
        await bot.wait(5)
        await study.write(ann, "/quiz colours")
        assert study.last.text == "A quiz is running here already, at question 1 of 3."
        assert study.last.reply_to is asked


@pytest.mark.parametrize("fate", ["deleted", "closed"])
async def test_a_topic_that_is_deleted_or_closed_ends_its_session_and_no_other(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person, fate: str
) -> None:
    group = forum(server, ann, bob)
    async with playing(server, clock) as bot:
        await ann.start_bot()
        maths, general = Study(bot, group, ann, "Maths"), Study(bot, group, ann)
        await maths.begin()
        await maths.answer(bob)
        await bot.wait(6)
        await general.begin()
        group.delete_topic("Maths") if fate == "deleted" else group.close_topic("Maths")
        await bot.wait(120)
        tried = len(server.calls("sendMessage", group))
        lost = [message for message in ann.private.messages if "I can no longer write in that chat" in message.text]
        assert len(lost) == 1
        assert await bot.rows("SELECT points FROM player WHERE name = 'Bob'") == [(100,)]
        assert "No answer for a while" in general.texts[-1]
        await bot.wait(600)
        assert len(server.calls("sendMessage", group)) == tried


# A group becomes a supergroup


async def test_a_group_that_becomes_a_supergroup_takes_its_session_scores_and_settings_along_once(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    group = server.group("Study", [ann, bob], [ann])
    async with playing(server, clock, plain_quiz(4)) as bot:
        study = Study(bot, group, ann)
        await study.write(ann, "/settings")
        await study.press(ann, "After each question")
        await study.begin()
        await study.everyone([ann, bob])
        await bot.wait(LIMIT + READING)
        await study.answer(ann)
        new = group.upgrade()  # both chats say so
        await bot.quiet()
        moved = Study(bot, new, ann)
        assert [text.startswith("Question 2 of 4") for text in moved.texts] == [True]
        assert not [text for text in moved.texts if "Hello everyone" in text]
        for update in sorted(server.world.updates.sent)[-2:]:
            server.repeat(update)
        await bot.quiet()
        assert len(moved.messages) == 1
        assert (await moved.answer(bob)).startswith("Noted")
        await bot.wait(6)
        assert "2 of 2 got it right" in moved.texts[0]
        await moved.write(ann, "/stop")
        assert moved.last.text.count("2 of 3 right") == 2
        await moved.write(ann, "/settings")
        assert "✓ After each question" in moved.last.keyboard[2]
    assert all(call.status == 200 for call in server.calls(chat=group))


async def test_a_move_that_is_only_met_in_an_error_is_followed_once(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    group = server.group("Study", [ann, bob], [ann])
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        await study.answer(ann)
        new = server.supergroup("Study", [ann, bob], [ann])
        group.upgraded = new  # and nothing is said of it
        await bot.wait(COUNTED + LIMIT + READING)  # shown anew, the question has its whole time
        moved = Study(bot, new, ann)
        assert moved.question.text.startswith("Question 2 of 3")
        await bot.quiet()
        refused = [call for call in server.calls(chat=group) if call.status == 400]
        assert len(refused) == 1
        assert (await moved.answer(bob)).startswith("✓")
        questions = [text for text in moved.texts if text.startswith("Question 2 of 3")]
        assert len(questions) == 1


async def test_a_basic_group_is_greeted_once_though_it_becomes_a_supergroup(
    server: BotApi, clock: VirtualClock, ann: Person
) -> None:
    group = server.group("Study", [ann], [ann], bot=None)
    async with playing(server, clock) as bot:
        group.add_bot(ann)
        await bot.quiet()
        new = group.upgrade()
        new.bot = None
        new._set_bot("member", ann)  # which Telegram may say of a group that has just become this one
        await bot.wait(60)
        assert not new.messages
        assert len(server.calls("sendMessage")) == 1
        new.kick_bot(ann)
        await bot.wait(60)
        new.add_bot(ann)
        await bot.quiet()
        assert "Hello everyone!" in new.last.text


# Taken away


@by_both
async def test_removed_during_a_question_it_sends_nothing_more_and_can_come_back(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person, *, webhook: bool
) -> None:
    group = server.supergroup("Study", [ann, bob], [ann])
    async with playing(server, clock, webhook=webhook) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        await study.answer(bob)
        group.kick_bot(bob)
        await bot.quiet()
        calls = len(server.calls(chat=group))
        await bot.wait(600)
        assert len(server.calls(chat=group)) == calls
        assert await bot.rows("SELECT name, points FROM player") == [("Bob", 100)]
        group.add_bot(ann)
        await bot.quiet()
        assert "Hello everyone!" in study.last.text
        await study.begin()


async def test_silenced_and_given_its_voice_back_a_supergroup_can_play_again(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    group = server.supergroup("Study", [ann, bob], [ann])
    async with playing(server, clock) as bot:
        await ann.start_bot()
        study = Study(bot, group, ann)
        await study.begin()
        group.mute_bot()
        await bot.quiet()
        assert "I can no longer write in that chat" in ann.private.last.text
        calls = len(server.calls("sendMessage", group))
        await bot.wait(120)
        assert len(server.calls("sendMessage", group)) == calls
        group.unmute_bot()
        await bot.wait(MOMENT)
        await study.begin()


async def test_silenced_without_being_told_it_finds_out_and_stops(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    group = server.group("Study", [ann, bob], [ann])
    async with playing(server, clock) as bot:
        await ann.start_bot()
        study = Study(bot, group, ann)
        await study.begin()
        group.mute_bot()
        await bot.wait(LIMIT + READING)
        assert "I can no longer write in that chat" in ann.private.last.text
        refused = [call for call in server.calls(chat=group) if call.status != 200]
        assert 1 <= len(refused) <= 2
        await bot.wait(600)
        assert len([call for call in server.calls(chat=group) if call.status != 200]) == len(refused)


async def test_whoever_left_keeps_their_place_under_the_name_they_had(
    server: BotApi, clock: VirtualClock, ann: Person, bob: Person
) -> None:
    group = server.supergroup("Study", [ann, bob], [ann])
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        await study.everyone([ann, bob])
        group.leave(bob)
        await bob.delete_account()
        await bot.wait(LIMIT + READING)
        await study.answer(ann)
        await study.write(ann, "/stop")
        await bot.wait(MOMENT)
        assert "🥈 2. Bob — 1 of 2 right" in study.last.text
        assert "🥇 1. Ann — 2 of 2 right" in study.last.text
