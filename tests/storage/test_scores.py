"""Leaderboards: what was gained is added up for a chat, a quiz and a period, and everybody has the rank they earned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from bot.boards import EVERYWHERE, Board, Leaderboard, Line, Scored
from bot.learning.days import Period, calendar_day, reset_of, start_of
from bot.ports import Changes, StoreError
from bot.storage import leaderboards
from bot.storage.driver import Connection, Driver
from bot.storage.sql import SqlStore
from tests.clock import NOON
from tests.storage.boards import SOFIA, a_board, add, gained, on_every_board, points, read, utc
from tests.storage.building import CHAT, OTHER, PLATFORM, a_response, write
from tests.storage.conftest import on_sqlite

BOB, CAT, DAN = "test:bob", "test:cat", "test:dan"


def crowd(number: int) -> list[str]:
    return [f"test:p{index:02}" for index in range(number)]


def ranks(board: Leaderboard) -> list[int]:
    return [line.rank for line in board.lines]


# Adding up


async def test_what_is_gained_is_added_up_over_turns_and_within_one(store: SqlStore) -> None:
    await add(store, gained(150), gained(0), gained(100, CAT))
    await add(store, gained(120))
    assert (await read(store)).lines == (Line(1, BOB, "Bob", 270, 2, 3), Line(2, CAT, "Cat", 100, 1, 1))


async def test_somebody_without_a_right_answer_is_on_the_board_too(store: SqlStore) -> None:
    await add(store, gained(0), gained(0))
    assert (await read(store)).lines == (Line(1, BOB, "Bob", 0, 0, 2),)


async def test_each_quiz_has_a_board_of_its_own_beside_that_of_all(store: SqlStore) -> None:
    await add(store, gained(100, slug="colours"), gained(150, slug="shapes"), gained(120, CAT, slug="colours"))
    assert await points(store, a_board(quiz="colours")) == {CAT: 120, BOB: 100}
    assert await points(store, a_board(quiz="shapes")) == {BOB: 150}
    assert await points(store, a_board(quiz="sounds")) == {}
    assert await points(store) == {BOB: 250, CAT: 120}


async def test_each_chat_has_boards_of_its_own(store: SqlStore) -> None:
    await add(store, gained(100), gained(150, chat=OTHER))
    assert await points(store) == {BOB: 100}
    assert await points(store, a_board(chat=OTHER)) == {BOB: 150}


async def test_the_last_name_stands_also_when_an_older_response_comes_late(store: SqlStore) -> None:
    await add(store, gained(100, name="Bobby", at=NOON + timedelta(seconds=1)), gained(100, name="Bob"))
    await add(store, gained(100, name="Robert"))
    assert [line.name for line in (await read(store)).lines] == ["Bobby"]


async def test_a_turn_that_cannot_be_written_adds_nothing(store: SqlStore) -> None:
    await write(store, Changes(responses=[a_response()], scores=[gained(100)]))
    with pytest.raises(StoreError):
        await write(store, Changes(responses=[a_response()], scores=[gained(100)]))
    assert await points(store) == {BOB: 100}


# Ranks and pages


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("period", Period)
async def test_equal_points_share_a_rank_that_the_next_one_counts(store: SqlStore, period: Period, seed: int) -> None:
    given = list(zip(crowd(4), (101, 100, 100, 99), strict=True))
    Random(seed).shuffle(given)
    for person, gain in given:
        await add(store, gained(gain, person))
    board = await read(store, a_board(period))
    assert [(line.rank, line.points) for line in board.lines] == [(1, 101), (2, 100), (2, 100), (4, 99)]


async def test_twenty_five_people_have_the_same_ranks_on_pages_of_ten_as_on_one(store: SqlStore) -> None:
    people = crowd(25)
    # Three ties, two of them over the edge of a page.
    gains = [300, 200, 200, *range(190, 130, -10), *([120] * 4), *range(110, 50, -10), *([40] * 3), 30, 20, 10]
    shuffled = list(zip(people, gains, strict=True))
    Random(35).shuffle(shuffled)
    await add(store, *(gained(gain, person) for person, gain in shuffled))
    expected = [1 + sum(other > gain for other in gains) for gain in gains]

    whole = await read(store)
    pages = [await read(store, first=first, most=10) for first in (0, 10, 20, 30)]
    assert ranks(whole) == expected
    assert [line for page in pages for line in page.lines] == list(whole.lines)
    assert [len(page.lines) for page in pages] == [10, 10, 5, 0]
    assert {page.count for page in pages} == {25}
    for number, person in enumerate(people):
        owns = {(await read(store, first=first, most=10, person=person)).own for first in (0, 10, 20, 30)}
        assert owns == {whole.lines[number]}


async def test_ties_come_in_the_order_of_names(store: SqlStore) -> None:
    await add(
        store, gained(100, "test:1", name="Cleo"), gained(100, "test:2", name="Bea"), gained(100, "test:3", name="Ada")
    )
    assert [line.name for line in (await read(store)).lines] == ["Ada", "Bea", "Cleo"]


async def test_one_person_and_nobody(store: SqlStore) -> None:
    assert await read(store, person=BOB) == Leaderboard((), 0)
    await add(store, gained(100))
    line = Line(1, BOB, "Bob", 100, 1, 1)
    assert await read(store, person=BOB) == Leaderboard((line,), 1, line)
    assert await read(store, person=CAT) == Leaderboard((line,), 1)


async def test_ones_own_line_is_said_also_where_the_page_shows_others(store: SqlStore) -> None:
    await add(store, *(gained(10 * (20 - index), person) for index, person in enumerate(crowd(15))))
    board = await read(store, most=10, person="test:p13")
    assert board.own == Line(14, "test:p13", "P13", 70, 1, 1)
    assert board.own not in board.lines


# Who is shown


async def test_who_hides_is_neither_shown_nor_counted_and_comes_back_with_everything(store: SqlStore) -> None:
    await add(store, gained(300), gained(200, CAT), gained(100, DAN))
    await store.prefer(BOB, "hidden", True)
    await add(store, gained(100), gained(100, slug="shapes"))
    for board in (a_board(), a_board(Period.WEEK), a_board(quiz="colours")):
        found = await read(store, board, person=BOB)
        assert [(line.rank, line.person) for line in found.lines] == [(1, CAT), (2, DAN)]
        assert (found.count, found.own) == (2, None)
    assert (await read(store, person=DAN)).own == Line(2, DAN, "Dan", 100, 1, 1)
    await store.prefer(BOB, "hidden", False)
    assert await points(store) == {BOB: 500, CAT: 200, DAN: 100}


async def test_who_hid_before_they_ever_played_is_not_shown(store: SqlStore) -> None:
    await store.prefer(BOB, "hidden", True)
    await add(store, gained(100), gained(50, CAT))
    assert await points(store) == {CAT: 50}
    await store.prefer(BOB, "hidden", None)
    assert await points(store) == {BOB: 100, CAT: 50}


async def test_hiding_touches_nobody_else(store: SqlStore) -> None:
    await add(store, gained(100), gained(100, "test:bobby"), gained(100, OTHER, chat=OTHER))
    await store.prefer(BOB, "hidden", True)
    assert set(await points(store)) == {"test:bobby"}
    assert set(await points(store, a_board(chat=OTHER))) == {OTHER}


async def test_across_chats_counts_who_joined_from_then_on_over_all_their_chats(store: SqlStore) -> None:
    await add(store, gained(100), gained(100, CAT))
    await store.prefer(BOB, "everywhere", True)
    assert await points(store, a_board(chat=EVERYWHERE)) == {}
    await add(store, gained(150), gained(100, CAT))
    await add(store, gained(120, chat=OTHER, slug="shapes"))
    assert await points(store, a_board(chat=EVERYWHERE)) == {BOB: 270}
    assert await points(store, a_board(chat=EVERYWHERE, quiz="shapes")) == {BOB: 120}
    assert await points(store) == {BOB: 250, CAT: 200}


async def test_who_leaves_the_board_across_chats_is_not_on_it_and_still_on_those_of_their_chats(
    store: SqlStore,
) -> None:
    await store.prefer(BOB, "everywhere", True)
    await store.prefer(CAT, "everywhere", True)
    await add(store, gained(100), gained(50, CAT))
    await store.prefer(BOB, "everywhere", False)
    await add(store, gained(100))
    assert await points(store, a_board(chat=EVERYWHERE)) == {CAT: 50}
    assert await points(store) == {BOB: 200, CAT: 50}
    await store.prefer(BOB, "everywhere", True)
    assert await points(store, a_board(chat=EVERYWHERE)) == {BOB: 100, CAT: 50}


async def test_who_hides_is_hidden_across_chats_too_also_when_they_join_afterwards(store: SqlStore) -> None:
    await store.prefer(BOB, "everywhere", True)
    await add(store, gained(100))
    await store.prefer(BOB, "hidden", True)
    assert await points(store, a_board(chat=EVERYWHERE)) == {}
    await store.prefer(BOB, "everywhere", False)
    await store.prefer(BOB, "everywhere", True)
    await add(store, gained(100))
    assert await points(store, a_board(chat=EVERYWHERE)) == {}
    await store.prefer(BOB, "hidden", False)
    assert await points(store, a_board(chat=EVERYWHERE)) == {BOB: 200}


# Periods


async def test_a_board_begins_anew_with_its_day_week_and_month_and_all_time_never(store: SqlStore) -> None:
    # A Sunday, the Monday after it, and the first of the next month.
    for day, gain in (("2026-03-29", 100), ("2026-03-30", 110), ("2026-04-01", 130)):
        at = utc(f"{day} 12:00")
        await add(store, gained(gain, at=at))
    assert await on_every_board(store, utc("2026-04-01 13:00")) == {
        "today": {BOB: 130},
        "week": {BOB: 240},
        "month": {BOB: 130},
        "all": {BOB: 340},
    }


async def test_only_who_answered_within_a_period_is_on_its_board(store: SqlStore) -> None:
    await add(store, gained(300, at=utc("2026-03-28 12:00")), gained(100, CAT, at=utc("2026-03-31 12:00")))
    assert await on_every_board(store, utc("2026-03-31 13:00")) == {
        "today": {CAT: 100},
        "week": {CAT: 100},
        "month": {BOB: 300, CAT: 100},
        "all": {BOB: 300, CAT: 100},
    }
    tomorrow = await on_every_board(store, utc("2026-04-01 13:00"))
    assert (tomorrow["today"], tomorrow["week"], tomorrow["month"]) == ({}, {CAT: 100}, {})


async def test_what_comes_late_counts_for_all_time_and_leaves_a_newer_period_alone(store: SqlStore) -> None:
    await add(store, gained(100, at=utc("2026-04-06 00:01")))
    await add(store, gained(150, at=utc("2026-04-05 23:59")))
    assert await on_every_board(store, utc("2026-04-06 12:00")) == {
        "today": {BOB: 100},
        "week": {BOB: 100},
        "month": {BOB: 250},
        "all": {BOB: 250},
    }


async def test_a_turn_over_midnight_counts_each_response_on_its_day(store: SqlStore) -> None:
    await add(store, gained(100, at=utc("2026-04-06 00:00")), gained(150, at=utc("2026-04-05 23:59")))
    assert await points(store, a_board(Period.TODAY, at=utc("2026-04-06 00:00"))) == {BOB: 100}
    assert await points(store) == {BOB: 250}


SOFIAN_MIDNIGHTS = [
    # The day before, the night on which clocks change, and the day after, which has 23 or 25 hours behind it.
    ("2026-03-27 22:00", "2026-03-28"),
    ("2026-03-28 22:00", "2026-03-29"),
    ("2026-03-29 21:00", "2026-03-30"),
    ("2026-03-30 21:00", "2026-03-31"),
    ("2026-10-23 21:00", "2026-10-24"),
    ("2026-10-24 21:00", "2026-10-25"),
    ("2026-10-25 22:00", "2026-10-26"),
]


@pytest.mark.parametrize(("midnight", "day"), SOFIAN_MIDNIGHTS)
async def test_a_day_begins_at_midnight_where_the_chat_is_also_when_clocks_change(
    store: SqlStore, midnight: str, day: str
) -> None:
    begins = utc(midnight)
    await store.prefer(CHAT, "zone", SOFIA)
    await add(store, gained(100, at=begins), gained(70, CAT, at=begins - timedelta(milliseconds=1)))
    noon = utc(f"{day} 10:00")
    assert await points(store, a_board(Period.TODAY, at=noon, zone=SOFIA)) == {BOB: 100}
    assert await points(store, a_board(Period.TODAY, at=noon - timedelta(days=1), zone=SOFIA)) == {CAT: 70}


async def test_the_time_zone_of_a_chat_moves_the_days_of_no_other_and_not_those_across_chats(
    store: SqlStore,
) -> None:
    await store.prefer(CHAT, "zone", "Pacific/Auckland")
    await store.prefer(BOB, "zone", "America/New_York")
    await store.prefer(BOB, "everywhere", True)
    at = utc("2026-04-05 23:00")
    await add(store, gained(100, at=at), gained(120, at=at, chat=OTHER))
    monday = utc("2026-04-06 12:00")
    assert await points(store, a_board(Period.WEEK, at=monday)) == {BOB: 100}
    assert await points(store, a_board(Period.WEEK, at=monday, chat=OTHER)) == {}
    assert await points(store, a_board(Period.WEEK, at=monday, chat=EVERYWHERE)) == {}
    assert await points(store, a_board(Period.WEEK, at=at, chat=EVERYWHERE)) == {BOB: 220}


async def test_a_time_zone_that_is_none_counts_as_utc(store: SqlStore) -> None:
    await store.prefer(CHAT, "zone", "Nowhere/Land")
    await add(store, gained(100))
    assert await points(store, a_board(Period.TODAY)) == {BOB: 100}


@pytest.mark.parametrize("reset", ["2026-03-29 21:00", "2026-10-25 22:00"])
async def test_two_processes_see_the_same_weekly_reset_across_a_change_of_clocks(
    driver: Driver, store: SqlStore, reset: str
) -> None:
    begins = utc(reset)
    second = SqlStore(driver, [PLATFORM])
    await store.prefer(CHAT, "zone", SOFIA)
    before, after = begins - timedelta(milliseconds=1), begins
    assert reset_of(Period.WEEK, before, SOFIA) == begins
    for turn in range(4):
        one, another = (store, second) if turn % 2 else (second, store)
        await add(one, gained(100, at=before - timedelta(seconds=turn)))
        await add(another, gained(10, at=after + timedelta(seconds=turn)), gained(1, CAT, at=before))
    for process in (store, second):
        assert await points(process, a_board(Period.WEEK, at=before, zone=SOFIA)) == {CAT: 4}
        assert await points(process, a_board(Period.WEEK, at=after, zone=SOFIA)) == {BOB: 40}
        assert await points(process) == {BOB: 440, CAT: 4}


# Moving


async def test_a_chat_that_moves_takes_its_scores_along_once_however_often_it_is_said(store: SqlStore) -> None:
    await add(store, gained(100), gained(50, CAT), gained(30, chat=OTHER), gained(20, DAN, chat=OTHER))
    for _ in range(2):
        await store.move_chat(CHAT, OTHER)
    for period in Period:
        assert await points(store, a_board(period, chat=OTHER)) == {BOB: 130, CAT: 50, DAN: 20}
        assert await points(store, a_board(period)) == {}
    assert await points(store, a_board(chat=OTHER, quiz="colours")) == {BOB: 130, CAT: 50, DAN: 20}


async def test_what_arrives_for_the_old_chat_after_its_move_follows_with_the_next_word_of_it(store: SqlStore) -> None:
    await add(store, gained(100))
    await store.move_chat(CHAT, OTHER)
    await add(store, gained(10))
    await store.move_chat(CHAT, OTHER)
    assert await points(store, a_board(chat=OTHER)) == {BOB: 110}
    assert await points(store) == {}


async def test_a_move_adds_up_only_what_belongs_to_the_same_period(store: SqlStore) -> None:
    await add(store, gained(100, at=utc("2026-04-05 12:00")), gained(50, CAT, at=utc("2026-04-06 12:00")))
    await add(store, gained(1, at=utc("2026-04-06 12:00"), chat=OTHER))
    await add(store, gained(2, CAT, at=utc("2026-04-05 12:00"), chat=OTHER, name="Old"))
    await store.move_chat(CHAT, OTHER)
    board = await read(store, a_board(Period.WEEK, at=utc("2026-04-06 12:00"), chat=OTHER))
    assert [(line.name, line.points) for line in board.lines] == [("Cat", 50), ("Bob", 1)]
    assert await points(store, a_board(chat=OTHER)) == {BOB: 101, CAT: 52}


async def test_who_is_hidden_stays_hidden_where_a_chat_moves(store: SqlStore) -> None:
    await store.prefer(BOB, "hidden", True)
    await add(store, gained(100), gained(50, CAT))
    await store.move_chat(CHAT, OTHER)
    assert await points(store, a_board(chat=OTHER)) == {CAT: 50}


# Against a count by hand


def by_hand(scored: Sequence[Scored], board: Board, zone: str | None) -> list[Line]:
    """The leaderboard as a sum over all that was ever gained."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    names = {each.person: each.name for each in scored}
    for each in scored:
        within = start_of(board.period, calendar_day(each.at, zone)) == board.start
        if within and board.chat in (each.chat, EVERYWHERE) and board.quiz in (each.slug, ""):
            for index, gain in enumerate((each.points, each.right, each.answered)):
                sums[each.person][index] += gain
    order = sorted(sums, key=lambda person: (-sums[person][0], names[person], person))
    return [
        Line(1 + sum(other[0] > sums[person][0] for other in sums.values()), person, names[person], *sums[person])
        for person in order
    ]


@pytest.mark.parametrize("seed", range(4))
async def test_every_board_is_the_sum_of_all_that_was_gained_in_whatever_order_it_came(
    store: SqlStore, seed: int
) -> None:
    lots = Random(seed)
    now = utc("2026-03-31 20:30")
    zones = {CHAT: SOFIA, OTHER: None, EVERYWHERE: None}
    await store.prefer(CHAT, "zone", SOFIA)
    people = crowd(12)
    joined, hidden = set(people[::2]), set(people[::5])
    for person in people:
        await store.prefer(person, "everywhere", person in joined)
        await store.prefer(person, "hidden", person in hidden)
    scored = [
        gained(
            lots.choice((0, 100, 100, 125)),
            lots.choice(people),
            at=now - timedelta(minutes=lots.choice((1, 30, 600, 3000, 20000)) * lots.random()),
            chat=lots.choice((CHAT, OTHER)),
            slug=lots.choice(("colours", "shapes")),
        )
        for _ in range(300)
    ]
    for first, last in pairwise(sorted([0, len(scored), *lots.sample(range(1, 300), 9)])):
        await add(store, *scored[first:last])

    for chat, zone in zones.items():
        counted = [each for each in scored if each.person not in hidden]
        if chat == EVERYWHERE:
            counted = [each for each in counted if each.person in joined]
        for period in Period:
            for quiz in ("", "colours", "shapes"):
                board = a_board(period, at=now, chat=chat, zone=zone, quiz=quiz)
                expected = by_hand(counted, board, zone)
                found = await read(store, board)
                assert (list(found.lines), found.count) == (expected, len(expected)), board
                page = await read(store, board, first=3, most=4, person=people[2])
                assert list(page.lines) == expected[3:7], board
                assert page.own == next((line for line in expected if line.person == people[2]), None), board


# What it costs


class Heard:
    """A connection that notes what it is asked."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.asked: list[tuple[str, tuple[Any, ...]]] = []

    async def fetch(self, sql: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        self.asked.append((sql, values))
        return await self._connection.fetch(sql, *values)

    async def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        raise AssertionError("a leaderboard is only read")


@on_sqlite
@pytest.mark.parametrize("period", Period)
async def test_a_page_is_found_by_its_index_and_no_more_than_counted_beyond(
    driver: Driver, store: SqlStore, period: Period
) -> None:
    await add(store, *(gained(100 + index, person) for index, person in enumerate(crowd(30))))
    async with driver.reading() as connection:
        heard = Heard(connection)
        await leaderboards.page(heard, a_board(period), 10, 10, "test:p00")
        plans = [
            [row[3] for row in await connection.fetch(f"EXPLAIN QUERY PLAN {sql}", *values)]
            for sql, values in heard.asked
        ]
    index = {"today": "day", "week": "week", "month": "month", "all": "ever"}[period.value]
    found, ahead, own, own_ahead, count = plans
    # Who is passed over costs a step in the index each; looked up, and put in order again, are only those on the page.
    listed, passed, page, lines, order = found
    assert (listed, page, order) == ("MATERIALIZE page", "SCAN page", "USE TEMP B-TREE FOR ORDER BY")
    assert passed.startswith(f"SEARCH score USING COVERING INDEX score_{index} ")
    assert lines.startswith("SEARCH score USING PRIMARY KEY (chat=? AND quiz=? AND person=?)")
    assert own[0].startswith("SEARCH score USING PRIMARY KEY (chat=? AND quiz=? AND person=?)")
    assert count[0].startswith("SEARCH score USING COVERING INDEX score_")
    for plan in (ahead, own_ahead):
        assert plan[0].startswith(f"SEARCH score USING COVERING INDEX score_{index} ")
