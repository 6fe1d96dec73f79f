"""What one asks that is no quiz: statistics, what is stored, a copy of it, its end. Runs no session."""

from __future__ import annotations

from uuid import uuid4

from adapters.console import phrases
from adapters.console.acquaintance import Acquaintance
from adapters.console.asking import desk_of, request_of
from adapters.console.inviting import asked
from adapters.console.stage import Stage
from adapters.console.terminal import Terminal
from adapters.console.visit import PLATFORM, Person
from bot.desk import Answer, Desk, Request
from bot.messages import Attachment, Card
from bot.presses import Forget, dump
from bot.running import NO_DUTIES, Service
from bot.words import SOURCE, words_of


class Inquiry:
    """Asks the desk, and shows what it says."""

    platform = PLATFORM
    duties = NO_DUTIES

    def __init__(self, name: str, person: Person, terminal: Terminal, program: str) -> None:
        """`name` is a command as the desk knows it, `program` what to type to call this one."""
        self._name = name
        self._person = person
        self._terminal = terminal
        self._program = program
        self._language = SOURCE
        self._stage = Stage(terminal, person.id)

    @property
    def transport(self) -> Stage:
        """Shows nothing: what is still on its way to a quiz is shown to whoever goes on with that."""
        return self._stage

    async def run(self, service: Service) -> None:
        """Ask, once."""
        self._stage.close()
        self._language = await Acquaintance(service.store, self._person).language()
        await self._ask(desk_of(service), self._request(service))

    async def _ask(self, desk: Desk, request: Request) -> None:
        self._show(await desk.command(request, self._name))

    def _request(self, service: Service) -> Request:
        return request_of(self._person, self._person.id, uuid4().hex, service.clock, self._language)

    def _show(self, answer: Answer) -> None:
        for said in filter(None, (answer.note, answer.card)):
            self._terminal.show(phrases.typed(said, self._program).blocks, None)


class Copying(Inquiry):
    """Gets a copy of all that is stored, and shows nothing yet: `copy` is the file, None where there is nothing to
    copy, and `said` what goes with it."""

    copy: Attachment | None = None
    said: Card = Card(())

    async def _ask(self, desk: Desk, request: Request) -> None:
        answer = await desk.command(request, self._name)
        self.copy, self.said = answer.attachment, answer.card or self.said


class Forgetting(Inquiry):
    """Deletes all that is stored, once the person has said that they are sure. `done`: whether it was deleted."""

    done = False
    sure = False
    """Whether they said so beforehand, and need not be asked."""

    async def _ask(self, desk: Desk, request: Request) -> None:
        answer = await desk.command(request, self._name)
        if not self.sure:
            self._show(answer)
        sure = self.sure or await self._confirmed()
        for press in (button.press for button in answer.card.all_buttons) if answer.card else ():
            if isinstance(press, Forget) and press.sure is sure:
                self._show(await desk.press(request, dump(press)))
                self.done = sure

    async def _confirmed(self) -> bool:
        """Whether they are sure; nothing typed is no."""
        question = words_of(self._language).gettext("Delete everything? [y/N]")
        if self._terminal.scripted:
            self._terminal.say(question)
        line = await asked(self._terminal, question)
        return (line or "").strip().casefold() in phrases.YES - {""}
