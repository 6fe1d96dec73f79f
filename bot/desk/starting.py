"""Starting a session: who may, what it needs, with which settings, and where it goes: here, or into its own thread."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import timedelta
from weakref import WeakValueDictionary

from bot import present
from bot.boards import Served
from bot.core.effects import Reason, Reply, Running, Told
from bot.core.events import Started, Stopped
from bot.core.quiz import QuestionRef, Quiz
from bot.core.session import Phase, Settings
from bot.desk.asking import Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.desk.replying import Replying
from bot.library import Edition
from bot.permissions import Lacking
from bot.ports import place_of
from bot.preferences import Preferences, Starters
from bot.running import Service
from bot.starting import session_id, started, usual_count

CARD_HOLDS = timedelta(minutes=10)
"""How long a start card keeps its place against others who want to start something."""

FOR_THREADS = frozenset({Lacking.SEND_IN_THREADS, Lacking.OPEN_THREADS})
"""What a channel need not let us do, as long as nothing is played in threads of it."""

LONGEST_THREAD = 100
"""Characters of a thread's name."""


def missing(request: Request, quiz: Quiz) -> tuple[Lacking, ...]:
    """What keeps this quiz from being played where it is asked for. Only pictures need a permission of their own."""
    in_thread = place_of(request.chat) != request.chat
    return _but(request, quiz, () if in_thread else FOR_THREADS)


def missing_apart(request: Request, quiz: Quiz) -> tuple[Lacking, ...]:
    """What keeps this quiz from being played in a thread of its own, where that is wished for. Where there can be none
    it is played right here, if at least that can be."""
    here = missing(request, quiz)
    if request.open_thread is None and not (Lacking.SEND in here and FOR_THREADS & set(request.lacking)):
        return here
    return _but(request, quiz, {Lacking.SEND})


def _but(request: Request, quiz: Quiz, spared: Collection[Lacking]) -> tuple[Lacking, ...]:
    pictured = any(question.image for question in quiz.questions)
    needed = (lacking for lacking in request.lacking if lacking not in spared)
    return tuple(lacking for lacking in needed if pictured or lacking is not Lacking.ATTACH)


class Starting:
    """Brings a quiz into a chat, up to its start card."""

    def __init__(self, service: Service, preferred: Preferred, replying: Replying) -> None:
        self._service = service
        self._preferred = preferred
        self._replying = replying
        self._opening: WeakValueDictionary[tuple[str, ...], asyncio.Lock] = WeakValueDictionary()

    async def start(
        self, request: Request, edition: Edition, settings: Settings | None = None, *, show: Show = Show.ASIDE
    ) -> Answer:
        """Start this quiz, with these settings or with those of the chat. `show` is where to say that it is
        ready, in words for whoever reads there."""
        place = place_of(request.chat)
        # Looked up together, for once the quiz is there nobody should wait for the words.
        chosen, language, served = await asyncio.gather(
            self._preferred.of(place), self._preferred.personal(request), self._served(place, edition.quiz)
        )
        if not request.private and chosen.starters is Starters.MODERATORS and not await request.is_moderator():
            return Answer(present.may_not_start(language))
        if lacking := (missing_apart if chosen.thread else missing)(request, edition.quiz):
            return await self._replying.lacking(request, lacking, address(edition.quiz))
        await self._preferred.meet(request)
        settings = settings or chosen.settings(usual_count(edition.quiz), private=request.private)
        lots, private = self._service.lots, request.private
        event = started(edition, request.by, request.key, lots, settings, served, private=private, card=True)
        if _apart(request, chosen):
            return await self._in_a_thread(request, edition, event, show)
        return await self._replying.answer(request, await self.ask(request, event), show)

    async def _served(self, place: str, quiz: Quiz) -> Mapping[QuestionRef, Served]:
        """How those questions of the quiz fared that have come up here before."""
        slugs = {quiz.ref(question).slug for question in quiz.questions}
        return {served.ref: served for served in await self._service.store.served(place, slugs)}

    async def ask(self, request: Request, event: Started) -> Reply | None:
        """What the chat says to this start. A start card that waits there may give way to it."""
        reply = await self._service.engine.handle(request.chat, event)
        if _waits(reply) and await self._gives_way(request, event.quiz):
            reply = await self._service.engine.handle(request.chat, event)
        return reply

    async def _gives_way(self, request: Request, wanted: str) -> bool:
        """Whether a start card has now made room for another: its host wants something else, or it has waited so long
        that its host may be gone."""
        session = await self._service.store.session(request.chat)
        if session is None:
            return False
        forsaken = self._service.clock.now() - session.opened >= CARD_HOLDS
        if not forsaken and (session.host != request.by.person or session.quiz == wanted):
            return False
        stop = Stopped(f"{request.key}:instead", replace(request.by, moderator=forsaken), session.id, waiting=True)
        return await self._service.engine.handle(request.chat, stop) == Told(Reason.STOPPED)

    # Threads

    async def _in_a_thread(self, request: Request, edition: Edition, event: Started, show: Show) -> Answer:
        """Start in a thread, or here if there can be none. Two taps of one person open no two threads, and nobody waits
        for the thread of another."""
        name = present.titled(edition.quiz, await self._preferred.common(request), LONGEST_THREAD)
        async with self._opening.setdefault((request.chat, request.by.person, edition.digest), asyncio.Lock()):
            inside = replace(request, chat=await self._thread(request, edition, name))
            apart = inside.chat != request.chat
            if not apart and (lacking := missing(request, edition.quiz)):
                return await self._replying.lacking(request, lacking, address(edition.quiz))
            reply = await self.ask(inside, event)
        if apart and (reply == Told(Reason.DONE) or _waits(reply)):
            return await self._replying.ready_apart(inside, name, show)
        return await self._replying.answer(inside, reply, show)

    async def _thread(self, request: Request, edition: Edition, name: str) -> str:
        """Where the session goes: where this start has brought it already, or where the same quiz of the same person
        still waits, else into a new thread, else here."""
        known = await self._service.store.located(session_id(request.key))
        if known:
            return known[0]
        for chat, session in await self._service.store.unfinished(request.chat):
            wanted = session.host == request.by.person and session.quiz == edition.digest
            if wanted and session.phase is Phase.CARD and place_of(chat) == request.chat:
                return chat
        opened = await request.open_thread(name) if request.open_thread else None
        return opened or request.chat


def address(quiz: Quiz) -> str:
    """What leads to this quiz in the private chat. No address holds a mix: its parts are chosen there once more."""
    return "" if quiz.mixed else quiz.slug


def _waits(reply: Reply | None) -> bool:
    return isinstance(reply, Running) and reply.phase is Phase.CARD


def _apart(request: Request, chosen: Preferences) -> bool:
    return bool(chosen.thread) and request.open_thread is not None
