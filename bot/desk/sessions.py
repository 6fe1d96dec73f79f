"""Starting sessions and steering them: who may, with which settings, and the quizzes to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from difflib import get_close_matches
from unicodedata import normalize

from bot import present
from bot.core.effects import Reason, Reply, Running, Told
from bot.core.events import Advanced, Press, Steering, Stopped
from bot.core.session import Phase, Settings
from bot.desk.asking import Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.desk.replying import Replying
from bot.library import Edition
from bot.ports import place_of
from bot.preferences import Starters
from bot.presses import SessionPress, event_of
from bot.running import Service
from bot.starting import started

CHANGES_ABOVE = frozenset({Reason.ADVANCED, Reason.STOPPED})

CARD_HOLDS = timedelta(minutes=10)
"""How long a start card keeps its place against others who want to start something."""


class Sessions:
    """Everything that is asked about sessions."""

    def __init__(self, service: Service, preferred: Preferred, replying: Replying) -> None:
        self._service = service
        self._library = service.library
        self._preferred = preferred
        self._replying = replying

    # Choosing

    async def picker(
        self, request: Request, page: int = 0, *, show: Show = Show.HERE, practice: bool = False
    ) -> Answer:
        """The quizzes there are."""
        language = await self._preferred.common(request)
        return Answer(present.picker(self._library.quizzes, language, page, practice=practice), show)

    async def named(self, request: Request, wanted: str) -> Answer:
        """Start the quiz that was named, by its slug in any spelling or by its title."""
        names, spelled = self._names(), _spelled(wanted)
        found = self._library.edition(names.get(spelled, ""))
        if found:
            return await self._start(request, found)
        # A quiz may be near by its slug and by its titles, and is named once.
        alike = dict.fromkeys(names[name] for name in get_close_matches(spelled, names, n=len(names) or 1, cutoff=0.5))
        near = [edition.quiz for slug in alike if (edition := self._library.edition(slug))]
        return Answer(present.no_such_quiz(await self._preferred.personal(request), wanted, near))

    def _names(self) -> Mapping[str, str]:
        """Everything that a quiz can be called by -> its slug."""
        quizzes = self._library.quizzes
        titles = {_spelled(title): quiz.slug for quiz in quizzes for title in quiz.title.texts.values()}
        return titles | {quiz.slug: quiz.slug for quiz in quizzes}

    async def picked(self, request: Request, slug: str) -> Answer:
        """Start the quiz that was picked; the picker has then done its work."""
        edition = self._library.edition(slug)
        if edition is None:
            return Answer(present.no_longer_offered(await self._preferred.personal(request)))
        answer = await self._start(request, edition)
        return answer if answer.card else replace(answer, served=True)

    async def again(self, request: Request, session: str) -> Answer:
        """Start the quiz of an earlier session, as it is now, and as it was played if that was the last one here."""
        digest = await self._service.store.quiz_of(session)
        quiz = await self._library.find(digest, self._service.store.quiz) if digest else None
        edition = self._library.edition(quiz.slug) if quiz else None
        if edition is None:
            return Answer(present.no_longer_offered(await self._preferred.personal(request)))
        earlier = await self._service.store.session(request.chat)
        if quiz is None or earlier is None or earlier.id != session:
            return await self._start(request, edition)
        asked_all = earlier.settings.count >= len(quiz.questions)
        count = len(edition.quiz.questions) if asked_all else earlier.settings.count
        return await self._start(request, edition, replace(earlier.settings, count=count))

    # Starting

    async def _start(self, request: Request, edition: Edition, settings: Settings | None = None) -> Answer:
        chosen = await self._preferred.of(place_of(request.chat))
        if not request.private and chosen.starters is Starters.MODERATORS and not await request.is_moderator():
            return Answer(present.may_not_start(await self._preferred.personal(request)))
        await self._preferred.meet(request)
        settings = settings or chosen.settings(len(edition.quiz.questions), private=request.private)
        event = started(
            edition, request.by, request.key, self._service.lots, settings, private=request.private, card=True
        )
        reply = await self._service.engine.handle(request.chat, event)
        if isinstance(reply, Running) and reply.phase is Phase.CARD and await self._gives_way(request, edition.digest):
            reply = await self._service.engine.handle(request.chat, event)
        return await self._replying.answer(request, reply)

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

    # Steering and pressing

    async def press(self, request: Request, press: SessionPress) -> Answer:
        """A button of a session."""
        reply = await self._reply(request, event_of(press, request.by, request.key, request.at))
        return await self._replying.answer(request, reply)

    async def command(self, request: Request, event: Steering) -> Answer:
        """A command to the session here. Where all that it changes is a message above, it is answered in words too."""
        reply = await self._reply(request, event)
        if isinstance(reply, Told) and reply.reason in CHANGES_ABOVE and await self._is_above(request.chat):
            return Answer(present.reply(reply, None, await self._preferred.personal(request)))
        return await self._replying.answer(request, reply)

    async def _is_above(self, chat: str) -> bool:
        """Whether the session stands at a message that was there before: its start card, or a question that closed."""
        session = await self._service.store.session(chat)
        return session is not None and (session.at < 0 or session.phase is Phase.CLOSED)

    async def _reply(self, request: Request, event: Steering | Press) -> Reply | None:
        """What the engine says. Whether somebody is a moderator is only found out when they have to be."""
        reply = await self._service.engine.handle(request.chat, event)
        if reply == Told(Reason.NOT_ALLOWED) and isinstance(event, Steering):
            event = await self._pinned(request.chat, event)
            if await request.is_moderator():
                event = replace(event, by=replace(event.by, moderator=True))
                reply = await self._service.engine.handle(request.chat, event)
        return reply

    async def _pinned(self, chat: str, event: Steering) -> Steering:
        """The event to the session, and the step, that it was meant for: asking who it is takes its time."""
        session = await self._service.store.session(chat)
        if session is None or event.session is not None:
            return event
        if isinstance(event, Advanced):
            return replace(event, session=session.id, step=session.step)
        return replace(event, session=session.id)


def _spelled(name: str) -> str:
    """The name without what people write in one way or another."""
    return "-".join(normalize("NFKC", name).casefold().replace("_", " ").split())
