"""Where one person is to be found in the tables: the sessions they played or hosted, by which all else is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.ports import place_of
from bot.storage import mentions
from bot.storage.driver import Connection

HOSTED = "SELECT id, chat, state FROM session WHERE host = $1 OR chat = $1 ORDER BY chat, id"
PLAYED = """
    SELECT player.session, player.question, player.name, session.wake_at, session.chat, session.quiz
    FROM player JOIN session ON session.id = player.session WHERE player.person = $1 ORDER BY player.session
"""


@dataclass(frozen=True, slots=True)
class Traces:
    """Where a person is to be found: the sessions they `played`, each with the position they last responded to, the
    `places` of these (chat and digest of the quiz), which of them are `live`, and those they `hosted`, as rows of id,
    chat and state; all the `names` they had there."""

    person: str
    played: Mapping[str, int]
    places: Mapping[str, tuple[str, str]]
    live: frozenset[str]
    hosted: Sequence[tuple[str, str, str]]
    names: frozenset[str]

    @property
    def own(self) -> dict[str, str]:
        """The sessions of their private chat, with the chat, which may be a topic of it."""
        return {id_: chat for id_, chat, _ in self.hosted if place_of(chat) == self.person}

    @property
    def elsewhere(self) -> dict[str, str]:
        """Those they hosted for others, with their state."""
        return {id_: state for id_, chat, state in self.hosted if place_of(chat) != self.person}

    @property
    def everywhere(self) -> set[str]:
        """All chats that know them."""
        return {*self.chats, *(chat for chat, _ in self.places.values()), *(chat for _, chat, _ in self.hosted)}

    @property
    def chats(self) -> list[str]:
        """Their private chat, with those topics of it that had sessions."""
        return sorted({self.person, *self.own.values()})

    @property
    def shared(self) -> list[str]:
        """The sessions with others."""
        return sorted({*self.played, *self.elsewhere} - {*self.own})

    @property
    def positions(self) -> list[tuple[str, int]]:
        """Session and position of every response that they may have given."""
        return [(session, at) for session, last in self.played.items() for at in range(last + 1)]


async def traces_of(connection: Connection, person: str, lock: str = "") -> Traces:
    """Where this person is to be found; `lock` keeps others from changing what they host and played."""
    hosted = [(id_, chat, state) for id_, chat, state in await connection.fetch(f"{HOSTED} {lock}", person)]
    played = await connection.fetch(f"{PLAYED} {lock}", person)
    return Traces(
        person,
        {session: question for session, question, *_ in played},
        {session: (chat, quiz) for session, _, _, _, chat, quiz in played},
        frozenset(session for session, _, _, wake, _, _ in played if wake is not None),
        hosted,
        frozenset({*(row[2] for row in played), *(mentions.host_in(state) for _, _, state in hosted)} - {""}),
    )
