"""Chats and people that can no longer be written to, while they play: scores stay, the host is told, nothing loops."""

from __future__ import annotations

import pytest

from tests.clock import VirtualClock
from tests.core.building import LIMIT
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import Study


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person("Ann")


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person("Bob")


@pytest.fixture
def group(server: BotApi, ann: Person, bob: Person) -> Group:
    return server.supergroup("Study", [ann, bob], [ann])


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (403, "Forbidden: bot was kicked from the supergroup chat"),
        (403, "Forbidden: bot is not a member of the supergroup chat"),
        (400, "Bad Request: not enough rights to send text messages to the chat"),
        (400, "Bad Request: CHAT_WRITE_FORBIDDEN"),
        (400, "Bad Request: chat not found"),
        (403, "Forbidden: the group chat was deleted"),
    ],
)
async def test_a_group_that_cannot_be_written_to_ends_its_session_keeps_scores_and_tells_the_host(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person, code: int, said: str
) -> None:
    async with playing(server, clock) as bot:
        await ann.start_bot()
        study = Study(bot, group, ann)
        await study.begin()
        await study.everyone([ann, bob])
        server.fail("*", code, said, times=1000, chat=group)
        await bot.wait(LIMIT)
        tried = len(server.calls(chat=group))
        await bot.wait(600)
        assert len(server.calls(chat=group)) == tried
        told = [
            message.text for message in ann.private.messages if "I can no longer write in that chat" in message.text
        ]
        assert len(told) == 1
        assert [row[0] for row in await bot.rows("SELECT points FROM player ORDER BY person")] == [100, 100]
        server.mend()
        await study.write(ann, "/quiz colours")
        assert study.last.keyboard == [["Start", "Settings"]]


@pytest.mark.parametrize(
    "said",
    [
        "Forbidden: bot was blocked by the user",
        "Forbidden: user is deactivated",
        "Forbidden: bot can't initiate conversation with a user",
    ],
)
async def test_a_host_who_cannot_be_told_is_not_tried_twice(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, said: str
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        server.fail("sendMessage", 403, said, times=1000, chat=ann.private)
        group.kick_bot()
        await bot.wait(600)
        assert len(server.calls("sendMessage", ann.private)) == 1


async def test_whoever_blocks_the_bot_is_left_alone_until_they_start_it_again(
    server: BotApi, clock: VirtualClock, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, ann.private, ann)
        asked = await study.begin()
        await study.answer(ann)
        await ann.block()
        await bot.quiet()
        calls = len(server.calls(chat=ann.private))
        await bot.wait(600)
        assert len(server.calls(chat=ann.private)) == calls
        await ann.start_bot("quiz_colours")
        await bot.wait(5)
        assert study.last.keyboard == [["Start", "Settings"]]
        assert (await study.told(await ann.press_data(asked, "1:n:old:1"))) == "This button belongs to another quiz."
        assert len(await bot.responses()) == 1


async def test_a_deleted_account_ends_the_session_without_a_loop(
    server: BotApi, clock: VirtualClock, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, ann.private, ann)
        await study.begin()
        await ann.delete_account()
        await ann.press(study.question, "A")
        await bot.wait(600)
        refused = [call for call in server.calls(chat=ann.private) if call.status == 403]
        assert 1 <= len(refused) <= 2  # the question's, and perhaps what tells the host
