"""Practising alone: what is due and what is new, as a session of its own. Keeps nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import zip_longest

from bot import present
from bot.core.effects import Reason, Told
from bot.core.quiz import QuestionRef, Quiz
from bot.desk.asking import PRACTICE_PAYLOAD, Addresses, Answer, Request, Show
from bot.desk.naming import Naming
from bot.desk.preferring import Preferred
from bot.desk.replying import Replying
from bot.desk.starting import Starting
from bot.learning.days import learning_day
from bot.learning.lineup import Lineup, lineup
from bot.learning.memory import Day, Knowledge
from bot.preferences import Reminders
from bot.running import Service
from bot.starting import practice


class Practising:
    """Brings reviews into a private chat."""

    def __init__(
        self, service: Service, preferred: Preferred, replying: Replying, addresses: Addresses, starting: Starting
    ) -> None:
        self._service = service
        self._library = service.library
        self._preferred = preferred
        self._replying = replying
        self._addresses = addresses
        self._starting = starting
        self._naming = Naming(service.library)

    async def named(self, request: Request, wanted: str) -> Answer:
        """Practise the quiz that was named, by its slug in any spelling or by its title; without one, everything."""
        if not wanted:
            return await self.practise(request)
        found = self._naming.edition(wanted)
        if found is not None and not request.private:
            return await self._in_private(request, found.quiz.slug)
        if found is None:
            near = self._naming.near(wanted)
            return Answer(present.no_such_practice(await self._preferred.personal(request), wanted, near), Show.HERE)
        return await self._begin(request, found.quiz)

    async def practise(self, request: Request, slug: str = "") -> Answer:
        """Begin to practise: what is due, then what is new; with a slug, of that quiz alone."""
        if not request.private:
            return await self._in_private(request, slug)
        edition = self._library.edition(slug)
        if slug and edition is None:
            return Answer(present.no_longer_offered(await self._preferred.personal(request)), Show.HERE)
        return await self._begin(request, edition.quiz if edition else None)

    async def _in_private(self, request: Request, slug: str) -> Answer:
        link = self._addresses.private(f"{PRACTICE_PAYLOAD}_{slug}" if slug else PRACTICE_PAYLOAD)
        return Answer(present.practise_in_private(await self._preferred.personal(request), link), opens=link)

    async def _begin(self, request: Request, quiz: Quiz | None) -> Answer:
        await self._preferred.meet(request)
        await self._service.studied()  # what somebody has just missed is wanted now
        knowledge = await self._service.store.knowledge(request.by.person)
        today = learning_day(self._service.clock.now(), knowledge.zone)
        wanted = self._lineup(knowledge, today, quiz)
        edition = self._library.mix(present.practice_title(quiz), wanted.refs)
        if edition is None:
            return await self._nothing(request, knowledge, wanted, today, quiz)
        event = practice(edition, request.by, request.key, self._service.lots)
        reply = await self._starting.ask(request, event)
        if reply != Told(Reason.BEGUN):
            return await self._replying.answer(request, reply)
        language = await self._preferred.personal(request)
        # In passing: as a message of its own it might come below the question.
        begins = present.practice_begins(language, wanted.reviews, wanted.new)
        return Answer(show=Show.HERE, receipt=begins, note=begins)

    # What there is to practise

    def _lineup(self, knowledge: Knowledge, today: Day, quiz: Quiz | None) -> Lineup:
        memories = [memory for memory in knowledge.memories if quiz is None or memory.ref.slug == quiz.slug]
        met = {memory.ref.slug for memory in memories}
        quizzes = [quiz] if quiz else [each for each in self._library.quizzes if each.slug in met]
        return lineup(memories, self._offered, _in_turns(quizzes), today)

    @cached_property
    def _offered(self) -> Mapping[QuestionRef, str]:
        """What is on offer does not change, and telling it takes longer than all the rest."""
        questions = ((quiz, question) for quiz in self._library.quizzes for question in quiz.questions)
        return {quiz.ref(question): quiz.fingerprint(question) for quiz, question in questions}

    async def _nothing(
        self, request: Request, knowledge: Knowledge, wanted: Lineup, today: Day, quiz: Quiz | None
    ) -> Answer:
        language = await self._preferred.personal(request)
        met = {memory.ref.slug for memory in knowledge.memories}
        new = [each for each in self._library.quizzes if each.slug not in met]
        if len(new) == len(self._library.quizzes):
            return Answer(present.first_practice(language, new), Show.HERE)
        chosen = (await self._preferred.of(request.by.person)).reminders
        card = present.nothing_to_practise(
            language,
            new,
            upcoming=(wanted.next_due[1], wanted.next_due[0] - today) if wanted.next_due else None,
            quiz=quiz,
            reminders=chosen in (None, Reminders.OFF),
        )
        return Answer(card, Show.HERE)


def _in_turns(quizzes: Iterable[Quiz]) -> list[QuestionRef]:
    """The questions of these quizzes, one of each in turn, so that none has to wait for the end of another."""
    columns = zip_longest(*([quiz.ref(question) for question in quiz.questions] for quiz in quizzes))
    return [ref for column in columns for ref in column if ref]
