"""Answers whoever watches over HTTP: is it alive, is it ready, how is it doing. Knows no chat, no person, no secret."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus

from aiohttp import web

from adapters.wire_log import wire_log
from bot import forms, metrics
from bot.supervising import HopelessError
from bot.vitals import Vitals

FAREWELL = 1.0
"""Seconds that answers under way are given when stopping."""

Refresh = Callable[[], Awaitable[None]]
"""Brings the figures up to date before they are told. Raises nothing."""


class Watch:
    """What is said to each request; `port` is where this listens."""

    def __init__(self, vitals: Vitals, refresh: Refresh) -> None:
        self.port = 0
        self._vitals = vitals
        self._refresh = refresh

    def application(self) -> web.Application:
        """The web application."""
        application = web.Application()
        application.router.add_get("/healthz", self._health)
        application.router.add_get("/readyz", self._readiness)
        application.router.add_get("/metrics", self._metrics)
        return application

    async def _health(self, _: web.Request) -> web.Response:
        return _answer(self._vitals.ailments())

    async def _readiness(self, _: web.Request) -> web.Response:
        platforms = {name: each.value for name, each in self._vitals.platforms.items()}
        return _answer(self._vitals.hindrances(), platforms=platforms)

    async def _metrics(self, _: web.Request) -> web.Response:
        await self._refresh()
        metrics.READY.set(not self._vitals.hindrances())
        return web.Response(body=metrics.exposition(), headers={"Content-Type": metrics.CONTENT_TYPE})


def _answer(missing: Sequence[str], **more: object) -> web.Response:
    status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
    return web.json_response({"ok": not missing, "missing": missing, **more}, status=status)


@asynccontextmanager
async def watched(listen: str, vitals: Vitals, refresh: Refresh) -> AsyncIterator[Watch]:
    """A server at `listen` (host:port) as long as this lasts. Raises HopelessError where it cannot listen."""
    watch = Watch(vitals, refresh)
    runner = web.AppRunner(watch.application(), access_log=None, logger=wire_log(__name__), shutdown_timeout=FAREWELL)
    await runner.setup()
    try:
        host, port = forms.place(listen)
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise HopelessError(
                f"cannot listen at {listen} for health and metrics ({error.strerror or error}): make it free and "
                "allowed, or set QUIZBOT_HEALTH_LISTEN to another address"
            ) from error
        watch.port = runner.addresses[0][1]
        yield watch
    finally:
        await runner.cleanup()
