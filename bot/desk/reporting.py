"""Reporting a question: which one is meant, what is wrong with it, and keeping what was said."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot import present
from bot.core.quiz import Quiz
from bot.core.session import Session
from bot.desk.asking import REPORT_PAYLOAD, Addresses, Answer, Request, Show
from bot.desk.preferring import Preferred
from bot.presses import Choose, Next, Press, Report, Select, Send, Toggle, UnreadableError, load
from bot.reports import MOST_WRITTEN, QuestionReport, Reason, reason_of
from bot.running import Service
from bot.words import paragraphs

log = logging.getLogger(__name__)

QUESTION_SLOT = re.compile(r"q(\d+)")


class Reporting:
    """Asks what is wrong, and keeps it."""

    def __init__(self, service: Service, preferred: Preferred, addresses: Addresses) -> None:
        self._service = service
        self._addresses = addresses
        self._library = service.library
        self._preferred = preferred

    async def asked(self, request: Request, reference: str | None, datas: Iterable[str]) -> Answer:
        """Somebody wants to report the question of a message: the one that the platform calls `reference`, with
        buttons that have these data under it."""
        meant = _question_of(datas) or await self._question_at(request, reference)
        if meant is None:
            return Answer(present.no_question(await self._preferred.personal(request)))
        return await self._ask(request, *meant)

    async def _question_at(self, request: Request, reference: str | None) -> tuple[str, int] | None:
        found = await self._service.store.slot_of(request.chat, reference) if reference else None
        slot = QUESTION_SLOT.fullmatch(found[1]) if found else None
        return (found[0], int(slot[1])) if found and slot else None

    async def linked(self, request: Request, meant: str) -> Answer:
        """Somebody has followed the address that leads from a group to this question: `meant` is what it says of it."""
        session, _, at = meant.rpartition("_")
        if not (session and re.fullmatch(r"\d{1,4}", at, re.ASCII)):
            return Answer(present.not_asked_here(await self._preferred.personal(request)))
        return await self._ask(request, session, int(at))

    async def pressed(self, request: Request, press: Report) -> Answer:
        """A button: one of the reasons, or the wish to give one."""
        reason = reason_of(press.reason)
        if reason is None and press.reason:
            return Answer(present.unreadable(await self._preferred.personal(request)))
        if reason is None:
            return await self._ask(request, press.session, press.question)
        answer = await self._keep(request, press, reason, "")
        return replace(answer, show=Show.INSTEAD) if request.private else answer

    async def submitted(self, request: Request, press: Report, values: Sequence[str], text: str) -> Answer:
        """A form: `values` are the data of the reason that was chosen, `text` is what was written."""
        reasons = [_reason_in(value, press) for value in values] or [Reason.OTHER if text.strip() else None]
        if reasons[0] is None or len(reasons) > 1:
            return Answer(present.unreadable(await self._preferred.personal(request)))
        return await self._keep(request, press, reasons[0], text)

    async def _ask(self, request: Request, session: str, at: int) -> Answer:
        language = await self._preferred.personal(request)
        found = await self._asked_here(request, session, at)
        if found is None:
            return Answer(present.not_asked_here(language))
        if request.forms:
            return Answer(form=present.report_form(session, at, language))
        link = None if request.private else self._addresses.private(f"{REPORT_PAYLOAD}{session}_{at}")
        if link:
            return Answer(present.report_in_private(language, link), opens=link)
        return Answer(present.what_is_wrong(session, at, found[0].draw[at], found[1], language), Show.HERE)

    async def _keep(self, request: Request, press: Report, reason: Reason, text: str) -> Answer:
        found = await self._asked_here(request, press.session, press.question)
        if found is None:
            return Answer(present.not_asked_here(await self._preferred.personal(request)))
        report = _report(request, *found, press.question, reason, text)
        earlier = await self._service.store.report(report)
        log.info("question %s of %s was reported: %s", report.question_id, report.slug, report.reason)
        again = earlier is not None and earlier != report  # the same update may come again
        return Answer(present.reported(await self._preferred.personal(request), again=again))

    async def _asked_here(self, request: Request, id_: str, at: int) -> tuple[Session, Quiz] | None:
        """The session and its quiz, if it has asked its question `at` in this chat; or in a group, from where its
        button has led into this private one, for nobody else knows what the session is called."""
        chat, session = await self._service.store.located(id_) or ("", None)
        if session is None or at > session.at:
            return None
        if chat != request.chat and (session.private or not request.private):
            return None
        quiz = await self._library.find(session.quiz, self._service.store.quiz)
        return (session, quiz) if quiz else None


def _question_of(datas: Iterable[str]) -> tuple[str, int] | None:
    """Session and position of the question that these buttons are about."""
    return next((meant for data in datas if (meant := _meant_by(data))), None)


def _meant_by(data: str) -> tuple[str, int] | None:
    match _read(data):
        case Choose(session, at) | Toggle(session, at) | Select(session, at) | Send(session, at) | Report(session, at):
            return session, at
        case Next(session, step):
            return session, step // 2
        case _:
            return None


def _reason_in(data: str, press: Report) -> Reason | None:
    """The reason that was chosen in the form of `press`, if the data belong to it."""
    match _read(data):
        case Report(press.session, press.question, word):
            return reason_of(word)
        case _:
            return None


def _read(data: str) -> Press | None:
    try:
        return load(data)
    except UnreadableError:
        return None


def _report(request: Request, session: Session, quiz: Quiz, at: int, reason: Reason, text: str) -> QuestionReport:
    ref = quiz.ref(quiz.questions[session.draw[at].question])
    return QuestionReport(
        person=request.by.person,
        slug=ref.slug,
        question_id=ref.question,
        quiz=session.quiz,
        session=session.id,
        reason=reason,
        text=paragraphs(text[:MOST_WRITTEN]).strip(),
        at=request.at,
    )
