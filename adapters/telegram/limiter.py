"""Keeps sends and edits within Telegram's limits, so that it never has to refuse one. Knows no post and no reason.

A chat that is full is refused at once (`BusyError`): nothing queues here, the outbox keeps the post, and no chat waits
for another. Less urgent requests leave places to those that matter more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from telegram.error import RetryAfter, TelegramError
from telegram.ext import BaseRateLimiter

from adapters.places import ClosedError, Gate, Limit, Urgency, Window
from adapters.telegram.request import NotSentError
from bot.ports import Clock

__all__ = ["ALL", "GROUP", "PRIVATE", "BusyError", "Limit", "Limiter", "Urgency", "flood_wait"]

GROUP = Limit(18, timedelta(seconds=60), {Urgency.COUNTER: 10, Urgency.REPLY: 6})
"""A group: the platform refuses the 21st. Counters and replies leave what a quiz needs for questions and closings."""

PRIVATE = Limit(5, timedelta(seconds=5), {Urgency.COUNTER: 2, Urgency.REPLY: 1})
"""One person: about one a second, short bursts are let pass."""

ALL = Limit(25, timedelta(seconds=1))
"""All chats together: the platform refuses about the 31st."""

FEWEST_REPLIES = 3
"""To a group, of one process, however many there are: somebody who goes through a menu need not wait."""

UNCOUNTED = frozenset({"sendChatAction"})
COUNTED = re.compile(r"(send|edit|copy|forward)[A-Z]\w*|stopPoll", re.ASCII)
_FLOOD = re.compile(r"too many requests: retry after (\d+)")


class BusyError(TelegramError):
    """Not sent: the chat has had what it may have. Room for a request of this urgency after `retry_after`."""

    def __init__(self, retry_after: timedelta, urgency: Urgency) -> None:
        super().__init__(f"the chat is full for {retry_after.total_seconds():g} s")
        self.retry_after = retry_after
        self.urgency = urgency


def flood_wait(error: Exception) -> timedelta | None:
    """How long the platform wants to be left alone, if that is what `error` says."""
    if isinstance(error, RetryAfter):
        wait = error.retry_after
        return wait if isinstance(wait, timedelta) else timedelta(seconds=wait)
    # Servers that say it in words only.
    said = _FLOOD.search(str(error).lower()) if isinstance(error, TelegramError) else None
    return timedelta(seconds=int(said[1])) if said else None


@dataclass(slots=True)
class Allowance:
    """What one chat may have: its window, and until when the platform wants no more."""

    window: Window
    is_group: bool = False
    silent_until: datetime | None = None

    def ready(self, now: datetime, urgency: Urgency) -> datetime:
        """When a request to the chat may start."""
        ready = self.window.ready(now, urgency)
        return ready if self.silent_until is None else max(ready, self.silent_until)

    def idle(self, now: datetime) -> bool:
        """Whether there is nothing to remember."""
        return self.window.taken(now) == 0 and (self.silent_until is None or self.silent_until <= now)


class Limiter(BaseRateLimiter[Urgency]):
    """The library's rate limiter for one bot. `rate_limit_args` is the urgency; else sends go before edits.

    What is neither send nor edit passes at once, answers to presses above all.
    """

    def __init__(self, clock: Clock, *, group: Limit = GROUP, private: Limit = PRIVATE, together: Limit = ALL) -> None:
        self.workers: Callable[[], int] = lambda: 1
        """How many processes there are that answer for this bot. One of them delivers, and knows nothing of what the
        others answer: together they may answer as much as one could alone."""
        self._clock = clock
        self._group = group
        self._private = private
        self._gate = Gate(clock, together)
        self._chats: dict[int | str, Allowance] = {}

    @property
    def remembered(self) -> int:
        """How many chats it remembers."""
        return len(self._chats)

    async def initialize(self) -> None:
        """Nothing to do."""

    async def shutdown(self) -> None:
        """Refuse what still waits."""
        self._gate.close()

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, bool | dict[str, Any] | list[dict[str, Any]]]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: Urgency | None,
    ) -> bool | dict[str, Any] | list[dict[str, Any]]:
        """The answer to the request. Raises BusyError at once when the chat is full, else what the request raises."""
        if endpoint in UNCOUNTED or not COUNTED.fullmatch(endpoint):
            return await callback(*args, **kwargs)
        urgency = rate_limit_args or (Urgency.EDIT if endpoint.startswith("edit") else Urgency.SEND)
        allowance = self._allowance(data.get("chat_id"))
        self._admit(allowance, urgency)
        counted = False
        try:
            await self._gate.enter(urgency)
            counted = True
            return await callback(*args, **kwargs)
        except ClosedError as error:
            raise BusyError(ALL.span, urgency) from error
        except NotSentError:
            counted = False
            raise
        except TelegramError as error:
            self._hush(allowance, flood_wait(error))
            raise
        finally:
            allowance.window.end(self._clock.now(), counted=counted)

    def _allowance(self, chat: object) -> Allowance:
        """What the chat may have. A request without a chat (a message shared inline) has no chat to fill."""
        self._forget()
        if chat is None:
            return Allowance(Window(Limit(1, timedelta(0))))
        key = _key(chat)
        if key not in self._chats:
            is_group = not (isinstance(key, int) and key > 0)
            self._chats[key] = Allowance(Window(self._group if is_group else self._private), is_group)
        allowance = self._chats[key]
        if allowance.is_group:
            allowance.window.limit = shared(self._group, self.workers())
        return allowance

    def _admit(self, allowance: Allowance, urgency: Urgency) -> None:
        now = self._clock.now()
        ready = allowance.ready(now, urgency)
        if ready > now:
            raise BusyError(ready - now, urgency)
        allowance.window.start()

    def _hush(self, allowance: Allowance, wait: timedelta | None) -> None:
        if wait is not None:
            allowance.silent_until = max(self._clock.now() + wait, allowance.silent_until or self._clock.now())

    def _forget(self) -> None:
        """Look at two chats in turn: more than come in, so that idle ones are gone before long, at no cost worth it."""
        now = self._clock.now()
        for key in list(islice(self._chats, 2)):
            allowance = self._chats.pop(key)
            if not allowance.idle(now):
                self._chats[key] = allowance


def shared(limit: Limit, workers: int) -> Limit:
    """What one of so many processes may have of the places for replies."""
    spare = limit.spare.get(Urgency.REPLY, 0)
    if workers == 1:
        return limit
    mine = max((limit.places - spare) // workers, FEWEST_REPLIES)
    return replace(limit, spare={**limit.spare, Urgency.REPLY: max(limit.places - mine, spare)})


def _key(chat: object) -> int | str:
    text = str(chat)
    return int(text) if re.fullmatch(r"-?\d{1,20}", text, re.ASCII) else text
