"""What whoever watches learns of Telegram: how quickly people are answered, what was too much, whether it is there; and
from the log which session a fault is about, and never who."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager

import pytest
from telegram.error import TimedOut

from adapters.telegram.polling import Polling
from bot.ports import StoreError
from bot.storage.sql import SqlStore
from bot.storage.turns import SqlTurns
from bot.vitals import Connection
from tests.clock import VirtualClock
from tests.core.building import LIMIT, READING
from tests.engine.running import running, until
from tests.listening import Log, listening
from tests.scraping import Since
from tests.telegram.feeding import FIRST, Feed, calm
from tests.telegram.playing import playing
from tests.telegram.server import BotApi, Group, Person
from tests.telegram.study import MOMENT, Study, by_both, study_group
from tests.telegram.taking import Desk

ANN, BOB = "Ann-Kathrin Feldhaus", "Bobojon Rahimov"
TELEGRAM = "telegram"


@pytest.fixture
def ann(server: BotApi) -> Person:
    return server.person(ANN)


@pytest.fixture
def bob(server: BotApi) -> Person:
    return server.person(BOB)


@pytest.fixture
def group(server: BotApi, ann: Person, bob: Person) -> Group:
    return study_group(server, "Study", [ann, bob])


# Acknowledgements


async def test_a_press_is_timed_from_when_it_came_in(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        since = Since()
        hold = server.hold("answerCallbackQuery")
        press = await ann.press(study.question, "A")
        await bot.quiet()
        clock.advance(2.5)
        hold.release()
        await press.answered()
        await bot.quiet()
    assert since("acknowledgement_seconds_count", platform=TELEGRAM) == 1
    assert since("acknowledgement_seconds_sum", platform=TELEGRAM) == pytest.approx(2.5)


async def test_a_command_is_timed_from_when_telegram_had_it(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        since = Since()
        hold = server.hold("sendMessage")
        await ann.write(group, "/help")
        await bot.quiet()
        clock.advance(3)
        hold.release()
        await bot.quiet()
    assert since("acknowledgement_seconds_count", platform=TELEGRAM) == 1
    assert since("acknowledgement_seconds_sum", platform=TELEGRAM) == pytest.approx(3)


async def test_one_that_telegram_did_not_take_was_not_answered(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        study = Study(bot, group, ann)
        await study.begin()
        since = Since()
        server.fail("answerCallbackQuery", 400, "Bad Request: query is too old")
        await ann.press(study.question, "A")
        await bot.quiet()
    assert since("acknowledgement_seconds_count", platform=TELEGRAM) == 0


# Too much


@pytest.mark.parametrize("method", ["sendMessage", "answerCallbackQuery"])
async def test_every_request_that_is_too_much_is_counted(
    method: str, server: BotApi, clock: VirtualClock, group: Group, ann: Person
) -> None:
    async with playing(server, clock) as bot:
        card = await Study(bot, group, ann).choose()
        since = Since()
        server.fail(method, 429, "Too Many Requests: retry after 3", parameters={"retry_after": 3})
        await ann.press(card, "Start")
        await bot.wait(5)
    assert since("rate_limited_total", platform=TELEGRAM) == 1


# Whether it is there


@by_both
async def test_a_bot_that_serves_is_connected(server: BotApi, clock: VirtualClock, *, webhook: bool) -> None:
    async with playing(server, clock, webhook=webhook) as bot:
        await bot.quiet()
        assert bot.service.vitals.platforms == {TELEGRAM: Connection.CONNECTED}


async def test_telegram_is_away_when_it_does_not_answer_twice_and_until_it_does(clock: VirtualClock) -> None:
    feed, heard = Feed(clock), list[bool]()
    feed.fail(TimedOut(), TimedOut(), TimedOut())
    async with running(Polling("http://telegram/bot1:a", feed, clock).run(Desk().take, heard.append)):
        await calm()
        assert heard == [True]
        for _ in range(7):  # 1 s, 2 s and 4 s between the tries
            clock.advance(1)
            await calm()
        assert heard == [True, False, False]
        feed.push(FIRST)
        await until(lambda: heard[-1])


async def test_one_that_does_not_poll_stands_by(server: BotApi, clock: VirtualClock) -> None:
    async with playing(server, clock) as bot:
        await bot.service.crew.leave()
        # Alone, it takes the role again before long.
        await until(lambda: bot.service.vitals.platforms == {TELEGRAM: Connection.STANDING_BY})


# The log


class Faulty(SqlStore):
    """A store that fails in ways that a test plans: the next turns meet these errors."""

    planned: list[Exception]

    @asynccontextmanager
    async def turns(self, wanted: Mapping[str, Collection[str]]) -> AsyncIterator[SqlTurns]:
        if getattr(self, "planned", None):
            raise self.planned.pop(0)
        async with super().turns(wanted) as turns:
            yield turns


async def evening(server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person) -> tuple[Log, str]:
    """A group plays while everything goes wrong, and so does somebody alone; the log, and the session of the group."""
    with listening() as log:
        async with playing(server, clock, stored=Faulty) as bot:
            store = bot.store
            assert isinstance(store, Faulty)
            study = Study(bot, group, ann)
            await study.begin()
            session = await bot.store.session(f"telegram:{group.id}")
            assert session is not None
            server.fail("answerCallbackQuery", 400, "Bad Request: query is too old")
            await bob.press(study.question, "A")
            await bot.quiet()
            server.fail("sendMessage", 400, "Bad Request: TOO_ODD")
            await bob.write(group, "/stop")
            await bot.quiet()
            store.planned = [StoreError("the disk is full"), LookupError("nobody foresaw this")]
            await bot.wait(LIMIT + READING)
            server.fail("sendMessage", 400, f'Bad Request: can\'t parse entities: unsupported start tag "{ANN}"')
            server.fail("editMessageText", 400, "Bad Request: message to edit not found", times=3)
            await bot.wait(LIMIT + READING)
            server.fail("sendMessage", 400, "Bad Request: TOO_ODD", times=2, chat=group)
            await bot.wait(LIMIT + READING)
            await bob.write(bob.private, "/start")
            await bob.write(bob.private, "/practice")
            await bot.wait(MOMENT)
            server.fail("sendMessage", 403, "Forbidden: bot was blocked by the user", chat=bob.private)
            await bob.write(bob.private, "/quiz colours")
            await bob.write(bob.private, "/help")
            server.push_raw({"message": {"from": bob.json(), "text": 7}})
            await bot.wait(120)
    return log, session.id


async def test_every_line_about_a_session_says_which_and_none_says_who(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    log, session = await evening(server, clock, group, ann, bob)
    for words in (
        "a press was not acknowledged",
        "a reply did not reach telegram:-",
        "a deadline could not be fired",
        "Telegram cannot read our markup",
        "is gone from chat",
        "was refused in chat",
    ):
        assert {line.get("session") for line in log.about(words)} == {session}, words
    for person in (ann, bob):
        for told in (str(person.id), person.name, *person.name.split()):
            assert not [line for line in log.lines if re.search(rf"\b{re.escape(told)}\b", str(line), re.IGNORECASE)], (
                told
            )


async def test_what_is_said_about_somebody_in_private_says_at_least_that(
    server: BotApi, clock: VirtualClock, group: Group, ann: Person, bob: Person
) -> None:
    log, _ = await evening(server, clock, group, ann, bob)
    assert log.about("telegram:*")
