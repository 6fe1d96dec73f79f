"""What is asked, by whom and where, and what is shown for it. Values only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from typing import Protocol

from bot.core.session import Actor
from bot.messages import Attachment, Card, Form
from bot.permissions import Lacking

QUIZ_PAYLOAD = "quiz_"
PRACTICE_PAYLOAD = "practice"
REPORT_PAYLOAD = "report_"
STATISTICS_PAYLOAD = "stats"
EXPORT_PAYLOAD = "export"
FORGET_PAYLOAD = "forget"
"""What `/start` is told where an address leads to a quiz, whose slug follows, to practising, or to one's own data."""


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody asks for something in a chat.

    `key` names the platform's update, the same whenever it comes again; `at` is the platform's time of it (aware UTC).
    `locale` is the language of the person's app as the platform says it. `is_moderator` finds out whether the platform
    lets them steer other people's sessions, at some cost: it is asked only where that matters. `lacking` is what
    Quizbot itself may not do here. `open_thread` makes a thread with that title for a session and returns its chat,
    None where it could not, or not while whoever asked can wait, who has waited since then; it is None where there can
    be no threads. With `forms` there is a way to fill in a `Form`. Where a platform has messages for one person alone,
    `public` says that the button was pressed under one that everybody sees. At a `terminal` the database is their own,
    and nothing is written to them that they have not asked for.
    """

    chat: str
    by: Actor
    key: str
    at: datetime
    private: bool
    locale: str | None
    is_moderator: Callable[[], Awaitable[bool]]
    lacking: tuple[Lacking, ...] = ()
    open_thread: Callable[[str], Awaitable[str | None]] | None = None
    forms: bool = False
    public: bool = False
    terminal: bool = False


class Show(Enum):
    """Where an answer goes."""

    ASIDE = auto()  # to whoever asked, alone where the platform can do that
    HERE = auto()  # to everyone in the chat
    INSTEAD = auto()  # in place of the message whose button was pressed


@dataclass(frozen=True, slots=True)
class Answer:
    """What is shown; no card where what happened shows itself.

    `form` is to be filled in instead. `receipt` says in words what otherwise shows itself, where a platform wants every
    request answered. `note` is said beside the card to whoever pressed; `attachment` goes with the card in one message,
    where that can be, to this person alone. `opens` is an address that is opened at once where a button can do that:
    the card then need not be shown. `about` is the platform's reference of a message that the card speaks of; `served`:
    the message whose button was pressed has done its work and can go; `later` gives the answer once more, when the
    message that it speaks of, which is still on its way, may be there.
    """

    card: Card | None = None
    show: Show = Show.ASIDE
    form: Form | None = None
    receipt: Card | None = None
    note: Card | None = None
    attachment: Attachment | None = None
    opens: str | None = None
    about: str | None = None
    served: bool = False
    later: Callable[[], Awaitable[Answer]] | None = field(default=None, compare=False)


class Addresses(Protocol):
    """Where a platform can be pointed to; None where it has no such address."""

    def message(self, chat: str, reference: str) -> str | None:
        """A message."""
        ...

    def chat(self, chat: str) -> str | None:
        """A chat, as it can be opened by those who are in it."""
        ...

    def private(self, payload: str) -> str | None:
        """The private chat with Quizbot, which is then told `/start payload`."""
        ...

    def group(self, payload: str) -> str | None:
        """A group that the person chooses and that Quizbot joins, where it is then told `/start payload`."""
        ...
