"""Sessions that have ended and that nobody has learned from yet, handed out a part of their players at a time."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from bot.core.quiz import QuestionRef
from bot.core.session import Response, Session
from bot.learning.memory import Known, Studied
from bot.storage import memories
from bot.storage.driver import Connection, Dialect
from bot.storage.turns import RESPONSE, pinned_quiz, read_response, read_session

NEXT = """
    SELECT id, state, COALESCE(learned_to, '') FROM session
    WHERE wake_at IS NULL AND learned = 0 AND platform IN (SELECT value FROM {platforms})
    ORDER BY ended_at LIMIT 1 {free}
"""
PEOPLE = "SELECT person FROM player WHERE session = $1 AND person > $2 ORDER BY person LIMIT $3"
# Question by question, for the key of responses has the person last: nobody else's are looked at.
RESPONSES = f"""
    SELECT {RESPONSE} FROM {{questions}} CROSS JOIN response
    WHERE response.session = $2 AND response.question = CAST(wanted.value AS INTEGER)
        AND response.person >= $3 AND response.person <= $4
    ORDER BY response.at, response.question, response.person
"""
LEARNED = "UPDATE session SET learned = 1, learned_to = NULL WHERE id = $1"
LEARNED_TO = "UPDATE session SET learned_to = $2 WHERE id = $1"


class SqlLesson:
    """An open transaction over a part of a session."""

    def __init__(
        self,
        connection: Connection,
        dialect: Dialect,
        session: Session,
        people: Sequence[str],
        responses: Sequence[Response],
        *,
        last: bool,
    ) -> None:
        """`people` in order; `last`: none follow them."""
        self.session = session
        self.people = people
        self.responses = responses
        self._connection = connection
        self._dialect = dialect
        self._last = last

    async def quiz(self, digest: str) -> str | None:
        return await pinned_quiz(self._connection, digest)

    async def known(self, wanted: Collection[tuple[str, QuestionRef]]) -> Known:
        return await memories.known(self._connection, self._dialect, wanted)

    async def keep(self, studied: Studied) -> None:
        await memories.keep(self._connection, studied)
        if self._last:
            await self._connection.write(LEARNED, [(self.session.id,)])
        else:
            await self._connection.write(LEARNED_TO, [(self.session.id, self.people[-1])])


async def following(connection: Connection, dialect: Dialect, platforms: str, most: int) -> SqlLesson | None:
    """The next part; `platforms` is a JSON array. Sessions with none, and unreadable ones, are done with."""
    statement = NEXT.format(platforms=dialect.json_texts, free=dialect.free("session"))
    while rows := await connection.fetch(statement, platforms):
        id_, state, learned_to = rows[0]
        people = await connection.fetch(PEOPLE, id_, learned_to, most + 1)
        session = read_session(id_, state) if people else None
        if session is not None:
            part = [person for (person,) in people[:most]]
            responses = await _responses(connection, dialect, session, part)
            return SqlLesson(connection, dialect, session, part, responses, last=len(people) <= most)
        await connection.write(LEARNED, [(id_,)])
    return None


async def _responses(
    connection: Connection, dialect: Dialect, session: Session, people: Sequence[str]
) -> list[Response]:
    """What these people, who follow each other in the order of players, answered in a session."""
    questions = json.dumps([str(at) for at in range(len(session.draw))])
    statement = RESPONSES.format(questions=dialect.json_texts)
    rows: Sequence[tuple[Any, ...]] = await connection.fetch(statement, questions, session.id, people[0], people[-1])
    return [read_response(*row) for row in rows]
