"""Which session the work at hand is about, and which process does it, for every line that is logged meanwhile. Knows no
part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Subject:
    """What some work is about: the id of a session, as soon as anybody knows it."""

    session: str | None = None

    def note(self, session: str | None) -> None:
        """It is about this session. What was known before holds."""
        self.session = self.session or session


_SUBJECT: ContextVar[Subject | None] = ContextVar("subject", default=None)
WORKER: ContextVar[str | None] = ContextVar("worker", default=None)
"""The id of this process among those that serve one database. Whoever starts the parts sets it before."""


@contextmanager
def about(session: str | None = None) -> Iterator[Subject]:
    """What is done within, also in tasks that begin within, is about one session: this, or one that is found out."""
    subject = Subject(session)
    token = _SUBJECT.set(subject)
    try:
        yield subject
    finally:
        _SUBJECT.reset(token)


def subject() -> Subject | None:
    """What the work at hand is about, to be noted by whoever finds it out."""
    return _SUBJECT.get()


def note(session: str | None) -> None:
    """Note what the work at hand is about, where somebody wants to know it."""
    if found := _SUBJECT.get():
        found.note(session)


def session() -> str | None:
    """The id of the session that the work at hand is about, None while that is unknown."""
    found = _SUBJECT.get()
    return found.session if found else None
