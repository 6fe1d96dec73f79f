"""Whatever fails, and however much is logged of it: no token of a bot or of an interaction is to be read."""

from __future__ import annotations

import io
import logging
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator

import discord
import pytest
from aiohttp import web

from adapters.discord.redaction import CHATTY, REDACTED, install, redact
from adapters.telegram import redaction as of_telegram

HIDDEN = "kept-from-every-reader-of-this-log"
TOKEN = f"MTE4NzQ1MDIzODQyMDE0ODI4NQ.GhUjKl.{HIDDEN}-1234"
TELEGRAM_HIDDEN = "AAE-the_secret-of-this-very-test-01"
GIVEN = b64encode(b"interaction:1187450238420148285:a-secret-of-fifteen-minutes").decode()
FOREIGN = "another.kind-of-token"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Everything that any logger says at DEBUG, as an ordinary handler writes it. Nothing is redacted yet."""
    written, root, make = io.StringIO(), logging.getLogger(), logging.getLogRecordFactory()
    levels = {logger: logger.level for logger in (root, *map(logging.getLogger, (*CHATTY, *of_telegram.CHATTY)))}
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
async def base(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A server that knows no interaction, and tells everybody what they sent; the library asks it."""

    async def echo(request: web.Request) -> web.Response:
        known = request.path == "/users/@me"
        text = f'{{"code": 10062, "message": "{request.path} {request.headers["Authorization"]}"}}'
        return web.Response(body=text.encode(), status=200 if known else 404, content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", echo)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    monkeypatch.setattr(discord.http.Route, "BASE", address)
    yield address
    await runner.cleanup()


async def ask(token: str) -> None:
    """A client answers an interaction and edits that answer, in vain; it is logged as careless code would."""
    client, log = discord.Client(intents=discord.Intents.none()), logging.getLogger("careless")
    await client.http.static_login(token)
    for path in ("/interactions/{webhook_id}/{webhook_token}/callback", "/webhooks/{webhook_id}/{webhook_token}"):
        route = discord.http.Route("POST", path, webhook_id=42, webhook_token=FOREIGN)
        log.debug("asks at %s", route.url)
        try:
            await client.http.request(route, json={"token": token})
        except discord.NotFound as error:
            log.warning("it failed: %s, %r", error.response, error, exc_info=True, stack_info=True)
    await client.close()


async def test_no_failure_of_the_library_logs_a_token(logged: io.StringIO, base: str) -> None:
    install(TOKEN)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.DEBUG)
    await ask(TOKEN)

    said = logged.getvalue()
    assert HIDDEN not in said
    assert FOREIGN not in said
    assert said.count(REDACTED) > 10
    assert said.count("Traceback") == 2


async def test_without_it_both_tokens_would_be_in_the_log(logged: io.StringIO, base: str) -> None:
    await ask(TOKEN)

    assert HIDDEN in logged.getvalue()
    assert FOREIGN in logged.getvalue()


def test_of_the_library_warnings_are_heard_and_nothing_else(logged: io.StringIO) -> None:
    install(TOKEN)
    for name in CHATTY:
        logging.getLogger(name).debug("a payload")
        logging.getLogger(name).info("a connection")
        logging.getLogger(name).warning("something is wrong")

    assert logged.getvalue().count("a payload") == logged.getvalue().count("a connection") == 0
    assert logged.getvalue().count("something is wrong") == len(CHATTY)


@pytest.mark.parametrize("order", [1, -1])
def test_the_secrets_of_both_platforms_are_kept_out_together(order: int, logged: io.StringIO) -> None:
    for installed, secret in ((install, FOREIGN), (of_telegram.install, "a-webhook-secret"))[::order]:
        installed(secret)
    logging.getLogger("careless").error("%s a-webhook-secret bot42:%s %s", FOREIGN, TELEGRAM_HIDDEN, TOKEN)

    assert logged.getvalue() == f"careless ERROR {REDACTED} bot<redacted> bot<redacted> {REDACTED}\n"


def test_installing_it_again_does_not_pile_up(logged: io.StringIO) -> None:
    install(TOKEN)
    first = logging.getLogRecordFactory()
    for _ in range(3):
        install(TOKEN)

    assert vars(logging.getLogRecordFactory()) == vars(first)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Authorization: Bot {TOKEN}", "Authorization: Bot <redacted>"),
        (f"{TOKEN}.", "<redacted>."),
        (f"({TOKEN})({TOKEN})", "(<redacted>)(<redacted>)"),
        (f"https://discord.com/api/v10/interactions/42/{GIVEN}/callback", "…/interactions/42/<redacted>/callback"),
        ("/interactions/42/what-ever:it+is/callback?with_response=1", "/interactions/42/<redacted>/callback?with_res"),
        ("/webhooks/42/x.y/messages/@original", "/webhooks/42/<redacted>/messages/@original"),
        ("POST /webhooks/42/x_y-z returned 404", "POST /webhooks/42/<redacted> returned 404"),
        (f"token={GIVEN}", "token=<redacted>"),
        ("{'id': '42', 'token': 'x.y', 'type': 2}", "{'id': '42', 'token': '<redacted>', 'type': 2}"),
        ('{"token":"x.y","op":2}', '{"token":"<redacted>","op":2}'),
    ],
)
def test_what_is_a_token_or_stands_where_one_does_is_taken_out(text: str, expected: str) -> None:
    head, _, tail = expected.rpartition("…")
    assert tail in redact(text) if head == "" else redact(text) == expected
    assert HIDDEN not in redact(text)
    assert GIVEN not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "Discord: Quizbot#0001, at discord.com; the Bot API answers, and so does www.example.invalid.example.org",
        "discord:#1187450238420148285/1187450238420148286 and 1:a:1754300000-12:3",
        "/channels/1187450238420148285/messages/1187450238420148286 and /webhooks/1187450238420148285",
        "adapters.discord.conversation of tests.discord.test_sessions",
        "the token is refused",
    ],
)
def test_nothing_else_is_taken_out(text: str) -> None:
    assert redact(text) == text


def test_a_token_of_any_look_is_kept_out_where_it_is_named() -> None:
    assert redact(f"it is {FOREIGN}, see", FOREIGN) == "it is <redacted>, see"
    assert redact("banana", "an") == "banana"
