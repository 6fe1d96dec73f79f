"""The server of the tests refuses what the real Bot API refuses, in the same words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clock import VirtualClock
from tests.telegram.server import BotApi, Chat
from tests.telegram.server.raw import Raw

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)
FRENCH = "fr"


def markup(*rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"inline_keyboard": list(rows)}


def button(text: str = "A", **action: Any) -> dict[str, Any]:
    return {"text": text, **(action or {"callback_data": "a"})}


@pytest.fixture
def study(server: BotApi) -> Chat:
    """A group that is large enough for everything but the limits of flood control."""
    return server.supergroup("Study", [server.person("Ann")])


async def sent(raw: Raw, chat: Chat, text: str = "hello", **more: Any) -> int:
    message = await raw.result("sendMessage", chat_id=chat.id, text=text, **more)
    return int(message["message_id"])


# Who asks, and how


async def test_a_wrong_token_a_malformed_one_and_an_unknown_method_are_refused(raw: Raw, server: BotApi) -> None:
    wrong = await raw.post(f"/bot{server.token[:-1]}x/getMe")
    assert wrong == {"ok": False, "error_code": 401, "description": "Unauthorized"}
    for path in ("/bot123/getMe", "/botx:y/getMe", "/", f"/bot{server.token}/getMee"):
        assert await raw.post(path) == {"ok": False, "error_code": 404, "description": "Not Found"}


async def test_bodies_may_be_forms_or_json(raw: Raw, server: BotApi, study: Chat) -> None:
    path = f"/bot{server.token}/SENDmessage"
    assert (await raw.post(path, data={"chat_id": str(study.id), "text": "42"}))["ok"]
    assert (await raw.post(path, json={"chat_id": study.id, "text": "as JSON"}))["ok"]
    assert (await raw("sendPhoto", chat_id=study.id, photo=PNG, caption="as parts"))["ok"]
    assert [message.said.text for message in study.messages] == ["42", "as JSON", "as parts"]


@pytest.mark.parametrize("body", [b"text=%ff&chat_id=1", b"text=\xff"])
async def test_a_body_that_is_not_utf8_is_refused(raw: Raw, server: BotApi, body: bytes) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await raw.post(f"/bot{server.token}/sendMessage", data=body, headers=headers)
    assert answer["description"] == "Bad Request: strings must be encoded in UTF-8"


async def test_half_a_character_inside_of_json_is_refused(raw: Raw, study: Chat) -> None:
    keyboard = '{"inline_keyboard":[[{"text":"A","callback_data":"\\ud83d"}]]}'
    text = await raw.refusal("sendMessage", chat_id=study.id, text="x", reply_markup=keyboard)
    assert text == "strings must be encoded in UTF-8"


# Texts


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("", "message text is empty"),
        (" \n ", "message text is empty"),
        ("<b></b>", "message text is empty"),
        ("x" * 4097, "message is too long"),
        ("😀" * 2048 + "x", "message is too long"),
        ("&amp;" * 4097, "message is too long"),
    ],
)
async def test_a_text_is_measured_in_utf16_after_parsing(raw: Raw, study: Chat, text: str, refusal: str) -> None:
    assert await raw.refusal("sendMessage", chat_id=study.id, text=text, parse_mode="HTML") == refusal


async def test_texts_that_just_fit_are_taken(raw: Raw, study: Chat) -> None:
    for text in ("😀" * 2048, f"<b>{'&lt;' * 4096}</b>"):
        await sent(raw, study, text, parse_mode="HTML")
    await raw.result("sendPhoto", chat_id=study.id, photo=PNG, caption=f"<i>{'😀' * 512}</i>", parse_mode="HTML")


async def test_a_caption_has_a_limit_of_its_own(raw: Raw, study: Chat) -> None:
    refusal = await raw.refusal("sendPhoto", chat_id=study.id, photo=PNG, caption="😀" * 512 + "x")
    assert refusal == "message caption is too long"


@pytest.mark.parametrize(
    ("photo", "refusal"),
    [
        (b"", "file must be non-empty"),
        (b"<svg/>", "IMAGE_PROCESS_FAILED"),
        ("attach://nothing", "wrong file identifier/HTTP URL specified"),
        ("photo-77", "wrong file identifier/HTTP URL specified"),
        ("https://example.org/a.png", "failed to get HTTP URL content"),
    ],
)
async def test_what_is_no_photo_is_refused(raw: Raw, study: Chat, photo: bytes | str, refusal: str) -> None:
    assert await raw.refusal("sendPhoto", chat_id=study.id, photo=photo) == refusal


async def test_a_photo_can_come_attached_and_be_sent_again_by_its_id(raw: Raw, study: Chat) -> None:
    first = await raw.result("sendPhoto", chat_id=study.id, photo="attach://file1", file1=PNG)
    await raw.result("sendPhoto", chat_id=study.id, photo=first["photo"][-1]["file_id"])
    assert [message.photo for message in study.messages] == [PNG, PNG]


# Buttons


@pytest.mark.parametrize(
    ("keyboard", "refusal"),
    [
        (markup([button(callback_data="я" * 32 + "x")]), "BUTTON_DATA_INVALID"),
        (markup([button(callback_data="")]), "BUTTON_DATA_INVALID"),
        (markup([button()] * 9), "REPLY_MARKUP_TOO_LONG"),
        (markup(*[[button()] * 8] * 13), "REPLY_MARKUP_TOO_LONG"),
        (markup([{"text": "A"}]), "Text buttons are unallowed in the inline keyboard"),
        (markup([button(callback_data="a", url="https://example.org")]), "exactly one action is allowed"),
        (markup([button(" ")]), 'Field "text" must be non-empty'),
        (markup([{"callback_data": "a"}]), 'Field "text" must be of type String'),
        (markup([button(callback_data="a", style="loud")]), "unknown style"),
        (markup([button(url="nowhere")]), "Wrong HTTP URL"),
        (markup([button(url=f"https://t.me/quiz_test_bot?start={'x' * 65}")]), "BUTTON_URL_INVALID"),
        (markup([button(url="https://t.me/quiz_test_bot?startgroup=a.b")]), "BUTTON_URL_INVALID"),
        ({"inline": []}, "inline keyboard expected"),
        ([], "expected an Object"),
    ],
)
async def test_a_keyboard_that_breaks_a_rule_is_refused(raw: Raw, study: Chat, keyboard: Any, refusal: str) -> None:
    assert refusal in await raw.refusal("sendMessage", chat_id=study.id, text="x", reply_markup=keyboard)


async def test_keyboards_at_the_limits_are_taken(raw: Raw, study: Chat) -> None:
    rows = [[button(callback_data="я" * 32)] * 8] * 12 + [[button(url="https://t.me/quiz_test_bot?start=quiz_a-b")] * 4]
    await sent(raw, study, reply_markup=markup(*rows))
    assert len(study.last.keyboard) == 13
    await sent(raw, study, reply_markup={"force_reply": True})
    assert study.last.keyboard == []


# Places


async def test_the_wrong_places_are_refused(raw: Raw, server: BotApi) -> None:
    stranger, absent = server.person("Bob"), server.group("Elsewhere", bot=None)
    refusals = {"": "chat_id is empty", "5": "chat not found", "@nobody": "chat not found"}
    for chat, refusal in refusals.items():
        assert await raw.refusal("sendMessage", chat_id=chat, text="x") == refusal
    assert await raw.refusal("sendMessage", chat_id=absent.id, text="x") == "chat not found"
    unopened = await raw.refusal("sendMessage", chat_id=stranger.id, text="x")
    assert unopened == "Forbidden: bot can't initiate conversation with a user"


async def test_general_and_unknown_and_deleted_topics_cannot_be_named(raw: Raw, server: BotApi, study: Chat) -> None:
    forum = server.supergroup("Course", topics=["Week 1", "Week 2"])
    week1, week2 = forum.named_topic("Week 1"), forum.named_topic("Week 2")
    forum.delete_topic("Week 2")
    for thread in (1, 99, week2.id):
        refusal = await raw.refusal("sendMessage", chat_id=forum.id, text="x", message_thread_id=thread)
        assert refusal == "message thread not found"
    refusal = await raw.refusal("sendMessage", chat_id=study.id, text="x", message_thread_id=week1.id)
    assert refusal == "message thread not found"
    in_week1 = await raw.result("sendMessage", chat_id=forum.id, text="x", message_thread_id=week1.id)
    in_general = await raw.result("sendMessage", chat_id=forum.id, text="y")
    assert (in_week1["message_thread_id"], in_week1["is_topic_message"]) == (week1.id, True)
    assert not {"message_thread_id", "is_topic_message"} & set(in_general)
    forum.close_topic("Week 1")
    refusal = await raw.refusal("sendMessage", chat_id=forum.id, text="x", message_thread_id=week1.id)
    assert refusal == "TOPIC_CLOSED"


async def test_a_reply_needs_its_message_unless_it_is_said_not_to(raw: Raw, study: Chat) -> None:
    gone = {"message_id": 99}
    refusal = await raw.refusal("sendMessage", chat_id=study.id, text="x", reply_parameters=gone)
    assert refusal == "message to be replied not found"
    await sent(raw, study, reply_parameters=gone | {"allow_sending_without_reply": True})
    answered = await raw.result(
        "sendMessage", chat_id=study.id, text="y", reply_parameters={"message_id": study.last.id}
    )
    assert answered["reply_to_message"]["text"] == "hello"


# Edits


async def test_an_edit_that_changes_nothing_is_refused(raw: Raw, study: Chat) -> None:
    keys = markup([button()])
    message = await sent(raw, study, "<b>a</b>", parse_mode="HTML", reply_markup=keys)
    same = {"chat_id": study.id, "message_id": message, "text": "<strong>a</strong> ", "parse_mode": "HTML"}
    assert "message is not modified" in await raw.refusal("editMessageText", **same, reply_markup=keys)
    await raw.result("editMessageText", **same)
    assert study.last.keyboard == []
    assert "message is not modified" in await raw.refusal("editMessageText", **same)
    await raw.result("editMessageText", **{**same, "text": "a"})
    where = {"chat_id": study.id, "message_id": message}
    assert "message is not modified" in await raw.refusal("editMessageReplyMarkup", **where)
    await raw.result("editMessageReplyMarkup", **where, reply_markup=keys)
    assert (study.last.edits, study.last.entities, study.last.keyboard) == (3, (), [["A"]])


async def test_edits_of_the_wrong_messages_are_refused(raw: Raw, server: BotApi, study: Chat) -> None:
    theirs = await server.person("Eve").write(study, "mine")
    text, photo = await sent(raw, study), await raw.result("sendPhoto", chat_id=study.id, photo=PNG, caption="old")
    deleted = await sent(raw, study)
    study.delete_message(study.last)
    cases = [
        ("editMessageText", 999, "message to edit not found"),
        ("editMessageText", deleted, "message to edit not found"),
        ("editMessageText", theirs.id, "message can't be edited"),
        ("editMessageText", photo["message_id"], "there is no text in the message to edit"),
        ("editMessageCaption", text, "there is no caption in the message to edit"),
    ]
    for method, message, refusal in cases:
        content = {"text" if method == "editMessageText" else "caption": "new"}
        assert await raw.refusal(method, chat_id=study.id, message_id=message, **content) == refusal
    await raw.result("editMessageCaption", chat_id=study.id, message_id=photo["message_id"], caption="new")
    assert study.messages[-1].caption == "new"


async def test_own_messages_of_two_days_can_be_deleted_and_no_others(
    raw: Raw, server: BotApi, study: Chat, clock: VirtualClock
) -> None:
    theirs = await server.person("Eve").write(study, "mine")
    old = await sent(raw, study)
    clock.advance(48 * 3600 + 1)
    new = await sent(raw, study)
    assert await raw.refusal("deleteMessage", chat_id=study.id, message_id=old) == "message can't be deleted"
    assert await raw.refusal("deleteMessage", chat_id=study.id, message_id=theirs.id) == "message can't be deleted"
    assert await raw.result("deleteMessage", chat_id=study.id, message_id=new)
    assert await raw.refusal("deleteMessage", chat_id=study.id, message_id=new) == "message to delete not found"


# Answers to one person


async def test_a_press_can_be_answered_once_and_within_15_seconds(
    raw: Raw, server: BotApi, study: Chat, clock: VirtualClock
) -> None:
    too_old = "query is too old and response timeout expired or query ID is invalid"
    ann = server.person("Ann")
    await sent(raw, study, reply_markup=markup([button()]))
    first, second = await ann.press(study.last, "A"), await ann.press(study.last, "A")
    assert await raw.refusal("answerCallbackQuery", callback_query_id="7") == too_old
    assert await raw.refusal("answerCallbackQuery", callback_query_id=first.id, text="x" * 201) == "MESSAGE_TOO_LONG"
    assert await raw.refusal("answerCallbackQuery", callback_query_id=first.id, url="https://a.b") == "URL_INVALID"
    clock.advance(15)
    assert await raw.result("answerCallbackQuery", callback_query_id=first.id, text="x" * 200, show_alert=True)
    assert await raw.refusal("answerCallbackQuery", callback_query_id=first.id) == too_old
    clock.advance(1)
    assert await raw.refusal("answerCallbackQuery", callback_query_id=second.id) == too_old
    assert [(answer.alert, len(answer.text)) for answer in ann.pop_ups] == [(True, 200)]


def article(name: str = "1", text: str = "hello", **more: Any) -> dict[str, Any]:
    return {"type": "article", "id": name, "title": "T", "input_message_content": {"message_text": text}, **more}


@pytest.mark.parametrize(
    ("results", "refusal"),
    [
        ([article(str(number)) for number in range(51)], "RESULTS_TOO_MUCH"),
        ([article("1"), article("1")], "RESULT_ID_DUPLICATE"),
        ([article("")], "RESULT_ID_INVALID"),
        ([article("я" * 33)], "RESULT_ID_INVALID"),
        ([article(text=" ")], "message text is empty"),
        ([article(text="x" * 4097)], "message is too long"),
        ([article(reply_markup=markup([button(callback_data="x" * 65)]))], "BUTTON_DATA_INVALID"),
        ([{"type": "article", "id": "1"}], "title and input_message_content are needed"),
    ],
)
async def test_inline_results_that_break_a_rule_are_refused(
    raw: Raw, server: BotApi, results: list[Any], refusal: str
) -> None:
    ask = await server.person("Ann").ask("check")
    assert refusal in await raw.refusal("answerInlineQuery", inline_query_id=ask.id, results=results)
    assert await raw.result("answerInlineQuery", inline_query_id=ask.id, results=[article()])


# Commands and descriptions


@pytest.mark.parametrize(
    ("command", "explanation", "refusal"),
    [
        ("Quiz", "x", "BOT_COMMAND_INVALID"),
        ("quiz-now", "x", "BOT_COMMAND_INVALID"),
        ("q" * 33, "x", "BOT_COMMAND_INVALID"),
        ("", "x", "BOT_COMMAND_INVALID"),
        ("quiz", "", "BOT_COMMAND_DESCRIPTION_INVALID"),
        ("quiz", "x" * 257, "BOT_COMMAND_DESCRIPTION_INVALID"),
    ],
)
async def test_a_command_that_breaks_a_rule_is_refused(raw: Raw, command: str, explanation: str, refusal: str) -> None:
    commands = [{"command": command, "description": explanation}]
    assert await raw.refusal("setMyCommands", commands=commands) == refusal


async def test_commands_are_kept_for_each_scope_and_language(raw: Raw) -> None:
    commands = [{"command": "quiz", "description": "x" * 256}]
    groups = {"type": "all_group_chats"}
    await raw.result("setMyCommands", commands=commands, scope=groups, language_code=FRENCH)
    assert await raw.result("getMyCommands", scope=groups, language_code=FRENCH) == commands
    assert await raw.result("getMyCommands", language_code=FRENCH) == []
    assert await raw.result("getMyCommands", scope=groups) == await raw.result("getMyCommands") == []
    await raw.result("deleteMyCommands", scope=groups, language_code=FRENCH)
    assert await raw.result("getMyCommands", scope=groups, language_code=FRENCH) == []
    assert await raw.refusal("setMyCommands", commands=commands * 101) == "BOT_COMMANDS_TOO_MUCH"
    assert "unsupported type" in await raw.refusal("setMyCommands", commands=commands, scope={"type": "all"})
    refusal = await raw.refusal("setMyCommands", commands=commands, language_code="pt-BR")
    assert refusal == "invalid language code specified"


@pytest.mark.parametrize(
    ("name", "field", "most"),
    [("Description", "description", 512), ("ShortDescription", "short_description", 120), ("Name", "name", 64)],
)
async def test_texts_about_the_bot_have_limits_and_languages(raw: Raw, name: str, field: str, most: int) -> None:
    assert "TOO_LONG" in await raw.refusal(f"setMy{name}", **{field: "x" * (most + 1)})
    await raw.result(f"setMy{name}", **{field: "x" * most})
    await raw.result(f"setMy{name}", **{field: "oui"}, language_code=FRENCH)
    assert await raw.result(f"getMy{name}", language_code="de") == {field: "x" * most}
    assert await raw.result(f"getMy{name}", language_code=FRENCH) == {field: "oui"}
