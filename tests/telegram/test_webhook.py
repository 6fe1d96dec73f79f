"""Updates by webhook: from Telegram alone, and nothing that is sent makes trouble."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import pytest

from adapters.telegram.webhook import generated_secret
from tests.clock import VirtualClock
from tests.telegram.delivering import PATH, SECRET, Scene, listening


@pytest.fixture
async def scene(clock: VirtualClock) -> AsyncIterator[Scene]:
    async with listening(clock) as scene:
        yield scene


# Who is let in


async def test_an_update_is_accepted_when_it_has_been_taken_and_not_before(scene: Scene) -> None:
    scene.desk.held[7] = asyncio.Event()
    sending = scene.sending(7)
    await scene.begun(7)
    assert not sending.done()
    scene.desk.held[7].set()
    assert await sending == 200
    assert scene.desk.taken == [7]


@pytest.mark.parametrize("secret", [None, "", "wrong", SECRET[:-1], SECRET + "0", SECRET.upper(), "сéкрет"])
async def test_without_the_secret_nobody_is_let_in(scene: Scene, secret: str | None) -> None:
    assert await scene.send({"update_id": 7}, secret=secret) == 403
    assert scene.desk.begun == []


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
async def test_only_post_is_allowed(scene: Scene, method: str) -> None:
    assert await scene.send({"update_id": 7}, method=method) == 405


@pytest.mark.parametrize(
    "path", ["/", "/telegram", PATH + "/", "/telegram/quiz", "/.env", "/{path}", "/telegram//quiz"]
)
async def test_elsewhere_there_is_nothing(scene: Scene, path: str) -> None:
    assert await scene.send({"update_id": 7}, path=path) == 404
    assert await scene.send({}, path=path, method="GET") == 404


@pytest.mark.parametrize("url", ["https://quiz.example.org", "https://quiz.example.org/"])
async def test_an_address_without_a_path_means_the_root(clock: VirtualClock, url: str) -> None:
    async with listening(clock, url) as scene:
        assert await scene.send({"update_id": 7}, path="/") == 200


async def test_a_path_is_taken_as_it_is_written(clock: VirtualClock) -> None:
    async with listening(clock, "https://quiz.example.org/{secret}/a.b+c") as scene:
        assert await scene.send({"update_id": 7}, path="/{secret}/a.b+c") == 200
        assert await scene.send({"update_id": 8}, path="/x/a.b+c") == 404


# What is sent


NO_UPDATES: list[object] = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"update_id": ' + b"9" * 5000 + b"}",
    b"update_id=7",
    None,
    7,
    "update",
    [],
    [{"update_id": 7}],
    {},
    {"update_id": "7"},
    {"update_id": True},
    {"update_id": 7.0},
]


@pytest.mark.parametrize("body", NO_UPDATES)
async def test_what_is_no_update_is_passed_over_and_said_in_the_log_without_its_content(
    scene: Scene, caplog: pytest.LogCaptureFixture, body: object
) -> None:
    assert await scene.send(body) == 200, "or it would come again and again"
    assert await scene.send({"update_id": 8}) == 200
    assert scene.desk.taken == [8]
    (record,) = caplog.records
    assert re.fullmatch(
        r"Telegram delivered something that is no update \([\w ]+\); it is passed over", record.getMessage()
    )
    assert record.exc_info is None


async def test_what_is_no_update_is_said_in_the_log_once_a_minute(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        assert await scene.send(b"{") == 200
        scene.clock.advance(20)
    assert len(caplog.records) == 2


async def test_a_stranger_is_not_told_what_is_an_update(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    assert await scene.send(b"{", secret="wrong") == 403  # noqa: S106
    assert caplog.records == []


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_what_is_wrongly_packed_is_passed_over(scene: Scene, encoding: str) -> None:
    assert await scene.send(b"not packed at all", headers={"Content-Encoding": encoding}) == 200
    assert scene.desk.begun == []


async def test_an_update_of_more_than_a_megabyte_is_passed_over(scene: Scene) -> None:
    assert await scene.send({"update_id": 7, "text": "a" * 1_000_000}) == 200
    assert await scene.send({"update_id": 8, "text": "a" * 1_100_000}) == 200
    assert scene.desk.taken == [7]


@pytest.mark.parametrize(
    "words",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"POST / HTTP/1.1\r\nno header\r\n\r\n",
        b"POST /telegram/quiz%20bot HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\nno http at all\r\n\r\n",
        b"POST /telegram/quiz%20bot HTTP/1.1\r\nHost: a\r\nX-Telegram-Bot-Api-Secret-Token: "
        + SECRET.encode()
        + b"\r\nContent-Length: 99\r\n\r\n{",
        b"POST /telegram/quiz%20bot HTTP/1.1\r\nHost: a\r\nX-Telegram-Bot-Api-Secret-Token: \xff\xfe\r\n\r\n",
    ],
)
async def test_a_stranger_who_speaks_no_proper_http_leaves_no_traceback(
    scene: Scene, caplog: pytest.LogCaptureFixture, words: bytes
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", scene.webhook.port)
    writer.write(words)
    writer.write_eof()
    async with asyncio.timeout(10):
        await reader.read()
    writer.close()
    await writer.wait_closed()
    assert await scene.send({"update_id": 8}) == 200
    assert "Traceback" not in caplog.text


# The secret


def test_the_generated_secret_is_always_the_same_for_a_bot_and_gives_nothing_away() -> None:
    token = "123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOpp"  # noqa: S105
    secret = generated_secret(token)
    # A new one with a new version would be refused until Telegram has been told.
    assert secret == "9bbde27107baf03f72cda6f7cd91023f160b9a39cea93d79b85dc09fab0f26d2"  # noqa: S105
    assert re.fullmatch(r"[A-Za-z0-9_-]{32,256}", secret)
    assert generated_secret(token + "q") != secret
