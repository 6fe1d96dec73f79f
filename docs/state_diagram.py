"""Draws the states of a session in docs/design.md from what the rules do: python docs/state_diagram.py --write.

Nothing here knows a transition. Sessions of several kinds are played in every way that two people, the clock and the
service can play them, and what is drawn is what came of it. Without `--write` the diagram goes to standard output.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

from bot.core.events import (
    Advanced,
    Answered,
    Begun,
    Change,
    ChatLost,
    Chosen,
    Configured,
    DeadlinePassed,
    Event,
    Moved,
    Posted,
    Recovered,
    Resumed,
    Sent,
    Started,
    Stopped,
    Toggled,
)
from bot.core.quiz import LocalisedText, Option, Question, Quiz
from bot.core.rules import abandon, decide
from bot.core.session import Actor, Drawn, Pace, Phase, Player, Session, Settings

PAGE = Path(__file__).with_name("design.md")
BEGIN, END = "<!-- states: written by docs/state_diagram.py -->", "<!-- end of states -->"

NOON = datetime(2025, 3, 3, 12, tzinfo=UTC)
MOMENT = timedelta(seconds=1)
LONG = timedelta(minutes=10)
HOST, GUEST = Actor("host", "Host"), Actor("guest", "Guest")
QUESTIONS = 4
"""Enough for two silent questions that pause the session, one before them and one after."""

SEVERAL_RIGHT = 1
"""The question with several right options."""


def _quiz() -> Quiz:
    def text(words: str) -> LocalisedText:
        return LocalisedText({"en": words})

    def question(number: int) -> Question:
        options = (Option(text("a"), right=True), Option(text("b"), right=number == SEVERAL_RIGHT), Option(text("c")))
        return Question(f"q{number}", text("?"), options)

    return Quiz("any", text("Any"), ("en",), tuple(map(question, range(QUESTIONS))))


QUIZ = _quiz()
DRAW = tuple(Drawn(number, (0, 1, 2)) for number in range(QUESTIONS))


@dataclass(frozen=True)
class Node:
    """A session somewhere on its way, with its players; `lost` once its quiz cannot be read."""

    session: Session
    host: Player | None = None
    guest: Player | None = None

    @property
    def kind(self) -> tuple[object, ...]:
        """What makes two nodes worth telling apart: everything but times and the keys of events."""
        session = self.session
        people = tuple(player and (player.question, player.selecting, player.selection) for player in self._players)
        known = any(result.answered for result in session.results)
        return (
            *(session.settings, session.private, session.phase, session.ending, session.draw),
            *(session.at, session.answered, session.players, session.silent, known, people),
        )

    @property
    def _players(self) -> tuple[Player | None, Player | None]:
        return self.host, self.guest

    def fed(self, event: Event) -> Node:
        """Where `event` leads, at the time that it belongs to."""
        by = getattr(event, "by", None)
        player = self.guest if by == GUEST else self.host
        decision = decide(QUIZ, self.session, player if by else None, event, self._time_of(event))
        session = decision.session or self.session
        if by == GUEST:
            return replace(self, session=session, guest=decision.player)
        return replace(self, session=session, host=decision.player if by else self.host)

    def _time_of(self, event: Event) -> datetime:
        match event:
            case DeadlinePassed():
                return event.deadline
            case Recovered():
                return event.until
            case _:
                return self.session.opened + MOMENT


@dataclass(frozen=True, order=True)
class Arrow:
    """A transition: phases by their place in the diagram, and the event that makes it."""

    before: int
    after: int
    name: str


PLACES = {phase: place for place, phase in enumerate(Phase)}
START = -1


def _beginnings() -> Iterator[Started]:
    for pace, private, card in product((Pace.STEADY, Pace.RELAXED), (False, True), (False, True)):
        yield Started("start", HOST, "digest", DRAW, Settings(pace, QUESTIONS), private, card)
    yield Started("start", HOST, "digest", DRAW, Settings(Pace.RELAXED, QUESTIONS), private=True, practice=True)


def _events(session: Session) -> Iterator[Event]:
    """Everything that can be said to this session."""
    id_, at, soon = session.id, session.at, session.opened + MOMENT
    key = f"{session.phase} {at} {len(session.handled)}"
    yield Begun(key, HOST, id_)
    yield Configured(key, HOST, id_, Change(count=QUESTIONS), configuring=True)
    yield Advanced(key, HOST, id_, session.step)
    yield Resumed(key, GUEST, id_)
    yield Stopped(key, HOST, id_)
    for by in (HOST, GUEST):
        yield Answered(by, id_, at, (0,), soon)
        yield Toggled(key, by, id_, at, 0, soon)
        yield Chosen(key, by, id_, at, (0,), soon)
        yield Sent(by, id_, at, soon)
    if session.deadline:
        yield DeadlinePassed(id_, session.deadline)
    yield Recovered(session.opened, session.opened + LONG)
    yield Posted(id_, at, session.opened + LONG)
    yield ChatLost(id_)
    yield Moved(key)


def arrows() -> set[Arrow]:
    """Every transition that can be reached, and every event that changes something without one."""
    found: set[Arrow] = set()
    ahead: list[Node] = []
    for event in _beginnings():
        session = decide(QUIZ, None, None, event, NOON).session
        if session is not None:
            found.add(Arrow(START, PLACES[session.phase], type(event).__name__))
            ahead.append(Node(session))
    seen = {node.kind for node in ahead}
    while ahead:
        node = ahead.pop()
        for name, after in _steps(node):
            found.add(Arrow(PLACES[node.session.phase], PLACES[after.session.phase], name))
            if after.kind not in seen:
                seen.add(after.kind)
                ahead.append(after)
    return found


def _steps(node: Node) -> Iterator[tuple[str, Node]]:
    """What can happen next, by name; an end is named with its reason."""
    if not node.session.live:
        return
    for event in _events(node.session):
        after = node.fed(event)
        if after != node:
            yield _name(event, after.session), after
    broken = abandon(node.session, Resumed("", HOST)).session
    if broken is not None:
        yield _name(None, broken), replace(node, session=broken)


def _name(event: Event | None, after: Session) -> str:
    name = type(event).__name__ if event else "quiz unreadable"
    return f"{name} ({after.ending})" if after.ending else name


def diagram(found: Iterable[Arrow]) -> str:
    """The transitions as a Mermaid diagram in a code block; one line for each pair of phases."""
    names: dict[tuple[int, int], list[str]] = {}
    for arrow in sorted(found):
        names.setdefault((arrow.before, arrow.after), []).append(arrow.name)
    phases = tuple(Phase)
    lines = [
        f"    {'[*]' if before == START else phases[before]} --> {phases[after]}: {', '.join(labels)}"
        for (before, after), labels in names.items()
    ]
    return "\n".join(["```mermaid", "stateDiagram-v2", *lines, f"    {Phase.ENDED} --> [*]", "```"])


def write(page: Path) -> None:
    """Put the diagram between its marks in the page. Raises ValueError when they are not there."""
    text = page.read_text("utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    page.write_text(f"{text[:start]}\n{diagram(arrows())}\n{text[end:]}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write(PAGE)
    else:
        sys.stdout.write(f"{diagram(arrows())}\n")
