"""What the shell needs from outside: a clock, a store, a way to send. And the errors of sending, named by remedy."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from bot.boards import Board, Leaderboard, Scored, Served
from bot.core.effects import Post, Reminded
from bot.core.quiz import QuestionRef
from bot.core.session import Player, Response, Session
from bot.learning.memory import Day, Knowledge, Known, Studied
from bot.messages import Card
from bot.preferences import Preferences, Reminders
from bot.reports import QuestionReport

# Time


class Clock(Protocol):
    """The time, and waiting for it."""

    def now(self) -> datetime:
        """Aware UTC, whole milliseconds."""
        ...

    async def sleep_until(self, moment: datetime) -> None:
        """Return once `moment` has come."""
        ...


# Storage


def platform_of(chat: str) -> str:
    """The platform that a chat's or person's id begins with: `telegram` in `telegram:-1001`."""
    return chat.partition(":")[0]


def place_of(chat: str) -> str:
    """The chat whose preferences hold in `chat`: `telegram:-1001` for its topic `telegram:-1001/7`, else itself."""
    return chat.partition("/")[0]


class StoreError(Exception):
    """The store could not do it; nothing was changed. The message says what happened and what to do."""


class StoreUnavailableError(StoreError):
    """The store cannot be reached, or was lost in the middle. Then it is not known whether it was done; to do it again
    is safe for all that is done by `turns`."""


class OutdatedError(StoreError):
    """The store is of a newer version that this one cannot go on beside."""


@dataclass(frozen=True, slots=True)
class ChatState:
    """What a turn knows of a chat: its last session, and those players of it that were asked for and exist."""

    session: Session | None = None
    players: Mapping[str, Player] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Queued:
    """A post for `chat`, to be delivered not before `ready`. A `lazy` one lets later posts pass. One that is `reserved`
    is left to this process for a moment: somebody here waits for it."""

    chat: str
    post: Post
    ready: datetime
    lazy: bool = False
    reserved: bool = False


@dataclass(slots=True)
class Changes:
    """What a transaction writes: all of it or nothing."""

    sessions: list[tuple[str, Session]] = field(default_factory=list)  # chat, session as it is now
    started: list[tuple[str, str]] = field(default_factory=list)  # chat, id of the session it now has
    quizzes: dict[str, str] = field(default_factory=dict)  # digest, canonical text
    players: list[tuple[str, Player]] = field(default_factory=list)  # session, player as they are now
    responses: list[Response] = field(default_factory=list)
    posts: list[Queued] = field(default_factory=list)
    scores: list[Scored] = field(default_factory=list)  # what became known, to be added to the leaderboards
    served: list[Served] = field(default_factory=list)  # questions that closed
    studied: Studied = field(default_factory=Studied)  # what came of answers in practice


class Lessons(Protocol):
    """What has to be known of learners before what they did can be studied; in the transaction that writes it."""

    async def known(self, wanted: Collection[tuple[str, QuestionRef]]) -> Known:
        """What is remembered of these people, and of each with the question beside them."""
        ...


class Turns(Lessons, Protocol):
    """An open transaction over the chats it was opened for. Leaving it without an error commits."""

    @property
    def chats(self) -> Mapping[str, ChatState]:
        """The chats asked for, but for those that another process is at just now: their turn is later. At least one."""
        ...

    async def quiz(self, digest: str) -> str | None:
        """The canonical text of a quiz that a session has pinned."""
        ...

    async def players(self, session: str) -> list[Player]:
        """Everyone in the session, as before this transaction."""
        ...

    async def responses(self, session: str) -> list[Response]:
        """Everything that was answered in the session, as before this transaction."""
        ...

    async def write(self, changes: Changes) -> None:
        """Write all of it. Call once."""
        ...


class Lesson(Lessons, Protocol):
    """An open transaction over a part of a session that has ended and that nobody has learned from yet: some of its
    players, with what they answered. Leaving it without `keep` lets it come again."""

    @property
    def session(self) -> Session:
        """The session."""
        ...

    @property
    def people(self) -> Collection[str]:
        """The players of this part."""
        ...

    @property
    def responses(self) -> Sequence[Response]:
        """What these people answered."""
        ...

    async def quiz(self, digest: str) -> str | None:
        """The canonical text of a quiz that a session has pinned."""
        ...

    async def keep(self, studied: Studied) -> None:
        """Write what came of it; these people's part of the session is done with. Call once."""
        ...


@dataclass(frozen=True, slots=True)
class Reminding:
    """Somebody who wants to be reminded, and when; the time zone that holds for them; the days of theirs on which they
    were last reminded and last answered anything."""

    person: str
    when: Reminders
    zone: str | None
    reminded: Day | None
    last: Day | None


@dataclass(frozen=True, slots=True)
class Outage:
    """A platform was not served from `since` to `until`."""

    platform: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Roster:
    """Who serves: the `workers` that are alive, this one among them, and the roles that it `held`, until the moment
    `until`; None: nobody else can take them. `outages` are those that a live session may not have been told of, oldest
    first. `unknown`: nobody knew this process, be it new, or that others had counted it as gone."""

    workers: frozenset[str]
    held: frozenset[str]
    outages: tuple[Outage, ...]
    until: datetime | None
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline that has passed."""

    chat: str
    session: str
    deadline: datetime


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A post claimed for delivery. `revision` tells it from a newer post for the same slot; `message` is the platform's
    reference of the message in that slot, if one was sent; `quiz` and `language` are what it is rendered with;
    `attempts` is how often it was claimed before."""

    id: int
    revision: int
    attempts: int
    chat: str
    session: str
    slot: str
    body: str
    message: str | None
    quiz: str | None
    language: str | None


@dataclass(frozen=True, slots=True)
class Delivered:
    """The post is where it belongs; `message` is set when a new message was sent for it."""

    outgoing: Outgoing
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Deferred:
    """The post could not be delivered now; again at `ready`, and until then nothing else goes to its chat. `full`: only
    because the chat had had enough, so it counts as tried once however often that happens."""

    outgoing: Outgoing
    ready: datetime
    full: bool = False


@dataclass(frozen=True, slots=True)
class Postponed:
    """The post can wait until `ready`, or until a newer one takes its place; others go to its chat meanwhile."""

    outgoing: Outgoing
    ready: datetime


@dataclass(frozen=True, slots=True)
class SetAside:
    """The post will not be delivered, for this reason; what follows is not held up."""

    outgoing: Outgoing
    reason: str


Outcome = Delivered | Deferred | Postponed | SetAside


@dataclass(frozen=True, slots=True)
class Backlog:
    """What a platform has in the store: posts that wait and since when the oldest of them could have been delivered,
    posts that were refused, and sessions that have not ended."""

    waiting: int = 0
    oldest: datetime | None = None
    refused: int = 0
    sessions: int = 0


class Store(Protocol):
    """All truth. Every method is one transaction and raises StoreError when it cannot be done."""

    def turns(self, wanted: Mapping[str, Collection[str]]) -> AbstractAsyncContextManager[Turns]:
        """A transaction over these chats, with these people of each."""
        ...

    async def session(self, chat: str) -> Session | None:
        """The last session of the chat."""
        ...

    async def unfinished(self, prefix: str) -> list[tuple[str, Session]]:
        """Chats whose id begins with `prefix`, with their live sessions."""
        ...

    async def quiz(self, digest: str) -> str | None:
        """The canonical text of a quiz that a session has pinned."""
        ...

    async def due(self, now: datetime, limit: int) -> list[Due]:
        """Deadlines that have passed, the oldest first. None passes for a question that still waits to be shown."""
        ...

    async def next_wake(self, now: datetime) -> datetime | None:
        """The earliest deadline of all but those that are held up at `now`: see `due`."""
        ...

    async def claim(self, platform: str, now: datetime, until: datetime, limit: int) -> list[Outgoing]:
        """Lease, until `until`, the next post of each chat of a platform that has none under way. In order within a
        chat. What is reserved for another process is left to it."""
        ...

    async def unclaim(self, platform: str, held: Collection[int]) -> None:
        """Free what this process has claimed on a platform without hearing of it: all but the posts with these ids."""
        ...

    async def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        """Say what became of claimed posts. A newer post for the same slot stays queued."""
        ...

    async def next_ready(self, platform: str, now: datetime) -> datetime | None:
        """When the next post after `now` becomes ready. What is ready already waits for something else than time."""
        ...

    async def drop_posts(self, chat: str, session: str) -> None:
        """Forget every post of a session that waits for a chat that is gone."""
        ...

    async def backlog(self) -> dict[str, Backlog]:
        """How much waits and runs, by platform; each of this process has an entry."""
        ...

    async def message(self, session: str, slot: str) -> str | None:
        """The platform's reference of the message in a slot of a session, if one was sent."""
        ...

    async def slot_of(self, chat: str, message: str) -> tuple[str, str] | None:
        """Session and slot of the message that the platform calls so in this chat; None for a message that is none of
        a session."""
        ...

    async def located(self, session: str) -> tuple[str, Session] | None:
        """The chat that a session is in, and the session, whether it is live, the last one there, or neither."""
        ...

    async def players(self, session: str) -> list[Player]:
        """Everyone in the session."""
        ...

    async def quiz_of(self, session: str) -> str | None:
        """The digest of the quiz that a session runs or ran."""
        ...

    async def move_chat(self, old: str, new: str) -> None:
        """Give everything of `old` to `new`, which the platform now calls it. Again changes nothing."""
        ...

    async def preferences(self, ids: Collection[str]) -> dict[str, Preferences]:
        """What these chats and people have chosen; every id has an entry."""
        ...

    async def prefer(self, id: str, name: str, value: str | bool | None) -> None:  # noqa: A002  # of a chat or person
        """Keep one choice: the field `name` of Preferences. None: nothing is chosen any more."""
        ...

    async def report(self, report: QuestionReport) -> QuestionReport | None:
        """Keep what a person reports about a question, in place of what they reported about it before, which is
        returned."""
        ...

    async def reports(self, place: str | None = None) -> list[QuestionReport]:
        """Everything that was reported, newest first; with `place`, in sessions of that chat and its threads alone."""
        ...

    # Learning

    async def zone(self, person: str) -> str | None:
        """The time zone that holds for a person: their own, else that of the chat they last answered in, else None."""
        ...

    async def knowledge(self, person: str) -> Knowledge:
        """All that is remembered of a person."""
        ...

    def lesson(self, most: int) -> AbstractAsyncContextManager[Lesson | None]:
        """A transaction over the next session that nobody has learned from yet, with at most so many of its players;
        None where there is none. Of the platforms of this process."""
        ...

    async def reminding(self) -> list[Reminding]:
        """Everybody who wants to be reminded, of the platforms of this process."""
        ...

    async def due_reviews(self, person: str, day: Day) -> int:
        """How many reviews of a person are due by that day of theirs."""
        ...

    async def remind(self, person: str, day: Day, post: Reminded, ready: datetime) -> bool:
        """Queue a reminder, unless this person wants none any more or has been reminded on that day of theirs or a
        later one; whether it was queued."""
        ...

    # Leaderboards

    async def leaderboard(self, board: Board, first: int, most: int, person: str) -> Leaderboard:
        """The lines from `first` (from 0) of a leaderboard, at most so many, and that of `person`."""
        ...

    async def served(self, place: str, slugs: Collection[str]) -> list[Served]:
        """How each question of these quizzes that closed in a chat fared there."""
        ...

    async def most_missed(self, place: str, most: int) -> list[Served]:
        """The questions that were missed most in a chat: the lowest share of right answers first, of those that were
        answered and missed at all."""
        ...

    # One's own data

    async def everything_about(self, person: str) -> dict[str, list[dict[str, object]]]:
        """Every row about a person, by table, in words and numbers that JSON can hold."""
        ...

    async def forget(self, person: str) -> None:
        """Delete everything about a person from every table; anonymous counts stay, and sessions of others go on."""
        ...

    # Alive and away

    async def sign_in(self, now: datetime, wanted: Collection[str] = (), busy: Collection[str] = ()) -> Roster:
        """Note that this process is alive at `now`, and learn who else is, and which of the roles `wanted` it has from
        now on. One that it has no longer is given to others once it is not among the `busy` ones. A gap since anybody
        served its platforms is noted as an outage. Raises OutdatedError when another process has brought the store up
        to a version that this one does not know."""
        ...

    async def sign_out(self, now: datetime) -> None:
        """Leave: what this process had is free for others at once."""
        ...

    async def recover(self, now: datetime) -> None:
        """Take over after a stop: note the outage since the platforms were last served, and free what was being
        delivered by those who are gone."""
        ...

    async def outages(self) -> list[Outage]:
        """Outages that a live session may not have been told of, oldest first."""
        ...

    async def close(self) -> None:
        """Give everything back."""
        ...


# Sending


class Transport(Protocol):
    """One platform's way to show a card. Raises the delivery errors below, and nothing else that it foresees."""

    async def send(self, chat: str, card: Card, nonce: str) -> str:
        """Send a new message; its reference. `nonce` is the same whenever the post in this slot is tried again.

        A platform that knows the nonce may answer with the message it made then: it has to look like `card` as well.
        """
        ...

    async def edit(self, chat: str, message: str, card: Card, *, lazy: bool = False) -> None:
        """Make the message look like `card`; an unchanged one is a success. A `lazy` edit is worth nothing that
        another would then have to wait for: PostponedError says so."""
        ...


class DeliveryError(Exception):
    """A post did not arrive. The class says what to do about it."""


class ThrottledError(DeliveryError):
    """Too much for this chat: nothing to it for `retry_after`."""

    def __init__(self, retry_after: timedelta) -> None:
        super().__init__(f"nothing to this chat for {retry_after.total_seconds():g} s")
        self.retry_after = retry_after


class PostponedError(DeliveryError):
    """Not worth now what it would cost: again after `retry_after`, and others first."""

    def __init__(self, retry_after: timedelta) -> None:
        super().__init__(f"not within {retry_after.total_seconds():g} s")
        self.retry_after = retry_after


class UnavailableError(DeliveryError):
    """The platform or the way to it is down: try again, ever more slowly."""


class RefusedError(DeliveryError):
    """The platform will never take this post: our fault. Set it aside and go on."""


class ChatGoneError(DeliveryError):
    """Nothing can be written to this chat any more: its session ends."""


class ChatMovedError(DeliveryError):
    """The chat now has another id."""

    def __init__(self, new: str) -> None:
        super().__init__(f"the chat is now {new}")
        self.new = new


class MessageGoneError(DeliveryError):
    """The message to edit is not there any more: send it anew."""
