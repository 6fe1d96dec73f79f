"""What a running bot counts and measures: what happened and nothing else, and nothing about anybody."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot import metrics
from bot.gauging import FRESH, Gauges
from bot.ports import (
    Backlog,
    ChatGoneError,
    ChatMovedError,
    DeliveryError,
    PostponedError,
    RefusedError,
    StoreError,
    StoreUnavailableError,
    ThrottledError,
    UnavailableError,
)
from bot.storage.counted import CountedDriver
from tests.core.building import LIMIT, READING
from tests.engine.world import ANN, BOB, CHAT, OTHER, PLATFORM, World, opened
from tests.scraping import Since, scrape

A_MINUTE = timedelta(minutes=1)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with opened() as world:
        yield world


def test_everything_there_is_has_its_name() -> None:
    """Dashboards and alerts are written for these names."""
    assert {family.name for family in metrics.REGISTRY.collect() if family.name.startswith("quizbot")} == {
        "quizbot",  # its labels are the version and the schema
        "quizbot_acknowledgement_seconds",
        "quizbot_deadline_lateness_seconds",
        "quizbot_deliveries",
        "quizbot_live_sessions",
        "quizbot_mailbox_events",
        "quizbot_outbox_oldest_seconds",
        "quizbot_outbox_posts",
        "quizbot_rate_limited",
        "quizbot_ready",
        "quizbot_responses",
        "quizbot_role_held",
        "quizbot_store_errors",
        "quizbot_transaction_events",
        "quizbot_transaction_seconds",
        "quizbot_turn_seconds",
        "quizbot_workers",
    }


# Turns


async def test_every_turn_and_every_answer_that_counted_is_counted_once(world: World) -> None:
    since = Since()
    await world.start()
    await world.answer(ANN)
    await world.answer(ANN)  # counts no more
    await world.answer(BOB)
    assert since("responses_total", platform=PLATFORM) == 2
    assert since("turn_seconds_count", platform=PLATFORM) == 4
    assert since("transaction_events_sum") == 4
    assert since("mailbox_events") == 0


async def test_events_of_one_moment_share_a_transaction(world: World) -> None:
    since = Since()
    await world.start()
    await world.together(await world.answering(ANN), await world.answering(BOB))
    assert since("transaction_events_count") == 2
    assert since("transaction_events_sum") == 3
    assert since("transaction_seconds_count") == 2


async def test_a_turn_that_was_not_stored_was_none(world: World) -> None:
    await world.start()
    since = Since()
    world.driver.failing = 1
    with pytest.raises(StoreError):
        await world.answer(ANN)
    assert since("turn_seconds_count", platform=PLATFORM) == 0
    assert since("responses_total", platform=PLATFORM) == 0
    assert since("mailbox_events") == 0


async def test_a_deadline_is_as_late_as_it_is_fired(world: World) -> None:
    await world.start()
    await world.settle()
    since = Since()
    world.clock.advance(LIMIT + 3)
    await world.settle()
    assert since("deadline_lateness_seconds_count") == 1
    assert since("deadline_lateness_seconds_sum") == pytest.approx(3)


async def test_a_deadline_that_came_while_nobody_was_there_is_nobodys_fault(tmp_path: Path) -> None:
    file = tmp_path / "quizbot.sqlite3"
    async with opened(file) as world:
        await world.start()
        await world.settle()
        clock = world.clock
    clock.advance(600)
    since = Since()
    async with opened(file, clock=clock, updates=10) as again:
        await again.wait(LIMIT + READING)
        assert (await again.session()).at >= 0
    assert since("deadline_lateness_seconds_sum") == 0


# Posts


ERRORS: dict[str, DeliveryError] = {
    "throttled": ThrottledError(A_MINUTE),
    "postponed": PostponedError(A_MINUTE),
    "unavailable": UnavailableError("the platform is down"),
    "refused": RefusedError("too long"),
    "gone": ChatGoneError("kicked"),
    "moved": ChatMovedError("test:new"),
}


@pytest.mark.parametrize("outcome", ERRORS)
async def test_an_attempt_is_counted_by_what_came_of_it(world: World, outcome: str) -> None:
    since = Since()
    world.screen.forbidden[CHAT] = ERRORS[outcome]
    await world.start()
    await world.delivery.settle(world.engine)
    assert since("deliveries_total", platform=PLATFORM, outcome=outcome) == 1
    counted = sum(since("deliveries_total", platform=PLATFORM, outcome=each) for each in (*ERRORS, "failed"))
    assert counted == 1


async def test_a_fault_that_nobody_foresaw_is_counted_as_one(world: World) -> None:
    since = Since()
    world.screen.forbidden[CHAT] = LookupError("a bug")
    await world.start()
    await world.delivery.settle(world.engine)
    assert since("deliveries_total", platform=PLATFORM, outcome="failed") == 1


async def test_a_message_that_is_gone_is_counted_beside_what_takes_its_place(world: World) -> None:
    await world.start()
    await world.settle()
    since = Since()
    world.screen.gone.add("m0")
    await world.wait(LIMIT)
    assert since("deliveries_total", platform=PLATFORM, outcome="message_gone") == 1
    assert since("deliveries_total", platform=PLATFORM, outcome="delivered") == 1


# What stands in the store


async def test_what_waits_and_runs_is_counted_when_somebody_looks(world: World) -> None:
    gauges = Gauges(world.clock)
    gauges.store = world.store
    await world.start()
    await world.start(chat=OTHER)
    world.clock.advance(7)
    await gauges.refresh()
    told = scrape()
    assert told("live_sessions", platform=PLATFORM) == 2
    assert told("outbox_posts", platform=PLATFORM, state="waiting") == 2
    assert told("outbox_oldest_seconds", platform=PLATFORM) == 7
    world.screen.forbidden[CHAT] = RefusedError("too long")
    await world.delivery.settle(world.engine)
    world.clock.advance(FRESH.total_seconds())
    await gauges.refresh()
    told = scrape()
    assert told("outbox_posts", platform=PLATFORM, state="waiting") == 0
    assert told("outbox_posts", platform=PLATFORM, state="refused") == 1
    assert told("outbox_oldest_seconds", platform=PLATFORM) == 0


async def test_however_many_look_the_store_is_asked_seldom(world: World) -> None:
    gauges = Gauges(world.clock)
    gauges.store = world.store
    await gauges.refresh()
    attempts = world.driver.attempts
    for _ in range(10):
        await gauges.refresh()
    assert world.driver.attempts == attempts


async def test_what_cannot_be_counted_now_is_left_out(world: World) -> None:
    gauges = Gauges(world.clock)
    gauges.store = world.store
    await world.start()
    await gauges.refresh()
    assert "quizbot_live_sessions" in scrape().names
    world.driver.broken = True
    world.clock.advance(FRESH.total_seconds())
    await gauges.refresh()
    assert "quizbot_live_sessions" not in scrape().names
    assert "quizbot_outbox_posts" not in scrape().names


async def test_a_platform_where_nothing_waits_has_its_figures_all_the_same(world: World) -> None:
    assert await world.store.backlog() == {PLATFORM: Backlog()}


@pytest.mark.parametrize(
    ("error", "kind"),
    [(StoreUnavailableError("gone"), "unavailable"), (StoreError("full"), "other")],
    ids=["away", "full"],
)
async def test_what_the_database_did_not_do_is_counted_by_kind(world: World, error: StoreError, kind: str) -> None:
    driver = CountedDriver(world.driver)
    since = Since()
    with pytest.raises(type(error)):
        async with driver.transaction():
            raise error
    with pytest.raises(type(error)):
        async with driver.reading():
            raise error
    assert since("store_errors_total", kind=kind) == 2


async def test_somebody_elses_error_is_not_the_databases(world: World) -> None:
    since = Since()
    with pytest.raises(LookupError):
        async with CountedDriver(world.driver).transaction():
            raise LookupError
    assert since("store_errors_total", kind="other") == since("store_errors_total", kind="unavailable") == 0


# Nobody


async def test_no_label_names_a_chat_a_person_or_a_session(world: World) -> None:
    gauges = Gauges(world.clock)
    gauges.store = world.store
    await world.start()
    session = (await world.session()).id
    await world.answer(ANN)
    await world.answer(BOB)
    await world.practise(BOB)
    world.screen.forbidden[OTHER] = ChatGoneError(f"{BOB.name} has blocked it")
    await world.start(chat=OTHER)
    await world.wait(LIMIT + READING)
    await gauges.refresh()
    values = {value for _, value in scrape().labels}
    assert PLATFORM in values
    for told in (ANN.person, ANN.name, BOB.person, BOB.name, CHAT, OTHER, session):
        assert not [value for value in values if told in value]


async def test_labels_are_of_known_kinds(world: World) -> None:
    await world.start()
    await world.settle()
    labels = {label for name, labels in scrape().values if name.startswith("quizbot_") for label, _ in labels}
    assert labels >= {"platform", "outcome"}
    assert labels <= {"platform", "state", "outcome", "kind", "role", "version", "schema", "le"}
