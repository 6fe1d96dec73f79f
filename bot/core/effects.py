"""What a session tells the world: posts that everyone in the chat sees, and replies to the one who pressed.

A post is the whole state of one message, never a change to it, and names the slot that message has: a newer post for
a slot replaces an older one that is not sent yet, and edits one that is. No post reveals a key before its question is
closed, and with feedback at the end none before the session is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.core.scoring import Standing
from bot.core.session import Drawn, Ending, Phase, Result, Settings


class CardState(StrEnum):
    """What the start card invites to."""

    WAITING = "waiting"
    CONFIGURING = "configuring"
    BEGUN = "begun"
    STOPPED = "stopped"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class StartCard:
    """The card before the first question. `available` is how many questions the quiz has."""

    session: str
    host_name: str
    settings: Settings
    available: int
    private: bool
    state: CardState

    slot = "card"


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question. `limit` and `deadline` only with a clock; `counted`: only the counter changed."""

    session: str
    at: int
    total: int
    drawn: Drawn
    limit: timedelta | None
    deadline: datetime | None
    step: int
    private: bool
    answered: int = 0
    counted: bool = False

    @property
    def slot(self) -> str:
        """One message a question."""
        return f"q{self.at}"


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed question. `reveal` is false while feedback waits for the end, and the key is then shown `afterwards`;
    `step` only where Next is pressed."""

    session: str
    at: int
    total: int
    result: Result
    reveal: bool
    private: bool
    step: int | None
    afterwards: bool = False

    @property
    def slot(self) -> str:
        """The message of the question itself."""
        return f"q{self.at}"


@dataclass(frozen=True, slots=True)
class Paused:
    """Nobody answered for a while; or, with `over`, the pause has ended; `ending` where the session ended with it."""

    session: str
    at: int
    private: bool
    over: bool = False
    ending: Ending | None = None

    @property
    def slot(self) -> str:
        """One message a pause."""
        return f"p{self.at}"


@dataclass(frozen=True, slots=True)
class Returned:
    """The service was away for `lost`, long enough to say so."""

    session: str
    until: datetime
    lost: timedelta

    @property
    def slot(self) -> str:
        """One message an outage."""
        return f"r{int(self.until.timestamp())}"


@dataclass(frozen=True, slots=True)
class Ended:
    """The end. `results` are the closed questions, and with `afterwards` only now their keys are shown; the shell fills
    in `standings`, `others`: how many more, and `reminded`: whether who has practised is told when something is due."""

    session: str
    ending: Ending
    results: tuple[Result, ...]
    total: int
    players: int
    private: bool
    clocked: bool
    standings: tuple[Standing, ...] = ()
    others: int = 0
    afterwards: bool = False
    practice: bool = False
    reminded: bool = False

    slot = "standings"


@dataclass(frozen=True, slots=True)
class HostTold:
    """Said to the host in private, once: the chat of the session can no longer be written to."""

    session: str
    host: str

    slot = "host"


@dataclass(frozen=True, slots=True)
class Reminded:
    """Said to a learner in private, who asked for it: `due` reviews wait today. It belongs to no session; what stands
    in `session` names the learner's day. Not said any more from `until` on, for by then they may sleep."""

    session: str
    due: int
    until: datetime | None = None

    slot = "reminder"


@dataclass(frozen=True, slots=True)
class Broken:
    """The end of a session whose quiz can no longer be read; there is nothing to show but that."""

    session: str

    slot = "standings"


Post = StartCard | Asked | Closed | Paused | Returned | Ended | HostTold | Reminded | Broken


def sent_anew(post: Post) -> bool:
    """Whether a message that somebody deleted is sent again to show `post`: not where only its buttons would vanish,
    nor for a key that is shown after the end."""
    match post:
        case StartCard(state=state):
            return state in (CardState.WAITING, CardState.CONFIGURING)
        case Closed():
            return not post.afterwards
        case Paused():
            return not post.over
        case _:
            return True


@dataclass(frozen=True, slots=True)
class Verdict:
    """Right or wrong, to the one who answered. `quiz` is the digest of the session's quiz; `chosen` are options as
    written."""

    drawn: Drawn
    chosen: tuple[int, ...]
    right: bool
    points: int
    quiz: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Accepted; whether it was right is said later. `again`: this had been accepted before."""

    drawn: Drawn
    chosen: tuple[int, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Selected:
    """What is selected so far, not sent yet."""

    drawn: Drawn
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """A session is running here already. `at` is the position of its question, -1 before the first."""

    session: str
    phase: Phase
    at: int
    total: int

    @property
    def slot(self) -> str:
        """Where it waits for people: its start card, its question or its pause."""
        if self.at < 0:
            return StartCard.slot
        return f"p{self.at}" if self.phase is Phase.PAUSED else f"q{self.at}"


class Reason(StrEnum):
    """What a press or command came to, said to its author alone."""

    DONE = "done"
    BEGUN = "begun"
    CONFIGURED = "configured"
    ADVANCED = "advanced"
    RESUMED = "resumed"
    STOPPED = "stopped"
    LEFT = "left"  # practice, which is nobody's quiz
    ALREADY_DONE = "already-done"
    LATE = "late"
    ENDED = "ended"
    OTHER_SESSION = "other-session"
    NOTHING_RUNNING = "nothing-running"
    NOT_BEGUN = "not-begun"
    ALREADY_BEGUN = "already-begun"
    PAUSED = "paused"
    NOT_PAUSED = "not-paused"
    MOVED_ON = "moved-on"
    NOT_ALLOWED = "not-allowed"
    NOTHING_SELECTED = "nothing-selected"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Told:
    """A private line."""

    reason: Reason


Reply = Verdict | Noted | Selected | Running | Told
