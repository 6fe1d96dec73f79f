"""Mixes: a session of questions from several quizzes, or of topics. The choice so far is in the buttons."""

from __future__ import annotations

from dataclasses import replace

from bot import present
from bot.desk.asking import Answer, Request, Show
from bot.desk.mixing import Mixing
from bot.desk.preferring import Preferred
from bot.desk.starting import Starting
from bot.presses import Blend
from bot.running import Service


class Blending:
    """Lets people put a mix together, and starts it."""

    def __init__(self, service: Service, preferred: Preferred, starting: Starting) -> None:
        self._mixing = Mixing(service.library)
        self._preferred = preferred
        self._starting = starting

    async def blend(self, request: Request, press: Blend) -> Answer:
        """What goes into the mix so far, to be changed or started. The list is the chat's, as the picker is."""
        if press.stamp != self._mixing.stamp:
            return await self._list(request, Blend(self._mixing.stamp, 0, 0, ready=False), changed=True)
        return await (self._start(request, press) if press.ready else self._list(request, press))

    async def _list(self, request: Request, now: Blend, *, changed: bool = False) -> Answer:
        language, questions = await self._preferred.common(request), self._mixing.count(self._mixing.chosen(now))
        return Answer(present.ingredients(self._mixing.offer, language, now, questions, changed=changed), Show.INSTEAD)

    async def _start(self, request: Request, press: Blend) -> Answer:
        """Up to the start card; the list has then done its work, or says where the quiz is."""
        edition = self._mixing.edition(self._mixing.chosen(press))
        if edition is None:
            return Answer(present.nothing_chosen(await self._preferred.personal(request)))
        answer = await self._starting.start(request, edition, show=Show.INSTEAD)
        return answer if answer.card else replace(answer, served=True)
