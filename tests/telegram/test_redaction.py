"""Whatever fails, and however much is logged of it: the token is nowhere to be read."""

from __future__ import annotations

import asyncio
import io
import logging
import socket
from collections.abc import AsyncIterator, Iterator

import pytest
from aiohttp import web
from telegram.error import InvalidToken, NetworkError, TelegramError
from telegram.ext import ExtBot
from telegram.request import BaseRequest, HTTPXRequest

from adapters.redaction import host_of
from adapters.telegram.errors import remedy
from adapters.telegram.redaction import CHATTY, REDACTED, install, redact
from adapters.telegram.request import AiohttpRequest

HIDDEN = "AAE-the_secret-of-this-very-test-01"
START = HIDDEN[:8]
TOKEN = f"123456789:{HIDDEN}"
FOR_WEBHOOK = "what-only-the-webhook-knows"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Everything that any logger says at DEBUG, as an ordinary handler writes it. Nothing is redacted yet."""
    written, root, make = io.StringIO(), logging.getLogger(), logging.getLogRecordFactory()
    levels = {logger: logger.level for logger in (root, *map(logging.getLogger, CHATTY))}
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    logging.setLogRecordFactory(make)
    for logger, level in levels.items():
        logger.setLevel(level)


@pytest.fixture
async def server() -> AsyncIterator[str]:
    """A server of every kind of failure: the first part of the path says which."""

    async def fail(request: web.Request) -> web.StreamResponse:
        match request.path.split("/")[1]:
            case "rejected":
                return web.json_response({"ok": False, "description": "Unauthorized"}, status=401)
            case "echoing":
                return web.Response(text=f"<html>{request.url} is not here</html>", status=502)
            case "redirecting":
                return web.Response(status=302, headers={"Location": f"{request.url}?again"})
            case "broken":
                assert request.transport is not None
                request.transport.close()
            case _:
                logging.getLogger("server").debug("%s", request.url)
        return web.json_response({"ok": False, "description": f"Bad Request: {request.url}"}, status=400)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", fail)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def closed_port() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


async def ask(base: str, layer: type[BaseRequest]) -> Exception:
    """What a bot meets at this address; it is logged on the way as careless code would."""
    bot = ExtBot(TOKEN, f"{base}/bot", request=layer(), get_updates_request=layer())
    log = logging.getLogger("careless")
    log.debug("%r asks at %s, %s", bot, bot.base_url, {"token": bot.token})
    try:
        await bot.initialize()
    except TelegramError as error:
        log.warning("it failed: %s, %r", error, error, exc_info=True, stack_info=True)
        return error
    finally:
        await bot.shutdown()
    raise AssertionError("that address was meant to fail")


KINDS = ["rejected", "echoing", "redirecting", "broken", "unknown"]


@pytest.mark.parametrize("layer", [AiohttpRequest, HTTPXRequest])
async def test_no_failure_of_any_layer_logs_the_token(
    logged: io.StringIO, server: str, layer: type[BaseRequest]
) -> None:
    install(TOKEN)
    for kind in KINDS:
        await ask(f"{server}/{kind}", layer)
    await ask(closed_port(), layer)

    assert START not in logged.getvalue()
    assert logged.getvalue().count(REDACTED) > 10
    assert logged.getvalue().count("Traceback") >= 6


async def test_without_it_the_token_would_be_in_the_log(logged: io.StringIO, server: str) -> None:
    await ask(f"{server}/rejected", AiohttpRequest)

    assert START in logged.getvalue()


async def test_no_error_of_our_layer_and_no_remedy_holds_the_token(server: str) -> None:
    async with AiohttpRequest(read_timeout=0.05) as layer:
        for base in (*(f"{server}/{kind}" for kind in KINDS), closed_port(), "http://a:b:c"):
            with pytest.raises((NetworkError, InvalidToken)) as caught:
                await layer.post(f"{base}/bot{TOKEN}/getMe")
            error = remedy(caught.value, "telegram:1")
            assert START not in f"{error} {error!r}"
            if "unknown" not in base:
                # The platform's own text is the library's to keep; it never has an address in it.
                assert START not in f"{caught.value} {caught.value!r} {caught.value.args} {caught.value.__context__}"


async def test_the_librarys_word_on_a_rejected_token_does_not_pass_the_remedy(server: str) -> None:
    error = await ask(f"{server}/rejected", AiohttpRequest)

    assert START in str(error)
    assert START not in f"{remedy(error, 'telegram:1')!r}"


async def test_what_the_loop_says_of_a_forgotten_task_holds_no_token(logged: io.StringIO) -> None:
    install(TOKEN)
    error = InvalidToken(f"The token `{TOKEN}` was rejected by the server.")
    asyncio.get_running_loop().call_exception_handler({"message": f"never retrieved: {TOKEN}", "exception": error})

    assert "InvalidToken" in logged.getvalue()
    assert START not in logged.getvalue()


def test_handlers_and_loggers_that_come_later_are_covered(logged: io.StringIO) -> None:
    install(TOKEN)
    late, later = io.StringIO(), logging.getLogger("later")
    later.propagate = False
    later.addHandler(logging.StreamHandler(late))
    later.error("at https://api.telegram.org/bot%s/getMe", TOKEN)
    later.handlers.clear()

    assert late.getvalue() == "at https://api.telegram.org/bot<redacted>/getMe\n"


def test_arguments_that_do_not_fit_are_told_without_the_token(
    logged: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    install(TOKEN)
    logging.getLogger("careless").error("%d of %d", TOKEN)

    said = logged.getvalue() + "".join(capsys.readouterr())
    assert START not in said
    assert "%d of %d" in said


def test_secrets_that_look_like_nothing_are_kept_out_where_they_are_named(logged: io.StringIO) -> None:
    install(TOKEN)
    install(FOR_WEBHOOK, "")
    install("another-secret")
    logging.getLogger("careless").error("%s another-secret %s %s", FOR_WEBHOOK, TOKEN, "innocent")

    assert logged.getvalue() == "careless ERROR bot<redacted> bot<redacted> bot<redacted> innocent\n"


def test_a_token_written_in_the_source_is_not_shown_with_the_stack(logged: io.StringIO) -> None:
    install(TOKEN)
    logging.getLogger("careless").error("here", stack_info=True)  # bot42:written-here

    assert "# bot<redacted>" in logged.getvalue()


def test_installing_it_again_does_not_pile_up(logged: io.StringIO) -> None:
    install(TOKEN)
    first = logging.getLogRecordFactory()
    for _ in range(3):
        install(TOKEN)

    assert vars(logging.getLogRecordFactory()) == vars(first)


def test_nobody_says_a_line_per_request(logged: io.StringIO) -> None:
    install(TOKEN)
    for name in CHATTY:
        logging.getLogger(name).info("HTTP Request: POST")
        logging.getLogger(name).warning("something is wrong")

    assert logged.getvalue().count("HTTP Request") == 0
    assert logged.getvalue().count("something is wrong") == len(CHATTY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"https://api.telegram.org/bot{TOKEN}/getMe", "https://api.telegram.org/bot<redacted>/getMe"),
        (f"https://api.telegram.org/file/bot{TOKEN}/a.png", "https://api.telegram.org/file/bot<redacted>/a.png"),
        (f"/bot123456789%3A{HIDDEN}/getMe", "/bot<redacted>/getMe"),
        (f"token={TOKEN}.", "token=bot<redacted>."),
        ("bot42:short", "bot<redacted>"),
        (f"({TOKEN})({TOKEN})", "(bot<redacted>)(bot<redacted>)"),
        ("http://127.0.0.1:8080/health at 12:30:45", "http://127.0.0.1:8080/health at 12:30:45"),
        ("telegram:-1001234567890 and 1:a:1754300000-12:3", "telegram:-1001234567890 and 1:a:1754300000-12:3"),
        ("robot 7: hello", "robot 7: hello"),
    ],
)
def test_what_looks_like_a_token_is_taken_out_and_nothing_else(text: str, expected: str) -> None:
    assert redact(text) == expected


def test_a_secret_too_short_to_be_one_is_left_in_its_words() -> None:
    assert redact("banana", "an") == "banana"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://me:pass@bots.example:8443/bot/getMe", "bots.example:8443"),
        ("https://bots.example?key=hidden", "bots.example"),
        ("https://bots.example#hidden", "bots.example"),
        ("http://[::1]:8081/bot", "[::1]:8081"),
        ("http://[broken/hidden", "[broken"),
        ("https://me:pass@/hidden", "an address without a host"),
        ("/hidden//path", "an address without a host"),
        ("hidden", "an address without a host"),
        ("", "an address without a host"),
    ],
)
def test_nothing_that_may_be_secret_is_a_part_of_the_host_of_an_address(url: str, expected: str) -> None:
    assert host_of(url) == expected
