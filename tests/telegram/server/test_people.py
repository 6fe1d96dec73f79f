"""What people do comes to the bot as on the real Telegram, and what the bot does is seen by them."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Update

from tests.telegram.server import ANONYMOUS, BotApi
from tests.telegram.server.raw import Raw

KEYS = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}, {"text": "B", "callback_data": "b"}]]}


async def news(raw: Raw) -> list[dict[str, Any]]:
    """The updates that wait, confirmed; each is one that the library can parse."""
    updates: list[dict[str, Any]] = await raw.result("getUpdates")
    for update in updates:
        assert Update.de_json(update, None).effective_user is not None
        await raw.result("getUpdates", offset=update["update_id"] + 1, limit=1)
    return updates


async def one(raw: Raw, kind: str) -> dict[str, Any]:
    """The only update that waits, which is of this kind."""
    updates = await news(raw)
    assert [kind in update for update in updates] == [True], updates
    found: dict[str, Any] = updates[0][kind]
    return found


async def test_a_command_comes_with_its_entity_and_its_author(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann", "bg", "ann")
    group = server.group("Study", [ann])
    await ann.write(group, "/quiz@quiz_test_bot checkpointing")
    message = await one(raw, "message")
    assert message["entities"] == [{"type": "bot_command", "offset": 0, "length": 19}]
    author = {"id": ann.id, "is_bot": False, "first_name": "Ann", "username": "ann", "language_code": "bg"}
    assert (message["from"], message["chat"]["type"]) == (author, "group")


async def test_privacy_mode_keeps_back_what_is_not_meant_for_the_bot(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.group("Study", [ann])
    own = await raw.result("sendMessage", chat_id=group.id, text="question")
    for text in ("hello", "/quiz@other_bot", "and/or"):
        await ann.write(group, text)
    await ann.write(group, "/quiz")
    await ann.write(group, "answer", reply_to=group.message(own["message_id"]))
    assert [update["message"]["text"] for update in await news(raw)] == ["/quiz", "answer"]
    group.promote_bot()
    await ann.write(group, "hello")
    assert [list(update)[1] for update in await news(raw)] == ["my_chat_member", "message"]


async def test_topics_are_marked_and_general_is_not(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    forum = server.supergroup("Course", [ann], topics=["Week 1"])
    await ann.write(forum, "/quiz", topic="Week 1")
    await ann.write(forum, "/quiz")
    in_topic, in_general = (update["message"] for update in await news(raw))
    assert (in_topic["message_thread_id"], in_topic["is_topic_message"]) == (forum.named_topic("Week 1").id, True)
    assert in_topic["reply_to_message"]["forum_topic_created"]["name"] == "Week 1"
    assert "message_thread_id" not in in_general
    assert in_topic["chat"]["is_forum"]


async def test_a_reply_outside_of_a_forum_has_a_thread_that_is_no_topic(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.supergroup("Study", [ann])
    await raw.result("sendMessage", chat_id=group.id, text="question")
    await ann.write(group, "/stop", reply_to=group.last)
    message = await one(raw, "message")
    assert message["message_thread_id"] == message["reply_to_message"]["message_id"]
    assert "is_topic_message" not in message


async def test_anonymous_administrators_and_channels_write_in_other_names(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.supergroup("Study", admins=[ann])
    await ann.write(group, "/stop", anonymous=True)
    await ann.write(group, "/stop", as_channel="Ann's channel")
    anonymous, channel = (update["message"] for update in await news(raw))
    assert (anonymous["from"]["id"], anonymous["sender_chat"]["id"]) == (ANONYMOUS["id"], group.id)
    assert (channel["from"]["username"], channel["sender_chat"]["type"]) == ("Channel_Bot", "channel")


async def test_a_press_carries_the_message_and_its_answer_is_seen_by_the_presser_alone(
    raw: Raw, server: BotApi
) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    group = server.group("Study", [ann, bob])
    await raw.result("sendMessage", chat_id=group.id, text="question", reply_markup=KEYS)
    press = await ann.press(group.last, "A")
    query = await one(raw, "callback_query")
    assert (query["id"], query["data"], query["message"]["text"]) == (press.id, "a", "question")
    await raw.result("answerCallbackQuery", callback_query_id=press.id, text="Right")
    assert (await press.answered()).text == "Right"
    assert ([answer.text for answer in ann.pop_ups], bob.pop_ups) == (["Right"], [])


async def test_forged_data_and_messages_of_long_ago_can_be_pressed(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.supergroup("Study", [ann])
    await ann.press_data(group.forgotten(77), "a:1:99999:-1")
    query = await one(raw, "callback_query")
    assert query["message"] == {"chat": group.json(), "message_id": 77, "date": 0}
    assert query["data"] == "a:1:99999:-1"


async def test_a_button_that_is_not_there_or_tells_the_bot_nothing_cannot_be_pressed(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    await ann.start_bot()
    keys = {"inline_keyboard": [[{"text": "Practise", "url": "https://t.me/quiz_test_bot?start=practice"}]]}
    await raw.result("sendMessage", chat_id=ann.id, text="x", reply_markup=keys)
    with pytest.raises(AssertionError, match="no button 'C'"):
        await ann.press(ann.private.last, "C")
    with pytest.raises(AssertionError, match="does not tell the bot anything"):
        await ann.press(ann.private.last, "Practise")
    await ann.open(ann.private.last, "Practise")
    assert ann.private.last.text == "/start practice"


async def test_a_block_is_told_and_refuses_until_it_is_taken_back(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    await ann.start_bot("quiz_checkpointing")
    assert (await one(raw, "message"))["text"] == "/start quiz_checkpointing"
    await ann.block()
    assert (await one(raw, "my_chat_member"))["new_chat_member"]["status"] == "kicked"
    refusal = await raw.refusal("sendMessage", chat_id=ann.id, text="x")
    assert refusal == "Forbidden: bot was blocked by the user"
    await ann.start_bot()
    assert [list(update)[1] for update in await news(raw)] == ["my_chat_member", "message"]
    await raw.result("sendMessage", chat_id=ann.id, text="x")
    await ann.delete_account()
    assert await raw.refusal("sendMessage", chat_id=ann.id, text="x") == "Forbidden: user is deactivated"


@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_the_bot_is_told_that_it_was_added_and_kicked(raw: Raw, server: BotApi, kind: str) -> None:
    ann = server.person("Ann")
    group = server.world.group("Study", [ann], kind=kind, bot=None)
    group.add_bot(ann, "quiz_checkpointing")
    added, service, start = await news(raw)
    assert added["my_chat_member"]["old_chat_member"]["status"] == "left"
    assert service["message"]["new_chat_members"] == [server.bot]
    assert start["message"]["text"] == "/start@quiz_test_bot quiz_checkpointing"
    group.kick_bot(ann)
    assert (await one(raw, "my_chat_member"))["new_chat_member"]["status"] == "kicked"
    refusal = await raw.refusal("sendMessage", chat_id=group.id, text="x")
    assert refusal == f"Forbidden: bot was kicked from the {kind} chat"


async def test_a_bot_that_was_muted_can_neither_send_nor_edit(raw: Raw, server: BotApi) -> None:
    group = server.supergroup("Study", [server.person("Ann")])
    message = await raw.result("sendMessage", chat_id=group.id, text="x")
    group.mute_bot()
    assert (await one(raw, "my_chat_member"))["new_chat_member"]["can_send_messages"] is False
    refusal = await raw.refusal("sendMessage", chat_id=group.id, text="x")
    assert refusal == "not enough rights to send text messages to the chat"
    where = {"chat_id": group.id, "message_id": message["message_id"]}
    assert await raw.refusal("editMessageText", **where, text="y") == "CHAT_WRITE_FORBIDDEN"
    assert await raw.result("leaveChat", chat_id=group.id)
    refusal = await raw.refusal("sendMessage", chat_id=group.id, text="x")
    assert refusal == "Forbidden: bot is not a member of the supergroup chat"


async def test_a_group_that_becomes_a_supergroup_says_so_on_both_sides(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.group("Study", [ann])
    old = await raw.result("sendMessage", chat_id=group.id, text="question")
    new = group.upgrade()
    leaving, arriving = (update["message"] for update in await news(raw))
    assert (leaving["chat"]["id"], leaving["migrate_to_chat_id"]) == (group.id, new.id)
    assert (arriving["chat"]["id"], arriving["migrate_from_chat_id"]) == (new.id, group.id)
    answer = await raw("editMessageText", chat_id=group.id, message_id=old["message_id"], text="x")
    assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert answer["parameters"] == {"migrate_to_chat_id": new.id}
    refusal = await raw.refusal("editMessageText", chat_id=new.id, message_id=old["message_id"], text="x")
    assert refusal == "message to edit not found"
    await raw.result("sendMessage", chat_id=new.id, text="question")


async def test_rights_and_members_can_be_asked_for(raw: Raw, server: BotApi) -> None:
    ann, bob, eve = (server.person(name) for name in ("Ann", "Bob", "Eve"))
    group = server.supergroup("Study", [bob], [ann], username="study_group")
    who = {"Ann": ann.id, "Bob": bob.id, "Eve": eve.id, "bot": server.bot["id"]}
    for name, status in {"Ann": "creator", "Bob": "member", "Eve": "left", "bot": "member"}.items():
        assert (await raw.result("getChatMember", chat_id=group.id, user_id=who[name]))["status"] == status
    assert await raw.refusal("getChatMember", chat_id=group.id, user_id=5) == "user not found"
    group.promote(bob)
    admins = await raw.result("getChatAdministrators", chat_id="@study_group")
    assert [admin["user"]["id"] for admin in admins] == [ann.id, bob.id]
    assert await raw.result("getChatMemberCount", chat_id=group.id) == 3
    assert (await raw.result("getChat", chat_id=group.id))["title"] == "Study"
    assert await news(raw) == [], "changes of members were not asked for"


async def test_an_inline_result_goes_into_any_chat_and_its_buttons_work_there(raw: Raw, server: BotApi) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    elsewhere = server.group("Elsewhere", [ann, bob], bot=None)
    ask = await ann.ask("check")
    query = await one(raw, "inline_query")
    content = {"message_text": "<b>Checkpointing</b>", "parse_mode": "HTML"}
    card = {"type": "article", "id": "1", "title": "Quiz", "input_message_content": content, "reply_markup": KEYS}
    await raw.result("answerInlineQuery", inline_query_id=query["id"], results=[card])
    assert ask.results is not None
    posted = await ann.send_inline(ask.results[0], elsewhere)
    assert (posted.text, posted.keyboard, elsewhere.last) == ("Checkpointing", [["A", "B"]], posted)
    await bob.press(posted, "B")
    pressed = await one(raw, "callback_query")
    assert (pressed["inline_message_id"], "message" in pressed) == (posted.inline_id, False)
    assert await raw.result("editMessageText", inline_message_id=posted.inline_id, text="over") is True
    assert posted.text == "over"
    assert await raw.refusal("editMessageText", inline_message_id="x", text="over") == "MESSAGE_ID_INVALID"


async def test_the_transcript_reads_as_people_saw_it(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.supergroup("Study", [ann], topics=["Week 1"])
    await ann.write(group, "/quiz", topic="Week 1")
    where = {"chat_id": group.id, "parse_mode": "HTML"}
    text = "<b>Which?</b>\n<blockquote>one\ntwo</blockquote>"
    await raw.result("sendMessage", **where, text=text, reply_markup=KEYS, message_thread_id=2)
    press = await ann.press(group.last, "A")
    await raw.result("answerCallbackQuery", callback_query_id=press.id, text="Right", show_alert=True)
    edited = {"message_id": group.last.id, "text": '<a href="https://a.b">Source</a>'}
    await raw.result("editMessageText", **where, **edited)
    assert group.transcript() == (
        "== Study ==\n\n* Ann: forum_topic_created\n\n"
        "1. Ann in Week 1:\n    /quiz\n\n"
        "2. Quizbot in Week 1:\n    Which?\n    > one\n    > two\n    [A] [B]\n\n"
        "* Ann presses [A] under 2\n\n"
        "  → Ann alone, in a box that has to be closed:\n    Right\n\n"
        "2. is changed in place:\n    Source <https://a.b>\n"
    )
