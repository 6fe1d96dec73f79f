"""What can be known of one player: how they stand in the last quiz of a chat, and how little of it while keys wait."""

from __future__ import annotations

from bot import present
from bot.core.quiz import Quiz
from bot.core.scoring import Standing, standings
from bot.core.session import Feedback, Session
from bot.desk.asking import Answer, Request
from bot.desk.preferring import Preferred
from bot.messages import Card
from bot.running import Service


class Scoring:
    """Looks up scores. Changes nothing."""

    def __init__(self, service: Service, preferred: Preferred) -> None:
        self._service = service
        self._preferred = preferred

    async def score(self, request: Request, person: str, name: str) -> Answer:
        """How `person`, whom the platform calls `name` now, stands in the last quiz of this chat."""
        language = await self._preferred.personal(request)
        session = await self._service.store.session(request.chat)
        if session is None or session.at < 0:
            return Answer(present.no_scores(language, session=session))
        quiz = await self._service.library.find(session.quiz, self._service.store.quiz)
        lines = standings(await self._service.store.players(session.id))
        line = next((line for line in lines if line.person == person), None)
        if line is None:
            return Answer(present.not_played(session, quiz, language, name))
        return Answer(_known(session, quiz, language, line, len(lines)))


def _known(session: Session, quiz: Quiz | None, language: str, line: Standing, count: int) -> Card:
    """While the session keeps back what was right, its scores would tell."""
    if session.live and session.settings.feedback is not Feedback.AT_ONCE:
        return present.answered_so_far(session, quiz, language, line.name, line.answered)
    return present.standing(session, quiz, language, line, count)
