"""One chat's turn: its events folded, one after the other, into what a transaction writes. Knows no store, no task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from bot.core import rules, scoring, timing
from bot.core.effects import Asked, Ended, HostTold, Post, Reply
from bot.core.events import Event, Recovered, Started
from bot.core.quiz import Quiz
from bot.core.session import Actor, Player, Response, Session
from bot.ports import Changes, ChatState, Outage, Queued

MOST_NAMED = 20


class UnknownQuizError(LookupError):
    """Somebody asked for a quiz that nobody has."""


def author(event: Event) -> Actor | None:
    """Who caused the event, if anybody."""
    return getattr(event, "by", None)


class Turn:
    """The state of one chat while its events are folded."""

    def __init__(self, chat: str, state: ChatState, quizzes: Callable[[str], Quiz | None], now: datetime) -> None:
        self.chat = chat
        self.session = state.session
        self._before = state.session
        self._players = dict(state.players)
        self._quizzes = quizzes
        self._now = now
        self._changed: dict[tuple[str, str], Player] = {}
        self._past: dict[str, Session] = {}
        self._posts: dict[tuple[str, str], Queued] = {}
        self._started: list[tuple[str, str]] = []
        self._responses: list[Response] = []

    def recover(self, outages: Sequence[Outage]) -> None:
        """Give back the time of every outage, oldest first, that the session has not been told of."""
        session = self.session
        if session and session.live and outages and outages[-1].until > session.recovered:
            for outage in outages:
                self.feed(Recovered(outage.since, outage.until))

    def feed(self, event: Event) -> Reply | None:
        """Let one event happen; what to tell its author."""
        by = author(event)
        decision = self._decide(event, by)
        self._take(decision)
        if by and decision.player is not None and decision.player is not self._players.get(by.person):
            self._keep_player(decision.player)
        return decision.reply

    def _take(self, decision: rules.Decision) -> None:
        if decision.session is not self.session and decision.session is not None:
            self._move_to(decision.session)
        if decision.response is not None:
            self._responses.append(decision.response)
        for post in decision.posts:
            self._queue(post)

    def _decide(self, event: Event, by: Actor | None) -> rules.Decision:
        if isinstance(event, Started):
            quiz = self._quizzes(event.quiz)
            if quiz is None:
                raise UnknownQuizError(f"no quiz has the digest {event.quiz}")
            self._leave_unreadable(event)
            return rules.decide(quiz, self.session, None, event, self._now)
        if self.session is None:
            return rules.idle(event)
        quiz = self._quizzes(self.session.quiz)
        if quiz is None:
            return rules.abandon(self.session, event)
        return rules.decide(quiz, self.session, self._players.get(by.person) if by else None, event, self._now)

    def _leave_unreadable(self, event: Started) -> None:
        """A session whose quiz can no longer be read does not stand in the way of a new one."""
        if self.session is not None and self.session.live and self._quizzes(self.session.quiz) is None:
            self._take(rules.abandon(self.session, event))

    def _move_to(self, session: Session) -> None:
        if self.session is None or session.id != self.session.id:
            if self.session is not None and self.session is not self._before:
                self._past[self.session.id] = self.session
            self._players = {}
            self._started.append((self.chat, session.id))
        self.session = session

    def _keep_player(self, player: Player) -> None:
        self._players[player.person] = player
        if self.session is not None:
            self._changed[self.session.id, player.person] = player

    def _queue(self, post: Post) -> None:
        """A newer post takes an older one's place; a counter that replaces a question is as urgent as that."""
        counter = isinstance(post, Asked) and post.counted
        queued = Queued(
            chat=post.host if isinstance(post, HostTold) else self.chat,
            post=post,
            ready=self._now + timing.COUNTER_EVERY if counter else self._now,
            lazy=counter,
        )
        older = self._posts.get((post.session, post.slot))
        if older and not older.lazy:
            queued = replace(queued, ready=older.ready, lazy=False)
        self._posts[post.session, post.slot] = queued

    @property
    def ended(self) -> list[Ended]:
        """Ends among the posts, whose standings are still to be filled in."""
        return [queued.post for queued in self._posts.values() if isinstance(queued.post, Ended)]

    def rank(self, ended: Ended, players: Iterable[Player]) -> None:
        """Fill in the standings of a session that ended, from its players as the store has them and as they are now."""
        everyone = {player.person: player for player in players}
        everyone |= {person: player for (session, person), player in self._changed.items() if session == ended.session}
        lines = scoring.standings(everyone.values())
        filled = replace(ended, standings=lines[:MOST_NAMED], others=max(len(lines) - MOST_NAMED, 0))
        key = (ended.session, ended.slot)
        self._posts[key] = replace(self._posts[key], post=filled)

    def add_to(self, changes: Changes) -> None:
        """Put everything that happened into what the transaction writes."""
        changes.sessions += [(self.chat, session) for session in self._past.values()]
        if self.session is not None and self.session is not self._before:
            changes.sessions.append((self.chat, self.session))
        changes.started += self._started
        changes.players += [(session, player) for (session, _), player in self._changed.items()]
        changes.responses += self._responses
        changes.posts += self._posts.values()
