"""Sorts what is asked: commands by their names, buttons by what they say, and what becomes of a chat."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import assert_never

from bot import present, tracing, words
from bot.core.events import Advanced, ChatLost, Moved, Resumed, Stopped
from bot.desk.asking import (
    EXPORT_PAYLOAD,
    FORGET_PAYLOAD,
    PRACTICE_PAYLOAD,
    QUIZ_PAYLOAD,
    REPORT_PAYLOAD,
    STATISTICS_PAYLOAD,
    Addresses,
    Answer,
    Request,
    Show,
)
from bot.desk.blending import Blending
from bot.desk.choosing import Choosing
from bot.desk.gathering import filled_in, selected
from bot.desk.owning import Owning
from bot.desk.practising import Practising
from bot.desk.preferring import Preferred
from bot.desk.ranking import Ranking
from bot.desk.replying import Replying
from bot.desk.reporting import Reporting
from bot.desk.scoring import Scoring
from bot.desk.sessions import Sessions
from bot.desk.sharing import Shared, Sharing
from bot.desk.telling import Telling
from bot.messages import Card
from bot.ports import place_of
from bot.presses import (
    Again,
    Blend,
    Browse,
    Configure,
    Forget,
    Page,
    Personal,
    Pick,
    Practise,
    Prefer,
    Press,
    Report,
    SessionPress,
    ShowBoard,
    ShowReports,
    ShowStats,
    ShowZones,
    Speak,
    UnreadableError,
    load,
)
from bot.remembering import Remembered
from bot.running import Service

log = logging.getLogger(__name__)

_Learning = Blend | Practise | ShowBoard | ShowStats | ShowReports | Forget | Report

GREETING_HOLDS = timedelta(minutes=1)
MOST_GREETED = 1000


class Desk:
    """One for each platform. Everything it returns is durable already."""

    def __init__(self, service: Service, addresses: Addresses) -> None:
        self._service = service
        self._addresses = addresses
        self._sharing = Sharing(service.library, addresses)
        self._preferred = Preferred(service.store, service.clock, lambda: service.crew.alone)
        replying = Replying(service, addresses, self._preferred)
        self._sessions = Sessions(service, self._preferred, replying)
        self._blending = Blending(service, self._preferred, self._sessions.starting)
        self._practising = Practising(service, self._preferred, replying, addresses, self._sessions.starting)
        self._ranking = Ranking(service, self._preferred)
        self._telling = Telling(service, self._preferred, addresses, self._sessions)
        self._owning = Owning(service, self._preferred, addresses)
        self._choosing = Choosing(service, self._preferred)
        self._reporting = Reporting(service, self._preferred, addresses)
        self._scoring = Scoring(service, self._preferred)
        self._greeted: Remembered[str, datetime] = Remembered(MOST_GREETED)

    # Commands

    async def command(self, request: Request, name: str, argument: str = "") -> Answer:
        """A command, by its name without a slash, and what was written after it."""
        match name:
            case "start":
                return await self._start(request, argument)
            case "quiz" if argument:
                return await self._sessions.named(request, argument)
            case "quiz":
                return await self._telling.quizzes(request)
            case "practice":
                return await self._practising.named(request, argument)
            case "stop":
                return await self._sessions.command(request, Stopped(request.key, request.by))
            case "next":
                return await self._sessions.command(request, Advanced(request.key, request.by))
            case "resume":
                return await self._sessions.command(request, Resumed(request.key, request.by))
            case _:
                return await self._asked(request, name, argument)

    async def _asked(self, request: Request, name: str, argument: str) -> Answer:
        """Commands that no session has anything to do with."""
        match name:
            case "leaderboard":
                return await self._ranking.command(request, argument)
            case "stats":
                return await self._telling.statistics(request)
            case "quizzes":
                return await self._telling.quizzes(request)
            case "settings":
                return await self._choosing.settings(request, argument)
            case "language":
                return await self._choosing.languages(request)
            case "privacy":
                return await self._owning.privacy(request)
            case "export":
                return await self._owning.export(request)
            case "forget":
                return await self._owning.forget(request)
            case _:
                return await self._told(request, name)

    async def _told(self, request: Request, name: str) -> Answer:
        """Commands that only say something; no name: somebody only talks."""
        language = await self._preferred.personal(request)
        match name:
            case "":
                return Answer(present.hint(language))
            case "help":
                return Answer(present.help(language, private=request.private))
            case _:
                return Answer(present.unknown(language, name))

    async def _start(self, request: Request, payload: str) -> Answer:
        if payload.startswith(QUIZ_PAYLOAD):
            return await self._sessions.named(request, payload.removeprefix(QUIZ_PAYLOAD))
        if payload.startswith(REPORT_PAYLOAD):
            return await self._reporting.linked(request, payload.removeprefix(REPORT_PAYLOAD))
        what, _, which = payload.partition("_")
        if what == PRACTICE_PAYLOAD:
            return await self._practising.practise(request, which)
        if payload == STATISTICS_PAYLOAD:
            return await self._telling.statistics(request)
        if payload == EXPORT_PAYLOAD:
            return await self._owning.export(request)
        if payload == FORGET_PAYLOAD:
            return await self._owning.forget(request)
        return await self.joined(request)

    # Buttons

    async def press(self, request: Request, data: str) -> Answer:
        """A button that was pressed, by its data, whatever that is."""
        return await self._read(request, lambda: load(data))

    async def select(self, request: Request, values: Sequence[str]) -> Answer:
        """What was selected from one list, as the data of buttons: the press of one, or all the options that are to be
        chosen of a question with several right ones."""
        return await self._read(request, lambda: selected(values))

    async def _read(self, request: Request, read: Callable[[], Press]) -> Answer:
        try:
            press = read()
            tracing.note(getattr(press, "session", None))
            return await self._press(request, press)
        except UnreadableError:
            return await self._unreadable(request)

    async def submitted(self, request: Request, data: str, values: Sequence[str], text: str) -> Answer:
        """A form that was filled in: `data` of its press, `values` as the data of buttons, and what was written."""
        try:
            form = load(data)
            tracing.note(getattr(form, "session", None))
            if isinstance(form, Configure):
                return await self._sessions.press(request, filled_in(form, values))
        except UnreadableError:
            return await self._unreadable(request)
        if isinstance(form, Report):
            return await self._reporting.submitted(request, form, values, text)
        return await self._unreadable(request)

    async def _unreadable(self, request: Request) -> Answer:
        # Not what it says: who made it up may have written anything.
        log.info("a button was pressed, or a form sent, that cannot be read")
        return Answer(present.unreadable(await self._preferred.personal(request)))

    async def _press(self, request: Request, press: Press) -> Answer:
        if isinstance(press, SessionPress):
            return await self._sessions.press(request, press)
        match press:
            case Again(session):
                return await self._sessions.again(request, session)
            case Pick(slug):
                return await self._sessions.picked(request, slug)
            case Page(number):
                return await self._telling.quizzes(request, number, show=Show.INSTEAD)
            case Browse():
                return await self._telling.quizzes(request, show=Show.HERE)
            case Prefer(name, value):
                return await self._choosing.choose(request, name, value)
            case Speak(language):
                return await self._choosing.speak(request, language)
            case Personal(name, value):
                return await self._choosing.personal(request, name, value)
            case ShowZones(page):
                return await self._choosing.zones(request, page)
            case _:
                return await self._press_for_oneself(request, press)

    async def _press_for_oneself(self, request: Request, press: _Learning) -> Answer:
        match press:
            case Blend():
                return await self._blending.blend(request, press)
            case Practise(slug):
                return await self._practising.practise(request, slug)
            case ShowBoard():
                return await self._ranking.show(request, press)
            case ShowStats():
                return await self._telling.statistics(request)
            case ShowReports(page):
                return await self._telling.reports(request, page)
            case Forget():
                return await self._owning.forget(request, press)
            case Report():
                return await self._reporting.pressed(request, press)
            case _:
                assert_never(press)

    # What is asked about a person or a message

    async def score(self, request: Request, person: str, name: str) -> Answer:
        """How a person, whom the platform calls `name`, stands in the last session here."""
        return await self._scoring.score(request, person, name)

    async def report(self, request: Request, reference: str | None, datas: Sequence[str]) -> Answer:
        """Something is wrong with the question of a message: the platform's reference of it, and the data of the
        buttons under it."""
        return await self._reporting.asked(request, reference, datas)

    # What becomes of a chat

    async def joined(self, request: Request) -> Answer:
        """Quizbot comes into a chat, or somebody says hello. One that has just become this one knows it already."""
        return Answer() if self._was_greeted(request.chat) else await self._greet(request)

    async def _greet(self, request: Request) -> Answer:
        await self._preferred.meet(request)
        language = await self._preferred.common(request)
        if not request.private:
            self._greeted[place_of(request.chat)] = self._service.clock.now()
        return Answer(present.welcome(language) if request.private else present.greeting(language), Show.HERE)

    def _was_greeted(self, chat: str) -> bool:
        """Whether it would be said twice: a platform may bring Quizbot into a group and say /start at once."""
        greeted = self._greeted.get(place_of(chat))
        return greeted is not None and self._service.clock.now() - greeted < GREETING_HOLDS

    async def lost(self, gone: str) -> None:
        """Nothing can be written any more to this chat and its topics: what runs there ends, scores are kept."""
        self._greeted.pop(gone, None)
        for chat, session in await self._service.store.unfinished(gone):
            if chat == gone or place_of(chat) == gone:
                await self._service.engine.handle(chat, ChatLost(session.id))
                await self._service.store.drop_posts(chat, session.id)

    async def moved(self, old: str, new: str) -> None:
        """The platform now calls a chat `new`; what is open is shown there anew, once, however often this is said."""
        self._greeted[new] = self._service.clock.now()  # first, for that we are there may be said at the same time
        await self._service.store.move_chat(old, new)
        self._preferred.forget(old, new)
        await self._service.engine.handle(new, Moved(f"moved from {old}"))

    def unknown(self, locale: str | None) -> Card:
        """What to say to somebody of whom the platform does not say who they are."""
        return present.as_oneself(words.match(locale) or words.SOURCE)

    def sorry(self, locale: str | None) -> Card:
        """What to say when something failed here that nobody foresaw."""
        return present.sorry(words.match(locale) or words.SOURCE)

    def too_much(self, locale: str | None) -> Card:
        """What to say to somebody who asks for more at once than anybody means."""
        return present.too_much(words.match(locale) or words.SOURCE)

    # Sharing

    async def spoken(self, person: str, locale: str | None) -> str | None:
        """The language of a person outside of any chat: their own choice, else that of their app."""
        return await self._preferred.own(person, locale)

    def shared(self, query: str, locale: str | None, most: int) -> list[Shared]:
        """The quizzes that `query` may mean by words of their names in any language, at most `most`; all for nothing.
        For whoever wants to share one into a chat."""
        return self._sharing.shared(query, words.match(locale) or words.SOURCE, most)

    def found(self, query: str, language: str | None, most: int) -> list[tuple[str, str]]:
        """The same quizzes by slug and title, at most 100 characters, for whoever types the name of one."""
        return self._sharing.found(query, words.match(language) or words.SOURCE, most)
