"""Statistics: of a learner in private, of a chat for its moderators. Changes nothing."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence

from bot import present
from bot.boards import Served
from bot.core.quiz import Question, QuestionRef, Quiz
from bot.desk.asking import STATISTICS_PAYLOAD, Addresses, Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.desk.sessions import Sessions
from bot.learning.days import calendar_day, date_of, learning_day
from bot.messages import Attachment
from bot.ports import StoreError, place_of
from bot.preferences import Reminders
from bot.progress import Progress, met, progress
from bot.reports import QuestionReport
from bot.running import Service

log = logging.getLogger(__name__)

MOST_MISSED = 10
PICTURE = "progress.png"


class Telling:
    """Shows how far somebody is, and what a chat misses most."""

    def __init__(
        self,
        service: Service,
        preferred: Preferred,
        addresses: Addresses,
        sessions: Sessions,
    ) -> None:
        self._service = service
        self._library = service.library
        self._preferred = preferred
        self._addresses = addresses
        self._sessions = sessions

    # Statistics

    async def statistics(self, request: Request) -> Answer:
        """How far this person is; in a group, to moderators, which questions were missed most there."""
        if request.private:
            return await self._own(request)
        language = await self._preferred.personal(request)
        link = self._addresses.private(STATISTICS_PAYLOAD)
        if not await request.is_moderator():
            return Answer(present.statistics_in_private(language, link), opens=link)
        return Answer(present.most_missed(await self._most_missed(request), language, link))

    async def _own(self, request: Request) -> Answer:
        await self._service.studied()
        knowledge = await self._service.store.knowledge(request.by.person)
        chosen = await self._preferred.of(request.by.person)
        language = await self._preferred.personal(request)
        today = learning_day(self._service.clock.now(), knowledge.zone)
        known = progress(knowledge, today, self._library.question)
        reminders = None if request.terminal else chosen.reminders or Reminders.OFF
        card = present.own_statistics(known, reminders, language)
        picture = None if request.terminal else await self._picture(known, language)
        # A file goes to one person alone in any case; without one, what is said aside may be shown for a moment only.
        return Answer(card, Show.ASIDE if picture else Show.HERE, attachment=picture)

    async def _picture(self, known: Progress, language: str) -> Attachment | None:
        chart = present.progress_chart(known, language)
        drawn = await self._service.pictures.picture(chart) if chart else None
        return Attachment(PICTURE, drawn, present.described_chart(known, language)) if drawn else None

    async def _most_missed(self, request: Request) -> list[tuple[Served, Quiz, Question]]:
        """Those that are still on offer."""
        missed = await self._service.store.most_missed(place_of(request.chat), MOST_MISSED)
        found = ((served, self._library.question(served.ref)) for served in missed)
        return [(served, *offered) for served, offered in found if offered]

    # Quizzes

    async def quizzes(self, request: Request, page: int = 0, *, show: Show = Show.ASIDE) -> Answer:
        """All quizzes, with how far whoever asks, or the chat, is with each."""
        return await self._sessions.picker(request, page, show=show, facts=await self._facts(request))

    async def _facts(self, request: Request) -> Mapping[str, str]:
        """The list is of use without them, too."""
        try:
            return await (self._met(request) if request.private else self._asked_here(request))
        except StoreError:
            log.exception("nobody can tell how far %s is with the quizzes", request.chat)
            return {}

    async def _met(self, request: Request) -> Mapping[str, str]:
        language = await self._preferred.common(request)
        knowledge = await self._service.store.knowledge(request.by.person)
        today = learning_day(self._service.clock.now(), knowledge.zone)
        known = met(knowledge, today, self._library.question)
        counts = self._counts()
        return {slug: present.own_progress(each, counts[slug], language) for slug, each in known.items()}

    async def _asked_here(self, request: Request) -> Mapping[str, str]:
        language = await self._preferred.common(request)
        counts = self._counts()
        served = await self._service.store.served(place_of(request.chat), counts)
        asked = Counter(each.ref.slug for each in served if self._library.question(each.ref))
        return {slug: present.asked_here(count, counts[slug], language) for slug, count in asked.items()}

    def _counts(self) -> Mapping[str, int]:
        """How many questions each quiz has."""
        return {quiz.slug: len(quiz.questions) for quiz in self._library.quizzes}

    # Reports

    async def reports(self, request: Request, page: int) -> Answer:
        """What was reported about questions in this chat, to its moderators: a page, from 0, the nearest there is."""
        language = await self._preferred.personal(request)
        if request.private or not await request.is_moderator():
            return Answer(present.reports_for_moderators(language, private=request.private))
        listed = await self._service.store.reports(place_of(request.chat))
        page = min(page, max(len(listed) - 1, 0) // present.REPORTS_PAGE)
        first = page * present.REPORTS_PAGE
        shown = await self._readable(request, listed[first : first + present.REPORTS_PAGE])
        # Not for everybody, though everybody sees the button.
        show = Show.ASIDE if request.public else Show.INSTEAD
        return Answer(present.reported_questions(shown, page, len(listed), language), show)

    async def _readable(self, request: Request, listed: Sequence[QuestionReport]) -> list[present.Reported]:
        zone = (await self._preferred.of(place_of(request.chat))).zone
        return [
            present.Reported(report, await self._reported(report), date_of(calendar_day(report.at, zone)))
            for report in listed
        ]

    async def _reported(self, report: QuestionReport) -> tuple[Quiz, Question] | None:
        """The question as it was when it was reported, else as it is on offer now, in its own quiz."""
        ref = QuestionRef(report.slug, report.question_id)
        quiz = await self._library.find(report.quiz, self._service.store.quiz)
        if quiz is None:
            return self._library.question(ref)
        asked = next((question for question in quiz.questions if quiz.ref(question) == ref), None)
        if asked is None:
            return self._library.question(ref)
        own = self._library.edition(report.slug)
        return (own.quiz if own else quiz), asked
