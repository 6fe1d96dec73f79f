"""A person at a terminal as one more platform: typed lines in, cards out. Knows no rule and no score."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from adapters.console import inviting, phrases
from adapters.console.reading import Chosen, Command, Meaning, Pressed, is_start, keys, onward, understand
from adapters.console.replies import is_over, was_accepted
from adapters.console.stage import Stage
from adapters.console.terminal import Terminal
from adapters.console.visit import PLATFORM, Visit
from bot.boards import Served
from bot.core.events import Answered, Event, Posted, Stopped
from bot.core.quiz import QuestionRef
from bot.core.session import Phase, Session
from bot.core.steps import standing
from bot.messages import Card
from bot.ports import UnavailableError, place_of
from bot.present import post, reply
from bot.presses import Resume, SessionPress, event_of
from bot.running import NO_DUTIES, Service
from bot.starting import session_id, started
from bot.words import words_of


class ConsoleAdapter:
    """Plays one quiz with one person, as often as they like."""

    platform = PLATFORM
    duties = NO_DUTIES

    def __init__(self, visit: Visit, terminal: Terminal) -> None:
        self._visit = visit
        self._terminal = terminal
        self._chat = visit.chat
        self._by = visit.person.actor
        self._words = words_of(visit.language)
        self._typed = [visit.line] if visit.line else []
        self._stage = Stage(terminal, self._chat)
        self._offered: Card | None = None

    @property
    def transport(self) -> Stage:
        return self._stage

    def finish(self) -> None:
        """Say how it ended, once everything else has been said."""
        results = self._stage.results
        self._stage.finish()
        if results and not self._stage.broken and (advice := self._advice(results)):
            self._terminal.say(advice)

    def _advice(self, results: Card) -> str | None:
        """What else there is to say, where what happened is kept."""
        return phrases.to_practise(results, self._visit.program, self._words) if self._visit.command else None

    async def run(self, service: Service) -> None:
        """Play until the quiz is over or left."""
        try:
            await (self._come_back(service) if self._visit.go_on else self._start(service))
            while not self._stage.over or await self._begin_again(service):
                await self._step(service)
        except asyncio.CancelledError:
            self._leave()
            raise
        if self._stage.broken:
            raise self._stage.broken

    async def _start(self, service: Service) -> None:
        key = uuid4().hex
        self._stage.begin(session_id(key))
        if self._visit.unfinished:
            await self._give_up(service, self._visit.unfinished)
        await self._begin(service, key)

    async def _begin(self, service: Service, key: str) -> None:
        edition = service.library.edition(self._visit.slug)
        if edition is None:
            raise LookupError(f"no quiz {self._visit.slug} is on offer")
        lots, served = self._visit.lots or service.lots, await self._served(service)
        settings, card = self._visit.settings, self._visit.card
        event = started(edition, self._by, key, lots, settings, served, private=True, card=card)
        await self._tell(service, event)

    async def _served(self, service: Service) -> Mapping[QuestionRef, Served]:
        """How those questions fared that have come up here before. Lots that were asked for come out as they do."""
        if self._visit.lots:
            return {}
        served = await service.store.served(place_of(self._chat), {self._visit.slug})
        return {each.ref: each for each in served}

    async def _give_up(self, service: Service, session: Session) -> None:
        await service.engine.handle(self._chat, Stopped(uuid4().hex, self._by, session.id))
        if session.phase is not Phase.CARD:
            self._terminal.say(self._given_up())

    def _given_up(self) -> str:
        return self._words.gettext("The unfinished quiz is stopped; its scores are kept.")

    async def _come_back(self, service: Service) -> None:
        """Show where the session stands; a question that is shown anew has its time counted anew."""
        session = await self._session(service)
        if service.library.quiz(session.quiz):
            self._stage.expect(session.id)
        await service.engine.handle(self._chat, Posted(session.id, session.at, service.clock.now()))
        await service.settled()
        session = await self._session(service)
        quiz = service.library.quiz(session.quiz)
        where = standing(session)
        if quiz and where:
            with contextlib.suppress(UnavailableError):  # the stage knows, and closes
                self._stage.show(post(where, quiz, self._visit.language))

    async def _begin_again(self, service: Service) -> bool:
        """At a terminal, whether the results were not the end, and something starts once more."""
        if self._terminal.scripted:
            return False
        await service.settled()
        results = self._stage.results
        self.finish()
        if not results or not await self._once_more(service):
            return False
        if not await inviting.once_more(self._terminal, results, self._words):
            return False
        await self._start(service)
        return True

    async def _once_more(self, service: Service) -> bool:
        """Whether the quiz could start once more: as it was set, drawn anew."""
        settings = (await self._session(service)).settings
        self._visit = replace(self._visit, unfinished=None, settings=settings, card=False)
        return service.library.edition(self._visit.slug) is not None

    async def _session(self, service: Service) -> Session:
        session = await service.store.session(self._chat)
        if session is None:
            raise LookupError(f"the session in {self._chat} is gone")
        return session

    async def _step(self, service: Service) -> None:
        """Take one line, or go on by itself; return also when another card has come."""
        self._stage.changed.clear()
        card = self._stage.card
        if card is None:
            await self._wait(service)
        elif self._terminal.scripted and (press := onward(card)):
            # Nobody needs time to read; but the next posts must not overtake what is being settled.
            await service.settled()
            await self._mean(service, press)
        elif (line := await self._line(card)) is not None:
            await self._say(service, line)

    async def _wait(self, service: Service) -> None:
        """Until the next card comes, if there will be one."""
        session = await self._session(service)
        if session.live:
            await self._stage.changed.wait()
        else:
            self._stage.over = True

    async def _line(self, card: Card) -> str | None:
        """The next line, if it comes before another card does. At the end of input the quiz is left."""
        if self._typed:
            return self._typed.pop()
        if self._offered is not card:
            self._offered = card
            for row in phrases.choices(card):
                self._terminal.say(row)
        typing = asyncio.ensure_future(self._terminal.ask(phrases.prompt(card, self._words)))
        changing = asyncio.ensure_future(self._stage.changed.wait())
        with _ended(typing, changing):
            await asyncio.wait({typing, changing}, return_when=asyncio.FIRST_COMPLETED)
            if not typing.done():
                return None
            line = typing.result()
        if line is None:
            self._leave()
        return line

    async def _say(self, service: Service, line: str) -> None:
        """A line is judged by the card on screen."""
        card = self._stage.card
        if card is None or (self._terminal.scripted and not line.strip()):
            return
        paused = next((button.press for button in keys(card).values() if isinstance(button.press, Resume)), None)
        if self._terminal.scripted and paused and not isinstance(understand(line, card), Command):
            self._typed.append(line)
            await self._mean(service, Pressed(paused))
        elif meaning := understand(line, card):
            await self._mean(service, meaning)
        else:
            self._terminal.say(phrases.possibilities(card, self._words))

    async def _mean(self, service: Service, meaning: Meaning) -> None:
        now = service.clock.now()
        match meaning:
            case Command.LEAVE:
                self._leave()
            case Command.HELP:
                if self._stage.card:
                    self._terminal.say(phrases.possibilities(self._stage.card, self._words))
            case Command.STOP:
                await self._stop(service)
            case Chosen(session, question, options):
                await self._tell(service, Answered(self._by, session, question, options, now))
            case Pressed(press) if isinstance(press, SessionPress):
                await self._tell(service, event_of(press, self._by, uuid4().hex, now))

    async def _stop(self, service: Service) -> None:
        if not self._terminal.scripted:
            sure = await self._terminal.ask(self._words.gettext("Stop here? Scores so far are kept. [y/N]"))
            if (sure or "").strip().casefold() not in phrases.YES - {""}:
                return
        await self._tell(service, Stopped(uuid4().hex, self._by))
        self._stage.over = True

    async def _tell(self, service: Service, event: Event) -> None:
        """Let the event happen. A card that it was accepted for is done with: the next one is on its way."""
        card = self._stage.card
        said = await service.engine.handle(self._chat, event)
        if was_accepted(said):
            if self._stage.card is card:
                self._stage.card = None
            return
        if said is not None:
            self._terminal.show(reply(said, None, self._visit.language).blocks, None)
        if is_over(said):
            self._stage.over = True

    def _leave(self) -> None:
        if self._stage.card and is_start(self._stage.card):
            self._terminal.show((), None)
        elif not self._stage.over:
            self._terminal.say(phrases.farewell(self._visit.command, self._words))
        self._stage.close()


@contextlib.contextmanager
def _ended(*futures: asyncio.Future[Any]) -> Iterator[None]:
    try:
        yield
    finally:
        for future in futures:
            future.cancel()
