"""The request layer against a server on this machine that answers as each test wants."""

from __future__ import annotations

import asyncio
import io
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
from aiohttp import web
from telegram import Bot
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, RetryAfter, TimedOut
from telegram.request import RequestData
from telegram.request._requestparameter import RequestParameter

from adapters.telegram.request import AiohttpRequest, NotSentError, NotSentTimeoutError

TOKEN = "123456:" + "AAE-the-secret-of-this-very-test_00"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """A Bot API of one answer. `form` is what was asked last, `calls` how often."""

    def __init__(self) -> None:
        self.url = ""
        self.handler: Handler = self.answer
        self.status = 200
        self.body: bytes = b'{"ok":true,"result":true}'
        self.form: dict[str, Any] = {}
        self.headers: dict[str, str] = {}
        self.calls = 0
        self.connections: set[object] = set()
        self.held = asyncio.Event()
        self.arrived: list[str] = []

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.calls += 1
        self.headers = dict(request.headers)
        self.connections.add(request.transport)
        self.form = {name: await _content(part) for name, part in (await request.post()).items()}
        return await self.handler(request)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        return web.Response(status=self.status, body=self.body, content_type="application/json")

    async def hold(self, request: web.Request) -> web.StreamResponse:
        """Answer when the test says so."""
        self.arrived.append(str(self.form.get("text", "")))
        await self.held.wait()
        return await self.answer(request)

    async def break_off(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.close()
        return await self.answer(request)


async def _content(part: object) -> object:
    if isinstance(part, web.FileField):
        return part.filename, part.content_type, part.file.read()
    return part


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    app = web.Application(client_max_size=2**22)
    app.router.add_route("*", "/{path:.*}", server.serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    server.held.set()
    await runner.cleanup()


@pytest.fixture
async def request_layer() -> AsyncIterator[AiohttpRequest]:
    async with AiohttpRequest() as layer:
        yield layer


def at(server: Server, endpoint: str = "sendMessage") -> str:
    return f"{server.url}/bot{TOKEN}/{endpoint}"


def asking(**parameters: object) -> RequestData:
    return RequestData([RequestParameter.from_input(name, value) for name, value in parameters.items()])


def everything_said(error: BaseException | None) -> str:
    """Texts of an error and of everything that led to it."""
    said = ""
    while error is not None:
        said += f"{error} {error!r} {error.args!r}\n"
        error = error.__cause__ or error.__context__
    return said


async def test_parameters_arrive_as_the_library_writes_them(server: Server, request_layer: AiohttpRequest) -> None:
    text = "Ÿ 100 % a&b=c+d\n<b>🙂</b>"
    result = await request_layer.post(at(server), asking(chat_id=-5, text=text, entities=[{"offset": 0}], silent=None))

    assert result is True
    assert server.form == {"chat_id": "-5", "text": text, "entities": '[{"offset": 0}]'}


async def test_the_librarys_bot_speaks_through_it(server: Server) -> None:
    me = {"id": 1, "is_bot": True, "first_name": "Quizbot", "username": "quizbot"}
    server.body = json.dumps({"ok": True, "result": me}).encode()
    bot = Bot(TOKEN, f"{server.url}/bot", request=AiohttpRequest(), get_updates_request=AiohttpRequest())

    async with bot:
        assert bot.username == "quizbot"


@pytest.mark.parametrize("handle", [False, True])
async def test_files_are_uploaded_with_name_and_type(server: Server, handle: bool) -> None:
    # More than a mebibyte: aiohttp warns of bytes of that size, for writing them would hold up everything else.
    picture = b"\x89PNG" * 300_000
    message = {"message_id": 3, "date": 1, "chat": {"id": 5, "type": "private"}}
    server.body = json.dumps({"ok": True, "result": message}).encode()
    bot = Bot(TOKEN, f"{server.url}/bot", request=AiohttpRequest(), get_updates_request=AiohttpRequest())
    for layer in bot._request:
        await layer.initialize()

    sent = await bot.send_photo(5, io.BytesIO(picture) if handle else picture, caption="Ябълки", filename="apples.png")
    for layer in bot._request:
        await layer.shutdown()

    assert sent.message_id == 3
    assert server.form == {"chat_id": "5", "caption": "Ябълки", "photo": ("apples.png", "image/png", picture)}


async def test_raw_gives_the_result_as_it_came_and_waits_as_long_as_the_platform_may(server: Server) -> None:
    updates = [{"update_id": 7, "message": {"nobody": "knows this"}}, {"update_id": 8}]
    server.body = json.dumps({"ok": True, "result": updates}).encode()
    server.handler = server.hold

    async with AiohttpRequest(read_timeout=0.01) as layer:
        asked = asyncio.create_task(
            layer.raw(at(server, "getUpdates"), {"timeout": 50, "allowed_updates": ["message"]}, wait=50)
        )
        while not server.arrived:
            await asyncio.wait([asked], timeout=0.05)
        assert not asked.done()
        server.held.set()
        assert await asked == updates

    assert server.form == {"timeout": "50", "allowed_updates": '["message"]'}


async def test_a_file_is_retrieved_as_it_is(server: Server, request_layer: AiohttpRequest) -> None:
    server.body = b"\x89PNG not JSON at all"

    assert await request_layer.retrieve(f"{server.url}/file/bot{TOKEN}/photos/1.png") == server.body


@pytest.mark.parametrize(
    ("status", "answer", "expected"),
    [
        (400, {"description": "Bad Request: chat not found"}, BadRequest),
        (400, {"description": "x", "parameters": {"migrate_to_chat_id": -9}}, ChatMigrated),
        (401, {"description": "Unauthorized"}, InvalidToken),
        (403, {"description": "Forbidden: bot was kicked from the group chat"}, Forbidden),
        (429, {"description": "x", "parameters": {"retry_after": 3}}, RetryAfter),
        (502, {"description": "Bad Gateway"}, NetworkError),
    ],
)
async def test_answers_of_the_platform_are_the_librarys_errors(
    server: Server, request_layer: AiohttpRequest, status: int, answer: dict[str, object], expected: type[Exception]
) -> None:
    server.status, server.body = status, json.dumps({"ok": False, "error_code": status} | answer).encode()

    with pytest.raises(expected) as caught:
        await request_layer.post(at(server), asking(chat_id=1))

    assert type(caught.value) is expected


@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 404, 409, 502])
@pytest.mark.parametrize(
    "body",
    [
        b"<html><h1>502 Bad Gateway</h1></html>",
        b"",
        b"null",
        b"[]",
        b"\xff\xfe\x00",
        b"{broken",
        b'{"result":' + b"[" * 100_000,
        b'{"error":"not here"}',
    ],
    ids=["page", "empty", "null", "list", "not-text", "broken", "deep", "other"],
)
async def test_what_is_no_answer_of_the_platform_is_an_error_of_the_way(
    server: Server, request_layer: AiohttpRequest, status: int, body: bytes
) -> None:
    server.status, server.body = status, body
    with pytest.raises(NetworkError) as caught:
        await request_layer.post(at(server), asking(chat_id=1))

    assert type(caught.value) is NetworkError
    assert TOKEN not in everything_said(caught.value)


async def test_a_success_without_a_result_is_an_error_of_the_way(server: Server, request_layer: AiohttpRequest) -> None:
    server.body = b'{"ok":false,"description":"Bad Request: chat not found"}'

    with pytest.raises(NetworkError, match="answered sendMessage with 200, but there is no result"):
        await request_layer.post(at(server), asking(chat_id=1))


async def test_a_redirect_is_not_followed(server: Server, request_layer: AiohttpRequest) -> None:
    async def elsewhere(request: web.Request) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": f"{server.url}/elsewhere"})

    server.handler = elsewhere
    with pytest.raises(NetworkError):
        await request_layer.post(at(server), asking(chat_id=1))

    assert server.calls == 1


async def test_a_server_that_is_not_there_got_nothing(request_layer: AiohttpRequest) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(NotSentError) as caught:
            await request_layer.post(f"http://127.0.0.1:{taken.getsockname()[1]}/bot{TOKEN}/getMe")

    assert "no connection to 127.0.0.1" in str(caught.value)
    assert TOKEN not in everything_said(caught.value)


@pytest.mark.parametrize(
    "address", [f"http:///bot{TOKEN}/getMe", f"ftp://a/bot{TOKEN}/getMe", f"http://a:b:c/bot{TOKEN}/getMe"]
)
async def test_an_address_that_is_none_is_an_error_without_the_token(
    request_layer: AiohttpRequest, address: str
) -> None:
    with pytest.raises(NetworkError) as caught:
        await request_layer.post(address)

    assert TOKEN not in everything_said(caught.value)


async def test_a_connection_that_breaks_off_may_have_carried_the_request(
    server: Server, request_layer: AiohttpRequest
) -> None:
    server.handler = server.break_off
    with pytest.raises(NetworkError) as caught:
        await request_layer.post(at(server), asking(chat_id=1))

    assert type(caught.value) is NetworkError
    assert server.calls == 1
    assert TOKEN not in everything_said(caught.value)


async def test_silence_is_a_time_out_after_which_the_request_may_have_arrived(
    server: Server, request_layer: AiohttpRequest
) -> None:
    server.handler = server.hold
    with pytest.raises(TimedOut) as caught:
        await request_layer.post(at(server), asking(chat_id=1), read_timeout=0.02)

    assert not isinstance(caught.value, NotSentError)
    assert TOKEN not in everything_said(caught.value)


async def test_an_answer_that_never_ends_is_a_time_out(server: Server) -> None:
    async def trickle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(500):
            await response.write(b" ")
            with suppress(TimeoutError):
                async with asyncio.timeout(0.01):
                    await server.held.wait()
                    break
        return response

    server.handler = trickle
    async with AiohttpRequest(connect_timeout=0.1, write_timeout=0.1, read_timeout=0.1) as layer:
        with pytest.raises(TimedOut):
            await layer.post(at(server), asking(chat_id=1))
    server.held.set()


async def test_a_server_that_takes_no_connection_in_time_got_nothing(request_layer: AiohttpRequest) -> None:
    with socket.socket() as deaf:
        # It never says a word, so that there never is a TLS connection.
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        address = f"https://127.0.0.1:{deaf.getsockname()[1]}/bot{TOKEN}/getMe"
        with pytest.raises(NotSentTimeoutError) as caught:
            await request_layer.post(address, connect_timeout=0.05, read_timeout=30)

    assert TOKEN not in everything_said(caught.value)


async def test_no_more_requests_than_connections_are_under_way_and_the_rest_keep_their_order(server: Server) -> None:
    server.handler = server.hold
    async with AiohttpRequest(1) as layer:
        asked = [asyncio.create_task(layer.post(at(server), asking(text=str(n)))) for n in range(12)]
        while not server.arrived:
            await asyncio.wait(asked, timeout=0.05)
        alone = list(server.arrived)
        server.held.set()
        await asyncio.gather(*asked)

    assert alone == ["0"]
    assert server.arrived == [str(n) for n in range(12)]
    assert len(server.connections) == 1


async def test_who_gets_no_connection_in_time_has_sent_nothing(server: Server) -> None:
    server.handler = server.hold
    async with AiohttpRequest(1) as layer:
        first = asyncio.create_task(layer.post(at(server), asking(text="first")))
        while not server.arrived:
            await asyncio.wait([first], timeout=0.05)
        with pytest.raises(NotSentTimeoutError):
            await layer.post(at(server), asking(text="second"), pool_timeout=0.01)
        server.held.set()
        await first
        await layer.post(at(server), asking(text="third"))

    assert server.arrived == ["first", "third"]


async def test_a_request_given_up_frees_its_connection(server: Server) -> None:
    server.handler = server.hold
    async with AiohttpRequest(1) as layer:
        given_up = asyncio.create_task(layer.post(at(server), asking(text="given up")))
        while not server.arrived:
            await asyncio.wait([given_up], timeout=0.05)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        server.held.set()

        assert await layer.post(at(server), asking(text="next")) is True


async def test_it_starts_and_stops_as_often_as_one_likes(server: Server) -> None:
    layer = AiohttpRequest()
    await layer.shutdown()
    with pytest.raises(NotSentError, match="not initialised"):
        await layer.post(at(server))
    for _ in range(2):
        await layer.initialize()
        await layer.initialize()
        assert await layer.post(at(server)) is True
        await layer.shutdown()
        await layer.shutdown()


async def test_a_proxy_of_the_environment_is_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    async with AiohttpRequest() as layer:
        assert await layer.post(f"http://api.invalid/bot{TOKEN}/getMe") is True

    assert server.headers["Host"] == "api.invalid"


async def test_hosts_that_need_no_proxy_are_asked_directly(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    async with AiohttpRequest() as layer:
        assert await layer.post(at(server)) is True


async def test_a_proxy_that_is_given_goes_before_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with AiohttpRequest(proxy=server.url) as layer:
        assert await layer.post(f"http://api.invalid/bot{TOKEN}/getMe") is True


async def test_a_proxy_that_is_not_there_got_nothing() -> None:
    async with AiohttpRequest(proxy="http://127.0.0.1:1") as layer:
        with pytest.raises(NotSentError) as caught:
            await layer.post(f"http://api.invalid/bot{TOKEN}/getMe")

    assert TOKEN not in everything_said(caught.value)


async def test_a_proxy_of_a_kind_that_we_do_not_speak_is_named() -> None:
    async with AiohttpRequest(proxy="socks5://127.0.0.1:1") as layer:
        with pytest.raises(NotSentError, match="the proxy is one for socks5; set HTTPS_PROXY"):
            await layer.post(f"http://api.invalid/bot{TOKEN}/getMe")


def test_the_read_time_out_is_what_was_given() -> None:
    assert AiohttpRequest(read_timeout=4).read_timeout == 4
