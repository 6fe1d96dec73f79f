"""The people of one group through an evening: session after session, and what people write in between."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from bot.core.session import Pace
from bot.presses import Again, Begin, Choose, Configure, Press, Resume, load
from tests.clock import VirtualClock
from tests.telegram.server import Group, Message, Person

SECOND = timedelta(seconds=1)
LAST = 12
"""Messages that people look at."""
ASIDES = ("/help", "/quiz", "/settings", "/language", "/privacy", "/quizzes")


@dataclass(slots=True)
class Crowd:
    """A group and its people, of whom the first is host and administrator and chooses `pace`. The share `eager` of all
    answers a question, within `slowest` seconds; `chatter` is how many of them write something else, a second."""

    group: Group
    people: list[Person]
    clock: VirtualClock
    lots: Random
    quiz: str
    pace: Pace
    eager: float
    slowest: float
    chatter: float
    question: Message | None = None
    waiting: list[tuple[datetime, Person]] = field(default_factory=list)
    done: set[int] = field(default_factory=set)
    chosen: bool = False

    @property
    def host(self) -> Person:
        return self.people[0]

    async def live(self) -> None:
        """Once a second do what there is to do, until cancelled."""
        await self.host.write(self.group, f"/quiz {self.quiz}")
        while True:
            await self.clock.sleep_until(self.clock.now() + SECOND)
            await self._answer()
            await self._go_on()
            if self.lots.random() < self.chatter:
                await self.lots.choice(self.people).write(self.group, self.lots.choice(ASIDES))

    async def _answer(self) -> None:
        """Press what each has chosen, when they have."""
        question = self._newest(Choose)
        if question is not self.question:
            self.question = question
            self.waiting = [(self._moment(), person) for person in self.people if self.lots.random() < self.eager]
        if question is None:
            return
        options = [data for data, press in presses(question) if isinstance(press, Choose)]
        for at, person in self.waiting:
            if at <= self.clock.now():
                await person.press_data(question, self.lots.choice(options))
        self.waiting = [(at, person) for at, person in self.waiting if at > self.clock.now()]

    def _moment(self) -> datetime:
        return self.clock.now() + timedelta(seconds=self.lots.uniform(1, self.slowest))

    async def _go_on(self) -> None:
        """Start, resume, or begin again: each message is pressed once."""
        for kind in (Begin, Resume, Again):
            found = self._newest(kind)
            if found is None or found.id in self.done:
                continue
            if kind is Begin and not self.chosen:
                await self._choose(found)
                continue
            self.done.add(found.id)
            self.chosen = False
            await self.host.press_data(found, next(data for data, press in presses(found) if isinstance(press, kind)))

    async def _choose(self, card: Message) -> None:
        """Unfold the settings, then take the pace."""
        settings = [(data, press) for data, press in presses(card) if isinstance(press, Configure)]
        paces = [data for data, press in settings if press.change.pace is self.pace]
        self.chosen = bool(paces)
        await self.host.press_data(card, paces[0] if paces else settings[0][0])

    def _newest(self, kind: type[Press]) -> Message | None:
        """The newest of the last messages with a button of this kind."""
        last = reversed(self.group.history[-LAST:])
        return next((said for said in last if any(isinstance(press, kind) for _, press in presses(said))), None)


def presses(message: Message) -> list[tuple[str, Press]]:
    """What the buttons under a message say, as data and as its meaning; their labels are in the chat's language."""
    data = (button.get("callback_data") for row in message.markup for button in row)
    return [(each, load(each)) for each in data if each]
