"""Listens for the updates that Telegram delivers, and accepts each only when it has been taken. Reads none of them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from aiohttp import web

from adapters.telegram.intake import GRACE, Take, Update, ended, number_of
from adapters.telegram.strikes import Seldom, Strikes
from adapters.wire_log import wire_log
from bot import forms, tracing
from bot.engine import StoppingError
from bot.ports import Clock
from bot.supervising import HopelessError

log = logging.getLogger(__name__)

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105
LARGEST = 1024 * 1024
"""Bytes of an update."""

PATIENCE = timedelta(seconds=20)
"""How long Telegram is kept waiting; it delivers again what was not accepted."""

CONNECTIONS = 100
"""Deliveries at once, the most that Telegram makes: those of one moment share a transaction."""

MOST_HELD = 1000
"""Updates under way, however slow the store; more are delivered again later."""

FAREWELL = 1.0
"""Seconds that answers already made are given to reach Telegram when stopping."""


def generated_secret(token: str) -> str:
    """A secret for the webhook of the bot with this token: always the same, and it does not give the token away."""
    return hmac.new(token.encode(), b"secret of the Telegram webhook", hashlib.sha256).hexdigest()


async def _nothing() -> None:
    """Nobody has to be told."""


class Webhook:
    """Updates by POST to the path of `url`, in plain HTTP at `listen`, from whoever shows `secret`.

    `started` is set while it listens, at `port`.
    """

    def __init__(self, url: str, listen: str, secret: str, clock: Clock) -> None:
        """All three in the forms that the settings make sure of (`bot.forms`)."""
        self.url = url
        self.secret = secret
        self.connections = CONNECTIONS
        self.started = asyncio.Event()
        self.port = 0
        self._listen = listen
        self._host, self._port = forms.place(listen)
        self._clock = clock

    async def run(self, take: Take, register: Callable[[], Awaitable[object]] = _nothing) -> None:
        """Bring updates to `take` until cancelled; what is under way then comes to its end. `register` is called when
        it listens, to tell Telegram. Raises HopelessError or OSError when it cannot listen, and what `register` does.
        """
        reception = Reception(urlsplit(self.url).path, self.secret, take, self._clock)
        runner = web.AppRunner(
            reception.application(), access_log=None, logger=wire_log(__name__), shutdown_timeout=FAREWELL
        )
        await runner.setup()
        try:
            await self._open(runner)
            await register()
            await asyncio.Event().wait()
        finally:
            self.started.clear()
            for site in runner.sites:
                await site.stop()
            await reception.close()
            await runner.cleanup()

    async def _open(self, runner: web.AppRunner) -> None:
        try:
            await web.TCPSite(runner, self._host, self._port).start()
        except OSError as error:
            text = (
                f"cannot listen at {self._listen} for Telegram ({error.strerror or error}): make it free and allowed, "
            )
            text += "or set QUIZBOT_TELEGRAM_WEBHOOK_LISTEN to another address"
            if isinstance(error, PermissionError):
                raise HopelessError(text) from error
            raise OSError(error.errno, text) from error
        self.port = runner.addresses[0][1]
        self.started.set()


class Reception:
    """What is said to each request."""

    def __init__(self, path: str, secret: str, take: Take, clock: Clock) -> None:
        self._path = unquote(path) or "/"
        self._secret = secret.encode()
        self._take = take
        self._clock = clock
        self._strikes = Strikes(clock)
        self._seldom = Seldom(clock)
        self._tasks: dict[int, asyncio.Task[HTTPStatus]] = {}
        self._closing = False

    def application(self) -> web.Application:
        """The web application; it has one answer to everything."""
        application = web.Application(client_max_size=LARGEST)
        application.router.add_route("*", "/{path:.*}", self.answer)
        return application

    async def answer(self, request: web.Request) -> web.Response:
        """200 when the update has been taken, or can never be. Whatever is answered otherwise is delivered again."""
        status = self._refusal(request)
        if status is None:
            update = await self._update(request)
            status = HTTPStatus.OK if update is None else await self._accept(*update)
        headers = {"Allow": "POST"} if status is HTTPStatus.METHOD_NOT_ALLOWED else None
        return web.Response(status=status, headers=headers)

    def _refusal(self, request: web.Request) -> HTTPStatus | None:
        if request.path != self._path:
            return HTTPStatus.NOT_FOUND
        if request.method != "POST":
            return HTTPStatus.METHOD_NOT_ALLOWED
        shown = request.headers.get(SECRET_HEADER, "").encode(errors="surrogateescape")
        return None if hmac.compare_digest(shown, self._secret) else HTTPStatus.FORBIDDEN

    async def _update(self, request: web.Request) -> tuple[int, Update] | None:
        """The number and the update in the body; None: there is none, whatever else there is, and it is passed over."""
        try:
            update = json.loads(await request.read())
        except Exception as error:
            # Too large, wrongly packed, not JSON, nested too deeply: again it would be the same. Where it was cut off,
            # nobody is there to be answered.
            update, fault = None, type(error).__name__
        else:
            fault = "no update_id"
        number = number_of(update)
        if number is None and self._seldom():
            log.error("Telegram delivered something that is no update (%s); it is passed over", fault)
        return None if number is None else (number, update)

    async def _accept(self, number: int, update: Update) -> HTTPStatus:
        """What came of the update; delivered again while it is under way, it is not begun again."""
        if self._closing:
            return HTTPStatus.SERVICE_UNAVAILABLE
        task = self._tasks.get(number)
        if task is None and len(self._tasks) >= MOST_HELD:
            return HTTPStatus.SERVICE_UNAVAILABLE
        if task is None:
            task = self._tasks[number] = asyncio.create_task(self._bring(number, update), name=f"update {number}")
        await ended([task], self._clock, self._clock.now() + PATIENCE)
        return task.result() if task.done() and not task.cancelled() else HTTPStatus.SERVICE_UNAVAILABLE

    async def _bring(self, number: int, update: Update) -> HTTPStatus:
        with tracing.about():
            try:
                await self._take(update)
            except StoppingError:
                return HTTPStatus.SERVICE_UNAVAILABLE
            except Exception as error:
                return HTTPStatus.OK if self._strikes.failed(number, error) else HTTPStatus.INTERNAL_SERVER_ERROR
            finally:
                del self._tasks[number]
        self._strikes.succeeded(number)
        return HTTPStatus.OK

    async def close(self) -> None:
        """Take nothing more, and let what is under way come to its end, for 5 s at most."""
        self._closing = True
        tasks = list(self._tasks.values())
        try:
            await ended(tasks, self._clock, self._clock.now() + GRACE)
        finally:
            for task in tasks:
                task.cancel()
