"""What Telegram may refuse, row by row, while people play: what each refusal leads to, and that nothing loops."""

from __future__ import annotations

import json
import logging

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING, plain_quiz
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import MOMENT, Study

REFUSED = "Bad Request: "


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person("Bob")


@pytest.fixture
def group(server: BotApi, ann: Person, bob: Person) -> Group:
    return server.supergroup("Study", [ann, bob], [ann])


# Too many requests


async def test_a_flood_wait_gives_the_time_back_to_the_question_and_holds_up_nobody_else(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    other = server.supergroup("Other", [bob], [bob])
    async with playing(server, clock) as bot:
        study, elsewhere = Study(bot, group, ann), Study(bot, other, bob)
        card = await study.choose()
        server.fail("sendMessage", 429, "Too Many Requests: retry after 15", parameters={"retry_after": 15}, chat=group)
        await ann.press(card, "Start")
        await bot.quiet()
        assert study.last is card  # the question is not there yet
        await elsewhere.begin()
        assert (await elsewhere.answer(bob)).startswith("✓")
        await bot.wait(15 - 2 * MOMENT)
        asked = study.question
        assert len(server.calls("sendMessage", group)) == 4  # picker, card, refused, question
        # Everyone has the whole time, from when they could see it.
        await bot.wait(LIMIT - 1)
        assert asked.keyboard
        assert (await study.answer(ann)).startswith("✓")
        await bot.wait(1 + READING)
        assert asked.keyboard == [["Report"]]
        assert "1 of 1 got it right" in asked.text


async def test_presses_are_acknowledged_while_their_chat_has_to_wait(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        server.fail("editMessageText", 429, "Too Many Requests: retry after 30", parameters={"retry_after": 30})
        await study.answer(ann)
        await bot.wait(6)
        assert (await study.answer(bob)).startswith("✓")
        assert not asked.edits
        await bot.wait(30)
        assert "2 of 2 got it right" in asked.text
    assert server.floods == 0


# Edits


async def test_an_edit_that_changes_nothing_is_done_and_tried_once(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        server.fail(
            "editMessageText",
            400,
            REFUSED + "message is not modified: specified new message content and reply markup are exactly the same as "
            "a current content and reply markup of the message",
        )
        await bot.wait(LIMIT + READING)
        refused = [call for call in server.calls("editMessageText", group) if call.status != 200]
        assert len(refused) == 1
        assert sum(call.params["message_id"] == asked.id for call in server.calls("editMessageText", group)) == 1
        assert study.question.text.startswith("Question 2 of 3")
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("said", ["message to edit not found", "message can't be edited"])
async def test_an_open_question_that_cannot_be_edited_comes_anew_and_can_be_answered(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person, said: str
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        first = await study.begin()
        server.fail("editMessageText", 400, REFUSED + said)
        await study.answer(ann)  # whose counter is the edit
        await bot.wait(6)
        second = study.question
        assert second is not first
        assert "1 answered" in second.text
        assert (await study.answer(bob)).startswith("✓")
        assert (await study.told(await ann.press_data(first, first.button("A")["callback_data"]))).startswith(
            "You chose"
        )
        await bot.wait(LIMIT)
        assert "2 of 2 got it right" in second.text
        assert first.keyboard  # nobody can take its buttons; they say that the question has closed
        late = await study.told(await server.person("Late").press(first, "A"))
        assert "too late" in late


async def test_a_deleted_question_has_its_result_said_in_a_message_of_its_own(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        await study.answer(ann)
        await bot.wait(6)
        group.delete_message(asked)
        await bot.wait(LIMIT)
        results = [text for text in study.texts if "1 of 1 got it right" in text]
        assert len(results) == 1
        assert study.question.text.startswith("Question 2 of 3")


async def test_a_closing_that_cannot_be_edited_is_said_in_a_message_of_its_own(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        server.fail("editMessageText", 400, REFUSED + "message can't be edited")
        await bot.wait(LIMIT)
        assert [text for text in study.texts if "Nobody answered this time." in text] == [study.last.text]


# Answers


@pytest.mark.parametrize(
    "said", ["query is too old and response timeout expired or query ID is invalid", "QUERY_ID_INVALID"]
)
async def test_an_answer_counts_though_it_can_no_longer_be_acknowledged(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        asked = await study.begin()
        server.fail("answerCallbackQuery", 400, REFUSED + said)
        await ann.press(asked, "A")
        await bot.wait(LIMIT)
        assert len(await bot.responses()) == 1
        assert len(server.calls("answerCallbackQuery")) == 3  # quiz, Start, A: once each
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_command_that_was_deleted_meanwhile_is_answered_all_the_same(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        with server.hold("sendMessage") as hold:
            asked = await ann.write(group, "/help")
            await hold.reached()
            group.delete_message(asked)
        await bot.quiet()
        assert group.last.text.startswith("How this works")
        assert group.last.reply_to is None
    assert all(call.status == 200 for call in server.calls("sendMessage"))
    assert server.calls("sendMessage")[0].structure("reply_parameters")["allow_sending_without_reply"] is True


async def test_a_question_in_markup_that_cannot_be_read_is_asked_in_plain_text_once(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        card = await study.choose()
        server.fail("sendMessage", 400, REFUSED + 'can\'t parse entities: Unsupported start tag "x" at byte offset 3')
        await ann.press(card, "Start")
        await bot.quiet()
        asked = study.question
        assert asked.text.startswith("Question 1 of 3")
        assert not asked.entities
        assert (await study.answer(ann)).startswith("✓")
        sent = server.calls("sendMessage", group)[-2:]
        assert [call.params.get("parse_mode") for call in sent] == ["HTML", None]
    assert "cannot read our markup" in caplog.text


# Updates that cannot be read


@pytest.mark.parametrize(
    "body",
    [
        {"message": {"message_id": "x", "chat": 5, "date": "never"}},
        {"callback_query": {"id": 5}},
        {"message": None},
        {"message": []},
        {"my_chat_member": {"chat": {}}},
        {"something_new": {"deep": [[[]]]}},
        {"inline_query": "text"},
        {},
    ],
    ids=lambda body: json.dumps(body)[:40],
)
@pytest.mark.parametrize("webhook", [False, True], ids=["polling", "webhook"])
async def test_an_update_that_cannot_be_read_is_stepped_over_and_what_follows_is_served(
    server: BotApi, clock: VirtualClock, ann: Person, body: dict[str, object], *, webhook: bool
) -> None:
    async with playing(server, clock, plain_quiz(), webhook=webhook) as bot:
        server.push_raw(body)
        await ann.write(ann.private, "/help")
        await bot.quiet()
        assert ann.private.last.text.startswith("How this works")
        await server.confirmed()
        assert len(server.calls("sendMessage")) == 1
    assert len(server.calls("getUpdates")) < 20
