"""What the world tells a session. Every event is idempotent by what it carries: once acted on, it never acts again.

`key` names the platform's update that caused an event; a session remembers the last keys it acted on. Presses name
session and question, so a press can never land on another question than the one it was made for.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import datetime

from bot.core.session import Actor, Drawn, Feedback, Order, Pace, Settings


@dataclass(frozen=True, slots=True)
class Started:
    """Someone asks for a quiz. `key` becomes the session's id; `draw` covers every question of the quiz, in the order
    of preference. With `card` the session waits at its start card, without it begins at once. With `practice` what is
    missed comes back in it."""

    key: str
    by: Actor
    quiz: str
    draw: tuple[Drawn, ...]
    settings: Settings
    private: bool
    card: bool = True
    practice: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """Start was pressed on the start card."""

    key: str
    by: Actor
    session: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be different about the settings; a field that is None stays as it is."""

    pace: Pace | None = None
    count: int | None = None
    feedback: Feedback | None = None
    order: Order | None = None
    speed_bonus: bool | None = None

    def of(self, settings: Settings) -> Settings:
        """These settings with the change made."""
        wanted = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(settings, **{name: value for name, value in wanted.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Configured:
    """A button beside the settings of the start card was pressed; `configuring` says whether they stay unfolded.

    It carries the change alone, never all settings: the card it was pressed on may be older than the last press.
    """

    key: str
    by: Actor
    session: str | None
    change: Change
    configuring: bool


@dataclass(frozen=True, slots=True)
class Advanced:
    """Next: close the open question, or go on from a closed one. `step` is the step that it leaves (None: this one)."""

    key: str
    by: Actor
    session: str | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A paused session goes on."""

    key: str
    by: Actor
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """The session ends here; scores so far are kept. With `waiting` only if nobody has begun it yet."""

    key: str
    by: Actor
    session: str | None = None
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A player chose these options (indexes as written) at `at` by the platform's clock. `question` is the position."""

    by: Actor
    session: str
    question: int
    options: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Toggled:
    """A player put an option of a question with several right ones into the selection, or took it out."""

    key: str
    by: Actor
    session: str
    question: int
    option: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Chosen:
    """A player made these options, and no others, the selection of a question with several right ones."""

    key: str
    by: Actor
    session: str
    question: int
    options: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Sent:
    """A player sends the selection made by `Toggled` or `Chosen`."""

    by: Actor
    session: str
    question: int
    at: datetime


@dataclass(frozen=True, slots=True)
class DeadlinePassed:
    """The deadline that the session had has passed; a deadline moved since makes this event mean nothing."""

    session: str
    deadline: datetime


@dataclass(frozen=True, slots=True)
class Recovered:
    """The service was away from `since` to `until`; the time it took from players is given back."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Posted:
    """The question became visible only at `at`, long after it was asked; its time counts from there."""

    session: str
    question: int
    at: datetime


@dataclass(frozen=True, slots=True)
class ChatLost:
    """The chat can no longer be written to."""

    session: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The chat has become another one, where nothing of the session can be seen yet. `key` names the move."""

    key: str


Steering = Begun | Configured | Advanced | Resumed | Stopped
Press = Answered | Toggled | Chosen | Sent
Signal = DeadlinePassed | Recovered | Posted | ChatLost | Moved
Event = Started | Steering | Press | Signal
