"""The gateway's sessions: which events go to whom, and which are kept for a RESUME. Speaks no websocket."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.discord.server.errors import Json

if TYPE_CHECKING:
    from tests.discord.server.connections import Connection
    from tests.discord.server.world import World

GUILDS = 1 << 0
_PRIVILEGED = {"members": 1 << 1, "presences": 1 << 8, "message_content": 1 << 15}
_NEEDS_NO_INTENT = ("INTERACTION_CREATE", "READY", "RESUMED")


@dataclass(slots=True, eq=False)
class Session:
    """What a client has identified itself for. `sent` are all its events; `connection` is None while it is away."""

    id: str
    shard: int
    shards: int
    intents: int
    connection: Connection | None = None
    resumable: bool = True
    sent: list[tuple[int, str, Json]] = field(default_factory=list)

    def has(self, guild: str | None) -> bool:
        return self.shard == ((int(guild) >> 22) % self.shards if guild else 0)

    def tell(self, event: str, data: Json) -> None:
        """An event now, or when the client resumes."""
        if self.intents & GUILDS or event in _NEEDS_NO_INTENT:
            self.sent.append((len(self.sent) + 1, event, data))
            if self.connection is not None:
                self.connection.dispatch(*self.sent[-1])


class Gateway:
    """All sessions. `shards` is how many the API advises, `remaining` how many may still begin today, `allowed` the
    names of privileged intents that the bot may have. `identified` and `resumed` count what clients did."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.url = ""
        self.shards = 1
        self.remaining = 1000
        self.reset_after = 0.0
        self.concurrency = 1
        self.allowed: set[str] = set()
        self.sessions: dict[str, Session] = {}
        self.connections: list[Connection] = []
        self.identified = 0
        self.resumed = 0
        self.heartbeat = 41.25
        self.refusals: list[int] = []
        self.closings: list[int] = []
        self.answers_heartbeats = True

    def tell(self, event: str, data: Json, guild: str | None = None) -> None:
        """An event to every session of the shard that has the guild; what concerns none goes to the first shard."""
        for session in self.sessions.values():
            if session.has(guild):
                session.tell(event, data)

    def info(self) -> Json:
        """What GET /gateway/bot says."""
        limits = {"total": 1000, "remaining": self.remaining, "reset_after": round(self.reset_after * 1000)}
        limits["max_concurrency"] = self.concurrency
        return {"url": self.url, "shards": self.shards, "session_start_limit": limits}

    # What tests do to it

    @property
    def connected(self) -> list[Session]:
        return [session for session in self.sessions.values() if session.connection is not None]

    async def ready(self, sessions: int = 1) -> None:
        """Wait until so many sessions are connected and have heard all that was told them; 10 s at most."""
        await self._world.changes.until(
            lambda: len(self.connected) >= sessions, lambda: f"{len(self.connected)} of {sessions} sessions connected"
        )
        await self.heard()

    async def heard(self) -> None:
        """Wait until every connected client has dealt with every event sent to it; 10 s at most."""
        for session in self.connected:
            if session.connection is not None:
                await session.connection.heard()

    def drop(self, code: int = 4000, *, resumable: bool = True) -> None:
        """Cut every connection. Clients may resume, or be told that their session is over."""
        self._each(lambda connection: connection.close(code), resumable=resumable)

    def ask_to_reconnect(self) -> None:
        """Tell every client to connect anew (op 7)."""
        self._each(lambda connection: connection.send(7))

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid (op 9)."""
        self._each(lambda connection: connection.send(9, resumable), resumable=resumable)

    def refuse(self, times: int = 1, status: int = 503) -> None:
        """Answer the next connections with an HTTP error instead of a handshake."""
        self.refusals += [status] * times

    def close_identified(self, code: int, times: int = 1) -> None:
        """Close the next connections with this code when the client identifies itself or resumes."""
        self.closings += [code] * times

    def _each(self, act: Callable[[Connection], None], *, resumable: bool = True) -> None:
        for session in self.connected:
            session.resumable = session.resumable and resumable
            if session.connection is not None:
                act(session.connection)

    # What clients do

    def begin(self, connection: Connection, asked: Json, token: str) -> Session | int:
        """A new session for a client that identifies itself, or the code with which it is turned away."""
        shard, shards = asked.get("shard") or (0, 1)
        if self.closings:
            return self.closings.pop(0)
        if asked.get("token") != token:
            return 4004
        if not 0 <= shard < shards:
            return 4010
        if any(asked["intents"] & bit for name, bit in _PRIVILEGED.items() if name not in self.allowed):
            return 4014
        session = Session(secrets.token_hex(16), shard, shards, asked["intents"], connection)
        self.sessions[session.id] = session
        self.identified += 1
        self.remaining -= 1
        self._greet(session)
        self._world.changes.notify()
        return session

    def _greet(self, session: Session) -> None:
        guilds = [guild for guild in self._world.guilds if guild.has_bot and session.has(guild.id)]
        ready: Json = {"v": 10, "user": self._world.bot, "session_id": session.id, "resume_gateway_url": self.url}
        ready |= {"guilds": [{"id": guild.id, "unavailable": True} for guild in guilds], "private_channels": []}
        ready |= {"shard": [session.shard, session.shards], "application": {"id": self._world.bot["id"], "flags": 0}}
        session.tell("READY", ready)
        for guild in guilds:
            session.tell("GUILD_CREATE", guild.json())

    def resume(self, connection: Connection, asked: Json, token: str) -> Session | int | None:
        """The session that goes on, with what its client missed; None if it cannot, or the code to close with."""
        if self.closings:
            return self.closings.pop(0)
        if asked.get("token") != token:
            return 4004
        session = self.sessions.get(asked["session_id"])
        if session is None or not session.resumable:
            return None
        session.connection = connection
        self.resumed += 1
        for sent in session.sent[asked["seq"] or 0 :]:
            connection.dispatch(*sent)
        session.tell("RESUMED", {})
        self._world.changes.notify()
        return session

    def left(self, session: Session, connection: Connection, *, for_good: bool) -> None:
        """A connection has ended; a client that says goodbye ends its session."""
        if session.connection is connection:
            session.connection = None
        if for_good:
            self.sessions.pop(session.id, None)
        self._world.changes.notify()
