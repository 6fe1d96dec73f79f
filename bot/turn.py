"""One chat's turn: its events folded, one after the other, into what a transaction writes. Knows no store, no task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from bot import counting
from bot.boards import Scored, Served
from bot.core import rules, scoring, timing
from bot.core.effects import Asked, Ended, HostTold, Post, Reply
from bot.core.events import Event, Recovered, Started
from bot.core.quiz import Quiz
from bot.core.session import Actor, Player, Response, Session
from bot.learning.memory import Attempt
from bot.ports import Changes, ChatState, Outage, Queued, place_of

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
        self._place = place_of(chat)
        self._before = state.session
        self._players = dict(state.players)
        self._quizzes = quizzes
        self._now = now
        self._changed: dict[tuple[str, str], Player] = {}
        self._past: dict[str, Session] = {}
        self._posts: dict[tuple[str, str], Queued] = {}
        self._started: list[tuple[str, str]] = []
        self._responses: list[Response] = []
        self._scores: list[Scored] = []
        self._served: list[Served] = []
        self.finished: list[Session] = []  # ended in this turn: `finish` is to be called for each
        self.attempts: list[Attempt] = []  # answered or let pass in practice: to be studied

    def recover(self, outages: Sequence[Outage]) -> None:
        """Give back the time of every outage, oldest first, that the session has not been told of."""
        session = self.session
        if session and session.live and outages and outages[-1].until > session.recovered:
            for outage in outages:
                self.feed(Recovered(outage.since, outage.until))

    def feed(self, event: Event) -> Reply | None:
        """Let one event happen; what to tell its author."""
        by = author(event)
        quiz = self._quiz_for(event)
        decision = self._decide(quiz, event, by)
        self._take(quiz, decision)
        if by and decision.player is not None and decision.player is not self._players.get(by.person):
            self._keep_player(decision.player)
        return decision.reply

    def _quiz_for(self, event: Event) -> Quiz | None:
        """The quiz that the event is about; None where there is no session, or it cannot be read."""
        if not isinstance(event, Started):
            return self._quizzes(self.session.quiz) if self.session else None
        quiz = self._quizzes(event.quiz)
        if quiz is None:
            raise UnknownQuizError(f"no quiz has the digest {event.quiz}")
        return quiz

    def _decide(self, quiz: Quiz | None, event: Event, by: Actor | None) -> rules.Decision:
        if self.session is not None and quiz is None:
            return rules.abandon(self.session, event)
        if quiz is None or (self.session is None and not isinstance(event, Started)):
            return rules.idle(event)
        if isinstance(event, Started):
            self._leave_unreadable(event)
            return rules.decide(quiz, self.session, None, event, self._now)
        return rules.decide(quiz, self.session, self._players.get(by.person) if by else None, event, self._now)

    def _leave_unreadable(self, event: Started) -> None:
        """A session whose quiz can no longer be read does not stand in the way of a new one."""
        if self.session is not None and self.session.live and self._quizzes(self.session.quiz) is None:
            self._take(None, rules.abandon(self.session, event))

    def _take(self, quiz: Quiz | None, decision: rules.Decision) -> None:
        before, after = self.session, decision.session
        if after is not None and after is not before:
            self._move_to(after)
            if quiz is not None:
                self._note(quiz, before, after, decision)
            if not after.live:
                self.finished.append(after)
        for post in decision.posts:
            self._queue(post)

    def _note(self, quiz: Quiz, before: Session | None, after: Session, decision: rules.Decision) -> None:
        """Keep what the step from one state of the session to the next counts for."""
        if decision.response is not None and decision.player is not None:
            self._responded(quiz, after, decision.response, decision.player)
        if before is not None and len(after.results) > len(before.results):
            self._closed(quiz, after)
        if not after.live and not after.practice:
            self._served += counting.served_at_the_end(self._place, quiz, after, self._now)

    def _responded(self, quiz: Quiz, session: Session, response: Response, player: Player) -> None:
        self._responses.append(response)
        if counting.scores_at_once(session):
            self._scores.append(counting.scored(self._place, quiz, session, response, player.name))
        if session.practice:
            self.attempts.append(counting.attempt(quiz, session, response))

    def _closed(self, quiz: Quiz, session: Session) -> None:
        """A question has closed. One that the end of the session cut off was not let pass."""
        if not session.practice:
            self._served += counting.served_at_once(self._place, quiz, session, self._now)
        elif session.live and not session.answered:
            self.attempts.append(counting.let_pass(quiz, session, self._now))

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

    def finish(self, session: Session, players: Iterable[Player], responses: Iterable[Response]) -> None:
        """Fill in the standings of a session that has ended, and let count what was held back until then; from its
        players and responses as the store has them and as they are now."""
        everyone = {player.person: player for player in players}
        everyone |= {person: player for (id_, person), player in self._changed.items() if id_ == session.id}
        self._rank(session, everyone.values())
        quiz = self._quizzes(session.quiz)
        if quiz is not None and counting.scores_at_the_end(session):
            given = (*responses, *(response for response in self._responses if response.session == session.id))
            names = {person: player.name for person, player in everyone.items()}
            self._scores += counting.totals(self._place, quiz, session, given, names, self._now)

    def _rank(self, session: Session, everyone: Iterable[Player]) -> None:
        queued = self._posts.get((session.id, Ended.slot))
        if queued and isinstance(queued.post, Ended):
            lines = scoring.standings(everyone)
            filled = replace(queued.post, standings=lines[:MOST_NAMED], others=max(len(lines) - MOST_NAMED, 0))
            self._posts[session.id, Ended.slot] = replace(queued, post=filled)

    def add_to(self, changes: Changes) -> None:
        """Put everything that happened into what the transaction writes, but for what is still to be studied."""
        changes.sessions += [(self.chat, session) for session in self._past.values()]
        if self.session is not None and self.session is not self._before:
            changes.sessions.append((self.chat, self.session))
        changes.started += self._started
        changes.players += [(session, player) for (session, _), player in self._changed.items()]
        changes.responses += self._responses
        changes.posts += self._posts.values()
        changes.scores += self._scores
        changes.served += self._served
