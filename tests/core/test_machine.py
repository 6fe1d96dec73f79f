"""The laws of the rules, held against whatever several players, forgers and a bad network can do to a session."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot import codec
from bot.core.effects import Closed, Ended, HostTold, Post
from bot.core.events import (
    Advanced,
    Answered,
    Begun,
    Change,
    ChatLost,
    Chosen,
    Configured,
    DeadlinePassed,
    Event,
    Moved,
    Posted,
    Recovered,
    Resumed,
    Sent,
    Started,
    Stopped,
    Toggled,
)
from bot.core.rules import Decision, decide
from bot.core.session import Actor, Drawn, Feedback, Order, Pace, Phase, Session, Settings, wake_at
from bot.core.steps import BETWEEN, KEYS_REMEMBERED, MOST_RETURNS
from tests.core.building import ANN, BOB, CAT, MIA, Room, drawn, question, quiz_of, with_other_keys

QUIZ = quiz_of(
    question("several", right=[0, 2]),
    question("one", right=[1]),
    question("short", options=2, seconds=30),
    question("many", right=[3], options=5, pinned=[4]),
    question("all", right=[0, 1, 2], options=3),
    question("last"),
)
OTHER_KEYS = with_other_keys(QUIZ)
COUNTS = st.integers(-1, len(QUIZ.questions) + 1)
SETTINGS = st.builds(
    Settings, st.sampled_from(Pace), COUNTS, st.sampled_from(Feedback), st.sampled_from(Order), st.booleans()
)
CHANGES = st.builds(
    Change,
    st.none() | st.sampled_from(Pace),
    st.none() | COUNTS,
    st.none() | st.sampled_from(Feedback),
    st.none() | st.sampled_from(Order),
    st.none() | st.booleans(),
)
PEOPLE = st.sampled_from([ANN, ANN, BOB, CAT, MIA])
OPTIONS = st.lists(st.integers(-1, 5), max_size=3).map(tuple)
SECONDS = st.integers(0, 200)
SKEWS = st.integers(-90_000, 5_000).map(lambda count: timedelta(milliseconds=count))
SELDOM = st.integers(0, 7).map(lambda number: number == 7)


class Sessions(RuleBasedStateMachine):
    """One chat in which anything happens at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.room = Room(QUIZ)
        self.twin = Room(OTHER_KEYS)
        self.keyed: deque[Event] = deque(maxlen=KEYS_REMEMBERED)
        self.unkeyed: list[Event] = []

    # What happens

    @initialize(chosen=SETTINGS, private=SELDOM, card=SELDOM, practice=st.booleans())
    def start_first(self, chosen: Settings, private: bool, card: bool, practice: bool) -> None:
        self.feed(self.started(ANN, replace(chosen, count=6), private, card, practice))

    @rule(by=PEOPLE, chosen=SETTINGS, private=SELDOM, card=st.booleans(), practice=st.booleans())
    def start(self, by: Actor, chosen: Settings, private: bool, card: bool, practice: bool) -> None:
        self.feed(self.started(by, chosen, private, card, practice))

    @rule(by=PEOPLE, named=st.sampled_from(["this", "this", "other", None]))
    def begin(self, by: Actor, named: str | None) -> None:
        self.feed(Begun(self.room.key(), by, self.name(named)))

    @precondition(lambda self: self.room.session.phase is Phase.CARD)
    @rule(by=PEOPLE, named=st.sampled_from(["this", "other", None]), change=CHANGES, unfolded=st.booleans())
    def configure(self, by: Actor, named: str | None, change: Change, unfolded: bool) -> None:
        self.feed(Configured(self.room.key(), by, self.name(named), change, unfolded))

    @rule(by=PEOPLE, named=st.sampled_from(["this", "this", "other", None]), step=st.sampled_from([0, 0, -1, 1, None]))
    def advance(self, by: Actor, named: str | None, step: int | None) -> None:
        meant = None if step is None else self.room.session.step + step
        self.feed(Advanced(self.room.key(), by, self.name(named), meant))

    @rule(by=PEOPLE, named=st.sampled_from(["this", "other", None]))
    def resume(self, by: Actor, named: str | None) -> None:
        self.feed(Resumed(self.room.key(), by, self.name(named)))

    @rule(by=PEOPLE, named=st.sampled_from(["this", "other", None]), seldom=SELDOM)
    def stop(self, by: Actor, named: str | None, seldom: bool) -> None:
        if seldom:
            self.feed(Stopped(self.room.key(), by, self.name(named)))

    @rule(by=PEOPLE, option=st.integers(0, 4), skew=SKEWS)
    def answer(self, by: Actor, option: int, skew: timedelta) -> None:
        session = self.room.session
        self.feed(Answered(by, session.id, session.at, (option,), self.room.now + skew))

    @rule(by=PEOPLE, named=st.sampled_from(["this", "other"]), off=st.integers(-2, 2), options=OPTIONS, skew=SKEWS)
    def answer_anything(self, by: Actor, named: str, off: int, options: tuple[int, ...], skew: timedelta) -> None:
        self.feed(Answered(by, str(self.name(named)), self.room.session.at + off, options, self.room.now + skew))

    @rule(by=PEOPLE, off=st.sampled_from([0, 0, 0, -1, 99_999]), option=st.integers(-1, 5), skew=SKEWS)
    def toggle(self, by: Actor, off: int, option: int, skew: timedelta) -> None:
        session = self.room.session
        self.feed(Toggled(self.room.key(), by, session.id, session.at + off, option, self.room.now + skew))

    @rule(by=PEOPLE, off=st.sampled_from([0, 0, 0, -1, 99_999]), options=OPTIONS, skew=SKEWS)
    def choose(self, by: Actor, off: int, options: tuple[int, ...], skew: timedelta) -> None:
        session = self.room.session
        self.feed(Chosen(self.room.key(), by, session.id, session.at + off, options, self.room.now + skew))

    @rule(by=PEOPLE, off=st.sampled_from([0, 0, 0, -1, 1]), skew=SKEWS)
    def send(self, by: Actor, off: int, skew: timedelta) -> None:
        session = self.room.session
        self.feed(Sent(by, session.id, session.at + off, self.room.now + skew))

    @rule(passed=SECONDS)
    def wait(self, passed: int) -> None:
        self.room.now += timedelta(seconds=passed)

    @rule(seldom=SELDOM, how_many=st.integers(1, 4))
    def reach_deadlines(self, seldom: bool, how_many: int) -> None:
        """Nobody does anything; only seldom for so long that an idle session expires."""
        for _ in range(how_many):
            deadline = self.room.session.deadline
            if deadline and (seldom or deadline - self.room.now < timedelta(hours=1)):
                self.room.now = max(self.room.now, deadline)
                self.feed(DeadlinePassed(self.room.session.id, deadline))

    @rule(named=st.sampled_from(["this", "other"]), off=st.integers(-1, 1))
    def pass_other_deadline(self, named: str, off: int) -> None:
        deadline = (self.room.session.deadline or self.room.now) + timedelta(milliseconds=off)
        self.feed(DeadlinePassed(str(self.name(named)), deadline))

    @rule(lost=SECONDS, before=st.integers(0, 30))
    def recover(self, lost: int, before: int) -> None:
        since = self.room.now - timedelta(seconds=before)
        self.room.now += timedelta(seconds=lost)
        self.feed(Recovered(since, self.room.now))

    @rule()
    def move(self) -> None:
        self.feed(Moved(self.room.key()))

    @rule(late=st.integers(0, 20), off=st.sampled_from([0, 0, 0, 1, -1]))
    def post_late(self, late: int, off: int) -> None:
        self.room.now += timedelta(seconds=late)
        self.feed(Posted(self.room.session.id, self.room.session.at + off, self.room.now))

    @rule(named=st.sampled_from(["this", "other"]), seldom=SELDOM)
    def lose_the_chat(self, named: str, seldom: bool) -> None:
        if seldom:
            self.feed(ChatLost(str(self.name(named))))

    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        """An event that was acted on comes again, however much later."""
        event = data.draw(st.sampled_from([*self.keyed, *self.unkeyed]))
        self.changes_nothing(event)

    # What holds at each event

    def feed(self, event: Event) -> None:
        before, known = self.room.last, dict(self.room.players)
        decision = self.room.feed(event)
        after = self.room.last
        steering = Started | Begun | Configured | Advanced | Resumed | Stopped
        if isinstance(event, steering | Answered | Toggled | Chosen | Sent):
            assert decision.reply is not None
        else:
            assert decision.reply is None
        self.a_response_is_in_time(before, decision, event)
        self.a_deadline_only_grows(before, after)
        self.one_post_per_slot(decision.posts)
        self.no_key_leaks(event, decision)
        if (before, known) != (after, self.room.players):
            (self.keyed if hasattr(event, "key") else self.unkeyed).append(event)
        self.changes_nothing(event)

    def changes_nothing(self, event: Event) -> None:
        by = getattr(event, "by", None)
        player = self.room.player(by.person) if by else None
        again = decide(QUIZ, self.room.last, player, event, self.room.now)
        assert (again.session, again.player) == (self.room.last, player)
        assert again.response is None
        assert again.posts == ()

    def a_response_is_in_time(self, before: Session | None, decision: Decision, event: Event) -> None:
        if decision.response is None:
            return
        assert isinstance(event, Answered | Sent)
        assert before is not None
        assert before.phase is Phase.OPEN
        assert (before.id, before.at) == (decision.response.session, decision.response.question)
        assert before.opened <= decision.response.at
        assert before.deadline is not None
        assert not before.settings.clocked or decision.response.at <= before.deadline

    def a_deadline_only_grows(self, before: Session | None, after: Session | None) -> None:
        if before and after and before.id == after.id and before.phase is after.phase and before.at == after.at:
            assert not after.live or (after.deadline and before.deadline and after.deadline >= before.deadline)

    def one_post_per_slot(self, posts: tuple[Post, ...]) -> None:
        ends = [place for place, post in enumerate(posts) if isinstance(post, Ended)]
        counted = posts[: ends[0] + 1] if ends else posts
        slots = [post.slot for post in counted]
        assert len(slots) == len(set(slots))
        for post in posts[len(counted) :]:
            assert isinstance(post, Closed)
            assert post.reveal

    def no_key_leaks(self, event: Event, decision: Decision) -> None:
        """With other keys everything looks the same until a question closes, or until the end. In practice what comes
        after a key was shown may differ by it, and by no other."""
        self.twin.now = self.room.now
        other = self.twin.feed(event)
        hidden = Ended | Closed
        shown = [post for post in decision.posts if not isinstance(post, hidden)]
        assert shown == [post for post in other.posts if not isinstance(post, hidden)]
        session = self.room.session
        for post in decision.posts:
            if isinstance(post, Closed):
                assert post.at < len(session.results)
                held_back = session.live and session.settings.feedback is Feedback.AT_END
                assert not (post.reveal and held_back)
        if any(isinstance(post, HostTold) for post in decision.posts):
            assert not session.live
        if session.practice and any(isinstance(post, Closed) and post.reveal for post in decision.posts):
            self.tell_the_twin(session)
        elif not session.results:
            self.twin.quiz = OTHER_KEYS

    def tell_the_twin(self, session: Session) -> None:
        """Where every closed question was revealed, the twin differs in those keys alone that nobody has seen."""
        seen = {result.drawn.question for result in session.results}
        mixed = (QUIZ if at in seen else OTHER_KEYS for at in range(len(QUIZ.questions)))
        questions = tuple(quiz.questions[at] for at, quiz in enumerate(mixed))
        self.twin.quiz = replace(QUIZ, questions=questions)
        self.twin.last, self.twin.players = self.room.last, dict(self.room.players)

    # What holds always

    @invariant()
    def it_wakes_exactly_while_it_is_live(self) -> None:
        if self.room.last:
            assert (wake_at(self.room.last) is not None) == self.room.last.live
            assert (self.room.last.ending is None) == self.room.last.live

    @invariant()
    def responses_count_once(self) -> None:
        counts = Counter((given.session, given.question, given.person) for given in self.room.responses)
        assert all(count == 1 for count in counts.values())

    @invariant()
    def scores_are_the_sum_of_responses(self) -> None:
        for (session, person), player in self.room.players.items():
            given = [each for each in self.room.responses if (each.session, each.person) == (session, person)]
            assert player.points == sum(each.points for each in given)
            assert player.right == sum(each.right for each in given)
            assert player.answered == len(given)
            assert player.question == max((each.question for each in given), default=-1)
            assert player.taken >= 0

    @invariant()
    def counts_are_what_the_responses_say(self) -> None:
        if not self.room.last:
            return
        session = self.room.last
        given = [each for each in self.room.responses if each.session == session.id]
        assert session.players == len({each.person for each in given})
        results = {at: (result.tally, result.answered, result.right) for at, result in enumerate(session.results)}
        if session.at >= 0:
            assert results.get(session.at, (session.tally, session.answered, session.right)) == (
                session.tally,
                session.answered,
                session.right,
            )
            results[session.at] = session.tally, session.answered, session.right
        assert len(results) == session.at + 1
        for at, (tally, answered, right) in results.items():
            here = [each for each in given if each.question == at]
            chosen = Counter(option for each in here for option in each.options)
            assert tally == tuple(chosen[option] for option in range(len(tally)))
            assert (answered, right) == (len(here), sum(each.right for each in here))

    @invariant()
    def only_what_was_missed_in_practice_comes_back(self) -> None:
        if not self.room.last:
            return
        session = self.room.last
        asked: dict[int, list[int]] = {}
        for at, each in enumerate(session.draw):
            asked.setdefault(each.question, []).append(at)
        for places in asked.values():
            assert len(places) <= 1 + MOST_RETURNS
            for earlier, later in pairwise(places):
                assert later - earlier > BETWEEN
                assert earlier < len(session.results)
                assert not session.results[earlier].right
                self.options_have_moved(session.draw[earlier], session.draw[later])
        assert session.practice or len(asked) == len(session.draw)

    def options_have_moved(self, earlier: Drawn, later: Drawn) -> None:
        options = QUIZ.questions[earlier.question].options
        assert sorted(earlier.options) == sorted(later.options)
        for before, after in zip(earlier.options, later.options, strict=True):
            assert (before == after) == options[before].pinned

    @invariant()
    def what_was_missed_in_practice_does_come_back(self) -> None:
        """Wherever three others or more were left, its answer has been told, and it has not come back twice."""
        session = self.room.last
        if not session or not session.practice or session.phase not in (Phase.CLOSED, Phase.PAUSED):
            return
        missed = not session.right and session.settings.feedback is not Feedback.AT_END
        asked = [each.question for each in session.draw]
        often = asked[: session.at + 1].count(session.current.question) <= MOST_RETURNS
        ahead = asked[session.at + 1 :]
        if missed and often and len(ahead) > BETWEEN:
            assert ahead.index(session.current.question) == BETWEEN
        else:
            assert session.current.question not in ahead

    @invariant()
    def everything_survives_the_store(self) -> None:
        if self.room.last:
            assert codec.load_session(codec.dump_session(self.room.last)) == self.room.last
        for player in self.room.players.values():
            assert codec.load_player(codec.dump_player(player)) == player
        for post in self.room.posts[-3:]:
            assert codec.load_post(codec.dump_post(post)) == post

    # Words for the above

    def started(self, by: Actor, chosen: Settings, private: bool, card: bool, practice: bool) -> Started:
        return Started(self.room.key(), by, "digest", drawn(QUIZ), chosen, private, card, practice)

    def name(self, named: str | None) -> str | None:
        return self.room.session.id if named == "this" else named


TestSessions = Sessions.TestCase
TestSessions.settings = hypothesis_settings(max_examples=200, stateful_step_count=60, deadline=None)
