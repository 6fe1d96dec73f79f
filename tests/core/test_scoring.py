"""Points of one response, and ranks that ties share."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.scoring import BEST_BONUS, POINT, Standing, points, standings
from bot.core.session import Player
from tests.core.building import seconds

PLAYERS = st.lists(
    st.builds(
        Player,
        st.uuids().map(str),
        st.sampled_from(["Ann", "ann", "Bob", "Ö"]),
        st.integers(0, 3).map(lambda number: number * 50),
        answered=st.integers(0, 2),
    ),
    max_size=12,
    unique_by=lambda player: player.person,
)


def test_equal_points_share_a_rank_and_the_next_rank_counts_them() -> None:
    scores = {"dan": 99, "bob": 100, "ann": 101, "cat": 100}
    shuffled = [Player(person, person.title(), scored, answered=1) for person, scored in scores.items()]
    lines = standings(shuffled)
    assert [(line.rank, line.name, line.points) for line in lines] == [
        (1, "Ann", 101),
        (2, "Bob", 100),
        (2, "Cat", 100),
        (4, "Dan", 99),
    ]
    assert standings(reversed(shuffled)) == lines


def test_one_player_is_first_and_nobody_is_no_line() -> None:
    ann = Player("ann", "Ann", points=150, right=1, answered=2, taken=900)
    assert standings([ann]) == (Standing(1, "ann", "Ann", 150, 1, 2, 900),)
    assert standings([]) == ()


def test_who_only_selected_has_not_played_and_who_was_always_wrong_has() -> None:
    selecting = Player("ann", "Ann", selecting=0, selection=(1,), toggles=("u1",))
    wrong = Player("bob", "Bob", answered=1)
    assert [line.person for line in standings([selecting, wrong])] == ["bob"]


def test_time_breaks_no_tie() -> None:
    slow = Player("ann", "Ann", points=100, answered=1, taken=9000)
    fast = Player("bob", "Bob", points=100, answered=1, taken=10)
    assert [(line.rank, line.name) for line in standings([fast, slow])] == [(1, "Ann"), (1, "Bob")]


@given(PLAYERS, st.randoms())
def test_a_rank_is_one_more_than_the_number_of_better_players(players: list[Player], random: object) -> None:
    lines = standings(players)
    playing = [player for player in players if player.answered]
    assert len(lines) == len(playing)
    for line in lines:
        assert line.rank == 1 + sum(player.points > line.points for player in playing)
    assert standings(sorted(players, key=lambda player: player.person)) == lines


@pytest.mark.parametrize(
    ("left", "limit", "expected"),
    [
        (5, None, POINT),
        (20, 20, POINT + BEST_BONUS),
        (10, 20, POINT + 25),
        (0, 20, POINT),
        (-3, 20, POINT),
        (90, 20, POINT + BEST_BONUS),
    ],
)
def test_a_right_answer_is_a_point_and_at_most_half_a_point_for_speed(
    left: float, limit: float | None, expected: int
) -> None:
    assert points(right=True, left=seconds(left), limit=None if limit is None else seconds(limit)) == expected


def test_a_wrong_answer_is_nothing_however_fast() -> None:
    assert points(right=False, left=timedelta(seconds=20), limit=timedelta(seconds=20)) == 0
