"""One transaction over many chats: their sessions and players in, everything that changed out.

Many rows are read with one statement that is handed a JSON array, and written with one statement that is handed many
rows, so that a transaction over hundreds of chats costs a handful of trips to the database.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from bot import codec, tracing
from bot.codec import millis, moment
from bot.core.quiz import QuestionRef
from bot.core.session import Player, Response, Session, wake_at
from bot.learning.memory import Known
from bot.ports import Changes, ChatState, Queued, platform_of
from bot.storage import memories, scores, served
from bot.storage.driver import Connection, Dialect, first

log = logging.getLogger(__name__)

RESERVED = timedelta(seconds=2)
"""How long a post is left to the process that waits for it."""

PLAYER = "person, name, points, correct, answered, taken, question, options, selection"
RESPONSE = "session, question, person, question_id, options, correct, points, at"

SAVE_SESSION = """
    INSERT INTO session (id, platform, chat, quiz, state, wake_at, host, learned, ended_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, wake_at = excluded.wake_at, host = excluded.host,
        learned = CASE WHEN excluded.learned = 1 THEN 1 ELSE session.learned END, ended_at = excluded.ended_at
"""
SAVE_CHAT = """
    INSERT INTO chat (id, session) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET session = excluded.session
"""
SAVE_QUIZ = "INSERT INTO quiz (digest, body) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING"
SAVE_PLAYER = f"""
    INSERT INTO player (session, {PLAYER}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (session, person) DO UPDATE SET name = excluded.name, points = excluded.points,
        correct = excluded.correct, answered = excluded.answered, taken = excluded.taken,
        question = excluded.question, options = excluded.options, selection = excluded.selection
"""
ADD_RESPONSE = f"""
    INSERT INTO response ({RESPONSE})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
# A newer post takes the place of an unsent one, and its turn in the queue. While the older one is under way the newer
# one waits by its own rules; while the chat is held back after a failure it stays held back; otherwise the sooner wins.
QUEUE_POST = """
    INSERT INTO outbox (platform, chat, session, slot, body, ready_at, lazy, reserved_for, reserved_until)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (session, slot) DO UPDATE SET
        chat = excluded.chat,
        body = excluded.body,
        reserved_for = excluded.reserved_for,
        reserved_until = excluded.reserved_until,
        revision = outbox.revision + 1,
        refused = NULL,
        lazy = CASE WHEN outbox.claimed_until > 0 THEN excluded.lazy ELSE outbox.lazy * excluded.lazy END,
        ready_at = CASE
            WHEN outbox.claimed_until > 0 THEN excluded.ready_at
            WHEN outbox.attempts > 0 OR outbox.ready_at < excluded.ready_at THEN outbox.ready_at
            ELSE excluded.ready_at
        END
"""
# Those that are to be replaced, in the order in which delivery holds what it settles.
HOLD_POSTS = """
    SELECT outbox.id FROM {slots} JOIN outbox
        ON outbox.session = wanted.value ->> 0 AND outbox.slot = wanted.value ->> 1
    ORDER BY outbox.session, outbox.slot {held}
"""


async def load_sessions(connection: Connection, dialect: Dialect, chats: Collection[str]) -> dict[str, Session]:
    """The last session of each chat that has one. One that cannot be read is let go, so that its chat is free again."""
    rows = await connection.fetch(
        f"""
        SELECT chat.id, session.id, session.state
        FROM {dialect.json_texts} JOIN chat ON chat.id = wanted.value JOIN session ON session.id = chat.session
        """,
        json.dumps(sorted(chats)),
    )
    sessions: dict[str, Session] = {}
    for chat, id_, state in rows:
        session = read_session(id_, state)
        if session is not None:
            sessions[chat] = session
        else:
            await connection.write("UPDATE session SET wake_at = NULL WHERE id = $1", [(id_,)])
    return sessions


def read_session(id_: str, state: str) -> Session | None:
    """The session; None, and a line in the log, when it cannot be read."""
    try:
        return codec.load_session(state)
    except codec.UnreadableError as error:
        with tracing.about(id_):
            log.error("session %s cannot be read and is let go: %s", id_, error)  # noqa: TRY400  # its words say it
        return None


async def load_players(
    connection: Connection, dialect: Dialect, pairs: list[tuple[str, str]]
) -> dict[str, dict[str, Player]]:
    """Session -> person -> player, for those of the (session, person) pairs that exist."""
    found: dict[str, dict[str, Player]] = {}
    if pairs:
        rows = await connection.fetch(
            f"""
            SELECT session, {PLAYER} FROM {dialect.json_arrays}
            JOIN player ON player.session = wanted.value ->> 0 AND player.person = wanted.value ->> 1
            """,
            json.dumps(pairs),
        )
        for session, *row in rows:
            player = _player(row)
            found.setdefault(session, {})[player.person] = player
    return found


async def every_player(connection: Connection, session: str) -> list[Player]:
    """Everyone in a session."""
    rows = await connection.fetch(f"SELECT {PLAYER} FROM player WHERE session = $1", session)
    return [_player(row) for row in rows]


async def pinned_quiz(connection: Connection, digest: str) -> str | None:
    """The canonical text of a quiz that a session has pinned."""
    body: str | None = await first(connection, "SELECT body FROM quiz WHERE digest = $1", digest)
    return body


class SqlTurns:
    """An open transaction over some chats."""

    def __init__(
        self, connection: Connection, dialect: Dialect, chats: Mapping[str, ChatState], worker: str | None = None
    ) -> None:
        """`worker` is whom posts are reserved for."""
        self._connection = connection
        self._dialect = dialect
        self._worker = worker
        self.chats = chats

    async def quiz(self, digest: str) -> str | None:
        return await pinned_quiz(self._connection, digest)

    async def players(self, session: str) -> list[Player]:
        return await every_player(self._connection, session)

    async def responses(self, session: str) -> list[Response]:
        rows = await self._connection.fetch(
            f"SELECT {RESPONSE} FROM response WHERE session = $1 ORDER BY question, person", session
        )
        return [read_response(*row) for row in rows]

    async def known(self, wanted: Collection[tuple[str, QuestionRef]]) -> Known:
        return await memories.known(self._connection, self._dialect, wanted)

    async def write(self, changes: Changes) -> None:
        write = self._connection.write
        await write(SAVE_QUIZ, sorted(changes.quizzes.items()))  # in one order for all processes
        await write(SAVE_SESSION, [session_row(chat, session) for chat, session in changes.sessions])
        await write(SAVE_CHAT, sorted(dict(changes.started).items()))
        await write(SAVE_PLAYER, [(session, *codec.dump_player(player)) for session, player in changes.players])
        await write(ADD_RESPONSE, [response_row(response) for response in changes.responses])
        await self._queue(changes.posts)
        await scores.add(self._connection, self._dialect, changes.scores)
        await served.add(self._connection, changes.served)
        await memories.keep(self._connection, changes.studied)

    async def _queue(self, posts: Sequence[Queued]) -> None:
        """Queue posts in the order that they are to be seen in."""
        if posts and self._dialect.shared:
            slots = json.dumps([(queued.post.session, queued.post.slot) for queued in posts])
            statement = HOLD_POSTS.format(slots=self._dialect.json_arrays, held=self._dialect.held("outbox"))
            await self._connection.write(statement, [(slots,)])
        await self._connection.write(QUEUE_POST, [self._post_row(queued) for queued in posts])

    def _post_row(self, queued: Queued) -> tuple[Any, ...]:
        return post_row(queued, self._worker if queued.reserved else None)


def _player(row: Sequence[Any]) -> Player:
    return codec.load_player(tuple(row))


def session_row(chat: str, session: Session) -> tuple[Any, ...]:
    wake = wake_at(session)
    return (
        session.id,
        platform_of(chat),
        chat,
        session.quiz,
        codec.dump_session(session),
        None if wake is None else millis(wake),
        session.host,
        # What was answered in practice has been learned from by then, and where nobody answered there is nothing.
        int(session.practice or not (session.live or session.players)),
        None if session.live else millis(session.opened),
    )


def response_row(response: Response) -> tuple[Any, ...]:
    return (
        response.session,
        response.question,
        response.person,
        response.question_id,
        codec.dump_options(response.options),
        int(response.right),
        response.points,
        millis(response.at),
    )


def read_response(
    session: str, question: int, person: str, question_id: str, options: int, right: int, points: int, at: int
) -> Response:
    chosen = codec.load_options(options)
    return Response(session, question, question_id, person, chosen, bool(right), points, moment(at))


def post_row(queued: Queued, reserved_for: str | None = None) -> tuple[Any, ...]:
    """The values of QUEUE_POST."""
    return (
        platform_of(queued.chat),
        queued.chat,
        queued.post.session,
        queued.post.slot,
        codec.dump_post(queued.post),
        millis(queued.ready),
        int(queued.lazy),
        reserved_for,
        None if reserved_for is None else millis(queued.ready + RESERVED),
    )
