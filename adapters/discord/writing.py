"""The requests that write and rewrite one message through one client. Knows no card, and remedies no error.

But for one: a thread that was archived for want of messages is opened again, so that its question can close.

The library itself tries again what a server failed at, for at most half a minute, and waits as long for a channel that
is full. Only the next posts of the same chat wait with it, and the delivery's patience is longer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import discord

from adapters.discord.budget import Budget
from adapters.discord.chats import Place, Private
from adapters.discord.errors import THREAD_ARCHIVED, code_of
from adapters.discord.held import NOBODY
from adapters.discord.looks import KEPT, Look
from adapters.places import Urgency
from bot.ports import UnavailableError

Target = discord.PartialMessageable | discord.DMChannel
_Answer = TypeVar("_Answer")


class Writer:
    """Writes messages. Raises what the library raises, UnavailableError when the client has been closed, and
    PostponedError for a counter that has to wait."""

    def __init__(self, client: discord.Client, budget: Budget) -> None:
        self._client = client
        self._budget = budget

    async def send(self, place: Place, look: Look, urgency: Urgency, nonce: str | None = None) -> discord.Message:
        """Send a message; what Discord made of it, now or for the same `nonce` (at most 25 characters) before."""
        target = await self._target(place)
        extra: dict[str, Any] = {"nonce": nonce} if nonce else {}
        if look.attachments is not KEPT:
            extra["files"] = list(look.attachments)

        async def send() -> discord.Message:
            return await target.send(view=look.view, allowed_mentions=NOBODY, **extra)

        return await self._request(target, urgency, send)

    async def edit(self, place: Place, number: int, look: Look, urgency: Urgency) -> None:
        """Make a message look like this."""
        target = await self._target(place)
        message = target.get_partial_message(number)

        async def edit() -> discord.Message:
            return await message.edit(view=look.view, attachments=look.attachments, allowed_mentions=NOBODY)

        try:
            await self._request(target, urgency, edit)
        except discord.HTTPException as error:
            if code_of(error) != THREAD_ARCHIVED:
                raise
            # A thread as an object has to be fetched first, and this one request does.
            await self._request(target, Urgency.EDIT, lambda: self._client.http.edit_channel(target.id, archived=False))
            await self._request(target, Urgency.EDIT, edit)

    async def _target(self, place: Place) -> Target:
        if isinstance(place, Private):
            person: discord.abc.Snowflake = discord.Object(place.person)
            return await self._open(lambda: self._client.create_dm(person))
        return self._client.get_partial_messageable(place.target)

    async def _request(self, target: Target, urgency: Urgency, call: Callable[[], Awaitable[_Answer]]) -> _Answer:
        async with self._budget.place(target.id, urgency):
            return await self._open(call)

    async def _open(self, call: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """Call while the client is open; what fails after that has failed for that."""
        try:
            return await call()
        except (RuntimeError, AttributeError) as error:
            if not self._client.is_closed():
                raise
            raise UnavailableError("the connection to Discord has ended") from error
