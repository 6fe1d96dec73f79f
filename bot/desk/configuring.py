"""The settings of a start card as a form, where a platform has forms: who is given one, and when."""

from __future__ import annotations

from bot import present
from bot.core.effects import Reason, Told
from bot.core.events import Change
from bot.core.session import Phase, Session
from bot.desk.asking import Answer, Request
from bot.desk.preferring import Preferred
from bot.presses import Configure, SessionPress
from bot.running import Service


class Configuring:
    """Gives out forms. What is filled in is a press like any other."""

    def __init__(self, service: Service, preferred: Preferred) -> None:
        self._service = service
        self._preferred = preferred

    async def form(self, request: Request, press: SessionPress) -> Answer | None:
        """The form for a press that would unfold the settings; None where it means what it means without forms."""
        if not (request.forms and press == Configure(press.session, Change(), configuring=True)):
            return None
        session = await self._service.store.session(request.chat)
        if session is None or session.id != press.session or session.phase is not Phase.CARD:
            return None
        language = await self._preferred.personal(request)
        if not await self._may_configure(request, session):
            return Answer(present.reply(Told(Reason.NOT_ALLOWED), None, language))
        quiz = await self._service.library.find(session.quiz, self._service.store.quiz)
        return Answer(form=present.start_form(session, quiz, language)) if quiz else None

    async def _may_configure(self, request: Request, session: Session) -> bool:
        return request.by.person == session.host or await request.is_moderator()
