"""Small values to test the rules with, and a room that plays them. Knows no store and no platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from bot.core.effects import Post
from bot.core.events import Advanced, Answered, Begun, DeadlinePassed, Event, Recovered, Resumed, Started, Stopped
from bot.core.quiz import LocalisedText, Option, Question, Quiz
from bot.core.rules import Decision, decide
from bot.core.session import Actor, Drawn, Feedback, Order, Pace, Phase, Player, Response, Session, Settings

NOON = datetime(2025, 3, 3, 12, tzinfo=UTC)
LIMIT = 20
"""Seconds that every question of `quiz_of` stays open at a steady pace: its text is short."""

READING = 6
"""Seconds that its answer stays, for the same reason."""

ANN = Actor("ann", "Ann")
BOB = Actor("bob", "Bob")
CAT = Actor("cat", "Cat")
MIA = Actor("mia", "Mia", moderator=True)


def text(words: str) -> LocalisedText:
    return LocalisedText({"en": words})


def question(
    name: str,
    *,
    right: Sequence[int] = (0,),
    options: int = 4,
    seconds: int | None = None,
    pinned: Sequence[int] = (),
) -> Question:
    written = tuple(
        Option(text(f"{name} {number}"), right=number in right, pinned=number in pinned) for number in range(options)
    )
    return Question(name, text(f"{name}?"), written, seconds=seconds)


def quiz_of(*questions: Question) -> Quiz:
    return Quiz("colours", text("Colours"), ("en",), questions)


def plain_quiz(count: int = 3) -> Quiz:
    """Questions with four options, of which the first is right."""
    return quiz_of(*(question(f"q{number}") for number in range(count)))


def drawn(quiz: Quiz) -> tuple[Drawn, ...]:
    """Every question as it is written."""
    return tuple(Drawn(at, tuple(range(len(asked.options)))) for at, asked in enumerate(quiz.questions))


def settings(
    pace: Pace = Pace.STEADY,
    count: int = 100,
    feedback: Feedback = Feedback.AT_ONCE,
    order: Order = Order.WRITTEN,
    *,
    speed_bonus: bool = False,
) -> Settings:
    return Settings(pace, count, feedback, order, speed_bonus)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@dataclass
class Room:
    """One chat as the rules see it: feeds them events at its own time, and keeps what comes of it."""

    quiz: Quiz = field(default_factory=plain_quiz)
    now: datetime = NOON
    last: Session | None = None
    players: dict[tuple[str, str], Player] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    updates: int = 0

    @property
    def session(self) -> Session:
        assert self.last is not None
        return self.last

    @property
    def stage(self) -> tuple[int, Phase]:
        """Which question the session is at, and in which phase."""
        return self.session.at, self.session.phase

    def phase(self) -> Phase:
        return self.session.phase

    def key(self) -> str:
        """A key that no event had before."""
        self.updates += 1
        return f"u{self.updates}"

    def player(self, person: str) -> Player | None:
        return self.players.get((self.last.id, person)) if self.last else None

    def feed(self, event: Event) -> Decision:
        by = getattr(event, "by", None)
        decision = decide(self.quiz, self.last, self.player(by.person) if by else None, event, self.now)
        self.last = decision.session
        if decision.player and self.last:
            self.players[self.last.id, decision.player.person] = decision.player
        if decision.response:
            self.responses.append(decision.response)
        self.posts.extend(decision.posts)
        return decision

    def start(
        self, chosen: Settings | None = None, by: Actor = ANN, *, private: bool = False, card: bool = False
    ) -> Decision:
        chosen = chosen or settings()
        return self.feed(Started(self.key(), by, "digest", drawn(self.quiz), chosen, private, card))

    def practise(self, by: Actor = ANN, feedback: Feedback = Feedback.AT_ONCE) -> Decision:
        """`by` reviews every question of the quiz alone, in the order in which they are written."""
        chosen = settings(Pace.RELAXED, feedback=feedback, order=Order.SHUFFLED)
        return self.feed(
            Started(self.key(), by, "digest", drawn(self.quiz), chosen, private=True, card=False, practice=True)
        )

    def begin(self, by: Actor = ANN) -> Decision:
        return self.feed(Begun(self.key(), by, self.session.id))

    def answer(self, by: Actor, *options: int, at: int | None = None, ago: float = 0) -> Decision:
        """`by` chose these options `ago` seconds before now, of the question at `at` or else the current one."""
        position = self.session.at if at is None else at
        return self.feed(Answered(by, self.session.id, position, options, self.now - seconds(ago)))

    def advance(self, by: Actor = ANN) -> Decision:
        return self.feed(Advanced(self.key(), by))

    def resume(self, by: Actor = ANN) -> Decision:
        return self.feed(Resumed(self.key(), by))

    def stop(self, by: Actor = ANN) -> Decision:
        return self.feed(Stopped(self.key(), by))

    def away(self, duration: float) -> Decision:
        """The service is away for this many seconds from now."""
        since = self.now
        self.now += seconds(duration)
        return self.feed(Recovered(since, self.now))

    def wait(self, duration: float) -> list[Decision]:
        """Let this many seconds pass; every deadline that comes is told to the session at its moment."""
        until = self.now + seconds(duration)
        decisions = []
        while self.last and self.last.deadline and self.last.deadline <= until:
            self.now = due = self.last.deadline
            decisions.append(self.feed(DeadlinePassed(self.last.id, due)))
            assert self.last.deadline != due, "the session would wake again and again"
        self.now = until
        return decisions


def with_other_keys(quiz: Quiz) -> Quiz:
    """The same quiz, with as many right options in each question but other ones."""
    return replace(quiz, questions=tuple(map(_with_other_key, quiz.questions)))


def _with_other_key(asked: Question) -> Question:
    shifted = (asked.options[-1], *asked.options[:-1])
    options = zip(asked.options, shifted, strict=True)
    return replace(asked, options=tuple(replace(option, right=other.right) for option, other in options))
