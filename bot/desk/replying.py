"""What the engine replied, as an answer in the language of whoever asked."""

from __future__ import annotations

import logging
from collections.abc import Collection
from functools import partial

from bot import present
from bot.core.effects import Reason, Reply, Running, Told, Verdict
from bot.core.quiz import Quiz
from bot.desk.asking import QUIZ_PAYLOAD, Addresses, Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.permissions import Lacking
from bot.ports import StoreError
from bot.running import Service

log = logging.getLogger(__name__)

SHOWS_ITSELF = frozenset(
    {
        Reason.DONE,
        Reason.BEGUN,
        Reason.CONFIGURED,
        Reason.ADVANCED,
        Reason.RESUMED,
        Reason.STOPPED,
        Reason.LEFT,
        Reason.ALREADY_DONE,  # the same update, which the platform has brought again
    }
)
"""Reasons that whoever asked sees in the chat, without a word."""


class Replying:
    """Turns replies into answers."""

    def __init__(self, service: Service, addresses: Addresses, preferred: Preferred) -> None:
        self._service = service
        self._addresses = addresses
        self._preferred = preferred

    async def answer(self, request: Request, reply: Reply | None, show: Show = Show.ASIDE) -> Answer:
        """What to tell whoever asked. `show` is where a receipt goes, or the way to where a quiz waits."""
        match reply:
            case None:
                return Answer()
            case Told(Reason.DONE):
                return Answer(receipt=present.ready(await self._language(request, show), private=request.private))
            case Told(reason) if reason in SHOWS_ITSELF:
                return Answer(receipt=present.reply(reply, None, await self._language(request, show)))
            case Running():
                return await self._running(request, reply)
        language = await self._preferred.personal(request)
        return Answer(present.reply(reply, await self._quiz(reply), language))

    async def ready_apart(self, request: Request, thread: str, show: Show) -> Answer:
        """A quiz waits in a thread called so, the chat of `request`, which is not where it was asked for."""
        language, link = await self._language(request, show), self._addresses.chat(request.chat)
        return Answer(present.ready(language, private=request.private, thread=thread, link=link), show)

    async def _language(self, request: Request, show: Show) -> str:
        instead = show is Show.INSTEAD
        return await (self._preferred.left_behind(request) if instead else self._preferred.personal(request))

    async def lacking(self, request: Request, missing: Collection[Lacking], slug: str) -> Answer:
        """The quiz cannot be played here as long as this is missing."""
        link = self._addresses.private(f"{QUIZ_PAYLOAD}{slug}")
        return Answer(present.lacking(await self._preferred.personal(request), missing, link))

    async def _quiz(self, reply: Reply) -> Quiz | None:
        """The quiz that a verdict has its reasons from. It is said without them rather than not at all."""
        if not isinstance(reply, Verdict):
            return None
        try:
            return await self._service.library.find(reply.quiz, self._service.store.quiz)
        except StoreError:
            log.exception("the quiz of a verdict cannot be read")
            return None

    async def _running(self, request: Request, reply: Running) -> Answer:
        message = await self._service.store.message(reply.session, reply.slot)
        link = self._addresses.message(request.chat, message) if message else None
        card = present.reply(reply, None, await self._preferred.personal(request), link)
        later = partial(self._running, request, reply) if message is None else None
        return Answer(card, about=None if link else message, later=later)
