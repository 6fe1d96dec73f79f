"""Limits as the platform counts them: what passes, what is refused, what waits, and that nothing is ever too much."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Coroutine, Iterable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telegram.error import BadRequest, NetworkError, RetryAfter
from telegram.ext import ExtBot
from telegram.request import BaseRequest, RequestData

from adapters.telegram.limiter import BusyError, Limiter, Urgency
from adapters.telegram.request import NotSentError
from tests.clock import VirtualClock

GROUP, OTHER, PERSON = -1001, -1002, 7
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


class Platform:
    """Counts posts as they arrive, `delay` seconds after they were sent; more than 20 a minute or 30 a second: 429."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.delay = 0.0
        self.answers: list[Exception] = []
        self.hold: asyncio.Event | None = None
        self.seen: list[tuple[datetime, object, str]] = []
        self.refused = 0
        self._recent: defaultdict[object, deque[datetime]] = defaultdict(deque)

    async def call(self, endpoint: str, data: dict[str, Any], **times: Any) -> bool:
        if self.hold is not None:
            await self.hold.wait()
        if self.delay:
            await self.clock.sleep_until(self.clock.now() + timedelta(seconds=self.delay))
        if self.answers:
            raise self.answers.pop(0)
        if endpoint.startswith(("send", "edit")) and endpoint != "sendChatAction":
            self._count(endpoint, data.get("chat_id"))
        return True

    def _count(self, endpoint: str, chat: object) -> None:
        now = self.clock.now()
        self.seen.append((now, chat, endpoint))
        in_chat, in_all = self._recent[chat], self._recent["all"]
        for recent, span in ((in_chat, MINUTE), (in_all, SECOND)):
            recent.append(now)
            while recent[0] <= now - span:
                recent.popleft()
        if len(in_all) > 30 or (chat is not None and len(in_chat) > 20):
            self.refused += 1
            raise RetryAfter(30)

    def moments(self, chat: object = None) -> list[datetime]:
        return [at for at, where, _ in self.seen if chat is None or where == chat]


class Chats:
    """Posts to chats through the limiter, and lets time pass."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.platform = Platform(self.clock)
        self.limiter = Limiter(self.clock)

    async def post(
        self, chat: object, urgency: Urgency | None = Urgency.SEND, endpoint: str = "sendMessage", **more: object
    ) -> object:
        data = {"chat_id": chat, **more}
        return await self.limiter.process_request(self.platform.call, (endpoint, data), {}, endpoint, data, urgency)

    async def fill(self, chat: object, urgency: Urgency | None = Urgency.SEND, endpoint: str = "sendMessage") -> int:
        """Post until the chat is full; how many passed. Not within one second, for that is another limit."""
        for passed in range(100):
            try:
                await self.post(chat, urgency, endpoint)
            except BusyError:
                return passed
            if passed % 10 == 9:
                await self.passes(1)
        return 100

    async def passes(self, seconds: float) -> None:
        """Time passes, and nobody who is woken has to wait for another."""
        until = self.clock.now() + timedelta(seconds=seconds)
        await settle()
        while self.clock.alarms and self.clock.alarms[0] <= until:
            self.clock.advance((self.clock.alarms[0] - self.clock.now()).total_seconds())
            await settle()
        self.clock.advance((until - self.clock.now()).total_seconds())
        await settle()


async def settle() -> None:
    for _ in range(8):
        await asyncio.sleep(0)


async def until_done(chats: Chats, tasks: Iterable[asyncio.Task[object]], most: int = 200) -> None:
    """Let time pass in small steps until every task is done."""
    tasks = list(tasks)
    for _ in range(most):
        await chats.passes(0.1)
        if all(task.done() for task in tasks):
            return
    raise AssertionError("somebody waits for ever")


def most_within(moments: Iterable[datetime], span: timedelta) -> int:
    """The most moments in any span that does not include its first instant."""
    ordered = sorted(moments)
    return max((sum(first <= at < first + span for at in ordered) for first in ordered), default=0)


async def test_a_group_takes_eighteen_posts_a_minute_and_the_next_is_refused_at_once() -> None:
    chats = Chats()

    assert await chats.fill(GROUP) == 18
    assert len(chats.platform.seen) == 18


async def test_the_refusal_says_exactly_when_there_is_room() -> None:
    chats = Chats()
    await chats.post(GROUP)
    await chats.passes(5)
    await chats.fill(GROUP)

    with pytest.raises(BusyError) as busy:
        await chats.post(GROUP)
    wait = busy.value.retry_after.total_seconds()
    await chats.passes(wait - 0.001)
    with pytest.raises(BusyError):
        await chats.post(GROUP)
    await chats.passes(0.001)
    await chats.post(GROUP)

    assert wait == 60 - 5 - 1


async def test_topics_of_a_group_and_both_ways_to_write_its_id_share_its_places() -> None:
    chats = Chats()
    await chats.fill(GROUP)

    for chat, topic in ((GROUP, 5), (str(GROUP), 6), (str(GROUP), None)):
        with pytest.raises(BusyError):
            await chats.post(chat, message_thread_id=topic)


async def test_a_channel_known_by_name_is_limited_like_a_group() -> None:
    assert await Chats().fill("@quizzes") == 18


async def test_sends_and_edits_share_the_places() -> None:
    chats = Chats()
    for _ in range(9):
        await chats.post(GROUP, Urgency.SEND)
        await chats.post(GROUP, Urgency.SEND, "editMessageText")

    with pytest.raises(BusyError):
        await chats.post(GROUP)


@pytest.mark.parametrize(
    ("urgency", "passed"), [(Urgency.COUNTER, 8), (Urgency.REPLY, 12), (Urgency.EDIT, 18), (Urgency.SEND, 18)]
)
async def test_what_is_less_urgent_leaves_places_to_what_is_more(urgency: Urgency, passed: int) -> None:
    chats = Chats()

    assert await chats.fill(GROUP, urgency) == passed
    assert await chats.fill(GROUP, Urgency.SEND) == 18 - passed


async def test_a_counter_learns_when_it_may_come_though_there_is_room_for_a_send() -> None:
    chats = Chats()
    await chats.post(GROUP)
    await chats.passes(5)
    for _ in range(7):
        await chats.post(GROUP)

    with pytest.raises(BusyError) as busy:
        await chats.post(GROUP, Urgency.COUNTER)

    assert (busy.value.retry_after, busy.value.urgency) == (timedelta(seconds=55), Urgency.COUNTER)


@pytest.mark.parametrize("endpoint", ["sendPhoto", "editMessageReplyMarkup", "stopPoll"])
async def test_without_a_word_on_urgency_all_places_may_be_taken(endpoint: str) -> None:
    assert await Chats().fill(GROUP, None, endpoint) == 18


@pytest.mark.parametrize(
    "endpoint",
    ["answerCallbackQuery", "answerInlineQuery", "deleteMessage", "getChatMember", "setMyCommands", "sendChatAction"],
)
async def test_what_is_no_post_always_passes(endpoint: str) -> None:
    chats = Chats()
    await chats.fill(GROUP)
    held = chats.platform.hold = asyncio.Event()
    waiting = [asyncio.create_task(chats.post(-2000 - n)) for n in range(40)]
    await settle()

    chats.platform.hold = None
    for _ in range(100):
        await chats.post(GROUP, None, endpoint)

    held.set()
    await until_done(chats, waiting)


async def test_a_private_chat_takes_a_burst_of_five_in_five_seconds() -> None:
    chats = Chats()
    passed = [await chats.fill(PERSON)]
    await chats.passes(5)
    passed.append(await chats.fill(PERSON))

    assert passed == [5, 5]


async def test_all_chats_together_get_twenty_five_a_second_and_the_rest_wait_in_order() -> None:
    chats = Chats()
    posts = [asyncio.create_task(chats.post(-2000 - n)) for n in range(60)]
    await settle()
    at_once = len(chats.platform.seen)
    await until_done(chats, posts)

    assert at_once == 25
    assert [chat for _, chat, _ in chats.platform.seen] == [-2000 - n for n in range(60)]
    assert most_within(chats.platform.moments(), SECOND) == 25
    assert chats.platform.seen[-1][0] - chats.platform.seen[0][0] == timedelta(seconds=2)


async def test_who_comes_in_the_moment_of_room_does_not_pass_those_who_wait() -> None:
    chats = Chats()
    posts = [asyncio.create_task(chats.post(-2000 - n)) for n in range(30)]
    await settle()
    chats.clock.advance(1)
    posts.append(asyncio.create_task(chats.post(GROUP)))
    await until_done(chats, posts)

    assert [chat for _, chat, _ in chats.platform.seen] == [*(-2000 - n for n in range(30)), GROUP]


async def test_requests_that_hang_keep_no_other_chat_waiting_for_more_than_a_second() -> None:
    chats = Chats()
    held = chats.platform.hold = asyncio.Event()
    hanging = [asyncio.create_task(chats.post(-2000 - n)) for n in range(25)]
    await settle()
    chats.platform.hold = None
    waiting = asyncio.create_task(chats.post(GROUP))
    await settle()
    assert not waiting.done()
    await chats.passes(1)

    assert waiting.done()
    held.set()
    await asyncio.gather(*hanging)


async def test_of_those_who_wait_the_urgent_go_first() -> None:
    chats = Chats()
    posts = [asyncio.create_task(chats.post(-2000 - n)) for n in range(25)]
    await settle()
    for chat, urgency in enumerate((Urgency.COUNTER, Urgency.EDIT, Urgency.SEND, Urgency.EDIT, Urgency.SEND)):
        posts.append(asyncio.create_task(chats.post(chat + 1, urgency)))
    await settle()
    await until_done(chats, posts)

    assert [chat for _, chat, _ in chats.platform.seen[25:]] == [3, 5, 2, 4, 1]


async def test_who_gives_up_waiting_leaves_no_trace() -> None:
    chats = Chats()
    posts = [asyncio.create_task(chats.post(-2000 - n)) for n in range(25)]
    impatient = [asyncio.create_task(chats.post(GROUP)) for _ in range(18)]
    await settle()
    for task in impatient:
        task.cancel()
    await asyncio.gather(*impatient, return_exceptions=True)
    await until_done(chats, posts)
    await chats.passes(1)

    assert await chats.fill(GROUP) == 18


async def test_who_gives_up_in_the_moment_of_admission_gives_the_place_back() -> None:
    chats = Chats()
    posts = [asyncio.create_task(chats.post(-2000 - n)) for n in range(25)]
    last = asyncio.create_task(chats.post(GROUP))
    await settle()
    chats.clock.advance(1)
    # Cancelled after each number of steps that its admission may take, it is cancelled in the midst of it once.
    for steps in range(12):
        last.cancel()
        await asyncio.gather(last, return_exceptions=True)
        await chats.passes(1)
        posts += [asyncio.create_task(chats.post(-3000 - 100 * steps - n)) for n in range(25)]
        await settle()
        last = asyncio.create_task(chats.post(GROUP))
        await settle()
        chats.clock.advance(1)
        for _ in range(steps):
            await asyncio.sleep(0)
    last.cancel()
    await asyncio.gather(last, return_exceptions=True)
    await chats.passes(61)
    before = len(chats.platform.seen)
    again = [asyncio.create_task(chats.post(-9000 - n)) for n in range(25)]
    await settle()

    assert len(chats.platform.seen) - before == 25
    await asyncio.gather(*posts, *again)


async def test_a_flood_wait_stills_its_own_chat_until_it_is_over_and_nobody_else() -> None:
    chats = Chats()
    chats.platform.answers.append(RetryAfter(35))
    with pytest.raises(RetryAfter):
        await chats.post(GROUP)
    with pytest.raises(BusyError) as busy:
        await chats.post(GROUP)
    await chats.post(OTHER)
    await chats.post(PERSON)
    await chats.passes(34.999)
    with pytest.raises(BusyError):
        await chats.post(GROUP)
    await chats.passes(0.001)
    await chats.post(GROUP)

    assert busy.value.retry_after == timedelta(seconds=35)
    assert [chat for _, chat, _ in chats.platform.seen] == [OTHER, PERSON, GROUP]


async def test_a_flood_wait_that_is_said_in_words_only_is_kept_too() -> None:
    chats = Chats()
    chats.platform.answers.append(NetworkError("Too Many Requests: retry after 12"))
    with pytest.raises(NetworkError):
        await chats.post(GROUP)
    with pytest.raises(BusyError) as busy:
        await chats.post(GROUP)

    assert busy.value.retry_after == timedelta(seconds=12)


async def test_a_shorter_flood_wait_does_not_end_a_longer_one() -> None:
    chats = Chats()
    chats.platform.answers += [RetryAfter(90), RetryAfter(5)]
    chats.platform.hold = asyncio.Event()
    both = [asyncio.create_task(chats.post(GROUP)) for _ in range(2)]
    await settle()
    chats.platform.hold.set()
    await asyncio.gather(*both, return_exceptions=True)

    with pytest.raises(BusyError) as busy:
        await chats.post(GROUP)

    assert busy.value.retry_after == timedelta(seconds=90)


async def test_a_shared_message_without_a_chat_fills_no_chat() -> None:
    chats = Chats()
    for _ in range(25):
        await chats.post(None, Urgency.EDIT, "editMessageText", inline_message_id="x")

    assert chats.limiter.remembered == 0


async def test_what_was_not_sent_costs_no_place() -> None:
    chats = Chats()
    chats.platform.answers += [NotSentError("no connection")] * 30
    for _ in range(30):
        with pytest.raises(NotSentError):
            await chats.post(GROUP)
        await chats.passes(0.1)
    await chats.passes(1)

    assert await chats.fill(GROUP) == 18


async def test_what_was_refused_for_another_reason_costs_its_place() -> None:
    chats = Chats()
    chats.platform.answers += [BadRequest("Message is too long"), NetworkError("broke off")]
    for _ in range(2):
        with pytest.raises(NetworkError):
            await chats.post(GROUP)

    assert await chats.fill(GROUP) == 16


async def test_a_slow_request_holds_its_place_until_a_minute_after_its_end() -> None:
    chats = Chats()
    chats.platform.delay = 10
    slow = [asyncio.create_task(chats.post(GROUP)) for _ in range(18)]
    await chats.passes(10)
    chats.platform.delay = 0
    with pytest.raises(BusyError) as busy:
        await chats.post(GROUP)
    await chats.passes(59.999)
    with pytest.raises(BusyError):
        await chats.post(GROUP)
    await asyncio.gather(*slow)

    assert busy.value.retry_after == timedelta(seconds=60)


async def test_chats_that_are_quiet_are_forgotten() -> None:
    chats = Chats()
    for chat in range(1, 2001):
        await chats.post(-chat)
        await chats.passes(0.5)

    # A group is remembered for a minute: 120 of them come by in it, and two are looked at for each that comes.
    assert chats.limiter.remembered <= 250


async def test_a_clock_that_is_set_back_does_not_silence_a_chat() -> None:
    chats = Chats()
    await chats.fill(GROUP)
    chats.clock._now -= timedelta(hours=1)
    chats.clock.advance(0)

    await chats.post(GROUP)


async def test_shutting_down_refuses_those_who_wait() -> None:
    chats = Chats()
    await chats.limiter.initialize()
    posts = [asyncio.create_task(chats.post(-2000 - n)) for n in range(30)]
    await settle()
    await chats.limiter.shutdown()
    await asyncio.wait(posts, timeout=5)
    ends = [post.exception() for post in posts if post.done()]
    await chats.passes(1)
    await chats.post(GROUP)

    assert [type(end) for end in ends[25:]] == [BusyError] * 5
    assert len(chats.platform.seen) == 26


class Silent(BaseRequest):
    """A platform that takes everything."""

    @property
    def read_timeout(self) -> float | None:
        return None

    async def initialize(self) -> None: ...

    async def shutdown(self) -> None: ...

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *times: Any, **named: Any
    ) -> tuple[int, bytes]:
        return 200, b'{"ok":true,"result":true}'


async def test_the_library_hands_the_urgency_on() -> None:
    bot = ExtBot("1:x", request=Silent(), get_updates_request=Silent(), rate_limiter=Limiter(VirtualClock()))
    for _ in range(8):
        await bot.edit_message_text("7 answers", GROUP, 3, rate_limit_args=Urgency.COUNTER)

    with pytest.raises(BusyError) as busy:
        await bot.edit_message_text("7 answers", GROUP, 3, rate_limit_args=Urgency.COUNTER)

    assert busy.value.urgency is Urgency.COUNTER


Step = tuple[int, Urgency, float, float]
steps = st.tuples(
    st.sampled_from([GROUP, GROUP, GROUP, OTHER, PERSON]),
    st.sampled_from(Urgency),
    st.sampled_from([0.0, 0.0, 0.0, 0.3, 1.0, 7.0, 20.0]),  # seconds until the next
    st.sampled_from([0.0, 0.2, 3.0]),  # seconds that it takes to arrive
)


async def _play(script: list[Step]) -> tuple[Chats, list[tuple[datetime, Step, object]]]:
    """Everything posted, with when and what came of it."""
    chats = Chats()
    posts: list[tuple[datetime, Step, asyncio.Task[object]]] = []
    for step in script:
        chat, urgency, pause, chats.platform.delay = step
        posts.append((chats.clock.now(), step, asyncio.create_task(chats.post(chat, urgency))))
        await settle()
        await chats.passes(pause)
    for _ in range(20):
        await chats.passes(4)
    ends = await asyncio.gather(*(task for _, _, task in posts), return_exceptions=True)
    return chats, [(at, step, end) for (at, step, _), end in zip(posts, ends, strict=True)]


@settings(deadline=None, max_examples=60)
@given(st.lists(steps, min_size=20, max_size=90))
def test_in_no_window_does_the_platform_count_more_than_it_allows(script: list[Step]) -> None:
    chats, _ = asyncio.run(_play(script))

    assert chats.platform.refused == 0
    assert most_within(chats.platform.moments(GROUP), MINUTE) <= 18
    assert most_within(chats.platform.moments(PERSON), timedelta(seconds=5)) <= 5
    assert most_within(chats.platform.moments(), SECOND) <= 25


@settings(deadline=None, max_examples=60)
@given(st.lists(steps, min_size=20, max_size=90))
def test_counters_never_take_the_places_that_are_kept_for_the_rest(script: list[Step]) -> None:
    _, ends = asyncio.run(_play(script))

    for at, (chat, urgency, _, _), end in ends:
        if chat == GROUP and urgency is Urgency.SEND and isinstance(end, BusyError):
            recent = [
                step
                for other, step, passed in ends
                # Under way for at most 3 s, it holds its place for a minute after that.
                if at - timedelta(seconds=63) < other <= at and step[0] == GROUP and not isinstance(passed, BusyError)
            ]
            assert sum(step[1] is not Urgency.COUNTER for step in recent) >= 8


async def _session(chats: Chats, chat: int, lots: Random, until: datetime, spent: Counter[str]) -> None:
    """Quizzes one after the other: each question is sent, counted while people answer, closed, and read."""
    clock = chats.clock
    while clock.now() < until:
        thinking, reading = lots.choice([(4, 3), (15, 6), (30, 12)])
        await _deliver(chats, chat, Urgency.SEND, spent)
        closes = clock.now() + timedelta(seconds=thinking)
        while clock.now() + timedelta(seconds=5) < closes:
            await clock.sleep_until(clock.now() + timedelta(seconds=5))
            try:
                await chats.post(chat, Urgency.COUNTER, "editMessageText")
                spent["counters"] += 1
            except BusyError:
                spent["counters left out"] += 1
        await clock.sleep_until(closes)
        await _deliver(chats, chat, Urgency.EDIT, spent)
        await clock.sleep_until(clock.now() + timedelta(seconds=reading))


async def _deliver(chats: Chats, chat: int, urgency: Urgency, spent: Counter[str]) -> None:
    """As the outbox does: again when there is room."""
    for _ in range(10):
        try:
            await chats.post(chat, urgency, "sendMessage" if urgency is Urgency.SEND else "editMessageText")
        except BusyError as busy:
            spent["waits"] += 1
            await chats.clock.sleep_until(chats.clock.now() + busy.retry_after)
        else:
            spent["posts"] += 1
            return
    raise AssertionError("a post that never finds room")


async def test_in_an_evening_of_twenty_groups_the_platform_refuses_nothing() -> None:
    chats, lots, spent = Chats(), Random(7), Counter[str]()
    chats.platform.delay = 0.15
    until = chats.clock.now() + timedelta(hours=2)
    groups: list[Coroutine[Any, Any, None]] = [_session(chats, -n, lots, until, spent) for n in range(1, 21)]
    tasks = [asyncio.create_task(group) for group in groups]
    await settle()
    for _ in range(200_000):
        if not chats.clock.alarms:
            break
        chats.clock.advance((chats.clock.alarms[0] - chats.clock.now()).total_seconds())
        await settle()
    await asyncio.gather(*tasks)

    assert chats.platform.refused == 0
    assert spent["posts"] > 5_000
    assert spent["counters"] > 5_000
