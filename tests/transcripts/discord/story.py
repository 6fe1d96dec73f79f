"""The story of a channel on the simulated Discord as people see it come about, to be read aloud. Checks nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from simcord.builders import ChannelHandle

from adapters.discord.render import Colour
from bot.core.quiz import Quiz
from tests.discord.server import components
from tests.discord.server.components import Kind
from tests.discord.server.markdown import read
from tests.discord.sim.people import Person
from tests.discord.sim.seen import Said, Seen
from tests.discord.sim.stage import Stage

FRAMES = {
    Colour.QUESTION: "blue",
    Colour.RIGHT: "green",
    Colour.WRONG: "red",
    Colour.RESULTS: "gold",
    Colour.NEUTRAL: "grey",
}
MOMENT = 2
"""Seconds that somebody takes before they do the next thing."""

LINE = "─────"
HERE = ZoneInfo("Europe/Sofia")
"""Where people look at their clocks."""


@dataclass
class Story:
    """What happens in one place, told as it does. Messages that everyone sees are numbered from 1."""

    title: str
    stage: Stage
    at: ChannelHandle
    _entries: list[str] = field(default_factory=list)
    _shown: dict[Seen, str] = field(default_factory=dict)
    _silent: timedelta = timedelta(0)

    def text(self) -> str:
        return "\n\n".join([f"== {self.title} ==", *self._entries]) + "\n"

    # What people do

    async def slash(self, person: Person, name: str, **options: str) -> Said:
        typed = " ".join([f"/{name}", *(f"{option}:{value}" for option, value in options.items())])
        self._tell(f"* {person.name} sends {typed}")
        return await self._answered(person, await person.slash(name, at=self.at, **options))

    async def slash_unlisted(self, person: Person, name: str) -> Said:
        """Send a command that is listed for moderators alone, as long as a server has not set something else."""
        self._tell(f"* {person.name} sends /{name}, which this server lists for everyone")
        return await self._answered(person, await person.forge_command(name, self.at))

    async def press(self, person: Person, label: str, on: Seen | None = None) -> Said:
        on = on or self.stage.with_button(label, self.at, person)
        self._tell(f"* {person.name} presses [{on.button(label).label}] {self._under(on)}")
        return await self._answered(person, await person.press(label, on, at=self.at))

    async def press_late(self, person: Person, label: str, data: str, on: Seen) -> Said:
        """Press a button that has just gone."""
        self._tell(f"* {person.name} presses [{label}] {self._under(on)}, a moment too late")
        return await self._answered(person, await person.forge_press(data, on, self.at))

    async def choose(self, person: Person, *letters: str) -> Said:
        """Choose from the list of the open question."""
        question = self.stage.question(self.at)
        self._tell(f"* {person.name} chooses {', '.join(letters)} {self._under(question)}")
        return await self._answered(person, await person.choose(*letters, on=question, at=self.at))

    async def fill_in(self, person: Person, form: Said, **filled: str) -> Said:
        said = ", ".join(f"{label}: {value}" for label, value in filled.items())
        self._tell(f"* {person.name} sends the form with {said}")
        return await self._answered(person, await person.send_form(form, filled, at=self.at))

    async def wait(self, seconds: float) -> None:
        """Let time pass; whatever it brings is told when it comes."""
        for _ in range(int(seconds)):
            await self.stage.pass_time(1)
            self._silent += timedelta(seconds=1)
            self.look()

    async def until(self, label: str) -> Seen:
        """The newest message that everyone sees, when there is such a button on it; after five minutes at most."""
        for _ in range(300):
            if self.stage.last(self.at).has(label):
                return self.stage.last(self.at)
            await self.wait(1)
        raise AssertionError(f"[{label}] never comes\n{self.text()}")

    async def later(self, days: int, hour: int, minute: int = 0) -> None:
        """Let all the time pass until so many days later (0: today) at this time; what comes, comes then."""
        now = self.stage.clock.now()
        moment = datetime.combine(now.astimezone(HERE) + timedelta(days=days), time(hour, minute), HERE)
        await self.stage.jump((moment - now).total_seconds())
        self._silent = timedelta(0)
        self._tell(f"── {moment:%A, %H:%M} in Sofia ──")
        self.look()

    def key(self, quiz: Quiz) -> tuple[str, str]:
        """The letters of the right option of the open question, and of a wrong one."""
        shown = self.stage.question(self.at).text
        lines: list[tuple[str, str]] = re.findall(r"^([A-J])\. (.+)$", shown, re.MULTILINE)
        asked = next(each for each in quiz.questions if any(stem in shown for stem in each.stem.texts.values()))
        keys = {said for option in asked.options if option.right for said in option.text.texts.values()}
        right = next(letter for letter, said in lines if said in keys)
        return right, next(letter for letter, _ in lines if letter != right)

    # How it is told

    async def _answered(self, person: Person, said: Said) -> Said:
        if said.kind == "modal":
            self._tell(_form(person, said))
        elif said.message is not None and said.message.ephemeral and said.kind in ("message", "update"):
            how = "is told alone" if said.kind == "message" else "sees changed in place"
            self._tell(f"  → {person.name} {how}{_frame(said.message)}:\n{self._drawn(said.message)}")
        self.look()
        await self.wait(MOMENT)
        return said

    def look(self) -> None:
        """Tell what is new or other than it was."""
        for seen in self.stage.public(self.at):
            drawn = _frame(seen) + ":\n" + self._drawn(seen)
            before = self._shown.get(seen)
            # A countdown goes on by itself.
            now = re.sub(r"in \d+ seconds?", "", drawn)
            if before == now:
                continue
            self._shown[seen] = now
            number = list(self._shown).index(seen) + 1
            self._tell(f"{number}. Quizbot{drawn}" if before is None else f"{number}. is changed in place{drawn}")

    def _tell(self, entry: str) -> None:
        if self._silent >= timedelta(seconds=MOMENT + 1):
            self._entries.append(f"* {self._silent.total_seconds():g} seconds later")
        self._silent = timedelta(0)
        self._entries.append(entry)

    def _under(self, message: Seen) -> str:
        return f"under {list(self._shown).index(message) + 1}" if message in self._shown else "there"

    def _drawn(self, message: Seen) -> str:
        now = self.stage.clock.now().timestamp()
        text = "\n".join(_parts(message.stored.components))
        text = re.sub(r"<t:(\d+):R>", lambda found: f"in {int(found[1]) - now:.0f} seconds", text)
        return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def _frame(message: Seen) -> str:
    return f" ({FRAMES[Colour(message.colour)]})" if message.colour else ""


def _parts(shown: list[dict[str, Any]]) -> Iterator[str]:
    for part in shown:
        match part["type"]:
            case Kind.CONTAINER:
                yield from _parts(part["components"])
            case Kind.TEXT:
                yield read(part["content"])
            case Kind.SEPARATOR:
                yield LINE
            case Kind.GALLERY:
                yield from (f"[picture: {words}]" for _, words in components.pictures([part]))
            case Kind.FILE:
                yield f"[file: {part['file']['url'].rsplit('/', 1)[-1]}]"
            case Kind.ROW:
                yield " ".join(f"[{button.label}]" for button in components.buttons([part])) or _list(part)


def _list(row: dict[str, Any]) -> str:
    (select,) = components.selects([row])
    return "\n".join([f"<{select.placeholder}>", *(f"   {label}" for label in select.labels)])


def _form(person: Person, said: Said) -> str:
    fields = [
        f"    {each.label}: {' | '.join(map(str, each.choices)) or '…'}{_now(each.chosen)}" for each in said.fields
    ]
    return "\n".join([f"  → {person.name} sees the form “{said.title}”:", *fields])


def _now(chosen: tuple[str, ...]) -> str:
    return f" (now: {', '.join(chosen)})" if chosen else ""
