"""Asks Telegram for updates, again and again, and confirms each only when it has been taken. Reads none of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NoReturn, Protocol

from telegram.error import Conflict, InvalidToken, NetworkError, TelegramError

from adapters.telegram.intake import ALLOWED_UPDATES, MOST_AT_ONCE, Intake, Take, ended, waits
from adapters.telegram.limiter import flood_wait
from adapters.telegram.strikes import Seldom
from bot.ports import Clock
from bot.supervising import HopelessError

log = logging.getLogger(__name__)

LONG = timedelta(seconds=50)
"""How long Telegram waits for an update before it answers that there is none."""

PACE = timedelta(milliseconds=250)
"""Between two questions while an update is under way: Telegram then answers at once, with what is known already."""

STUBBORN = timedelta(minutes=1)
"""How long somebody else may take our updates before we give up; and how long nobody has to, to be forgotten."""

LAST_WORD = timedelta(seconds=2)

TOKEN_REFUSED = "the token of the Telegram bot was refused: take it anew from @BotFather and set QUIZBOT_TELEGRAM_TOKEN"  # noqa: S105
ANOTHER_PROGRAM = (
    "another program takes the updates of this Telegram bot: stop it, or give one of the two a bot of its own with "
    "another QUIZBOT_TELEGRAM_TOKEN"
)
WEBHOOK_SET = (
    "somebody has set a webhook for this Telegram bot while its updates are polled for: stop the program that did, or "
    "give one of the two a bot of its own with another QUIZBOT_TELEGRAM_TOKEN, and start again"
)


class Line(Protocol):
    """A way to the Bot API, such as an AiohttpRequest."""

    async def raw(self, url: str, parameters: Mapping[str, object], *, wait: float = 0.0) -> Any:
        """The result of a call as it came. The platform may wait `wait` seconds before it answers. Raises the
        library's errors."""
        ...


class Polling:
    """Updates by getUpdates. `bot_url` is the address of the bot's methods, `.../bot<token>`."""

    def __init__(self, bot_url: str, request: Line, clock: Clock) -> None:
        self._address = f"{bot_url}/getUpdates"
        self._request = request
        self._clock = clock

    async def run(self, take: Take, answered: Callable[[bool], None] = lambda _: None) -> None:
        """Bring updates to `take`, each in a task of its own, begun in order, until cancelled. `answered` hears whether
        Telegram answers, which one question without an answer does not tell.

        What is under way then comes to its end, and is confirmed. Raises HopelessError when the token is refused, and
        when somebody else has taken our updates for a minute.
        """
        intake = Intake(take, self._clock)
        try:
            try:
                await self._poll(intake, answered)
            finally:
                await intake.end()
        except asyncio.CancelledError:
            await self._confirm(intake)
            raise

    async def _poll(self, intake: Intake, answered: Callable[[bool], None]) -> NoReturn:
        setbacks, failures = Setbacks(self._clock), 0
        while True:
            asked = self._clock.now()
            try:
                hasty = await self._ask(intake)
            except TelegramError as error:
                wait = setbacks.after(error)
                failures += 1
                answered(failures == 1)
                await self._clock.sleep_until(self._clock.now() + wait)
            else:
                setbacks.over()
                failures = 0
                answered(True)
                await intake.room(asked + PACE)
                if hasty:
                    await self._clock.sleep_until(asked + PACE)

    async def _ask(self, intake: Intake) -> bool:
        """Ask once; whether there was nothing though Telegram was to wait for something. Some servers do not wait, and
        would be asked without end."""
        offset, wait = intake.offset(), timedelta(0) if intake.held else LONG
        answer = await self._updates(offset, wait, MOST_AT_ONCE)
        if not isinstance(answer, list) or not intake.accept(answer):
            raise NetworkError("getUpdates was answered with something that is no update")
        return bool(wait) and not answer

    async def _updates(self, offset: int | None, wait: timedelta, limit: int) -> object:
        seconds = int(wait.total_seconds())
        parameters: dict[str, object] = {"timeout": seconds, "limit": limit, "allowed_updates": ALLOWED_UPDATES}
        if offset is not None:
            parameters["offset"] = offset
        return await self._request.raw(self._address, parameters, wait=seconds)

    async def _confirm(self, intake: Intake) -> None:
        """Say what is done, so that it does not come again after a restart. It does no harm if that fails."""
        before, offset = intake.asked, intake.offset()
        if offset == before:
            return
        asking = asyncio.create_task(self._updates(offset, timedelta(0), 1))
        try:
            await ended([asking], self._clock, self._clock.now() + LAST_WORD)
        finally:
            asking.cancel()
        if asking.done() and not asking.cancelled() and (error := asking.exception()):
            log.info("what is done could not be confirmed, and will come again: %s", error)


class Setbacks:
    """How long to wait after a failure, and when there is no hope."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waits = waits()
        self._rivalled: tuple[datetime, datetime] | None = None
        self._seldom = Seldom(clock)

    def over(self) -> None:
        """It worked again: the next failure is the first. A rival is not gone by that: of two that ask in turns, each
        is answered now and then."""
        self._waits = waits()

    def after(self, error: TelegramError) -> timedelta:
        """How long to wait after `error`. Raises HopelessError when only the operator can help."""
        if isinstance(error, InvalidToken):
            raise HopelessError(TOKEN_REFUSED) from error
        if isinstance(error, Conflict):
            self._rival(error)
            return next(self._waits)
        wait = flood_wait(error) or next(self._waits)
        log.warning("no updates from Telegram; asking again in %g s: %s", wait.total_seconds(), error)
        return wait

    def _rival(self, error: Conflict) -> None:
        now = self._clock.now()
        words = WEBHOOK_SET if "webhook" in error.message.lower() else ANOTHER_PROGRAM
        first, last = self._rivalled or (now, now)
        if now - last >= STUBBORN:
            first = now
        self._rivalled = first, now
        if now - first >= STUBBORN:
            raise HopelessError(words) from error
        if self._seldom():
            log.error("%s; asking on for a minute", words)
