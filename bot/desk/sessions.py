"""Sessions in a chat: the quizzes to choose from, and what is pressed and commanded from the start card to the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from bot import present
from bot.core.effects import Reason, Reply, Told
from bot.core.events import Advanced, Begun, Press, Resumed, Steering
from bot.core.session import Phase
from bot.desk.asking import Answer, Request, Show
from bot.desk.configuring import Configuring
from bot.desk.mixing import Mixing
from bot.desk.naming import Naming
from bot.desk.preferring import Preferred
from bot.desk.replying import Replying
from bot.desk.starting import Starting, address, missing
from bot.library import TOPIC
from bot.messages import Card
from bot.presses import SessionPress, event_of
from bot.running import Service

CHANGES_ABOVE = frozenset({Reason.ADVANCED, Reason.STOPPED, Reason.LEFT})

_NO_FACTS: Mapping[str, str] = MappingProxyType({})


class Sessions:
    """Everything that is asked about sessions."""

    def __init__(self, service: Service, preferred: Preferred, replying: Replying) -> None:
        self._service = service
        self._library = service.library
        self._naming = Naming(service.library)
        self._mixing = Mixing(service.library)
        self._preferred = preferred
        self._replying = replying
        self.starting = Starting(service, preferred, replying)
        self._configuring = Configuring(service, preferred)

    # Choosing

    async def picker(
        self, request: Request, page: int = 0, *, show: Show = Show.HERE, facts: Mapping[str, str] = _NO_FACTS
    ) -> Answer:
        """The quizzes there are; `facts` says more of some, by slug."""
        language = await self._preferred.common(request)
        mix = self._mixing.beginning
        return Answer(present.picker(self._library.quizzes, language, page, mix=mix, facts=facts), show)

    async def named(self, request: Request, wanted: str) -> Answer:
        """Start the quiz that was named, by its slug in any spelling or by its title, or a mix of several and of
        topics."""
        meant = self._naming.meant(wanted)
        found = self._mixing.edition(meant.recipe)
        if found:
            return await self.starting.start(request, found)
        if not meant.unknown:
            return await self.picker(request, show=Show.ASIDE)
        return Answer(self._unknown(meant.unknown, wanted, await self._preferred.personal(request)))

    def _unknown(self, unknown: str, wanted: str, language: str) -> Card:
        """What to say where nothing is called so, with what is called much like it, or like all that was written."""
        if unknown.startswith(TOPIC):
            alike = ((topic, self._mixing.press(topic)) for topic in self._naming.near_topics(unknown))
            near_topics = [(topic.removeprefix(TOPIC), press) for topic, press in alike if press]
            return present.no_such_topic(language, unknown.removeprefix(TOPIC), near_topics)
        near = {quiz.slug: quiz for name in (unknown, wanted) for quiz in self._naming.near(name)}
        return present.no_such_quiz(language, unknown, list(near.values()))

    async def picked(self, request: Request, slug: str) -> Answer:
        """Start the quiz that was picked; the picker has then done its work, or says where the quiz is."""
        edition = self._library.edition(slug)
        if edition is None:
            return Answer(present.no_longer_offered(await self._preferred.personal(request)))
        answer = await self.starting.start(request, edition, show=Show.INSTEAD)
        return answer if answer.card else replace(answer, served=True)

    async def again(self, request: Request, session: str) -> Answer:
        """Start the quiz of an earlier session, as it is now, and as it was played if that was the last one here. A mix
        is made anew of what it was made of."""
        digest = await self._service.store.quiz_of(session)
        quiz = await self._library.find(digest, self._service.store.quiz) if digest else None
        edition = self._mixing.anew(quiz) if quiz else None
        if edition is None:
            return Answer(present.no_longer_offered(await self._preferred.personal(request)))
        earlier = await self._service.store.session(request.chat)
        if quiz is None or earlier is None or earlier.id != session:
            return await self.starting.start(request, edition)
        asked_all = earlier.settings.count >= len(quiz.questions)
        count = len(edition.quiz.questions) if asked_all else earlier.settings.count
        return await self.starting.start(request, edition, replace(earlier.settings, count=count))

    # Steering and pressing

    async def press(self, request: Request, press: SessionPress) -> Answer:
        """A button of a session."""
        event = event_of(press, request.by, request.key, request.at)
        instead = await self._configuring.form(request, press) or await self._hindered(request, event)
        return instead or await self._replying.answer(request, await self._reply(request, event))

    async def command(self, request: Request, event: Steering) -> Answer:
        """A command to the session here. Where all that it changes is a message above, it is answered in words too."""
        if hindered := await self._hindered(request, event):
            return hindered
        reply = await self._reply(request, event)
        if isinstance(reply, Told) and reply.reason in CHANGES_ABOVE and await self._is_above(request.chat):
            return Answer(present.reply(reply, None, await self._preferred.personal(request)))
        return await self._replying.answer(request, reply)

    async def _hindered(self, request: Request, event: Steering | Press) -> Answer | None:
        """Why the session cannot go on to a question here, before it tries and ends for it."""
        if not (request.lacking and isinstance(event, Begun | Advanced | Resumed)):
            return None
        session = await self._service.store.session(request.chat)
        if session is None or not session.live or event.session not in (None, session.id):
            return None
        quiz = await self._library.find(session.quiz, self._service.store.quiz)
        lacking = missing(request, quiz) if quiz else ()
        return await self._replying.lacking(request, lacking, address(quiz)) if quiz and lacking else None

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
