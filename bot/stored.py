"""What the tables hold of people: each column, what is said of it, and what a copy or an end of one's data does to it.

Values only; knows no SQL. It stands beside the schema: a column that is not described here fails a test, so that what
people are told, what they are given and what is deleted cannot fall behind what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from bot.words import msgid


class Holds(Enum):
    """What a column has to do with people."""

    NOTHING = auto()
    PERSON = auto()  # the id of a person
    CHAT = auto()  # the id of a chat: that of a private chat is the id of its person
    NAME = auto()  # what a person is called
    ABOUT = auto()  # a part of a row about a person
    TEXT = auto()  # a text in which the id or the name of a person can stand


class Topic(Enum):
    """What people are told is stored, a line each, in this order."""

    IDENTITY = msgid("Your id on this platform and the name you showed last.")
    CHOICES = msgid(
        "The language of your app, and what you chose: language, settings, time zone, reminders, leaderboards."
    )
    RESPONSES = msgid("Your responses: the question, the options chosen, whether they were right, and when.")
    SESSIONS = msgid("The quizzes you start or play: in which chat, with which score, and how long you took.")
    BOARDS = msgid("Your points on the leaderboards of your chats: today, this week, this month and in all.")
    REVIEWS = msgid("How well you know each question, and when it comes back in practice.")
    DAYS = msgid("On which days you studied, how fast you answer, and when I last reminded you.")
    REPORTS = msgid("What you report about a question: the reason, what you write, and when.")
    PRIVATE = msgid("From our private chat: which questions came up, and which of my messages show them.")
    WAITING = msgid("What is on its way to you, or to a chat with your name in it, until it has been sent.")
    COUNTS = msgid("Without your name: how many answered each question in a chat, and how many of them right.")

    @property
    def personal(self) -> bool:
        """Whether it goes when a person is forgotten."""
        return self is not Topic.COUNTS


class Form(Enum):
    """How a value is written for whoever it is about."""

    PLAIN = auto()
    TIME = auto()  # milliseconds since 1970 as ISO 8601, UTC
    DAY = auto()  # days since 1970 as an ISO date
    FLAG = auto()  # 0 or 1 as false or true
    POINTS = auto()  # hundredths as points
    PLACE = auto()  # a position from 0 as a number from 1, nothing for one before the first
    OPTIONS = auto()  # bits as the numbers of options, from 1, in the order in which their author wrote them
    JSON = auto()  # JSON in a text as JSON


class Fate(Enum):
    """What forgetting a person does to a table."""

    UNTOUCHED = auto()  # nothing of people is in there
    DELETED = auto()  # the rows about the person are deleted
    UNNAMED = auto()  # so are those of their private chat; from others their id and name are taken out


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what people are told of it, and by which `key` and in which form it comes in a copy of their data.
    `withheld` is why it does not."""

    holds: Holds
    topic: Topic | None = None
    key: str = ""
    form: Form = Form.PLAIN
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `person` is the column in which the id of a person makes a row one about them; "" where it takes more
    than that to find those rows."""

    fate: Fate
    columns: Mapping[str, Column]
    person: str = ""


NOTHING = Column(Holds.NOTHING)


def _nothing(*names: str) -> Table:
    return Table(Fate.UNTOUCHED, dict.fromkeys(names, NOTHING))


def _person(topic: Topic = Topic.IDENTITY) -> Column:
    return Column(Holds.PERSON, topic, "person")


def _chat(topic: Topic) -> Column:
    return Column(Holds.CHAT, topic, "chat")


def _name() -> Column:
    return Column(Holds.NAME, Topic.IDENTITY, "name")


def _about(topic: Topic, key: str, form: Form = Form.PLAIN) -> Column:
    return Column(Holds.ABOUT, topic, key, form)


def _choice(key: str, form: Form = Form.PLAIN) -> Column:
    return _about(Topic.CHOICES, key, form)


def _span(of: str) -> dict[str, Column]:
    """The columns of what was gained in a day, a week, a month."""
    return {
        of: _about(Topic.BOARDS, f"{of}_from", Form.DAY),
        f"{of}_points": _about(Topic.BOARDS, f"{of}_points", Form.POINTS),
        f"{of}_correct": _about(Topic.BOARDS, f"{of}_right"),
        f"{of}_answered": _about(Topic.BOARDS, f"{of}_answered"),
    }


def _internal(why: str) -> Column:
    return Column(Holds.ABOUT, Topic.WAITING, withheld=why)


_QUEUE = "how the queue works; it says nothing of the person"

TABLES: Mapping[str, Table] = {
    "schema_version": _nothing("version", "oldest"),
    "quiz": _nothing("digest", "body"),
    "heartbeat": _nothing("platform", "at"),
    "worker": _nothing("id", "platforms", "roles", "alive_until"),
    "lease": _nothing("role", "worker"),
    "outage": _nothing("platform", "since", "until"),
    "downtime": _nothing("platform", "since", "until"),
    "preference": Table(
        Fate.DELETED,
        {
            "id": Column(Holds.CHAT, Topic.IDENTITY, "person"),
            "language": _choice("language"),
            "locale": _choice("language_of_app"),
            "starters": _choice("who_may_start"),
            "pace": _choice("pace"),
            "feedback": _choice("feedback"),
            "speed_bonus": _choice("speed_bonus", Form.FLAG),
            "thread": _choice("thread_for_each_quiz", Form.FLAG),
            "zone": _choice("time_zone"),
            "reminders": _choice("reminders"),
            "hidden": _choice("hidden_from_leaderboards", Form.FLAG),
            "everywhere": _choice("on_the_leaderboard_across_chats", Form.FLAG),
        },
        person="id",
    ),
    "chat": Table(
        Fate.DELETED,
        {"id": _chat(Topic.PRIVATE), "session": _about(Topic.PRIVATE, "last_session")},
    ),
    "session": Table(
        Fate.UNNAMED,
        {
            "id": _about(Topic.SESSIONS, "session"),
            "platform": _about(Topic.SESSIONS, "platform"),
            "chat": _chat(Topic.SESSIONS),
            "quiz": _about(Topic.SESSIONS, "quiz"),
            "state": Column(Holds.TEXT, Topic.SESSIONS, "state", Form.JSON),
            "wake_at": _about(Topic.SESSIONS, "next_deadline", Form.TIME),
            "ended_at": _about(Topic.SESSIONS, "ended_at", Form.TIME),
            "host": Column(Holds.PERSON, Topic.SESSIONS, "host"),
            "learned": Column(Holds.ABOUT, Topic.REVIEWS, "reviews_are_made", Form.FLAG),
            "learned_to": Column(
                Holds.PERSON, Topic.REVIEWS, withheld="a place in a list; what was learned is in the reviews"
            ),
        },
    ),
    "player": Table(
        Fate.DELETED,
        {
            "session": _about(Topic.SESSIONS, "session"),
            "person": _person(),
            "name": _name(),
            "points": _about(Topic.SESSIONS, "points", Form.POINTS),
            "correct": _about(Topic.SESSIONS, "right"),
            "answered": _about(Topic.SESSIONS, "answered"),
            "taken": _about(Topic.SESSIONS, "milliseconds_taken"),
            "question": _about(Topic.SESSIONS, "last_question", Form.PLACE),
            "options": _about(Topic.RESPONSES, "last_options", Form.OPTIONS),
            "selection": _about(Topic.RESPONSES, "not_sent_yet", Form.JSON),
        },
    ),
    "response": Table(
        Fate.DELETED,
        {
            "session": _about(Topic.RESPONSES, "session"),
            "question": _about(Topic.RESPONSES, "question_number", Form.PLACE),
            "person": _person(),
            "question_id": _about(Topic.RESPONSES, "question"),
            "options": _about(Topic.RESPONSES, "options", Form.OPTIONS),
            "correct": _about(Topic.RESPONSES, "right", Form.FLAG),
            "points": _about(Topic.RESPONSES, "points", Form.POINTS),
            "at": _about(Topic.RESPONSES, "at", Form.TIME),
        },
    ),
    "message": Table(
        Fate.DELETED,
        {
            "session": _about(Topic.PRIVATE, "session"),
            "slot": _about(Topic.PRIVATE, "place"),
            "reference": _about(Topic.PRIVATE, "message"),
        },
    ),
    "outbox": Table(
        Fate.UNNAMED,
        {
            "id": _internal(_QUEUE),
            "platform": _internal("the chat names it"),
            "chat": _chat(Topic.WAITING),
            "session": Column(Holds.TEXT, Topic.WAITING, "session"),
            "slot": _about(Topic.WAITING, "place"),
            "body": Column(Holds.TEXT, Topic.WAITING, "says", Form.JSON),
            "ready_at": _about(Topic.WAITING, "ready_at", Form.TIME),
            "lazy": _internal(_QUEUE),
            "revision": _internal(_QUEUE),
            "attempts": _internal(_QUEUE),
            "claimed_until": _internal(_QUEUE),
            "claimed_by": _internal(_QUEUE),
            "reserved_for": _internal(_QUEUE),
            "reserved_until": _internal(_QUEUE),
            "refused": Column(Holds.TEXT, Topic.WAITING, "refused_because"),
        },
    ),
    "report": Table(
        Fate.DELETED,
        {
            "person": _person(),
            "slug": _about(Topic.REPORTS, "quiz"),
            "question_id": _about(Topic.REPORTS, "question"),
            "quiz": _about(Topic.REPORTS, "edition"),
            "session": _about(Topic.REPORTS, "session"),
            "reason": _about(Topic.REPORTS, "reason"),
            "text": Column(Holds.TEXT, Topic.REPORTS, "text"),
            "at": _about(Topic.REPORTS, "at", Form.TIME),
        },
        person="person",
    ),
    "score": Table(
        Fate.DELETED,
        {
            "chat": _chat(Topic.BOARDS),
            "quiz": _about(Topic.BOARDS, "quiz"),
            "person": _person(),
            "name": _name(),
            "points": _about(Topic.BOARDS, "points", Form.POINTS),
            "correct": _about(Topic.BOARDS, "right"),
            "answered": _about(Topic.BOARDS, "answered"),
            **_span("day"),
            **_span("week"),
            **_span("month"),
            "at": _about(Topic.BOARDS, "last_at", Form.TIME),
            "shown": _about(Topic.BOARDS, "shown", Form.FLAG),
        },
        person="person",
    ),
    "memory": Table(
        Fate.DELETED,
        {
            "person": _person(),
            "slug": _about(Topic.REVIEWS, "quiz"),
            "question_id": _about(Topic.REVIEWS, "question"),
            "fingerprint": _about(Topic.REVIEWS, "edition_of_question"),
            "answered": _about(Topic.REVIEWS, "answered"),
            "correct": _about(Topic.REVIEWS, "right"),
            "missed": _about(Topic.REVIEWS, "missed_last", Form.FLAG),
            "stability": _about(Topic.REVIEWS, "stability_days"),
            "difficulty": _about(Topic.REVIEWS, "difficulty"),
            "reviewed": _about(Topic.REVIEWS, "reviewed", Form.DAY),
            "due": _about(Topic.REVIEWS, "due", Form.DAY),
        },
        person="person",
    ),
    "learner": Table(
        Fate.DELETED,
        {
            "person": _person(),
            "streak": _about(Topic.DAYS, "days_in_a_row"),
            "last": _about(Topic.DAYS, "last_day", Form.DAY),
            "paces": _about(Topic.DAYS, "milliseconds_for_100_characters", Form.JSON),
            "reminded": _about(Topic.DAYS, "last_reminded", Form.DAY),
        },
        person="person",
    ),
    "study_day": Table(
        Fate.DELETED,
        {
            "person": _person(),
            "day": _about(Topic.DAYS, "day", Form.DAY),
            "answered": _about(Topic.DAYS, "answered"),
            "correct": _about(Topic.DAYS, "right"),
        },
        person="person",
    ),
    # Of a group these are counts of all its people together; of a private chat, of one.
    "served": Table(
        Fate.DELETED,
        {
            "chat": _chat(Topic.PRIVATE),
            "slug": _about(Topic.PRIVATE, "quiz"),
            "question_id": _about(Topic.PRIVATE, "question"),
            "answered": _about(Topic.COUNTS, "answered"),
            "correct": _about(Topic.COUNTS, "right"),
            "at": _about(Topic.COUNTS, "last_at", Form.TIME),
        },
        person="chat",
    ),
}


def topics() -> tuple[Topic, ...]:
    """All that people have to be told of, in order."""
    told = {column.topic for table in TABLES.values() for column in table.columns.values()}
    return tuple(topic for topic in Topic if topic in told)
