"""Practising in the console: as playing, but what is asked the desk chooses. Knows no rule and no schedule."""

from __future__ import annotations

from dataclasses import replace

from adapters.console import inviting, phrases
from adapters.console.adapter import ConsoleAdapter
from adapters.console.asking import desk_of, request_of
from adapters.console.reading import Command, Pressed, keys, understand
from bot.desk.naming import Naming
from bot.messages import Card
from bot.presses import Practise
from bot.running import Service
from bot.starting import session_id


class PracticeAdapter(ConsoleAdapter):
    """Practises with one person, as long as they like and something is due or new."""

    async def _come_back(self, service: Service) -> None:
        self._terminal.say(self._words.gettext("Your unfinished practice goes on."))
        await super()._come_back(service)

    async def _begin(self, service: Service, key: str) -> None:
        visit = self._visit
        request = request_of(visit.person, visit.chat, key, service.clock, visit.language)
        desk = desk_of(replace(service, lots=visit.lots or service.lots))
        with self._stage.held():
            answer = await desk.command(request, "practice", visit.slug)
            for said in filter(None, (answer.note, answer.card)):
                self._terminal.show(phrases.typed(said, visit.program).blocks, None)
        session = await service.store.session(visit.chat)
        if session is None or session.id != session_id(key):
            await self._choose(service, answer.card or Card(()))

    async def _choose(self, service: Service, card: Card) -> None:
        """Nothing has begun: another quiz, everything, or enough for today. A script chooses on the command line."""
        self._stage.over = True
        if self._terminal.scripted:
            for line in phrases.to_choose(card, self._visit.program):
                self._terminal.say(line)
        elif (chosen := await self._chosen(service, card)) is not None:
            self._visit = replace(self._visit, unfinished=None, slug=chosen)
            await self._start(service)

    async def _chosen(self, service: Service, card: Card) -> str | None:
        """The slug of a quiz on this card, or of any that is named; nothing for all of them; None to leave."""
        naming = Naming(service.library)
        while any(isinstance(button.press, Practise) for button in keys(card).values()):
            line = await inviting.asked(self._terminal, phrases.prompt(card, self._words))
            if line is None or not line.strip():
                return None
            match understand(line, card):
                case Command.LEAVE | Command.STOP:
                    return None
                case Pressed(Practise(slug)):
                    return slug
            if edition := naming.edition(line):
                return edition.quiz.slug
            self._terminal.say(phrases.possibilities(card, self._words))
        return None

    def _given_up(self) -> str:
        return self._words.gettext("The unfinished practice is stopped; what was left waits for you.")

    def _advice(self, results: Card) -> str | None:  # noqa: ARG002  # there is nothing to add
        return None

    async def _once_more(self, service: Service) -> bool:  # noqa: ARG002  # as wherever it is played
        self._visit = replace(self._visit, unfinished=None, slug="")
        return True
