"""What is made to go wrong does, as often and where it is meant to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest
import telegram
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter

from tests import contracts
from tests.clock import VirtualClock
from tests.telegram.server import BotApi, contract
from tests.telegram.server.raw import Raw

PNG = b"\x89PNG\r\n\x1a\n" + bytes(16)


@pytest.fixture
async def bot(server: BotApi) -> AsyncIterator[telegram.Bot]:
    """The library's bot, as it comes."""
    async with telegram.Bot(server.token, base_url=server.url + "/bot") as client:
        yield client


async def test_a_request_is_refused_as_often_as_planned_and_in_its_chat(raw: Raw, server: BotApi) -> None:
    here, there = server.group("Here"), server.group("There")
    server.fail("sendMessage", 500, "Internal Server Error", times=2, chat=here)
    await raw.result("sendMessage", chat_id=there.id, text="x")
    for _ in range(2):
        assert await raw.refusal("sendMessage", chat_id=here.id, text="x") == "Internal Server Error"
    await raw.result("sendMessage", chat_id=here.id, text="x")
    assert (len(here.messages), len(there.messages), len(server.calls("sendMessage", here))) == (1, 1, 3)


async def test_an_answer_can_get_lost_after_the_deed_or_before(raw: Raw, server: BotApi) -> None:
    group = server.group("Study")
    server.lose("sendMessage")
    server.drop("sendMessage")
    for shown in (1, 1):
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await raw("sendMessage", chat_id=group.id, text="x")
        assert len(group.messages) == shown
    assert [call.lost for call in server.calls("sendMessage")] == [True, True]


async def test_a_hold_keeps_requests_waiting(raw: Raw, server: BotApi) -> None:
    group = server.group("Study")
    with server.hold("sendMessage", group) as hold:
        sending = asyncio.create_task(raw("sendMessage", chat_id=group.id, text="x"))
        await hold.reached()
        assert group.messages == []
    assert (await sending)["ok"]
    with server.hold("sendMessage", answer_only=True) as hold:
        sending = asyncio.create_task(raw("sendMessage", chat_id=group.id, text="y"))
        await group.shows("y")
        await hold.reached()
        assert not sending.done()
    assert (await sending)["ok"]


async def test_what_is_held_at_the_end_is_let_go() -> None:
    async with BotApi() as server, Raw(server) as raw:
        server.hold("*")
        asking = asyncio.create_task(raw("getMe"))
        await server.until(lambda: server.calls("getMe"))
        server.mend()
        assert (await asking)["ok"]


async def test_the_library_meets_its_own_errors(
    bot: telegram.Bot, server: BotApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")
    group = server.group("Study")
    server.fail("sendMessage", 429, "Too Many Requests: retry after 7", parameters={"retry_after": 7})
    server.fail("sendMessage", 403, "Forbidden: bot was kicked from the group chat")
    server.fail("sendMessage", 409, "Conflict: terminated by other getUpdates request")
    server.fail("sendMessage", 401, "Unauthorized")
    server.garbage("sendMessage")
    for error in (RetryAfter, Forbidden, Conflict, InvalidToken, NetworkError):
        with pytest.raises(error) as caught:
            await bot.send_message(group.id, "x")
        assert type(caught.value) is error
    with pytest.raises(BadRequest, match="Message text is empty"):
        await bot.send_message(group.id, " ")
    group.upgrade()
    with pytest.raises(ChatMigrated):
        await bot.send_message(group.id, "x")


async def test_the_library_plays_a_question_from_command_to_result(bot: telegram.Bot, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.supergroup("Study", [ann], topics=["Week 1"])
    await ann.write(group, "/quiz", topic="Week 1")
    (update,) = await bot.get_updates(timeout=1, allowed_updates=["message", "callback_query"])
    assert update.message is not None
    keys = telegram.InlineKeyboardMarkup.from_row([telegram.InlineKeyboardButton("A", callback_data="a")])
    topic = update.message.message_thread_id
    sent = await bot.send_photo(
        group.id, PNG, "<b>Q</b>", message_thread_id=topic, parse_mode="HTML", reply_markup=keys
    )
    press = await ann.press(await group.shows("Q"), "A")
    (update,) = await bot.get_updates(offset=update.update_id + 1)
    assert update.callback_query is not None
    assert await update.callback_query.answer("Right")
    await bot.edit_message_caption(group.id, sent.message_id, caption="Result")
    assert ((await press.answered()).text, group.last.caption, group.last.photo) == ("Right", "Result", PNG)
    assert (group.last.topic, group.last.edits, group.last.keyboard) == ("Week 1", 1, [])


async def test_a_condition_that_never_comes_fails_with_the_chat_in_view(
    server: BotApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.telegram.server.changes.PATIENCE", 0)
    ann = server.person("Ann")
    await ann.start_bot()
    with pytest.raises(AssertionError, match=r"Ann does not show 'hello'\n(?s:.*)/start"):
        await ann.private.shows("hello")


# The contract


async def asked(server: BotApi, *methods: str) -> None:
    """Open a server, call methods without parameters, and leave it."""
    async with server, aiohttp.ClientSession() as session:
        for method in methods:
            async with session.post(f"{server.url}/bot{server.token}/{method}") as answer:
                await answer.read()


@pytest.fixture
def strict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with a contract that allows no sendMessage without a chat, and says what it was given."""
    source = (
        "def validate(method, params):\n"
        "    print(method, params)\n"
        "    return ['no chat'] if method == 'sendMessage' and 'chat_id' not in params else []\n"
    )
    (tmp_path / contract.FILE).write_text(source)
    monkeypatch.setenv(contracts.VARIABLE, str(tmp_path))
    monkeypatch.setattr(contract, "checked", 0)
    yield
    assert [path.name for path in tmp_path.iterdir()] == [contract.FILE], "something was written into the folder"


async def test_requests_are_held_against_the_contract(strict: None, clock: VirtualClock) -> None:
    assert contract.problem() is not None
    with pytest.raises(AssertionError, match="sendMessage: no chat"):
        await asked(BotApi(clock), "getMe", "sendMessage")
    assert (contract.checked, contract.problem()) == (2, None)


async def test_the_contract_gets_values_as_they_were_sent(
    strict: None, clock: VirtualClock, capsys: pytest.CaptureFixture[str]
) -> None:
    async with BotApi(clock) as server, telegram.Bot(server.token, base_url=server.url + "/bot") as bot:
        chat = server.group("Study").id
        await bot.send_photo(chat, telegram.InputFile(PNG, "a.png", attach=True), reply_markup=None)
    assert f"sendPhoto {{'chat_id': '{chat}', 'photo': 'attach://" in capsys.readouterr().out


async def test_without_a_folder_nothing_is_held_against_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(contracts.VARIABLE, raising=False)
    async with BotApi() as server:
        assert server.contracts is None
        assert contract.problem() is None


async def test_a_fault_of_the_server_itself_does_not_stay_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    server = BotApi()
    monkeypatch.delattr(server.world, "privacy")
    with pytest.raises(AttributeError, match="privacy"):
        await asked(server, "getMe")
