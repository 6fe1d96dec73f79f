"""A year of practice: what comes back when, through both changes of the clocks, journeys and weeks off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta
from itertools import groupby, pairwise
from statistics import median

import pytest

from bot.core.quiz import QuestionRef
from bot.learning.days import date_of, day_of
from bot.learning.lineup import MOST
from bot.learning.memory import Memory
from bot.learning.reviews import LONGEST
from tests.learning.pupil import QUESTIONS, Pupil, Sitting

FIRST = date(2026, 1, 1)
EVENING = time(20)
NIGHT = time(3, 30)
SPRING, AUTUMN = date(2026, 3, 29), date(2026, 10, 25)
"""When clocks change in Sofia, at three and at four in the night."""

SETTLED = day_of(date(2026, 2, 15))
"""By then all questions are known, and nothing but reviews is left."""


def dates(first: date = FIRST, days: int = 365) -> Iterator[date]:
    return (first + timedelta(days=number) for number in range(days))


@pytest.fixture(scope="module")
def year() -> Pupil:
    """Every evening at eight."""
    pupil = Pupil()
    for on in dates():
        pupil.practise(pupil.at(on, EVENING))
    return pupil


@pytest.fixture(scope="module")
def nights() -> Pupil:
    """Every night at half past three, but for the one in which there is no such time."""
    pupil = Pupil()
    for on in dates():
        pupil.practise(pupil.at(on, time(2, 30) if on == SPRING else NIGHT))
    return pupil


@pytest.fixture(scope="module")
def weeks_off() -> Pupil:
    """Every evening, but for two weeks in February and three in August."""
    pupil = Pupil()
    away = {*dates(date(2026, 2, 1), 14), *dates(date(2026, 8, 3), 21)}
    for on in dates():
        if on not in away:
            pupil.practise(pupil.at(on, EVENING))
    return pupil


# The year in figures


TABLE = """
     days  asked   new  right  usual  most  due  in a row
Jan    31    306    60    78%     15    47   15        31
Feb    27    105     0    96%     32    93    9        58
Mar    28     73     0    94%     50   196    6        86
Apr    26     46     0    97%     60   204    4       112
May    22     35     0    97%     88   240    3       134
Jun    17     30     0    93%     94   240    3       151
Jul    18     22     0   100%     97   240    2       169
Aug    18     32     0    93%    112   364    5       187
Sep    17     23     0    95%    130   364    3       204
Oct    13     14     0   100%    130   365    2       217
Nov    13     15     0   100%    136   365    2       230
Dec    13     17     0    94%    154   365    3       243
"""
"""For each month: days with something to answer; questions answered, and how many of them new; how many right at once,
in percent; after how many days the questions come back that are known at its end: usually, and at the most; the most
reviews that were due on a day; the days in a row at its end."""


def table(sittings: Iterable[Sitting]) -> str:
    months = groupby(sittings, lambda sitting: date_of(sitting.day).strftime("%b"))
    head = (
        f"{'':3} {'days':>5} {'asked':>6} {'new':>5} {'right':>6} {'usual':>6} {'most':>5} {'due':>4} {'in a row':>9}"
    )
    return "\n".join(["", head, *(_line(month, list(each)) for month, each in months), ""])


def _line(month: str, sittings: list[Sitting]) -> str:
    first = [right for sitting in sittings for right in sitting.at_first.values()]
    waits = [wait(memory) for memory in sittings[-1].memories]
    return (
        f"{month:3} {sum(bool(sitting.answers) for sitting in sittings):5} {len(first):6}"
        f" {sum(sitting.offered.new for sitting in sittings):5} {100 * sum(first) // max(len(first), 1):5}%"
        f" {median(waits):6.0f} {max(waits):5} {max(sitting.offered.due for sitting in sittings):4}"
        f" {sittings[-1].streak:9}"
    )


def wait(memory: Memory) -> int:
    """After how many days it comes back."""
    assert memory.due is not None
    assert memory.reviewed is not None
    return memory.due - memory.reviewed


def test_the_year_in_figures(year: Pupil) -> None:
    assert table(year.sittings) == TABLE


# What holds in any year


@pytest.fixture(scope="module", params=["year", "nights", "weeks_off"])
def any_year(request: pytest.FixtureRequest) -> Pupil:
    pupil = request.getfixturevalue(request.param)
    assert isinstance(pupil, Pupil)
    return pupil


def test_ten_questions_are_the_most_and_none_comes_twice_unless_it_was_missed(any_year: Pupil) -> None:
    for sitting in any_year.sittings:
        refs = sitting.offered.refs
        assert len(refs) == len(set(refs)) <= MOST
        assert set(sitting.at_first) == set(refs)
        assert not any(right for _, right in returned(sitting))


def returned(sitting: Sitting) -> list[tuple[QuestionRef, bool]]:
    """The answers after which a question came back."""
    last = {question: number for number, (question, _) in enumerate(sitting.answers)}
    return [answer for number, answer in enumerate(sitting.answers) if last[answer[0]] != number]


def test_reviews_come_on_the_day_they_are_due_or_wait_for_one_of_ten_places(any_year: Pupil) -> None:
    for before, sitting in pairwise(any_year.sittings):
        due = {memory.ref for memory in before.memories if memory.due is not None and memory.due <= sitting.day}
        assert sitting.offered.due == len(due)
        assert sitting.offered.reviews == min(len(due), MOST)
        assert due.issuperset(sitting.offered.refs[: sitting.offered.reviews])


def test_intervals_grow_and_misses_shrink_them(any_year: Pupil) -> None:
    """Of a question that was not missed when it came back: longer. Of one that was: shorter, where that is possible."""
    rights = misses = 0
    for before, sitting in pairwise(any_year.sittings):
        known = {memory.ref: memory for memory in before.memories}
        now = {memory.ref: memory for memory in sitting.memories}
        for question, right in sitting.at_first.items():
            if question not in known:
                continue
            was, is_ = known[question], now[question]
            if right:
                assert stability(is_) > stability(was)
                assert wait(is_) >= wait(was)
                rights += 1
            elif wait(was) > 1:
                assert stability(is_) < stability(was)
                assert wait(is_) < wait(was)
                misses += 1
    assert rights > 200
    assert misses > 10


def stability(memory: Memory) -> float:
    assert memory.stability is not None
    return memory.stability


def test_all_questions_are_known_in_the_end_and_wait_for_months(any_year: Pupil) -> None:
    waits = [wait(memory) for memory in any_year.memories.values()]
    assert len(waits) == len(QUESTIONS)
    assert median(waits) > 60
    assert max(waits) <= LONGEST


def test_reviews_never_pile_up_once_all_is_known(year: Pupil, nights: Pupil) -> None:
    for pupil in (year, nights):
        counts = [sitting.offered.due for sitting in pupil.sittings if sitting.day >= SETTLED]
        assert max(counts) <= 6
        assert sum(counts) / len(counts) < 2


def test_every_day_of_the_year_has_its_sitting(year: Pupil, nights: Pupil) -> None:
    assert [date_of(sitting.day) for sitting in year.sittings] == list(dates())
    assert [date_of(sitting.day) for sitting in nights.sittings] == list(dates(FIRST - timedelta(days=1)))


@pytest.mark.parametrize("change", [SPRING, AUTUMN], ids=["spring", "autumn"])
def test_the_days_around_a_change_of_the_clocks_are_like_all_others(year: Pupil, nights: Pupil, change: date) -> None:
    for pupil in (year, nights):
        near = [each for each in pupil.sittings if abs(each.day - day_of(change)) <= 2]
        assert len(near) == 5
        assert all(0 <= each.offered.due <= 4 for each in near)


# Days in a row


def test_days_in_a_row_never_end_for_whoever_never_leaves_a_review_lying(year: Pupil, nights: Pupil) -> None:
    """Not on days on which nothing was due, nor in the nights in which clocks change."""
    for pupil in (year, nights):
        answered = 0
        for sitting in pupil.sittings:
            answered += bool(sitting.answers)
            assert sitting.streak == answered


def test_days_in_a_row_end_with_weeks_off_and_begin_anew(weeks_off: Pupil) -> None:
    streaks = {date_of(sitting.day): sitting.streak for sitting in weeks_off.sittings}
    assert streaks[date(2026, 1, 31)] == 31
    assert streaks[date(2026, 2, 15)] == 1
    assert streaks[date(2026, 8, 24)] == 1


def test_weeks_off_are_made_up_for_ten_a_day(weeks_off: Pupil) -> None:
    back = [sitting for sitting in weeks_off.sittings if sitting.day >= day_of(date(2026, 2, 15))]
    assert [sitting.offered.due for sitting in back[:10]] == [42, 39, 31, 26, 20, 13, 6, 3, 3, 4]
    assert all(sitting.offered.new == 0 for sitting in back[:10])


def test_weeks_in_which_the_service_was_away_end_no_days_in_a_row() -> None:
    pupil = Pupil()
    for on in dates(days=30):
        pupil.practise(pupil.at(on, EVENING))
    back = FIRST + timedelta(days=44)
    pupil.faults = ((pupil.at(FIRST + timedelta(days=30), NIGHT), pupil.at(back, NIGHT)),)
    assert pupil.practise(pupil.at(back, EVENING)).streak == 31


# Journeys


@pytest.mark.parametrize("clock", [time(5), EVENING, NIGHT], ids=["at five", "at eight", "in the night"])
@pytest.mark.parametrize(
    ("there", "back"),
    [("Atlantic/Azores", "Europe/Sofia"), ("Asia/Tokyo", "Europe/Sofia"), ("Pacific/Honolulu", "Pacific/Auckland")],
    ids=["three hours west", "seven hours east", "half round the world"],
)
def test_a_journey_brings_no_question_twice_and_loses_no_day(clock: time, there: str, back: str) -> None:
    """They practise on arrival as well: it may be the day before, or the next one."""
    pupil = Pupil()
    for on in dates(days=120):
        now = pupil.at(on, clock)
        pupil.practise(now)
        if on.day == 20:
            pupil.zone = there if pupil.zone == "Europe/Sofia" else back
            arrived = pupil.practise(now + timedelta(hours=1))
            before = pupil.sittings[-2]
            if arrived.day <= before.day:
                just = {memory.ref: memory for memory in before.memories if memory.reviewed == before.day}
                assert all(just[ref].missed for ref in arrived.offered.refs if ref in just)
    assert all(wait(memory) >= 0 for sitting in pupil.sittings for memory in sitting.memories)
    assert max(sitting.offered.due for sitting in pupil.sittings) <= 2 * MOST
    assert pupil.learner.streak >= 80
