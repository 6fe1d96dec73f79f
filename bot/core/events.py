"""What the world tells a session. Every event is idempotent by what it carries: once acted on, it never acts again.

`key` names the platform's update that caused an event; a session remembers the last keys it acted on. Presses name
session and question, so a press can never land on another question than the one it was made for.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.core.session import Actor, Drawn, Settings


@dataclass(frozen=True, slots=True)
class Started:
    """Someone asks for a quiz. `key` becomes the session's id; `draw` covers every question of the quiz, in the order
    of preference. With `card` the session waits at its start card, without it begins at once."""

    key: str
    by: Actor
    quiz: str
    draw: tuple[Drawn, ...]
    settings: Settings
    private: bool
    card: bool = True


@dataclass(frozen=True, slots=True)
class Begun:
    """Start was pressed on the start card."""

    key: str
    by: Actor
    session: str | None


@dataclass(frozen=True, slots=True)
class Configured:
    """The settings on the start card were changed to these; `configuring` says whether their buttons stay unfolded."""

    key: str
    by: Actor
    session: str | None
    settings: Settings
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
    """The session ends here; scores so far are kept."""

    key: str
    by: Actor
    session: str | None = None


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
class Sent:
    """A player sends the selection made by `Toggled`."""

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
Press = Answered | Toggled | Sent
Signal = DeadlinePassed | Recovered | Posted | ChatLost | Moved
Event = Started | Steering | Press | Signal
