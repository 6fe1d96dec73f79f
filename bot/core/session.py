"""What a session is: one run of a quiz in one chat, and the players in it. Holds state; `rules` says what happens next.

A session holds counts, never lists of people: its size depends on the quiz, not on how many play. Each player is a
value of its own that the rules are handed beside the session, so an answer costs the same among 5 and among 5,000.
Times are aware UTC, whole milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Pace(StrEnum):
    """How questions follow each other: without a clock, or with more or less time."""

    RELAXED = "relaxed"
    STEADY = "steady"
    BRISK = "brisk"


class Feedback(StrEnum):
    """When a player learns whether a response was right."""

    AT_ONCE = "at-once"
    AT_CLOSE = "at-close"
    AT_END = "at-end"


class Order(StrEnum):
    """Whether questions come as the author wrote them or shuffled. Options are always shuffled."""

    WRITTEN = "written"
    SHUFFLED = "shuffled"


class Phase(StrEnum):
    """Where a session is."""

    CARD = "card"  # the start card is up, nothing asked yet
    OPEN = "open"  # a question takes responses
    CLOSED = "closed"  # its answer is being read
    PAUSED = "paused"  # nobody was there; between two questions
    ENDED = "ended"


class Ending(StrEnum):
    """Why a session ended."""

    COMPLETED = "completed"
    STOPPED = "stopped"
    EXPIRED = "expired"  # nothing happened for a day
    LOST = "lost"  # the chat can no longer be written to
    BROKEN = "broken"  # its quiz can no longer be read


@dataclass(frozen=True, slots=True)
class Settings:
    """What the host may choose before the start. `count` is the number of questions, at least 1."""

    pace: Pace
    count: int
    feedback: Feedback = Feedback.AT_ONCE
    order: Order = Order.WRITTEN
    speed_bonus: bool = False

    @property
    def clocked(self) -> bool:
        """Whether questions have a time limit that players see."""
        return self.pace is not Pace.RELAXED


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question (its index in the quiz) and the order (indexes as written) in which its options are shown."""

    question: int
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A closed question: how often each option was chosen (indexes as written), responses, and right ones."""

    drawn: Drawn
    tally: tuple[int, ...]
    answered: int
    right: int


@dataclass(frozen=True, slots=True)
class Response:
    """An accepted answer: the fact that scores are the sum of. `options` are indexes as written."""

    session: str
    question: int
    question_id: str
    person: str
    options: tuple[int, ...]
    right: bool
    points: int
    at: datetime


@dataclass(frozen=True)
class Session:
    """One run of a quiz in one chat. `id` is the key of the event that started it; `quiz` is a digest. `host` and
    `host_name` are empty once that person has been forgotten.

    With `practice` one learner reviews alone: a question that was missed comes back, so `draw` may grow. `deadline` is
    when it next needs a `DeadlinePassed`: a limit players see, the end of the reading time, or the day after which an
    idle session expires. `at` is the position in `draw`, -1 before the first question, and `limit` how long the
    question there stays open (None without a clock).
    """

    id: str
    quiz: str
    host: str
    host_name: str
    private: bool
    settings: Settings
    draw: tuple[Drawn, ...]
    phase: Phase
    opened: datetime
    deadline: datetime | None
    recovered: datetime
    at: int = -1
    limit: timedelta | None = None
    tally: tuple[int, ...] = ()
    answered: int = 0
    right: int = 0
    players: int = 0
    silent: int = 0
    results: tuple[Result, ...] = ()
    handled: tuple[str, ...] = ()
    ending: Ending | None = None
    practice: bool = False

    @property
    def live(self) -> bool:
        """Whether anything can still happen in it."""
        return self.phase is not Phase.ENDED

    @property
    def current(self) -> Drawn:
        """The question it is at. Only once the first has been asked."""
        return self.draw[self.at]

    @property
    def asking(self) -> int:
        """How many questions it asks, as far as that is known: on its start card `draw` still has all there are."""
        return self.settings.count if self.phase is Phase.CARD else len(self.draw)

    @property
    def is_last(self) -> bool:
        """Whether no question follows the current one."""
        return self.at + 1 >= len(self.draw)

    @property
    def step(self) -> int:
        """A number that grows at each step forward, so that Next says which step it means."""
        return 2 * self.at + (self.phase is not Phase.OPEN)

    def counting(self, response: Response, *, newcomer: bool, deadline: datetime | None) -> Session:
        """The session with one more response to its open question, which now stays open until `deadline`.

        Copied by hand: `dataclasses.replace` takes longer than all the other rules for an answer together.
        """
        tally = list(self.tally)
        for option in response.options:
            tally[option] += 1
        counted = object.__new__(Session)
        counted.__dict__.update(
            self.__dict__,
            tally=tuple(tally),
            answered=self.answered + 1,
            right=self.right + response.right,
            players=self.players + newcomer,
            silent=0,
            deadline=deadline,
        )
        return counted


@dataclass(frozen=True, slots=True)
class Player:
    """One person in one session. `points` are hundredths; `taken` is milliseconds spent on responses.

    `question` is the position last responded to (-1: none) and `options` what was chosen there. `selecting`,
    `selection` and `toggles` hold a choice of several that is not sent yet: its question, the options, and the keys
    of the presses that made it.
    """

    person: str
    name: str
    points: int = 0
    right: int = 0
    answered: int = 0
    taken: int = 0
    question: int = -1
    options: tuple[int, ...] = ()
    selecting: int = -1
    selection: tuple[int, ...] = ()
    toggles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it: a person's id, the name to show, and whether the platform lets them steer other people's sessions."""

    person: str
    name: str
    moderator: bool = False


def wake_at(session: Session | None) -> datetime | None:
    """When the session next needs a `DeadlinePassed`: always while it is live, never after."""
    return session.deadline if session else None
