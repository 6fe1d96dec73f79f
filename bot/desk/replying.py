"""What the engine replied, as an answer in the language of whoever asked."""

from __future__ import annotations

import logging
from functools import partial

from bot import present
from bot.core.effects import Reason, Reply, Running, Told, Verdict
from bot.core.quiz import Quiz
from bot.desk.asking import Addresses, Answer, Request
from bot.desk.preferring import Preferred
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

    async def answer(self, request: Request, reply: Reply | None) -> Answer:
        """What to tell whoever asked."""
        match reply:
            case None:
                return Answer()
            case Told(reason) if reason in SHOWS_ITSELF:
                return Answer()
            case Running():
                return await self._running(request, reply)
        language = await self._preferred.personal(request)
        return Answer(present.reply(reply, await self._quiz(reply), language))

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
