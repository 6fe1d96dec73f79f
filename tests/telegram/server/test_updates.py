"""Updates come by polling and by webhook as the real Bot API brings them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from tests.telegram.server import BotApi, Hold
from tests.telegram.server.raw import Raw
from tests.telegram.server.webhook import TRIES

HOUR = 3600


async def ids(raw: Raw, **params: Any) -> list[int]:
    return [update["update_id"] for update in await raw.result("getUpdates", **params)]


async def test_an_offset_confirms_and_a_limit_limits(raw: Raw, server: BotApi) -> None:
    first, second, third = (server.push_raw({"poll": {}}) for _ in range(3))
    assert await ids(raw, limit=2) == await ids(raw, limit=2) == [first, second]
    assert await ids(raw, offset=second) == [second, third]
    assert await ids(raw) == [second, third]
    assert await ids(raw, offset=-1) == [third]
    assert await ids(raw, offset=third + 1) == []


async def test_a_poll_waits_until_something_happens(raw: Raw, server: BotApi) -> None:
    waiting = asyncio.create_task(ids(raw, timeout=HOUR))
    await server.until(lambda: server.calls("getUpdates"))
    assert not waiting.done()
    assert [server.push_raw({"poll": {}})] == await waiting


async def test_a_second_poll_ends_the_first(raw: Raw, server: BotApi) -> None:
    first = asyncio.create_task(raw("getUpdates", timeout=HOUR))
    await server.until(lambda: server.calls("getUpdates"))
    second = asyncio.create_task(raw("getUpdates", timeout=HOUR))
    answer = await first
    assert answer["error_code"] == 409
    assert answer["description"].startswith("Conflict: terminated by other getUpdates request")
    server.push_raw({"poll": {}})
    assert (await second)["ok"]


async def test_kinds_that_were_not_asked_for_are_kept_back(raw: Raw, server: BotApi) -> None:
    ann = server.person("Ann")
    group = server.group("Study", [ann])
    await raw.result("getUpdates", allowed_updates=["message", "chat_member"])
    await ann.write(group, "/quiz")
    await ann.press_data(group.last, "a")
    group.promote(ann)
    kinds = [list(update)[1] for update in await raw.result("getUpdates")]
    assert (kinds, server.world.updates.withheld) == (["message", "chat_member"], 1)


async def test_an_update_can_come_again_after_it_was_confirmed(raw: Raw, server: BotApi) -> None:
    update = server.push_raw({"poll": {}})
    assert await ids(raw, offset=update + 1) == []
    server.repeat(update)
    assert await ids(raw, offset=update + 1) == [update]
    assert await ids(raw, offset=update + 1) == []


class Hook:
    """A bot's web server. It answers with the `statuses` given, then with 200; `hold` keeps its answers back."""

    def __init__(self) -> None:
        self.url = ""
        self.got: list[tuple[int, str | None]] = []
        self.statuses: list[int] = []
        self.hold: Hold | None = None

    async def take(self, request: web.BaseRequest) -> web.Response:
        body = await request.json()
        self.got.append((body["update_id"], request.headers.get("X-Telegram-Bot-Api-Secret-Token")))
        if self.hold:
            await self.hold.wait()
        return web.Response(status=self.statuses.pop(0) if self.statuses else 200)


@asynccontextmanager
async def listening() -> AsyncIterator[Hook]:
    hook = Hook()
    runner = web.ServerRunner(web.Server(hook.take, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    hook.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield hook
    finally:
        await runner.cleanup()


async def test_a_webhook_gets_what_waits_and_what_comes_with_its_secret(raw: Raw, server: BotApi) -> None:
    async with listening() as hook:
        first = server.push_raw({"poll": {}})
        await raw.result("setWebhook", url=hook.url, secret_token="s-1_")  # noqa: S106 - of this test only
        second = server.push_raw({"poll": {}})
        await server.confirmed()
        assert hook.got == [(first, "s-1_"), (second, "s-1_")]
        refusal = await raw("getUpdates")
        assert refusal["error_code"] == 409
        assert refusal["description"].startswith("Conflict: can't use getUpdates method while webhook is active")
        await raw.result("deleteWebhook")
        assert await ids(raw) == []


async def test_what_a_webhook_does_not_accept_stays_and_is_tried_again(raw: Raw, server: BotApi) -> None:
    async with listening() as hook:
        hook.statuses = [500] * TRIES
        await raw.result("setWebhook", url=hook.url)
        update = server.push_raw({"poll": {}})
        await server.until(lambda: len(server.world.webhook.refused) == TRIES)
        info = await raw.result("getWebhookInfo")
        said = (info["pending_update_count"], info["last_error_message"], info["last_error_date"])
        assert said == (1, "Wrong response from the webhook: 500 Internal Server Error", server.world.seconds())
        server.retry_webhook()
        await server.confirmed()
        assert hook.got == [(update, None)] * (TRIES + 1)


async def test_presses_of_several_people_reach_a_webhook_side_by_side(raw: Raw, server: BotApi) -> None:
    people = [server.person(f"P{number}") for number in range(4)]
    group = server.supergroup("Study", people)
    async with listening() as hook:
        hook.hold = Hold(server.world.changes, answer_only=False)
        await raw.result("setWebhook", url=hook.url, max_connections=3)
        for person in people:
            await person.press_data(group.forgotten(7), "first")
            await person.press_data(group.forgotten(7), "second")
        await hook.hold.reached(3)
        assert len(hook.got) == 3
        hook.hold.release()
        await server.confirmed()
        assert len(hook.got) == 8


async def test_a_webhook_gets_an_update_again_on_demand(raw: Raw, server: BotApi) -> None:
    async with listening() as hook:
        await raw.result("setWebhook", url=hook.url)
        update = server.push_raw({"poll": {}})
        await server.confirmed()
        server.repeat(update)
        await server.until(lambda: len(hook.got) == 2)
        assert hook.got == [(update, None)] * 2


async def test_a_public_address_is_reached_through_a_local_one(raw: Raw, server: BotApi) -> None:
    async with listening() as hook:
        await raw.result("setWebhook", url="https://quiz.example/hook")
        server.push_raw({"poll": {}})
        await server.until(lambda: len(server.world.webhook.refused) == TRIES)
        assert (await raw.result("getWebhookInfo"))["last_error_message"] == "Connection refused"
        server.world.webhook.through = hook.url
        server.retry_webhook()
        await server.confirmed()


@pytest.mark.parametrize(
    ("params", "refusal"),
    [
        ({"url": "http://quiz.example"}, "bad webhook: An HTTPS URL must be provided for webhook"),
        ({"url": "https://quiz.example:8444"}, "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"),
        ({"url": "https://quiz.example", "secret_token": "a b"}, "secret token contains unallowed characters"),
        ({"url": "https://quiz.example", "secret_token": "x" * 257}, "secret token contains unallowed characters"),
        ({"url": "https://quiz.example", "max_connections": 101}, "invalid max_connections specified"),
    ],
)
async def test_a_webhook_that_breaks_a_rule_is_refused(raw: Raw, params: dict[str, Any], refusal: str) -> None:
    assert await raw.refusal("setWebhook", **params) == refusal


async def test_pending_updates_can_be_dropped(raw: Raw, server: BotApi) -> None:
    server.push_raw({"poll": {}})
    await raw.result("deleteWebhook", drop_pending_updates=True)
    assert await ids(raw) == []
